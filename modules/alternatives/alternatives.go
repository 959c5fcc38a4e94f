// Package alternatives holds Salt's alternatives module: which of several
// programs a common name stands for. Its main variable is Module.
//
//	editor:
//	  alternatives.set:
//	    - path: /usr/bin/vim.basic
//
// The database of dpkg is read as it is; update-alternatives is run for changes.
package alternatives

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

// Module is Salt's alternatives module.
var Module = salt.Module{
	Name: "alternatives",
	States: func() salt.Funcs {
		return salt.Funcs{
			"install": salt.State(installState),
			"remove":  salt.State(removeState),
			"auto":    salt.State(autoState),
			"set":     salt.State(setState),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"display":         query(salt.Exec(display)),
			"show_link":       query(salt.Exec(showLink)),
			"show_current":    query(salt.Exec(showCurrent)),
			"check_exists":    query(salt.Exec(checkExists)),
			"check_installed": query(salt.Exec(checkInstalled)),
			"install":         salt.Exec(install),
			"remove":          salt.Exec(remove),
			"auto":            salt.Exec(auto),
			"set":             salt.Exec(set).Named("set_"),
		}
	},
	Outputter: map[string]string{"display": "txt", "install": "txt", "remove": "txt"},
	Virtual: func(c *salt.Ctx, _ string) error {
		if sys.IsDir(c.Sys, links) {
			return nil
		}
		return errors.New("Cannot load alternatives module: /etc/alternatives dir not found")
	},
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

const (
	links    = "/etc/alternatives"
	database = "/var/lib/dpkg/alternatives"
)

// A group is all that a name can stand for.
type group struct {
	mode, link string
	slaves     [][2]string // name and link
	choices    []choice
}

type choice struct {
	path     string
	priority int
	slaves   []string // paths, in the order of the group's slaves
}

// parse reads a file of the database.
func parse(text string) (*group, error) {
	lines := strings.Split(text, "\n")
	next := func() string {
		if len(lines) == 0 {
			return ""
		}
		l := lines[0]
		lines = lines[1:]
		return l
	}
	g := &group{mode: next(), link: next()}
	for name := next(); name != ""; name = next() {
		g.slaves = append(g.slaves, [2]string{name, next()})
	}
	for path := next(); path != ""; path = next() {
		n, err := strconv.Atoi(next())
		if err != nil {
			return nil, fmt.Errorf("alternatives: the priority of %s is no number", path)
		}
		c := choice{path: path, priority: n}
		for range g.slaves {
			c.slaves = append(c.slaves, next())
		}
		g.choices = append(g.choices, c)
	}
	return g, nil
}

// best is the choice with the highest priority, "" without any.
func (g *group) best() string {
	best := -1 << 62
	path := ""
	for _, c := range g.choices {
		if c.priority > best {
			best, path = c.priority, c.path
		}
	}
	return path
}

// show is update-alternatives --display.
func (g *group) show(name, current string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s mode\n", name, g.mode)
	if best := g.best(); best != "" {
		fmt.Fprintf(&b, "  link best version is %s\n", best)
	} else {
		b.WriteString("  link best version not available\n")
	}
	if current != "" {
		fmt.Fprintf(&b, "  link currently points to %s\n", current)
	} else {
		b.WriteString("  link currently absent\n")
	}
	fmt.Fprintf(&b, "  link %s is %s\n", name, g.link)
	for _, s := range g.slaves {
		fmt.Fprintf(&b, "  slave %s is %s\n", s[0], s[1])
	}
	for _, c := range g.choices {
		fmt.Fprintf(&b, "%s - priority %d\n", c.path, c.priority)
		for i, s := range c.slaves {
			if s != "" {
				fmt.Fprintf(&b, "  slave %s: %s\n", g.slaves[i][0], s)
			}
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// onDebian says that the database is dpkg's.
func onDebian(c *salt.Ctx) bool { return c.Grains.Str("os_family") == "Debian" }

// read finds a group, nil if there is none.
func read(c *salt.Ctx, name string) (*group, error) {
	b, err := c.Sys.ReadFile(database + "/" + name)
	if err != nil {
		return nil, nil
	}
	return parse(string(b))
}

func program(c *salt.Ctx) string {
	if c.Grains.Str("os_family") == "RedHat" {
		return "alternatives"
	}
	return "update-alternatives"
}

// run runs the program; text is its output, or its errors if it failed.
func run(c *salt.Ctx, query bool, args ...string) (text string, ok bool, err error) {
	res, err := c.Sys.Run(c, sys.Cmd{Argv: append([]string{program(c)}, args...), Query: query})
	if err != nil {
		return "", false, err
	}
	if !query && c.Run != nil {
		c.Run.SetRetcode(res.Code)
	}
	if res.Code > 0 {
		return strings.TrimRight(string(res.Stderr), "\n"), false, nil
	}
	return strings.TrimRight(string(res.Stdout), "\n"), true, nil
}

func current(c *salt.Ctx, name string) string {
	to, err := c.Sys.Readlink(links + "/" + name)
	if err != nil {
		return ""
	}
	return to
}

// shown is what display returns, and whether there is such a group.
func shown(c *salt.Ctx, name string) (string, bool, error) {
	if !onDebian(c) {
		return run(c, true, "--display", name)
	}
	g, err := read(c, name)
	if err != nil {
		return "", false, err
	}
	if g == nil {
		return "update-alternatives: error: no alternatives for " + name, false, nil
	}
	return g.show(name, current(c, name)), true, nil
}
