package service

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const (
	runlevelDir = "/etc/runlevels"
	openrcDir   = "/run/openrc"
)

// openrc is the manager of machines that OpenRC runs: Gentoo, Alpine and
// whoever else booted with it.
//
// Read natively: which services there are and their runlevels (the links in
// /etc/runlevels, what rc-update -v show prints), and whether one runs where
// that needs no shell (see marked). By command: all changes, and the status of
// scripts that answer for themselves.
type openrc struct{ c *salt.Ctx }

// onOpenRC takes a machine for OpenRC's that booted with it. One where it is
// only installed counts unless its usual scripts are those of SysV init.
func onOpenRC(c *salt.Ctx) bool {
	os := c.Grains.Str("os")
	return os == "Gentoo" || os == "Alpine" || sys.IsDir(c.Sys, openrcDir) ||
		!slices.Contains(initOS, os) && sys.LExists(c.Sys, "/sbin/openrc-run")
}

// otherScripts are folders that some versions of OpenRC look into, too.
var otherScripts = []string{
	"/etc/rc/init.d", "/usr/local/rc/init.d", "/usr/local/init.d", "/usr/local/etc/init.d",
	"/lib/rc/init.d", "/usr/libexec/rc/init.d", openrcDir + "/init.d",
}

// levels maps each service to its runlevels, sorted.
func (o openrc) levels() (map[string][]string, error) {
	if slices.ContainsFunc(otherScripts, func(dir string) bool { return sys.IsDir(o.c.Sys, dir) }) {
		return o.shown()
	}
	entries, err := o.c.Sys.ReadDir(scriptDir)
	if err != nil {
		return o.shown()
	}
	levels := map[string][]string{}
	// Debian's OpenRC takes *.sh for services, as SysV init does.
	sh := o.c.Grains.Str("os_family") == "Debian"
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, ".") && (sh || !strings.HasSuffix(name, ".sh")) && sys.Exists(o.c.Sys, filepath.Join(scriptDir, name)) {
			levels[name] = nil
		}
	}
	dirs, _ := o.c.Sys.ReadDir(runlevelDir)
	for _, d := range dirs {
		level := filepath.Join(runlevelDir, d.Name())
		links, err := o.c.Sys.ReadDir(level)
		if err != nil || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		for _, l := range links {
			if in, ok := levels[l.Name()]; ok && sys.Exists(o.c.Sys, filepath.Join(level, l.Name())) {
				levels[l.Name()] = append(in, d.Name())
			}
		}
	}
	return levels, nil
}

// shown is levels as rc-update tells it.
func (o openrc) shown() (map[string][]string, error) {
	res, err := o.c.Sys.Run(o.c, sys.Cmd{Argv: []string{"rc-update", "-v", "show"}, Query: true})
	if err != nil {
		return nil, salt.CommandError("%s", err)
	}
	levels := map[string][]string{}
	for line := range strings.Lines(string(res.Stdout)) {
		if name, in, ok := strings.Cut(line, "|"); ok {
			levels[strings.TrimSpace(name)] = slices.Sorted(slices.Values(strings.Fields(in)))
		}
	}
	return levels, nil
}

// byLevel is a mapping of services to their runlevels: of those enabled, or all.
func (o openrc) byLevel(all bool) (*value.Map, error) {
	levels, err := o.levels()
	ret := new(value.Map)
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		if in := levels[name]; all || len(in) > 0 {
			ret.Set(name, value.Strings(in))
		}
	}
	return ret, err
}

func (o openrc) names(want func(in []string) bool) ([]string, error) {
	levels, err := o.levels()
	maps.DeleteFunc(levels, func(_ string, in []string) bool { return !want(in) })
	return slices.Sorted(maps.Keys(levels)), err
}

func (o openrc) all(string) ([]string, error) {
	return o.names(func([]string) bool { return true })
}

func (o openrc) listEnabled(string) ([]string, error) {
	return o.names(func(in []string) bool { return len(in) > 0 })
}

func (o openrc) listDisabled(string) ([]string, error) {
	return o.names(func(in []string) bool { return len(in) == 0 })
}

func (o openrc) available(name string) (bool, error) {
	levels, err := o.levels()
	_, ok := levels[name]
	return ok, err
}

func (o openrc) enabled(name string, opts options) (bool, error) {
	levels, err := o.levels()
	in := levels[name]
	for _, l := range runlevels(opts) {
		if !slices.Contains(in, l) {
			return false, err
		}
	}
	return len(in) > 0, err
}

func (o openrc) disabled(name string, _ options) (bool, error) {
	levels, err := o.levels()
	in, ok := levels[name]
	return ok && len(in) == 0, err
}

// runlevels are those asked for, sorted; nil when none are.
func runlevels(o options) []string {
	var names []string
	switch v := o.runlevels.(type) {
	case nil:
	case *value.List:
		for _, l := range v.Items {
			names = append(names, value.Str(l))
		}
	default:
		names = []string{value.Str(v)}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// enable puts a service into exactly the runlevels asked for; without any it is
// added to the current one.
func (o openrc) enable(name string, opts options) (bool, error) {
	if opts.runlevels == nil {
		return o.update("add", name, nil)
	}
	levels, err := o.levels()
	if err != nil {
		return false, err
	}
	want, in := runlevels(opts), levels[name]
	if drop := less(in, want); len(drop) > 0 {
		if ok, err := o.update("delete", name, drop); err != nil || !ok {
			return false, err
		}
	}
	if add := less(want, in); len(add) > 0 {
		return o.update("add", name, add)
	}
	return true, nil
}

// disable takes a service out of the runlevels asked for, or out of the current one.
func (o openrc) disable(name string, opts options) (bool, error) {
	if opts.runlevels == nil {
		return o.update("delete", name, nil)
	}
	levels, err := o.levels()
	if err != nil {
		return false, err
	}
	want := runlevels(opts)
	drop := slices.DeleteFunc(slices.Clone(levels[name]), func(l string) bool { return !slices.Contains(want, l) })
	if len(drop) == 0 {
		return true, nil
	}
	return o.update("delete", name, drop)
}

func less(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func (o openrc) update(verb, name string, levels []string) (bool, error) {
	return succeeds(o.c, append([]string{"rc-update", verb, name}, levels...)...)
}

// succeeds runs a command that changes something; its code becomes the run's.
func succeeds(c *salt.Ctx, argv ...string) (bool, error) {
	code, err := c.CallKw("cmd.retcode", value.M("python_shell", false), value.Strings(argv))
	return err == nil && !value.Truth(code), err
}

func (o openrc) script(name, verb string) (bool, error) {
	return succeeds(o.c, scriptDir+"/"+name, verb)
}

func (o openrc) start(name string, _ options) (bool, error)   { return o.script(name, "start") }
func (o openrc) stop(name string, _ options) (bool, error)    { return o.script(name, "stop") }
func (o openrc) restart(name string, _ options) (bool, error) { return o.script(name, "restart") }
func (o openrc) reload(name string, _ options) (bool, error)  { return o.script(name, "reload") }

type zapArgs struct {
	Name string `py:"name"` // the service
}

// zap makes OpenRC take a service for stopped, whatever its processes do.
func zap(c *salt.Ctx, a zapArgs) (bool, error) {
	o, err := only[openrc](c, "zap")
	if err != nil {
		return false, err
	}
	return o.script(a.Name, "zap")
}
