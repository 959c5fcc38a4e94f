package value

import (
	"strconv"
	"strings"
)

// TraverseDict walks maps along a path "a:b:c" (Salt's traverse_dict): every
// part is a string key, and lists are not entered. It reports whether the
// path led to a value.
func TraverseDict(data any, path, delimiter string) (any, bool) {
	for _, part := range splitPath(path, delimiter) {
		m, ok := data.(*Map)
		if !ok {
			return nil, false
		}
		if data, ok = m.Get(part); !ok {
			return nil, false
		}
	}
	return data, true
}

// Traverse walks maps and lists along a path (Salt's traverse_dict_and_list).
// A part is a key, first as the string it is and then as YAML reads it (so "1"
// finds the key 1); in a list it is an index, or a key of the first map inside
// that has it. The path is a string to be split at the delimiter, a list of
// parts, or one int. It reports whether the path led to a value.
func Traverse(data, path any, delimiter string) (any, bool) {
	switch p := path.(type) {
	case string:
		for _, part := range splitPath(p, delimiter) {
			var ok bool
			if data, ok = step(data, part); !ok {
				return nil, false
			}
		}
		return data, true
	case *List:
		return traverseParts(data, p.Items)
	case Tuple:
		return traverseParts(data, p)
	}
	return step(data, path)
}

func traverseParts(data any, parts []any) (any, bool) {
	for _, part := range parts {
		var ok bool
		if data, ok = step(data, part); !ok {
			return nil, false
		}
	}
	return data, true
}

// TraverseOr is Traverse with a default for a path that leads nowhere.
func TraverseOr(data, path, def any, delimiter string) any {
	if v, ok := Traverse(data, path, delimiter); ok {
		return v
	}
	return def
}

func splitPath(path, delimiter string) []string {
	if delimiter == "" {
		return []string{path}
	}
	return strings.Split(path, delimiter)
}

func step(data, part any) (any, bool) {
	switch d := data.(type) {
	case *Map:
		if v, ok := d.GetKey(part); ok {
			return v, true
		}
		s, ok := part.(string)
		if !ok {
			return nil, false
		}
		key := ScalarArg(s)
		if key == part {
			return nil, false
		}
		return d.GetKey(key)
	case *List:
		return stepList(d, part)
	}
	return nil, false
}

func stepList(l *List, part any) (any, bool) {
	idx, numeric := index(part)
	key := part
	if numeric {
		key = idx
	}
	for _, it := range l.Items {
		if m, ok := it.(*Map); ok {
			if v, ok := m.GetKey(key); ok {
				return v, true
			}
		}
	}
	if !numeric {
		return nil, false
	}
	if idx < 0 {
		idx += int64(l.Len())
	}
	if idx < 0 || idx >= int64(l.Len()) {
		return nil, false
	}
	return l.Items[idx], true
}

// index is Python's int() of a part of a path.
func index(part any) (int64, bool) {
	switch p := part.(type) {
	case int64:
		return p, true
	case bool:
		if p {
			return 1, true
		}
		return 0, true
	case float64:
		return int64(p), true
	case string:
		s := strings.TrimSpace(p)
		if strings.Contains(s, "_") {
			if strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
				return 0, false
			}
			s = strings.ReplaceAll(s, "_", "")
		}
		i, err := strconv.ParseInt(s, 10, 64)
		return i, err == nil
	}
	return 0, false
}
