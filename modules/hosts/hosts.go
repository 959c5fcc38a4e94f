// Package hosts holds Salt's hosts module: the entries of /etc/hosts. Its main
// variable is Module.
//
//	salt-call hosts.add_host 10.0.0.7 db7.example
package hosts

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's hosts module.
var Module = salt.Module{
	Name: "hosts",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add_host":    salt.Exec(addHost),
			"get_alias":   salt.Exec(getAlias),
			"get_ip":      salt.Exec(getIP),
			"has_pair":    salt.Exec(hasPair),
			"list_hosts":  salt.Exec(listHosts),
			"rm_host":     salt.Exec(rmHost),
			"set_comment": salt.Exec(setComment),
			"set_host":    salt.Exec(setHost),
		}
	},
}

// file is the option hosts.file, /etc/hosts by default.
func file(c *salt.Ctx) string {
	if f := c.Opts.Str("hosts.file"); f != "" {
		return f
	}
	return "/etc/hosts"
}

// read is the text of the file; a missing one is empty.
func read(c *salt.Ctx) (string, error) {
	b, err := c.Sys.ReadFile(file(c))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(b), err
}

func write(c *salt.Ctx, text string) error {
	return sys.WriteFile(c.Sys, file(c), []byte(text), sys.FileAttrs{})
}

// parse reads hosts(5): addresses in their order with aliases and comment, and
// lines that are comments as comment-N. Lines of the same address are joined.
func parse(text string) *value.Map {
	hosts := new(value.Map)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if line[0] == '#' {
			hosts.Set("comment-"+strconv.Itoa(comments(hosts)), value.L(line))
			continue
		}
		line, comment, _ := strings.Cut(line, "#")
		comment = strings.TrimLeft(comment, " \t")
		words := strings.Fields(line)
		entry := hosts.Map(words[0])
		if entry == nil {
			entry = value.M("aliases", value.L())
			hosts.Set(words[0], entry)
		}
		for _, w := range words[1:] {
			entry.List("aliases").Append(w)
		}
		if comment != "" {
			entry.Set("comment", comment)
		}
	}
	return hosts
}

func comments(hosts *value.Map) (n int) {
	for k := range hosts.Items() {
		if strings.HasPrefix(k, "comment-") {
			n++
		}
	}
	return n
}

// text writes what parse read.
func text(hosts *value.Map) string {
	var b strings.Builder
	for ip, v := range hosts.Items() {
		line := ""
		switch v := v.(type) {
		case *value.List:
			line = value.Str(v.Items[0])
		case *value.Map:
			line = ip + "\t\t" + strings.Join(aliases(v), " ")
			if v.Has("comment") {
				line += "\t\t# " + v.Str("comment")
			}
		}
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

func aliases(entry *value.Map) []string {
	out := []string{}
	if l := entry.List("aliases"); l != nil {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
	}
	return out
}

func load(c *salt.Ctx) (*value.Map, error) {
	t, err := read(c)
	return parse(t), err
}

// listHosts returns all entries: addresses with their aliases and comment.
func listHosts(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) { return load(c) }

type getAliasArgs struct {
	IP string `py:"ip"` // the address
}

// getAlias returns the names of an address.
func getAlias(c *salt.Ctx, a getAliasArgs) (*value.List, error) {
	hosts, err := load(c)
	return value.Strings(aliases(hosts.Map(a.IP))), err
}

type getIPArgs struct {
	Host string `py:"host"` // the name
}

// getIP returns the first address of a name, or nothing.
func getIP(c *salt.Ctx, a getIPArgs) (string, error) {
	hosts, err := load(c)
	for ip, v := range hosts.Items() {
		if entry, ok := v.(*value.Map); ok && contains(aliases(entry), a.Host) {
			return ip, nil
		}
	}
	return "", err
}

func contains(list []string, s string) bool {
	for _, it := range list {
		if it == s {
			return true
		}
	}
	return false
}

type hasPairArgs struct {
	IP    string `py:"ip"`    // the address
	Alias any    `py:"alias"` // the name, or a list of names
}

// hasPair says whether an address has a name, or all names of a list.
func hasPair(c *salt.Ctx, a hasPairArgs) (bool, error) {
	hosts, err := load(c)
	entry := hosts.Map(a.IP)
	if entry == nil || err != nil {
		return false, err
	}
	want := value.L(a.Alias)
	if l, ok := a.Alias.(*value.List); ok {
		want = l
	}
	for _, w := range want.Items {
		if !contains(aliases(entry), value.Str(w)) {
			return false, nil
		}
	}
	return true, nil
}
