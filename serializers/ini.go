package serializers

import (
	"fmt"
	"strings"

	"pinch/value"
)

// dumpINI is Python's ConfigParser.write: names in lower case, " = " between.
// Of ConfigParser's options there are defaults, interpolation and allow_no_value.
func dumpINI(v any, o *value.Map) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fmt.Errorf("configparser can only serialize dictionaries, not <class '%s'>", value.TypeName(v))
	}
	var b strings.Builder
	section := func(name string, keys *value.Map) error {
		fmt.Fprintf(&b, "[%s]\n", name)
		for k, it := range keys.All() {
			key := strings.ToLower(value.Str(k))
			if it == nil {
				if !o.Truth("allow_no_value") {
					return fmt.Errorf("option values must be strings")
				}
				fmt.Fprintf(&b, "%s\n", key)
				continue
			}
			if interpolated(o) {
				if err := checkReferences(value.Str(it)); err != nil {
					return err
				}
			}
			fmt.Fprintf(&b, "%s = %s\n", key, strings.ReplaceAll(value.Str(it), "\n", "\n\t"))
		}
		b.WriteByte('\n')
		return nil
	}
	def := iniDefaults(o)
	for k, it := range m.Map("DEFAULT").All() {
		def.Set(strings.ToLower(value.Str(k)), it)
	}
	if def.Len() > 0 {
		if err := section("DEFAULT", def); err != nil {
			return nil, err
		}
	}
	for k, it := range m.All() {
		keys, ok := it.(*value.Map)
		if !ok {
			return nil, fmt.Errorf("'%s' object has no attribute 'items'", value.TypeName(it))
		}
		if k != "DEFAULT" {
			if err := section(value.Str(k), keys); err != nil {
				return nil, err
			}
		}
	}
	return b.String(), nil
}

// loadINI reads what ConfigParser reads: comments begin a line with # or ;,
// indented lines continue a value, every section begins with the keys of
// DEFAULT, %(name)s stands for another value.
func loadINI(s string, o *value.Map) (any, error) {
	out, def := new(value.Map), iniDefaults(o)
	var section *value.Map
	key, n := "", 0
	for line := range strings.Lines(s) {
		n++
		t := strings.TrimSpace(line)
		switch {
		case t == "" || t[0] == '#' || t[0] == ';':
			continue
		case line[0] == ' ' || line[0] == '\t':
			if section != nil && key != "" {
				section.Set(key, strings.TrimPrefix(section.Str(key)+"\n"+t, "\n"))
				continue
			}
		case t[0] == '[' && strings.Contains(t, "]"):
			name := t[1:strings.IndexByte(t, ']')]
			if key = ""; name == "DEFAULT" {
				section = def
				continue
			}
			if out.Has(name) {
				return nil, fmt.Errorf("While reading from '<string>' [line %2d]: section %s already exists", n, value.Repr(name))
			}
			section = new(value.Map)
			out.Set(name, section)
			continue
		}
		if section == nil {
			return nil, fmt.Errorf("File contains no section headers.\nfile: '<string>', line: %d\n%s", n, value.Repr(line))
		}
		i := strings.IndexAny(t, "=:")
		if i <= 0 {
			return nil, fmt.Errorf("Source contains parsing errors: '<string>'\n\t[line %2d]: %s", n, value.Repr(line))
		}
		key = strings.ToLower(strings.TrimSpace(t[:i]))
		section.Set(key, strings.TrimSpace(t[i+1:]))
	}
	for name, it := range out.Items() {
		all := def.Shallow()
		all.Update(it.(*value.Map))
		if interpolated(o) {
			p := &interpolation{section: name, values: all.Shallow()}
			for k, v := range all.Items() {
				text, err := p.expand(k, value.Str(v))
				if err != nil {
					return nil, err
				}
				all.Set(k, text)
			}
		}
		out.Set(name, all)
	}
	return out, nil
}

// separator is what stands between name and value.
func separator(o *value.Map) string {
	if s, ok := o.At("separator").(string); ok {
		return s
	}
	return "="
}

func dumpKeyvalue(v any, o *value.Map) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fmt.Errorf("keyvalue can only serialize dictionaries, not %s", value.TypeName(v))
	}
	var lines []string
	for k, it := range m.All() {
		lines = append(lines, value.Str(k)+separator(o)+value.Str(it))
	}
	return strings.Join(lines, "\n"), nil
}

func loadKeyvalue(s string, o *value.Map) (any, error) {
	out := new(value.Map)
	for _, line := range strings.Split(s, "\n") {
		if t := strings.TrimSpace(line); t == "" || t[0] == '#' {
			continue
		}
		k, v, _ := strings.Cut(line, separator(o))
		if o.Truth("quoting") && len(v) > 1 && (v[0] == '"' || v[0] == '\'') && v[0] == v[len(v)-1] {
			v = v[1 : len(v)-1]
		}
		out.Set(k, v)
	}
	return out, nil
}
