package matcher

import (
	"strings"

	"pinch/value"
)

func (m *Minion) glob(expr any) bool {
	s, ok := expr.(string)
	return ok && value.Fnmatch(m.ID, s)
}

func (m *Minion) pcre(expr any) (bool, error) {
	s, ok := expr.(string)
	if !ok {
		return false, value.Errorf("TypeError", "first argument must be string or compiled pattern")
	}
	return matchStart(s, m.ID)
}

// list finds the ID between commas, or as an item of a list. Spaces count.
func (m *Minion) list(expr any) bool {
	switch e := expr.(type) {
	case string:
		return e == m.ID || strings.HasPrefix(e, m.ID+",") ||
			strings.HasSuffix(e, ","+m.ID) || strings.Contains(e, ","+m.ID+",")
	case *value.List:
		return holds(e.Items, m.ID)
	case value.Tuple:
		return holds(e, m.ID)
	case *value.Map:
		return e.Has(m.ID)
	case *value.Set:
		return e.Has(m.ID)
	}
	return false
}

func holds(items []any, s string) bool {
	for _, it := range items {
		if value.Equal(it, s) {
			return true
		}
	}
	return false
}

// data matches "key:value" against the minion's data store.
func (m *Minion) data(expr any) (bool, error) {
	if m.Data == nil {
		return false, value.Errorf("KeyError", "'data.getval'")
	}
	s, ok := expr.(string)
	if !ok {
		return false, value.Errorf("AttributeError", "'%s' object has no attribute 'split'", value.TypeName(expr))
	}
	parts := strings.Split(s, ":")
	if len(parts) < 2 {
		return false, nil
	}
	switch v := m.Data.At(parts[0]).(type) {
	case nil:
		return false, nil
	case *value.List:
		for _, it := range v.Items {
			if value.Fnmatch(strings.ToLower(value.Str(it)), strings.ToLower(parts[1])) {
				return true, nil
			}
		}
		return false, nil
	case *value.Map:
		return v.Has(parts[1]), nil
	case string:
		return value.Fnmatch(v, parts[1]), nil
	default:
		return false, value.Errorf("TypeError", "expected str, bytes or os.PathLike object, not %s", value.ClassName(v))
	}
}

// resource matches "type" or "type:id" against the resources that the minion
// manages.
func (m *Minion) resource(expr any) (bool, error) {
	if m.Resources.Len() == 0 {
		return false, nil
	}
	s, ok := expr.(string)
	if !ok {
		return false, notIterable(expr)
	}
	kind, id, full := strings.Cut(s, ":")
	ids := m.Resources.At(kind)
	if !full {
		return value.Truth(ids), nil
	}
	switch ids := ids.(type) {
	case *value.List:
		return holds(ids.Items, id), nil
	case *value.Map:
		return ids.Has(id), nil
	}
	return false, nil
}
