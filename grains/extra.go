package grains

import (
	"os"
	"strings"

	"pinch/value"
)

// extra registers the rest: firmware, the process itself, options.
func (c *core) extra(m *value.Map) {
	c.one(m, "shell", func() any {
		if s := c.Getenv("SHELL"); s != "" {
			return s
		}
		return "/bin/sh"
	})
	c.one(m, "transactional", func() any { return c.which("transactional-update") != "" })
	c.one(m, "efi", func() any { return c.efivars() != "" })
	c.one(m, "efi-secure-boot", func() any { return c.secureBoot() })
	c.group(m, c.process, "username", "groupname", "pid", "gid", "uid")
	c.one(m, "package", func() any { return nil }) // Salt: onedir or system; neither here
	c.one(m, "ca_truststore", func() any { return "certifi" })
	if c.Opts.Truth("grain_opts") {
		c.one(m, "opts", func() any { return c.Opts })
	}
	if v := c.Opts.At("resources"); value.Truth(v) {
		c.one(m, "salt_resources", func() any { return v })
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
