package args

import (
	"path/filepath"
	"strings"

	"pinch/value"
)

// normalize gives option values the form in which they are used.
func (c *Call) normalize() {
	v := c.Values
	names := new(value.List)
	switch n := v.At("no_parse").(type) {
	case string:
		for part := range strings.SplitSeq(n, ",") {
			if n != "" {
				names.Append(strings.TrimSpace(part))
			}
		}
	case *value.List: // from a Saltfile
		names = n
	}
	v.Set("no_parse", names)
	switch v.Str("state_verbose") {
	case "True", "true":
		v.Set("state_verbose", true)
	case "False", "false":
		v.Set("state_verbose", false)
	}
	if dirs, ok := v.At("module_dirs").(*value.List); ok && c.Explicit["module_dirs"] {
		v.Set("module_dirs", absolute(dirs))
	}
	if file := v.Str("log_file"); c.Explicit["log_file"] && !strings.Contains(file, "/") {
		v.Set("log_file", "./"+file)
	}
	if v.At("log_level_logfile") == nil && c.Opts.At("log_level_logfile") == nil {
		v.Set("log_level_logfile", c.Opts.At("log_level"))
	}
}

// absolute are folders given one by one or, as long ago, joined by commas.
func absolute(dirs *value.List) *value.List {
	out := new(value.List)
	for _, d := range dirs.Items {
		for part := range strings.SplitSeq(value.Str(d), ",") {
			if abs, err := filepath.Abs(part); err == nil {
				part = abs
			}
			out.Append(part)
		}
	}
	return out
}

// merge lets the configuration and the command line meet, as Salt does: what
// was given on the command line wins, then the configuration's value under the
// option's name, then the option's default. Both sides end up with the same.
func (c *Call) merge(g *Grammar) {
	for _, gr := range g.Groups {
		for i := range gr.Options {
			name := gr.Options[i].Dest
			if name == "" {
				continue
			}
			v := c.Values.At(name)
			if v != nil && c.Explicit[name] {
				c.Opts.Set(name, v)
				continue
			}
			if name == "id" || name == "user" { // found out only when asked for, never missing
				c.Values.SetLazy(name, func() (any, bool) { return c.Opts.Get(name) })
				continue
			}
			switch set := c.Opts.At(name); {
			case set != nil:
				c.Values.Set(name, set)
			case v != nil:
				c.Opts.Set(name, v)
			case c.Opts.Has(name):
				c.Values.Set(name, nil)
			}
		}
	}
}
