// Package ipset holds Salt's ipset module: sets of addresses, networks and
// ports for the packet filter. Its main variable is Module.
//
//	blocked:
//	  ipset.set_present:
//	    - set_type: hash:net
//	    - comment: True
//	block-spammers:
//	  ipset.present:
//	    - set_name: blocked
//	    - entry: [192.0.2.0/24, 198.51.100.7]
package ipset

import (
	"errors"
	"slices"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's ipset module.
var Module = salt.Module{
	Name: "ipset",
	States: func() salt.Funcs {
		return salt.Funcs{
			"absent":      salt.State(absent),
			"flush":       salt.State(flushState),
			"present":     salt.State(present),
			"set_absent":  salt.State(setAbsent),
			"set_present": salt.State(setPresent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add":        salt.Exec(add),
			"check":      salt.Exec(check),
			"check_set":  salt.Exec(checkSet),
			"delete":     salt.Exec(remove),
			"delete_set": salt.Exec(deleteSet),
			"flush":      salt.Exec(flush),
			"list_sets":  salt.Exec(listSets),
			"new_set":    salt.Exec(newSet),
			"rename_set": salt.Exec(renameSet),
			"test":       salt.Exec(test),
			"version":    salt.Exec(version),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("ipset") != "":
			return nil
		case kind == "states":
			return errors.New("ipset module could not be loaded")
		}
		return errors.New("The ipset execution modules cannot be loaded: ipset binary not in path.")
	},
}

const (
	noSet   = "Error: Set needs to be specified"
	noEntry = "Error: Entry needs to be specified"
)

func ask(c *salt.Ctx, words ...string) (command.Answer, error) {
	return command.Ask(c, append([]string{"ipset"}, words...)...)
}

// do changes something. It returns True, or what ipset complained about.
func do(c *salt.Ctx, words ...string) (any, error) {
	a, err := command.Do(c, append([]string{"ipset"}, words...)...)
	if text := a.All(); text != "" {
		return text, err
	}
	return true, err
}

// version returns the version of ipset.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	a, err := ask(c, "--version")
	if f := strings.Fields(a.All()); len(f) > 1 {
		return strings.TrimSuffix(f[1], ","), err
	}
	return "", err
}

type newSetArgs struct {
	Name    any        `py:"name=None"`     // the set
	SetType any        `py:"set_type=None"` // its type: hash:ip, hash:net, bitmap:port, list:set …
	Family  string     `py:"family='ipv4'"` // ipv4 or ipv6
	Comment any        `py:"comment=False"` // entries may have comments
	Kwargs  *value.Map `py:"**kwargs"`      // options of ipset(8) for the type: range, timeout, maxelem, hashsize, netmask, counters, skbinfo …
}

// createOptions are what sets of a type can be made with.
func createOptions(setType string) []string {
	switch {
	case setType == "list:set":
		return []string{"size", "timeout", "counters", "comment"}
	case setType == "bitmap:ip":
		return []string{"range", "netmask", "timeout", "counters", "comment", "skbinfo"}
	case strings.HasPrefix(setType, "bitmap:"):
		return []string{"range", "timeout", "counters", "comment", "skbinfo"}
	case setType == "hash:mac":
		return []string{"hashsize", "maxelem", "timeout", "counters", "comment", "skbinfo"}
	case setType == "hash:ip,mark":
		return []string{"family", "markmask", "hashsize", "maxelem", "timeout", "counters", "comment", "skbinfo"}
	}
	return []string{"family", "hashsize", "maxelem", "netmask", "timeout", "counters", "comment", "skbinfo"}
}

const setTypes = " bitmap:ip bitmap:ip,mac bitmap:port hash:ip hash:mac hash:ip,port hash:ip,port,ip hash:ip,port,net hash:net hash:net,net hash:net,iface hash:net,port hash:net,port,net hash:ip,mark list:set "

func inet(family string) (string, error) {
	switch family {
	case "ipv4", "ip4":
		return "inet", nil
	case "ipv6", "ip6":
		return "inet6", nil
	}
	return "", value.Errorf("KeyError", "'%s'", family)
}

// newSet makes a set. It returns True, or what ipset complained about.
//
//	salt-call ipset.new_set blocked hash:net maxelem=100000
func newSet(c *salt.Ctx, a newSetArgs) (any, error) {
	family, err := inet(a.Family)
	if err != nil {
		return nil, err
	}
	setType := value.Str(a.SetType)
	switch {
	case !value.Truth(a.Name):
		return "Error: Set Name needs to be specified", nil
	case !value.Truth(a.SetType):
		return "Error: Set Type needs to be specified", nil
	case !strings.Contains(setTypes, " "+setType+" "):
		return "Error: Set Type is invalid", nil
	case strings.HasPrefix(setType, "bitmap:") && !a.Kwargs.Has("range"):
		return "Error: range is a required argument", nil
	}
	words := []string{"create", value.Str(a.Name), setType}
	options := createOptions(setType)
	for _, o := range options {
		v, ok := a.Kwargs.Get(o)
		switch {
		case !ok:
		case o == "counters" || o == "skbinfo":
			words = append(words, o)
		default:
			words = append(words, o, value.Str(v))
		}
	}
	if options[0] == "family" {
		words = append(words, "family", family)
	}
	if value.Truth(a.Comment) {
		words = append(words, "comment")
	}
	return do(c, words...)
}

type setArgs struct {
	Name   any    `py:"name=None"`     // the set
	Family string `py:"family='ipv4'"` // not used
}

// deleteSet removes a set. It returns True, or what ipset complained about.
func deleteSet(c *salt.Ctx, a setArgs) (any, error) {
	if !value.Truth(a.Name) {
		return noSet, nil
	}
	return do(c, "destroy", value.Str(a.Name))
}

type renameSetArgs struct {
	Name   any    `py:"name=None"`     // the set
	NewSet any    `py:"new_set=None"`  // its new name
	Family string `py:"family='ipv4'"` // not used
}

// renameSet renames a set. It returns True, or what ipset complained about.
func renameSet(c *salt.Ctx, a renameSetArgs) (any, error) {
	switch {
	case !value.Truth(a.Name):
		return noSet, nil
	case !value.Truth(a.NewSet):
		return "Error: New name for set needs to be specified", nil
	}
	old, err := info(c, value.Str(a.Name))
	if err != nil || old == nil {
		return "Error: Set does not exist", err
	}
	other, err := info(c, value.Str(a.NewSet))
	if err != nil || other != nil {
		return "Error: New Set already exists", err
	}
	return do(c, "rename", value.Str(a.Name), value.Str(a.NewSet))
}

type familyArgs struct {
	Family string `py:"family='ipv4'"` // not used
}

// listSets returns what ipset says about each set: Name, Type, Header …
func listSets(c *salt.Ctx, _ familyArgs) (*value.List, error) {
	a, err := ask(c, "list", "-t")
	m := new(value.Map)
	sets := value.L(m)
	for line := range strings.SplitSeq(a.All(), "\n") {
		if line == "" {
			m = new(value.Map)
			sets.Append(m)
		} else if key, v, ok := strings.Cut(line, ":"); ok {
			m.Set(key, strings.TrimPrefix(v, " "))
		}
	}
	return sets, err
}

// info is what ipset says about a set, nil if there is none.
func info(c *salt.Ctx, name string) (*value.Map, error) {
	a, err := ask(c, "list", "-t", name)
	if err != nil || a.Code > 0 {
		return nil, err
	}
	m := new(value.Map)
	for line := range strings.SplitSeq(a.Out, "\n") {
		if key, v, ok := strings.Cut(line, ":"); ok {
			m.Set(key, strings.TrimPrefix(v, " "))
		}
	}
	return m, nil
}

// checkSet reports whether there is a set.
func checkSet(c *salt.Ctx, a setArgs) (any, error) {
	if !value.Truth(a.Name) {
		return noSet, nil
	}
	m, err := info(c, value.Str(a.Name))
	return m.Len() > 0, err
}

// flush removes all entries of a set, or of all sets.
func flush(c *salt.Ctx, a setArgs) (bool, error) {
	words := []string{"flush"}
	if value.Truth(a.Name) {
		words = append(words, value.Str(a.Name))
	}
	done, err := do(c, words...)
	return done == true, err
}

// entryOptions end the text of a comment among the words of an entry.
func entryOptions(word string) bool {
	return slices.Contains([]string{"timeout", "packets", "bytes", "skbmark", "skbprio", "skbqueue", "nomatch", "comment"}, word)
}
