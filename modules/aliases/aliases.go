// Package aliases holds Salt's aliases module: the table of mail aliases, in
// the file that the option aliases.file names. Its main variable is Module.
//
//	salt-call aliases.set_target root admin@example.org
package aliases

import (
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's aliases module.
var Module = salt.Module{
	Name: "aliases",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_target":   salt.Exec(getTarget),
			"has_target":   salt.Exec(hasTarget),
			"list_aliases": salt.Exec(listAliases),
			"rm_alias":     salt.Exec(rmAlias),
			"set_target":   salt.Exec(setTarget),
		}
	},
	Outputter: map[string]string{"rm_alias": "txt", "has_target": "txt", "get_target": "txt", "set_target": "txt", "list_aliases": "yaml"},
}

// A line is an alias with its targets and the comment behind them; raw is a
// line of another kind.
type line struct{ alias, target, comment, raw string }

var form = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([^:#\s][^:#]*?)\s*:\s*([^#]*?)(\s+#.*)?$`) })

func parse(text string) []line {
	var out []line
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		if g := form().FindStringSubmatch(l); g != nil && g[2] != "" {
			out = append(out, line{g[1], g[2], g[3], ""})
		} else {
			out = append(out, line{raw: l})
		}
	}
	return out
}

func (l line) String() string {
	if l.alias == "" {
		return l.raw + "\n"
	}
	return l.alias + ": " + l.target + l.comment + "\n"
}

// path is the table, behind any links.
func path(c *salt.Ctx) (string, error) {
	v, err := c.Call("config.option", "aliases.file")
	if err != nil {
		return "", err
	}
	p := value.Str(v)
	if r, err := c.Sys.EvalSymlinks(p); err == nil {
		p = r
	}
	return p, nil
}

func read(c *salt.Ctx) (string, []line, error) {
	p, err := path(c)
	if err != nil || !sys.IsFile(c.Sys, p) {
		return p, nil, err
	}
	b, err := c.Sys.ReadFile(p)
	return p, parse(string(b)), salt.OSError(err)
}

func write(c *salt.Ctx, p string, lines []line) (bool, error) {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.String())
	}
	if err := sys.WriteFile(c.Sys, p, []byte(b.String()), sys.FileAttrs{}); err != nil {
		return false, salt.OSError(err)
	}
	if bin := c.Sys.LookPath("newaliases"); bin != "" {
		if _, err := c.Call("cmd.run", bin); err != nil {
			return false, err
		}
	}
	return true, nil
}

// listAliases returns the targets by alias.
func listAliases(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	_, lines, err := read(c)
	m := new(value.Map)
	for _, l := range lines {
		if l.alias != "" {
			m.Set(l.alias, l.target)
		}
	}
	return m, err
}

type aliasArgs struct {
	Alias string `py:"alias"` // the alias
}

// getTarget returns the targets of an alias, "" when it is not there.
func getTarget(c *salt.Ctx, a aliasArgs) (string, error) {
	m, err := listAliases(c, salt.NoArgs{})
	return m.Str(a.Alias), err
}

type targetArgs struct {
	Alias  string `py:"alias"`  // the alias
	Target any    `py:"target"` // an address, or a list of them
}

// joined are targets as the table has them.
func joined(v any) (string, error) {
	if v == "" {
		return "", salt.InvocationError("target can not be an empty string")
	}
	l, ok := v.(*value.List)
	if !ok {
		return value.Str(v), nil
	}
	var words []string
	for _, it := range l.Items {
		words = append(words, value.Str(it))
	}
	return strings.Join(words, ", "), nil
}

// hasTarget reports whether an alias has exactly these targets.
func hasTarget(c *salt.Ctx, a targetArgs) (bool, error) {
	want, err := joined(a.Target)
	if err != nil {
		return false, err
	}
	m, err := listAliases(c, salt.NoArgs{})
	return err == nil && m.Has(a.Alias) && m.Str(a.Alias) == want, err
}

// setTarget gives an alias its targets.
func setTarget(c *salt.Ctx, a targetArgs) (bool, error) {
	if a.Alias == "" {
		return false, salt.InvocationError("alias can not be an empty string")
	}
	want, err := joined(a.Target)
	if err != nil {
		return false, err
	}
	p, lines, err := read(c)
	if err != nil {
		return false, err
	}
	var out []line
	set, same := false, false
	for _, l := range lines {
		if l.alias == a.Alias {
			if set {
				same = false
				continue
			}
			set, same = true, l.target == want
			l.target = want
		}
		out = append(out, l)
	}
	if same {
		return true, nil
	}
	if !set {
		out = append(out, line{alias: a.Alias, target: want})
	}
	return write(c, p, out)
}

// rmAlias removes an alias.
func rmAlias(c *salt.Ctx, a aliasArgs) (bool, error) {
	p, lines, err := read(c)
	if err != nil {
		return false, err
	}
	var out []line
	for _, l := range lines {
		if l.alias == "" || l.alias != a.Alias {
			out = append(out, l)
		}
	}
	if len(out) == len(lines) {
		return true, nil
	}
	return write(c, p, out)
}
