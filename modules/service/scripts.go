package service

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
)

const scriptDir = "/etc/init.d"

// scripts is the manager of init scripts, for machines without systemd.
type scripts struct{ c *salt.Ctx }

// scriptNames are the executable init scripts, sorted.
func scriptNames(c *salt.Ctx, root string) []string {
	entries, _ := c.Sys.ReadDir(filepath.Join("/", root, scriptDir))
	var names []string
	for _, e := range entries {
		if isScript(c, root, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

func isScript(c *salt.Ctx, root, name string) bool {
	i, err := c.Sys.Stat(filepath.Join("/", root, scriptDir, name))
	return err == nil && i.Mode()&0o111 != 0
}

// scriptStarts says whether a start link of a script is in a runlevel's folder.
func scriptStarts(c *salt.Ctx, root, levels, name string) bool {
	for _, f := range startLinks(c, root, levels) {
		if strings.HasSuffix(f, name) && startNumber().ReplaceAllString(f, "") == name {
			return true
		}
	}
	return false
}

var (
	startNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^S\d{0,2}`) })
	digits      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })
)

// startLinks are the names of the links that start services in runlevels, of
// which [S5] means both.
func startLinks(c *salt.Ctx, root, levels string) []string {
	var names []string
	for _, l := range strings.Trim(levels, "[]") {
		entries, _ := c.Sys.ReadDir(filepath.Join("/", root, "/etc/rc"+string(l)+".d"))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "S") {
				names = append(names, e.Name())
			}
		}
	}
	return names
}

type runlevelKey struct{}

// runlevel is the current one, "" when it is not known.
func runlevel(c *salt.Ctx) string {
	level, _ := salt.Once(c.Run, runlevelKey{}, func() (string, error) {
		if c.Sys.LookPath("runlevel") == "" {
			return "", nil
		}
		res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"runlevel"}, Query: true})
		if f := strings.Fields(string(res.Stdout)); err == nil && len(f) > 1 {
			return f[1], nil
		}
		return "", nil
	})
	return level
}

func (d systemd) scriptEnabled(root, name string) bool {
	level := runlevel(d.c)
	if level == "" {
		level = "2"
	}
	return scriptStarts(d.c, root, level, name)
}

func (s scripts) listEnabled(string) ([]string, error) {
	level := runlevel(s.c)
	if level == "" {
		level = "2"
	}
	names := map[string]bool{}
	for _, f := range startLinks(s.c, "", "[S"+level+"]") {
		parts := digits().Split(f, -1)
		names[parts[len(parts)-1]] = true
	}
	return slices.Sorted(maps.Keys(names)), nil
}

func (s scripts) all(string) ([]string, error) {
	on, _ := s.listEnabled("")
	entries, _ := s.c.Sys.ReadDir(scriptDir)
	for _, e := range entries {
		if e.Name() != "README" && !strings.HasPrefix(e.Name(), ".") {
			on = append(on, e.Name())
		}
	}
	slices.Sort(on)
	return slices.Compact(on), nil
}

func (s scripts) listDisabled(string) ([]string, error) {
	all, _ := s.all("")
	on, _ := s.listEnabled("")
	return slices.DeleteFunc(all, func(n string) bool { return slices.Contains(on, n) }), nil
}

func (s scripts) available(name string) (bool, error) {
	all, err := s.all("")
	return slices.Contains(all, name), err
}

func (s scripts) disabled(name string, _ options) (bool, error) {
	off, err := s.listDisabled("")
	return slices.Contains(off, name), err
}

func (s scripts) enabled(name string, _ options) (bool, error) {
	on, err := s.listEnabled("")
	return slices.Contains(on, name), err
}

func (s scripts) active(name string) (bool, error) { return s.service(name, "status", true) }

func (s scripts) start(name string, _ options) (bool, error) { return s.service(name, "start", false) }
func (s scripts) stop(name string, _ options) (bool, error)  { return s.service(name, "stop", false) }
func (s scripts) restart(name string, _ options) (bool, error) {
	return s.service(name, "restart", false)
}
func (s scripts) reload(name string, _ options) (bool, error) {
	return s.service(name, "reload", false)
}
func (s scripts) forceReload(name string, _ options) (bool, error) {
	return s.service(name, "force-reload", false)
}

func (s scripts) service(name, verb string, query bool) (bool, error) {
	return s.run(query, "service", name, verb)
}

func (s scripts) enable(name string, _ options) (bool, error) {
	if ok, err := s.run(false, "insserv", name); err != nil || !ok {
		return false, err
	}
	return s.run(false, "update-rc.d", name, "enable")
}

func (s scripts) disable(name string, _ options) (bool, error) {
	return s.run(false, "update-rc.d", name, "disable")
}

// run runs a command; a missing one has failed. Its code becomes the run's.
func (s scripts) run(query bool, argv ...string) (bool, error) {
	if s.c.Sys.LookPath(argv[0]) == "" {
		return false, nil
	}
	res, err := s.c.Sys.Run(s.c, sys.Cmd{Argv: argv, Query: query})
	if err == nil && s.c.Run != nil && !query {
		s.c.Run.SetRetcode(res.Code)
	}
	return err == nil && res.Code == 0, err
}
