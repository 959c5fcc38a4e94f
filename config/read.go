package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/render/yaml"
	"pinch/value"
)

// read gives the options of the minion file and of all that it includes.
// minion.d/*.conf (default_include) and include replace options of the file
// whole; among themselves, included files are merged, later ones on top.
func (c *Config) read(path string) (*value.Map, error) {
	set := new(value.Map)
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		if set, err = c.parse(path, string(text)); err != nil {
			return nil, err
		}
		set.Set("conf_file", path)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		c.log.Debug("Missing configuration file: " + path)
	default:
		return nil, &diag.Diagnostic{ID: "config", Pos: diag.Pos{File: path}, Summary: "the configuration cannot be read", Err: err, Detail: err.Error()}
	}
	own := set.At("include")
	pattern, ok := set.Get("default_include")
	if !ok {
		pattern = "minion.d/*.conf"
	}
	set.Update(c.include(pattern, path, false, 0))
	set.Update(c.include(own, path, true, 0))
	return set, nil
}

// parse reads one file; it must hold a map.
func (c *Config) parse(path, text string) (*value.Map, error) {
	c.log.Debug("Reading configuration from " + path)
	v, err := yaml.Load(path, text)
	if err != nil {
		return nil, yamlDiag(path, text, err)
	}
	if !value.Truth(v) {
		return new(value.Map), nil
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, &diag.Diagnostic{ID: "config", Pos: diag.Pos{File: path, Line: 1}, Source: text,
			Summary: fmt.Sprintf("Error parsing configuration file: %s - conf should be a document, not <class '%s'>.", path, value.TypeName(v)),
			Hint:    "the configuration is made of lines such as \"id: web1\""}
	}
	if id, ok := m.Get("id"); ok {
		m.Set("id", value.Str(id))
	}
	return m, nil
}

func yamlDiag(path, text string, err error) *diag.Diagnostic {
	d := &diag.Diagnostic{ID: "config", Pos: diag.Pos{File: path}, Source: text, Err: err,
		Summary: fmt.Sprintf("Error parsing configuration file: %s - %v", path, err)}
	var e *yaml.Error
	if errors.As(err, &e) {
		d.Pos.Line, d.Pos.Col, d.Hint = e.Line, e.Col, e.Hint()
		if d.Pos.Line == 0 {
			d.Pos.Line, d.Pos.Col = e.ContextLine, e.ContextCol
		}
	}
	return d
}

// maxDepth stops files that include each other.
const maxDepth = 50

// include reads the files that an include option names: one glob or several,
// relative to the including file, each glob's files in sorted order.
func (c *Config) include(globs any, from string, warn bool, depth int) *value.Map {
	out := new(value.Map)
	if depth > maxDepth {
		c.log.Error("configuration files include each other: " + from)
		return out
	}
	for _, g := range words(globs) {
		path := c.expandUser(g)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(from), path)
		}
		files := glob(path)
		if len(files) == 0 && warn {
			c.log.Warn(fmt.Sprintf("Warning parsing configuration file: \"include\" path/glob '%s' matches no files", path))
		}
		slices.Sort(files)
		for _, f := range files {
			c.log.Debug(fmt.Sprintf("Including configuration from '%s'", f))
			c.includeFile(out, f, warn, depth)
		}
	}
	return out
}

func (c *Config) includeFile(out *value.Map, path string, warn bool, depth int) {
	text, err := os.ReadFile(path)
	var m *value.Map
	if err == nil {
		m, err = c.parse(path, string(text))
	}
	if err != nil {
		c.logBad(err)
		if strings.HasSuffix(path, "_schedule.conf") { // written by the scheduler: put aside, not kept in the way
			c.log.Error("Renaming to " + path + "YAMLError")
			if err := os.Rename(path, path+"YAMLError"); err != nil {
				c.log.Error(err.Error())
			}
		}
		return
	}
	if more, ok := m.Get("include"); ok && value.Truth(more) {
		m.Update(c.include(more, path, warn, depth+1))
	}
	merge(out, m)
}

// logBad logs a file that is ignored, with its line as the user wrote it.
func (c *Config) logBad(err error) {
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		c.log.Error(err.Error())
		return
	}
	text := d.Summary
	if d.Hint != "" {
		text += " (" + d.Hint + ")"
	}
	c.log.Error(text)
}

// merge puts upd over dest: maps into each other, lists joined without
// repeating an item, everything else replaced.
func merge(dest, upd *value.Map) {
	for k, v := range upd.All() {
		old, _ := dest.GetKey(k)
		switch o := old.(type) {
		case *value.Map:
			if n, ok := v.(*value.Map); ok {
				merge(o, n)
				continue
			}
		case *value.List:
			if n, ok := v.(*value.List); ok {
				v = joined(o, n)
			}
		}
		dest.SetKey(k, v) // k is a key of a map already
	}
}

func joined(a, b *value.List) *value.List {
	out := value.L(a.Items...)
	for _, it := range b.Items {
		if !slices.ContainsFunc(a.Items, func(x any) bool { return value.Equal(x, it) }) {
			out.Append(it)
		}
	}
	return out
}

// words are the strings of a list, or the one string.
func words(v any) []string {
	switch v := v.(type) {
	case string:
		if v != "" {
			return []string{v}
		}
	case *value.List:
		var out []string
		for _, it := range v.Items {
			if s, ok := it.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

func (c *Config) expandUser(path string) string {
	if path != "~" && !strings.HasPrefix(path, "~/") {
		return path
	}
	home := c.o.Getenv("HOME")
	if home == "" {
		return path
	}
	return home + path[1:]
}

// lineOf is the line on which a key of the outermost map stands; 0: nowhere.
func lineOf(text, key string) int {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if rest, ok := strings.CutPrefix(line, key); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), ":") {
			return n
		}
	}
	return 0
}
