// Package grains gathers the facts about this machine that Salt calls grains,
// each only when somebody reads it. The main type is Host: where to look.
//
//	g := grains.Core(grains.Host{Sys: sys.Real{}, Opts: opts})
//	g.Str("os") // reads os-release, and nothing else
//
// Grains that come from one source are one group and are gathered together,
// once. Files of /proc, /sys and /etc, netlink and system calls answer nearly
// everything; a command runs only where there is no other way (lvm).
package grains

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"pinch/sys"
	"pinch/value"
)

// A Host is the machine whose grains are wanted.
type Host struct {
	Root    string  // "" or "/": this machine; else a folder that holds copies of its files
	Sys     sys.Sys // nil: sys.Real{}
	Opts    *value.Map
	Machine string // uname -m; "": ask the kernel
	// Getenv reads the environment, nil: os.Getenv.
	Getenv func(string) string
	// Log gets warnings about grains files, nil: nobody.
	Log *slog.Logger
}

// core is a Host with the answers that several groups share.
type core struct {
	Host
	release    func() osRelease
	osData     func() *value.Map
	hw         func() *value.Map
	dt         func() *value.Map
	virt       func() *value.Map
	interfaces func() []Interface
	fqdn       func() string
	uts        func() unix.Utsname
	blacklist  []string
}

func newCore(h Host) *core {
	if h.Sys == nil {
		h.Sys = sys.Real{}
	}
	if h.Getenv == nil {
		h.Getenv = os.Getenv
	}
	h.Root = strings.TrimSuffix(h.Root, "/")
	c := &core{Host: h, blacklist: blacklist(h.Opts)}
	c.release = sync.OnceValue(c.readRelease)
	c.osData = sync.OnceValue(c.gatherOS)
	c.hw = sync.OnceValue(c.hardware)
	c.dt = sync.OnceValue(c.deviceTree)
	c.virt = sync.OnceValue(c.virtual)
	c.interfaces = sync.OnceValue(func() []Interface { i, _ := Interfaces(); return i })
	c.fqdn = sync.OnceValue(c.findFQDN)
	c.uts = sync.OnceValue(func() unix.Utsname { var u unix.Utsname; unix.Uname(&u); return u })
	return c
}

// Core returns the core grains. Reading one gathers its group; Len and
// iteration gather all.
func Core(h Host) *value.Map {
	c := newCore(h)
	m := value.NewMap(100)
	c.network(m)
	c.osGrains(m)
	c.saltGrains(m)
	c.storage(m)
	c.extra(m)
	return m
}

// lazy registers a grain unless grains_blacklist has it; make says false when
// this machine has no such grain.
func (c *core) lazy(m *value.Map, key string, make func() (any, bool)) {
	if !c.blocked(key) {
		m.SetLazy(key, make)
	}
}

// one registers a grain of its own that is always there.
func (c *core) one(m *value.Map, key string, gather func() any) {
	c.lazy(m, key, func() (any, bool) { return gather(), true })
}

// group registers grains that are gathered together.
func (c *core) group(m *value.Map, gather func() *value.Map, keys ...string) {
	once := sync.OnceValue(gather)
	for _, k := range keys {
		c.lazy(m, k, func() (any, bool) { return once().Get(k) })
	}
}

func (c *core) path(p string) string { return c.Root + p }

// read returns the text of a file, "" when it cannot be read.
func (c *core) read(path string) string {
	s, _ := c.file(path)
	return s
}

// file returns the text of a file and whether it could be read.
func (c *core) file(path string) (string, bool) {
	b, err := c.Sys.ReadFile(c.path(path))
	return string(b), err == nil
}

// line is the first line of a file without the space around it.
func (c *core) line(path string) string {
	first, _, _ := strings.Cut(c.read(path), "\n")
	return strings.TrimSpace(first)
}

func (c *core) exists(path string) bool { return sys.Exists(c.Sys, c.path(path)) }
func (c *core) isDir(path string) bool  { return sys.IsDir(c.Sys, c.path(path)) }
func (c *core) isFile(path string) bool { return sys.IsFile(c.Sys, c.path(path)) }

// names lists a directory, sorted; nil when it cannot be read.
func (c *core) names(path string) []string {
	entries, _ := c.Sys.ReadDir(c.path(path))
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name()
	}
	return out
}

// which finds a command, "" if there is none.
func (c *core) which(name string) string {
	if c.Root == "" {
		return c.Sys.LookPath(name)
	}
	for _, dir := range []string{"/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin", "/usr/local/sbin"} {
		p := filepath.Join(dir, name)
		if i, err := c.Sys.Stat(c.path(p)); err == nil && i.Mode().IsRegular() && i.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

// opt is a boolean option with its default.
func (c *core) opt(name string, def bool) bool {
	if v, ok := c.Opts.Get(name); ok {
		return value.Truth(v)
	}
	return def
}

func (c *core) machine() string {
	if c.Machine != "" {
		return c.Machine
	}
	u := c.uts()
	return unix.ByteSliceToString(u.Machine[:])
}
