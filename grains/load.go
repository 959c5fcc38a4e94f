package grains

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/render/yaml"
	"pinch/value"
	"pinch/value/pyre"
)

// Load returns all grains of the machine: the core ones, those of the file
// "grains" in the configuration's folder, the custom ones, and the option
// grains, each replacing those before. With grains_deep_merge maps of all but
// the option are merged instead. Names that match grains_blacklist are left
// out, unless the option has them.
func Load(h Host, custom ...*value.Map) *value.Map {
	m := Core(h)
	blocked := blacklist(h.Opts)
	var under *value.Map
	if v, _ := h.Opts.At("grains_deep_merge").(bool); v {
		under = Core(h)
	}
	for _, src := range append([]*value.Map{h.fileGrains()}, custom...) {
		for k, v := range src.All() {
			if name, ok := k.(string); ok && blocks(blocked, name) {
				continue
			}
			if under != nil {
				deepSet(m, under, k, v)
			} else if err := m.SetKey(k, v); err != nil {
				continue
			}
		}
	}
	for k, v := range h.Opts.Map("grains").All() {
		m.SetKey(k, v)
	}
	return m
}

// deepSet merges v into what under has under that name.
func deepSet(m, under *value.Map, k, v any) {
	if top, ok := v.(*value.Map); ok {
		if old, ok := under.GetKey(k); ok {
			if o, ok := old.(*value.Map); ok {
				v = value.Update(value.Copy(o).(*value.Map), top, false)
			}
		}
	}
	if under.SetKey(k, v) == nil {
		m.SetKey(k, v)
	}
}

// fileGrains reads the static grains file beside the configuration file.
func (h Host) fileGrains() *value.Map {
	conf := h.Opts.Str("conf_file")
	if conf == "" {
		return nil
	}
	c := newCore(h)
	path := filepath.Join(filepath.Dir(conf), "grains")
	if c.isDir(conf) {
		path = filepath.Join(conf, "grains")
	}
	text, ok := c.file(path)
	if !ok {
		return nil
	}
	v, err := yaml.Load(path, text)
	if err != nil {
		if h.Log != nil {
			h.Log.Warn("Bad syntax in grains file! Skipping.", "file", path, "error", err.Error())
		}
		return nil
	}
	m, _ := v.(*value.Map)
	return m
}

func blacklist(opts *value.Map) []string {
	l := opts.List("grains_blacklist")
	if l.Len() == 0 {
		return nil
	}
	var out []string
	for _, it := range l.Items {
		if s, ok := it.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (c *core) blocked(key string) bool { return blocks(c.blacklist, key) }

// blocks matches a name against globs and whole regular expressions.
func blocks(list []string, key string) bool {
	return slices.ContainsFunc(list, func(expr string) bool {
		if value.Fnmatch(key, expr) {
			return true
		}
		if strings.Trim(expr, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-*?") == "" && !strings.ContainsAny(expr, "*?") {
			return false
		}
		re, err := pyre.Compile(expr, 0)
		return err == nil && re.FullMatch(key) != nil
	})
}
