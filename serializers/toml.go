package serializers

import (
	"strings"
	"time"

	"pinch/render"
	"pinch/value"
)

// dumpTOML writes a document as Python's library toml does, which Salt uses:
// values before tables, strings in double quotes, keys in their order.
func dumpTOML(v any, _ *value.Map) (any, error) {
	m, ok := v.(*value.Map)
	if !ok {
		return nil, value.Errorf("TypeError", "a TOML document is a mapping, not %s", value.TypeName(v))
	}
	text, tables, err := tomlTable(m, "")
	if err != nil {
		return nil, err
	}
	out := text
	for len(tables) > 0 {
		var deeper []tomlEntry
		for _, t := range tables {
			text, subs, err := tomlTable(t.m, t.name)
			if err != nil {
				return nil, err
			}
			if text != "" || len(subs) == 0 {
				if out != "" && !strings.HasSuffix(out, "\n\n") {
					out += "\n"
				}
				out += "[" + t.name + "]\n" + text
			}
			for _, s := range subs {
				deeper = append(deeper, tomlEntry{t.name + "." + s.name, s.m})
			}
		}
		tables = deeper
	}
	return out, nil
}

// A tomlEntry is a table by its name.
type tomlEntry struct {
	name string
	m    *value.Map
}

// tomlTable writes the values of a table, then its arrays of tables; the
// tables in it are left to the caller.
func tomlTable(m *value.Map, name string) (text string, tables []tomlEntry, err error) {
	var plain, arrays strings.Builder
	prefix := ""
	if name != "" {
		prefix = name + "."
	}
	for k, v := range m.Items() {
		key := tomlKey(k)
		if sub, ok := v.(*value.Map); ok {
			tables = append(tables, tomlEntry{key, sub})
			continue
		}
		l, _ := v.(*value.List)
		if hasTable(l) {
			if err := tomlArray(&arrays, l, prefix+key); err != nil {
				return "", nil, err
			}
			continue
		}
		if v == nil { // TOML has no null
			continue
		}
		s, err := tomlScalar(v)
		if err != nil {
			return "", nil, err
		}
		plain.WriteString(key + " = " + s + "\n")
	}
	return plain.String() + arrays.String(), tables, nil
}

func hasTable(l *value.List) bool {
	for i := range l.Len() {
		if _, ok := l.Items[i].(*value.Map); ok {
			return true
		}
	}
	return false
}

// tomlArray writes an array of tables.
func tomlArray(out *strings.Builder, l *value.List, name string) error {
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok {
			return value.Errorf("TypeError", "the list %s mixes tables with other values", name)
		}
		text, tables, err := tomlTable(m, name)
		if err != nil {
			return err
		}
		out.WriteString("[[" + name + "]]\n")
		below := "\n"
		if strings.HasPrefix(text, "[") {
			below += text
		} else {
			out.WriteString(text)
		}
		for len(tables) > 0 {
			var deeper []tomlEntry
			for _, t := range tables {
				text, subs, err := tomlTable(t.m, name+"."+t.name)
				if err != nil {
					return err
				}
				if text != "" {
					below += "[" + name + "." + t.name + "]\n" + text
				}
				for _, s := range subs {
					deeper = append(deeper, tomlEntry{t.name + "." + s.name, s.m})
				}
			}
			tables = deeper
		}
		out.WriteString(below)
	}
	return nil
}

// tomlKey is a key, quoted where it must be.
func tomlKey(k string) string {
	bare := k != "" && strings.IndexFunc(k, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
	if bare {
		return k
	}
	return tomlString(k)
}

// tomlString quotes a text: Python's repr in double quotes.
func tomlString(s string) string {
	r := value.Quote(s)
	single := r[0] == '\''
	r = r[1 : len(r)-1]
	if single {
		r = strings.ReplaceAll(r, `\'`, "'")
	}
	r = strings.ReplaceAll(r, `"`, `\"`)
	var out strings.Builder
	for i := 0; i < len(r); i++ {
		if r[i] == '\\' && i+1 < len(r) {
			if r[i+1] == 'x' {
				out.WriteString(`\u00`)
			} else {
				out.WriteString(r[i : i+2])
			}
			i++
			continue
		}
		out.WriteByte(r[i])
	}
	return `"` + out.String() + `"`
}

func tomlScalar(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return tomlString(v), nil
	case bool:
		if v {
			return "true", nil
		}
		return "false", nil
	case float64:
		return strings.NewReplacer("e+0", "e+", "e-0", "e-").Replace(value.Str(v)), nil
	case time.Time:
		return v.Format("2006-01-02T15:04:05Z07:00"), nil
	case *value.List:
		return tomlList(v.Items)
	case value.Tuple:
		return tomlList(v)
	case *value.Map, nil:
		return "", value.Errorf("TypeError", "unsupported TOML value: %s", value.Repr(v))
	}
	return value.Str(v), nil
}

func tomlList(items []any) (string, error) {
	out := "["
	for _, it := range items {
		s, err := tomlScalar(it)
		if err != nil {
			return "", err
		}
		out += " " + s + ","
	}
	return out + "]", nil
}

func loadTOML(s string, _ *value.Map) (any, error) { return render.LoadTOML(s) }
