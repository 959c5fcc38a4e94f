package grains

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// initSystem is what runs as process 1.
func (c *core) initSystem() string {
	if c.exists("/run/systemd/system") {
		return "systemd"
	}
	cmdline, ok := c.file("/proc/1/cmdline")
	if !ok {
		return "unknown"
	}
	args := strings.Fields(strings.ReplaceAll(cmdline, "\x00", " "))
	if len(args) == 0 {
		return "unknown"
	}
	bin := args[0]
	if !filepath.IsAbs(bin) || !c.isFile(bin) {
		bin = c.which(bin)
	}
	if strings.HasSuffix(bin, "bin/init") {
		return c.initBinary(bin)
	}
	for _, name := range []string{"supervisord", "dumb-init", "tini"} {
		if p := c.which(name); p != "" && slices.Contains(args, p) {
			return name
		}
	}
	if len(args) == 1 && args[0] == "runit" || slices.Contains(args, "/sbin/my_init") {
		return "runit"
	}
	return "unknown"
}

// initBinary looks for the name of an init system inside its program.
func (c *core) initBinary(path string) string {
	f, err := c.Sys.Open(c.path(path))
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	const size, edge = 1 << 18, 16
	buf, kept := make([]byte, size), 0
	for {
		n, err := io.ReadFull(f, buf[kept:])
		low := bytes.ToLower(buf[:kept+n])
		for _, name := range []string{"upstart", "sysvinit", "systemd"} {
			if bytes.Contains(low, []byte(name)) {
				return name
			}
		}
		if err != nil {
			return "unknown"
		}
		kept = copy(buf, buf[kept+n-edge:kept+n])
	}
}
