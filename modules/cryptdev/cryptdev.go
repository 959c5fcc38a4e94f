// Package cryptdev holds Salt's cryptdev module: encrypted devices and
// crypttab(5). Its main variable is Module.
//
//	salt-call cryptdev.set_crypttab data /dev/vdb1 /root/key luks,discard
package cryptdev

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

// Module is Salt's cryptdev module.
var Module = salt.Module{
	Name: "cryptdev",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"active":       salt.Exec(active),
			"close":        salt.Exec(closeDevice),
			"crypttab":     salt.Exec(crypttab),
			"open":         salt.Exec(open),
			"rm_crypttab":  salt.Exec(rmCrypttab),
			"set_crypttab": salt.Exec(setCrypttab),
		}
	},
}

// columns are those of a line of crypttab(5).
const columns = "name device password options"

// An entry is a line by its columns.
type entry map[string]string

// parse reads a line; nil when it is no entry.
func parse(line string) entry {
	words := strings.Fields(line)
	if len(words) == 3 {
		words = append(words, "")
	}
	if strings.HasPrefix(line, "#") || len(words) != 4 {
		return nil
	}
	return entry{"name": words[0], "device": words[1], "password": words[2], "options": words[3]}
}

func (e entry) line() string {
	return fmt.Sprintf("%-12s %-44s %-22s %s\n", e["name"], e["device"], e["password"], e["options"])
}

func (e entry) has(want entry) bool {
	for key, val := range want {
		if e[key] != val {
			return false
		}
	}
	return true
}

// active returns the encrypted devices that are open: their names in
// /dev/mapper with devname, major and minor.
func active(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"dmsetup", "ls", "--target", "crypt"}, Query: true})
	if err != nil {
		return nil, err
	}
	re, err := pyre.Compile(`(\S+)\s+\((\d+), (\d+)\)`, 0)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for line := range strings.Lines(string(r.Stdout)) {
		if m := re.Match(line); m != nil {
			name, _ := m.Group(1)
			major, _ := m.Group(2)
			minor, _ := m.Group(3)
			ret.Set(name, value.M("devname", name, "major", major, "minor", minor))
		}
	}
	return ret, nil
}

type configArgs struct {
	Config string `py:"config='/etc/crypttab'"` // the file
}

// crypttab returns the devices of crypttab(5) by name. A further one of the
// same name has an underscore behind it.
func crypttab(c *salt.Ctx, a configArgs) (*value.Map, error) {
	m := new(value.Map)
	if !sys.IsFile(c.Sys, a.Config) {
		return m, nil
	}
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return nil, salt.OSError(err)
	}
	for line := range strings.Lines(string(b)) {
		e := parse(line)
		if e == nil {
			continue
		}
		name := e["name"]
		for m.Has(name) {
			name += "_"
		}
		m.Set(name, value.M("device", e["device"], "password", e["password"], "options", value.Strings(strings.Split(e["options"], ","))))
	}
	return m, nil
}

type rmArgs struct {
	Name   any    `py:"name"`                   // the name of the device
	Config string `py:"config='/etc/crypttab'"` // the file
}

// rmCrypttab removes a device from crypttab(5). It returns change or absent.
func rmCrypttab(c *salt.Ctx, a rmArgs) (string, error) {
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return "", salt.CommandError("Could not read from %s: %s", a.Config, salt.OSError(err))
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if e := parse(line); e == nil || e["name"] != value.Str(a.Name) {
			out.WriteString(line)
		}
	}
	if out.Len() == len(b) {
		return "absent", nil
	}
	if err := sys.WriteFile(c.Sys, a.Config, []byte(out.String()), sys.FileAttrs{}); err != nil {
		return "", salt.CommandError("Could not write to %s: %s", a.Config, salt.OSError(err))
	}
	return "change", nil
}

type setArgs struct {
	Name     any    `py:"name"`                   // the name of the device
	Device   any    `py:"device"`                 // the encrypted device
	Password any    `py:"password='none'"`        // the file with the key
	Options  any    `py:"options=''"`             // options: a list, or text with commas
	Config   string `py:"config='/etc/crypttab'"` // the file
	Test     bool   `py:"test=False"`             // only say what would be done
	MatchOn  any    `py:"match_on='name'"`        // the columns (name, device, password, options) that tell which line is meant
}

// setCrypttab makes sure that crypttab(5) has a device. It returns present,
// new or change.
func setCrypttab(c *salt.Ctx, a setArgs) (string, error) {
	e := entry{"name": value.Str(a.Name), "device": value.Str(a.Device), "password": "none"}
	if a.Password != nil {
		e["password"] = value.Str(a.Password)
	}
	switch v := a.Options.(type) {
	case nil:
	case string:
		e["options"] = v
	case *value.List:
		words := make([]string, v.Len())
		for i, it := range v.Items {
			words[i] = value.Str(it)
		}
		e["options"] = strings.Join(words, ",")
	default:
		return "", salt.CommandError("options must be a string or list of strings")
	}
	want, err := criteria(e, a.MatchOn)
	if err != nil {
		return "", err
	}
	if !sys.IsFile(c.Sys, a.Config) {
		return "", salt.CommandError("Bad config file \"%s\"", a.Config)
	}
	b, err := c.Sys.ReadFile(a.Config)
	if err != nil {
		return "", salt.CommandError("Couldn't read from %s: %s", a.Config, salt.OSError(err))
	}
	text, answer := with(string(b), e, want)
	if answer == "present" || a.Test {
		return answer, nil
	}
	if err := sys.WriteFile(c.Sys, a.Config, []byte(text), sys.FileAttrs{}); err != nil {
		return "", salt.CommandError("File not writable %s", a.Config)
	}
	return answer, nil
}

// with is the text of the file with an entry, and what that changes.
func with(text string, e, want entry) (out, answer string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if old := parse(line); old != nil && old.has(want) {
			answer = "present"
			if !old.has(e) {
				answer, line = "change", e.line()
			}
		}
		b.WriteString(line)
	}
	if answer == "" {
		answer = "new"
		if text != "" && !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(e.line())
	}
	return b.String(), answer
}

// criteria are the columns that tell which lines an entry stands for.
func criteria(e entry, matchOn any) (entry, error) {
	var keys []any
	switch v := matchOn.(type) {
	case *value.List:
		keys = v.Items
	case string:
		keys = []any{v}
	default:
		return nil, salt.CommandError("match_on must be a string or list of strings")
	}
	want, bad := entry{}, value.L()
	for _, it := range keys {
		key := value.Str(it)
		if !strings.Contains(" "+columns+" ", " "+key+" ") {
			bad.Append(key)
		}
		want[key] = e[key]
	}
	if bad.Len() > 0 {
		return nil, salt.CommandError("Unrecognized keys in match_on: \"%s\"", value.Repr(bad))
	}
	return want, nil
}

type openArgs struct {
	Name    string `py:"name"`    // the name in /dev/mapper
	Device  string `py:"device"`  // the encrypted device
	Keyfile any    `py:"keyfile"` // the file with the key
}

// open opens an encrypted device and reports whether that worked.
func open(c *salt.Ctx, a openArgs) (bool, error) {
	if a.Keyfile == nil || a.Keyfile == "none" || a.Keyfile == "-" {
		return false, salt.CommandError("For immediate crypt device mapping, keyfile must not be none")
	}
	v, err := c.CallKw("cmd.retcode", value.M("python_shell", false), value.Strings([]string{"cryptsetup", "open", "--key-file", value.Str(a.Keyfile), a.Device, a.Name}))
	return value.Equal(v, int64(0)), err
}

type closeArgs struct {
	Name string `py:"name"` // the name in /dev/mapper
}

// closeDevice closes an encrypted device and reports whether that worked.
func closeDevice(c *salt.Ctx, a closeArgs) (bool, error) {
	v, err := c.CallKw("cmd.retcode", value.M("python_shell", false), value.Strings([]string{"cryptsetup", "close", a.Name}))
	return value.Equal(v, int64(0)), err
}
