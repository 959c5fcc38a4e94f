package config

import (
	"fmt"

	"pinch/value"
)

// A Root is one environment and its folders, first match wins.
type Root struct {
	Env  string
	Dirs []string
}

func rootsOf(m *value.Map) []Root {
	var out []Root
	for env, dirs := range m.All() {
		out = append(out, Root{value.Str(env), words(dirs)})
	}
	return out
}

// roots brings file_roots or pillar_roots into form: environments are strings,
// globs are expanded, an environment without a list has no folders, and what
// is no map at all is replaced by the default.
func (c *Config) roots(option, def string) {
	m, ok := c.Opts.At(option).(*value.Map)
	if !ok {
		c.log.Warn("The " + option + " parameter is not properly formatted, using defaults")
		c.Opts.Set(option, value.M("base", value.L(def)))
		return
	}
	out := value.NewMap(m.Len())
	for env, dirs := range m.All() {
		list, ok := dirs.(*value.List)
		if !ok {
			if dirs != nil {
				c.log.Warn(fmt.Sprintf("%s: the folders of %s are not a list, ignoring %s", option, value.Str(env), value.Str(dirs)))
			}
			list = new(value.List)
		}
		out.Set(value.Str(env), ExpandRoots(list))
	}
	c.Opts.Set(option, out)
}

// ExpandRoots replaces the globs in a list of folders by what they match.
func ExpandRoots(dirs *value.List) *value.List {
	out := new(value.List)
	for _, d := range dirs.Items {
		s, ok := d.(string)
		if !ok || !value.IsGlob(s) {
			out.Append(d)
			continue
		}
		for _, path := range glob(s) {
			out.Append(path)
		}
	}
	return out
}
