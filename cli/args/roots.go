package args

import (
	"os"
	"path/filepath"
	"strings"

	"pinch/config"
	"pinch/value"
)

// applyRoots puts --file-root, --pillar-root, --states-dir, --local, --master
// and --cachedir into the configuration. The text is a warning about options
// that have no effect, or "".
func (c *Call) applyRoots() string {
	var given []string
	dirs := func(option, name, to string) *value.List {
		l, _ := c.Values.At(option).(*value.List)
		if l.Len() == 0 {
			return nil
		}
		given = append(given, name)
		out := new(value.List)
		for _, d := range l.Items {
			abs, err := filepath.Abs(value.Str(d))
			if err != nil {
				abs = value.Str(d)
			}
			out.Append(abs)
		}
		if to != "" {
			c.Opts.Set(to, value.M("base", config.ExpandRoots(out)))
		}
		return out
	}
	dirs("file_root", "--file-root", "file_roots")
	dirs("pillar_root", "--pillar-root", "pillar_roots")
	if l := dirs("states_dir", "--states-dir", ""); l != nil {
		c.Opts.Set("states_dirs", l)
	}
	if m := c.Values.At("master"); value.Truth(m) {
		c.Opts.Set("master", m)
	}
	c.applyCache()
	if c.Values.Truth("local") {
		c.Opts.Set("file_client", "local")
		return ""
	}
	if len(given) == 0 || c.Config.Local() {
		return ""
	}
	verb := "are"
	if len(given) == 1 {
		verb = "is"
	}
	return "Warning: " + strings.Join(given, ", ") + " " + verb + " ignored because --local was not specified; the remote file client retrieves these " +
		"from the master. Re-run with --local to use the local override.\n"
}

// applyCache moves the synced modules along with the cache, unless they have a
// place of their own.
func (c *Call) applyCache() {
	dir := c.Values.Str("cachedir")
	if dir == "" || c.Opts.Str("extension_modules") != filepath.Join(c.Opts.Str("__cachedir"), "extmods") {
		return
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	c.Opts.Set("cachedir", dir)
	c.Opts.Set("extension_modules", filepath.Join(dir, "extmods"))
	c.Config.PrependRoot("cachedir", "extension_modules")
}

// truncate empties --out-file, keeping its permissions, unless it is to be
// appended to. Salt does so before the function runs.
func (c *Call) truncate(g *Grammar) error {
	path := c.Values.Str("output_file")
	if path == "" || c.Values.Truth("output_file_append") || !isFile(path) {
		return nil
	}
	if err := os.Truncate(path, 0); err != nil {
		return g.Fail("%s: Access denied: %v", path, err)
	}
	return nil
}
