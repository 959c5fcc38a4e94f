package config

import (
	"net/url"
	"path/filepath"
	"strings"
)

// PrependRoot puts root_dir in front of the paths under the given options,
// unless they lie below it already. Relative ones are taken from it too.
func (c *Config) PrependRoot(options ...string) {
	root, err := filepath.Abs(c.Opts.Str("root_dir"))
	if err != nil {
		return
	}
	for _, o := range options {
		path, ok := c.Opts.At(o).(string)
		if !ok {
			continue
		}
		if path == root || root != "/" && strings.HasPrefix(path, root+"/") {
			path = path[len(root):]
		}
		c.Opts.Set(o, filepath.Join(root, path))
	}
}

// isPath reports whether a log target is a file's path and not an address.
func isPath(target string) bool {
	u, err := url.Parse(target)
	return err != nil || u.Scheme == ""
}
