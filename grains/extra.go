package grains

import (
	"os"
	"strings"

	"pinch/value"
)

// extra registers the rest: firmware, the process itself, options.
func (c *core) extra(m *value.Map) {
	one(m, "shell", func() any {
		if s := c.Getenv("SHELL"); s != "" {
			return s
		}
		return "/bin/sh"
	})
	one(m, "transactional", func() any { return c.which("transactional-update") != "" })
	one(m, "efi", func() any { return c.efivars() != "" })
	one(m, "efi-secure-boot", func() any { return c.secureBoot() })
	group(m, c.process, "username", "groupname", "pid", "gid", "uid")
	m.Set("package", nil) // Salt: onedir or system; neither here
	m.Set("ca_truststore", "certifi")
	if c.Opts.Truth("grain_opts") {
		m.Set("opts", c.Opts)
	}
	if v := c.Opts.At("resources"); value.Truth(v) {
		m.Set("salt_resources", v)
	}
}

// process is who this program runs as.
func (c *core) process() *value.Map {
	uid := c.Sys.Getuid()
	m := value.M("username", "", "groupname", "", "pid", int64(os.Getpid()), "gid", int64(os.Getegid()), "uid", int64(uid))
	if u, err := c.Sys.UserID(uid); err == nil {
		m.Set("username", u.Name)
		if g, err := c.Sys.GroupID(u.GID); err == nil {
			m.Set("groupname", g.Name)
		}
	}
	return m
}

func (c *core) efivars() string {
	for _, dir := range []string{"/sys/firmware/efi/efivars", "/sys/firmware/efi/vars"} {
		if c.exists(dir) {
			return dir
		}
	}
	return ""
}

// secureBoot reads the last byte of the firmware variable SecureBoot.
func (c *core) secureBoot() bool {
	dir := c.efivars()
	var found []string
	for _, name := range c.names(dir) {
		if strings.HasPrefix(name, "SecureBoot-") {
			found = append(found, dir+"/"+name)
		}
	}
	if dir == "" || len(found) != 1 {
		return false
	}
	path := found[0]
	if strings.HasSuffix(dir, "/vars") {
		path += "/data"
	}
	return strings.HasSuffix(c.read(path), "\x01")
}
