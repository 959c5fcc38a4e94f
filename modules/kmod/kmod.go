// Package kmod holds Salt's kmod module: modules of the kernel, loaded now and
// at the start. Its main variable is Module.
//
//	br_netfilter:
//	  kmod.present:
//	    - persist: True
package kmod

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's kmod module.
var Module = salt.Module{
	Name: "kmod",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"available":       salt.Exec(available),
			"check_available": salt.Exec(checkAvailable),
			"is_loaded":       salt.Exec(isLoaded),
			"load":            salt.Exec(load),
			"lsmod":           salt.Exec(lsmod),
			"mod_list":        salt.Exec(modList),
			"remove":          salt.Exec(remove),
		}
	},
}

// A loaded module is a line of /proc/modules.
type loaded struct {
	name, size, count string
	users             []string // the modules that use it
}

func parse(text string) []loaded {
	var mods []loaded
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		m := loaded{name: f[0], size: f[1], count: f[2]}
		if f[3] != "-" {
			m.users = strings.Split(strings.TrimSuffix(f[3], ","), ",")
		}
		mods = append(mods, m)
	}
	return mods
}

// running are the modules in the kernel; none when it has no loadable ones.
func running(c *salt.Ctx) ([]loaded, error) {
	b, err := c.Sys.ReadFile("/proc/modules")
	if err != nil && !os.IsNotExist(err) {
		return nil, salt.OSError(err)
	}
	return parse(string(b)), nil
}

func names(mods []loaded) []string {
	out := make([]string, len(mods))
	for i, m := range mods {
		out[i] = m.name
	}
	slices.Sort(out)
	return out
}

// lsmod returns the modules in the kernel: size, module, depcount and deps,
// the modules that use it.
func lsmod(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	mods, err := running(c)
	l := value.L()
	for _, m := range mods {
		l.Append(value.M("size", m.size, "module", m.name, "depcount", m.count, "deps", value.Strings(m.users)))
	}
	return l, err
}

type modListArgs struct {
	OnlyPersist bool `py:"only_persist=False"` // those that are loaded at the start instead
}

// modList returns the names of the modules in the kernel.
func modList(c *salt.Ctx, a modListArgs) (*value.List, error) {
	if a.OnlyPersist {
		return value.Strings(persistent(c)), nil
	}
	mods, err := running(c)
	return value.Strings(names(mods)), err
}

type modArgs struct {
	Mod string `py:"mod"` // a module
}

// isLoaded reports whether a module is in the kernel.
func isLoaded(c *salt.Ctx, a modArgs) (bool, error) {
	mods, err := running(c)
	return slices.Contains(names(mods), a.Mod), err
}

// conf is the file with the modules that are loaded at the start.
func conf(c *salt.Ctx) string {
	if c.Grains.Has("systemd") {
		return "/etc/modules-load.d/salt_managed.conf"
	}
	return "/etc/modules"
}

// persistent are the modules that are loaded at the start, sorted.
func persistent(c *salt.Ctx) []string {
	b, err := c.Sys.ReadFile(conf(c))
	if err != nil && !os.IsNotExist(err) {
		c.Log.Error("kmod module could not open modules file at " + conf(c))
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(f[0], "#") {
			out = append(out, f[0])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// release is the version of the running kernel.
func release(c *salt.Ctx) string {
	b, _ := c.Sys.ReadFile("/proc/sys/kernel/osrelease")
	return strings.TrimSpace(string(b))
}

// found are all modules that the running kernel could load or has built in.
func found(c *salt.Ctx) []string {
	var out []string
	dir := "/lib/modules/" + release(c)
	b, _ := c.Sys.ReadFile(dir + "/modules.builtin")
	for line := range strings.Lines(string(b)) {
		out = append(out, strings.TrimSuffix(filepath.Base(strings.TrimSpace(line)), ".ko"))
	}
	// modules.dep has a line for each file below the folder; without it they
	// are looked for.
	if b, err := c.Sys.ReadFile(dir + "/modules.dep"); err == nil {
		for line := range strings.Lines(string(b)) {
			path, _, ok := strings.Cut(line, ":")
			if name, is := object(path); ok && is {
				out = append(out, name)
			}
		}
	} else {
		walk(c, dir, &out)
	}
	if r := release(c); c.Grains.Str("os_family") == "Arch" && len(r) > 2 {
		walk(c, "/lib/modules/extramodules-"+r[:3]+"-ARCH", &out)
	}
	slices.Sort(out)
	return out
}

// object is the module in a file: x-y.ko.xz has x_y.
func object(path string) (name string, ok bool) {
	name, _, ok = strings.Cut(filepath.Base(path), ".ko")
	return strings.ReplaceAll(name, "-", "_"), ok
}

func walk(c *salt.Ctx, dir string, out *[]string) {
	entries, _ := c.Sys.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			walk(c, filepath.Join(dir, e.Name()), out)
		} else if name, ok := object(e.Name()); ok {
			*out = append(*out, name)
		}
	}
}

// available returns all modules that the running kernel could load.
func available(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) { return value.Strings(found(c)), nil }

// checkAvailable reports whether the running kernel could load a module.
func checkAvailable(c *salt.Ctx, a modArgs) (bool, error) {
	return slices.Contains(found(c), a.Mod), nil
}

type loadArgs struct {
	Mod     string `py:"mod"`           // a module, and parameters
	Persist bool   `py:"persist=False"` // load it at the start, too
}

// load loads a module. It returns the modules that are new, or what
// modprobe(8) said.
func load(c *salt.Ctx, a loadArgs) (any, error) {
	before, err := running(c)
	if err != nil {
		return nil, err
	}
	if text, err := command(c, "modprobe", a.Mod); err != nil || text != "" {
		return "Error loading module " + a.Mod + ": " + text, err
	}
	after, err := running(c)
	if err != nil {
		return nil, err
	}
	changed := without(names(after), names(before))
	if a.Persist {
		added, err := persist(c, a.Mod)
		if err != nil {
			return nil, err
		}
		changed = append(changed, added...)
	}
	slices.Sort(changed)
	return value.Strings(slices.Compact(changed)), nil
}

// command runs a command on a module and returns what it complains about.
func command(c *salt.Ctx, name, mod string) (string, error) {
	path := c.Sys.LookPath(name)
	if path == "" {
		return "", salt.CommandError("Command '%s' cannot be found", name)
	}
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), path+" "+mod)
	m, _ := v.(*value.Map)
	if err != nil || !value.Truth(m.At("retcode")) {
		return "", err
	}
	if text := m.Str("stderr"); text != "" {
		return text, nil
	}
	return "exit code " + m.Str("retcode"), nil
}

// without are the items of a that b lacks.
func without(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

var margin = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#[\t ]*`) })

// persist makes a module be loaded at the start; it returns its name if that
// is new. A line that was switched off is switched on again.
func persist(c *salt.Ctx, mod string) ([]string, error) {
	f := strings.Fields(mod)
	if len(f) == 0 || slices.Contains(persistent(c), f[0]) || !slices.Contains(found(c), f[0]) {
		return nil, nil
	}
	b, err := c.Sys.ReadFile(conf(c))
	if err != nil && !os.IsNotExist(err) {
		return nil, salt.OSError(err)
	}
	var out strings.Builder
	on := false
	for line := range strings.Lines(string(b)) {
		text := strings.TrimRight(line, "\n")
		if bare := strings.TrimRight(margin().ReplaceAllString(text, ""), "\t "); bare == mod && bare != text {
			line, on = mod+"\n", true
		}
		out.WriteString(line)
	}
	if !on {
		if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") {
			out.WriteByte('\n')
		}
		out.WriteString(mod + "\n")
	}
	return f[:1], sys.WriteFile(c.Sys, conf(c), []byte(out.String()), sys.FileAttrs{})
}

type removeArgs struct {
	Mod     string `py:"mod"`           // a module
	Persist bool   `py:"persist=False"` // don't load it at the start, either
	Comment bool   `py:"comment=True"`  // comment its line out instead of removing it
}

// remove unloads a module. It returns the modules that are gone, or what
// rmmod(8) said.
func remove(c *salt.Ctx, a removeArgs) (any, error) {
	before, err := running(c)
	if err != nil {
		return nil, err
	}
	if !a.Persist || slices.Contains(names(before), a.Mod) || !slices.Contains(persistent(c), a.Mod) {
		if text, err := command(c, "rmmod", a.Mod); err != nil || text != "" {
			return "Error removing module " + a.Mod + ": " + text, err
		}
	}
	after, err := running(c)
	if err != nil {
		return nil, err
	}
	changed := without(names(before), names(after))
	if a.Persist {
		gone, err := forget(c, a.Mod, a.Comment)
		if err != nil {
			return nil, err
		}
		changed = append(changed, gone...)
	}
	slices.Sort(changed)
	return value.Strings(slices.Compact(changed)), nil
}

// forget makes a module no longer be loaded at the start.
func forget(c *salt.Ctx, mod string, comment bool) ([]string, error) {
	f := strings.Fields(mod)
	if len(f) == 0 || !slices.Contains(persistent(c), f[0]) {
		return nil, nil
	}
	b, err := c.Sys.ReadFile(conf(c))
	if err != nil {
		return nil, salt.OSError(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] != f[0]:
			out.WriteString(line)
		case comment:
			out.WriteString("#" + line)
		}
	}
	return f[:1], sys.WriteFile(c.Sys, conf(c), []byte(out.String()), sys.FileAttrs{})
}
