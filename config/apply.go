package config

import (
	"fmt"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"pinch/value"
)

// paths are the options that must be strings because everything hangs on them.
var paths = []string{"root_dir", "pki_dir", "cachedir", "sock_dir", "extension_modules", "pidfile", "log_file", "hash_type"}

// apply makes the options: defaults, what the files set, and what follows from
// both.
func (c *Config) apply() error {
	c.fill()
	c.Opts.Update(c.set)
	for _, k := range paths {
		if v := c.Opts.At(k); !isText(v) && v != nil {
			return c.wrong(k, fmt.Sprintf("config option '%s' must be a string, not %s", k, value.Repr(v)), "put it in quotes")
		}
	}
	c.saltenv()
	c.backends()
	c.Opts.Set("__cli", c.o.Prog)
	c.setID()
	c.perMinion()
	if len(c.Opts.Str("sock_dir")) > len(c.Opts.Str("cachedir"))+10 {
		c.Opts.Set("sock_dir", filepath.Join(c.Opts.Str("cachedir"), ".salt-unix"))
	}
	c.Opts.Set("open_mode", c.Opts.At("open_mode") == true)
	c.roots("file_roots", "/srv/salt")
	c.roots("pillar_roots", "/srv/pillar")
	if !c.Opts.Truth("extension_modules") {
		c.Opts.Set("extension_modules", filepath.Join(c.Opts.Str("cachedir"), "extmods"))
	}
	if !c.Opts.Truth("utils_dirs") {
		c.Opts.Set("utils_dirs", value.L(filepath.Join(c.Opts.Str("extension_modules"), "utils")))
	}
	c.PrependRoot("pki_dir", "cachedir", "sock_dir", "extension_modules", "pidfile")
	for _, k := range []string{"log_file", "key_logfile"} {
		if s, ok := c.Opts.At(k).(string); ok && isPath(s) {
			c.PrependRoot(k)
		}
	}
	if c.set.At("ipc_write_buffer") == "dynamic" {
		c.Opts.Set("ipc_write_buffer", ipcBuffer())
	}
	c.Opts.Set("hash_type", strings.ToLower(c.Opts.Str("hash_type")))
	if !c.Opts.Has("__cachedir") {
		c.Opts.Set("__cachedir", c.Opts.At("cachedir"))
	}
	return c.crypto()
}

// fill starts Opts with the defaults.
func (c *Config) fill() {
	m := value.NewMap(len(defaults) + 16 + c.set.Len())
	for i := range defaults {
		m.Set(defaults[i].name, fresh(defaults[i].value))
	}
	p := c.places
	if p.User && c.set.Truth("root_dir") {
		p = SystemPlaces() // below root_dir they are the user's own
	}
	m.Set("conf_file", filepath.Join(p.Config, "minion"))
	m.Set("pki_dir", p.PKI)
	m.Set("cachedir", p.Cache)
	m.Set("extension_modules", filepath.Join(p.Cache, "extmods"))
	m.Set("sock_dir", p.Sock)
	m.Set("log_file", c.logFile(p.Log))
	m.Set("pidfile", p.PID)
	m.SetLazy("user", func() (any, bool) { return currentUser(), true })
	m.Set("beacons", new(value.Map))
	role := c.o.Role
	if role == "" {
		role = "minion"
	}
	m.Set("__role", role)
	c.Opts = m
}

// logFile is the default log file, in log_dir where that is set; a relative
// log_file lies in log_dir too.
func (c *Config) logFile(def string) string {
	dir := c.set.Str("log_dir")
	if dir == "" {
		return def
	}
	if file := c.set.Str("log_file"); file == "" {
		c.set.Set("log_file", filepath.Join(dir, filepath.Base(def)))
	} else if !filepath.IsAbs(file) {
		c.set.Set("log_file", filepath.Join(dir, file))
	}
	return def
}

// saltenv honours the option's old name.
func (c *Config) saltenv() {
	old, ok := c.Opts.Get("environment")
	switch {
	case !ok:
	case c.Opts.At("saltenv") != nil:
		c.log.Warn("The 'saltenv' and 'environment' minion config options cannot both be used. Ignoring 'environment' in favor of 'saltenv'.")
		c.Opts.Set("environment", c.Opts.At("saltenv"))
	default:
		c.log.Warn(fmt.Sprintf("The 'environment' minion config option has been renamed to 'saltenv'. Using %s as the 'saltenv' config value.", value.Str(old)))
		c.Opts.Set("saltenv", old)
	}
}

// backends gives fileserver backends their full names: git is gitfs.
func (c *Config) backends() {
	l := c.Opts.List("fileserver_backend")
	if l == nil {
		return
	}
	for i, v := range l.Items {
		switch v {
		case "git", "hg", "svn", "minion":
			l.Items[i] = v.(string) + "fs"
		}
	}
}

// perMinion gives minions that share a host folders of their own
// (append_minionid_config_dirs).
func (c *Config) perMinion() {
	for _, name := range words(c.Opts.At("append_minionid_config_dirs")) {
		old := c.Opts.Str(name)
		switch name {
		case "pki_dir", "cachedir", "extension_modules":
			c.Opts.Set(name, filepath.Join(old, c.ID()))
		case "default_include":
			c.Opts.Set(name, filepath.Join(filepath.Dir(old), c.ID(), filepath.Base(old)))
		case "pidfile":
			c.Opts.Set(name, filepath.Join(filepath.Dir(old), "salt", c.ID(), filepath.Base(old)))
		}
	}
}

// crypto checks the options of the connection to a master.
func (c *Config) crypto() error {
	switch v := c.Opts.At("ssl"); v {
	case false:
		c.Opts.Set("ssl", nil)
	case true:
		c.Opts.Set("ssl", new(value.Map))
	}
	for _, k := range []struct{ option, word, valid string }{
		{"encryption_algorithm", "encryption", "OAEP-SHA1,OAEP-SHA224"},
		{"signing_algorithm", "signging", "PKCS1v15-SHA1,PKCS1v15-SHA224"},
	} {
		v := c.Opts.Str(k.option)
		if !strings.Contains(","+k.valid+",", ","+v+",") {
			return c.wrong(k.option, fmt.Sprintf("The %s algorithm '%s' is not valid. Please specify one of %s.", k.word, v, k.valid), "")
		}
	}
	return c.discovery()
}

func (c *Config) discovery() error {
	v := c.Opts.At("discovery")
	if v == nil || v == false {
		return nil
	}
	d := value.M("attempts", int64(3), "pause", int64(5), "port", int64(4520), "match", "any", "mapping", new(value.Map))
	if m, ok := v.(*value.Map); ok {
		for k := range m.All() {
			if !d.HasKey(k) {
				return c.wrong("discovery", "Unknown discovery option: "+value.Str(k), "")
			}
		}
		merge(d, m)
	}
	c.Opts.Set("discovery", d)
	return nil
}

func currentUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "root"
}

func isText(v any) bool { _, ok := v.(string); return ok }

// ipcBuffer is half of 5 % of the memory, and 5 MiB at least.
func ipcBuffer() int64 {
	return max(memTotal()/40, 5<<20)
}

// memTotal is the memory in bytes, from the first line of a text such as
// /proc/meminfo: "MemTotal: 16318480 kB".
func memTotal() int64 {
	for _, f := range strings.Split(firstLine("/proc/meminfo"), " ") {
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			return n << 10
		}
	}
	return 0
}
