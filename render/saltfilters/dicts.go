package saltfilters

import (
	"strings"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func dictFilters() []filters.Entry {
	change := func(name string, do func(m *value.Map, last string, v any, ordered bool) error) filters.Entry {
		return entry(name, sig(name, "in_dict keys value", "delimiter", ":", "ordered_dict", false),
			func(_ *jinja.Call, a []any) (any, error) { return changeAt(a, do) })
	}
	return []filters.Entry{
		change("set_dict_key_value", func(m *value.Map, last string, v any, _ bool) error { m.Set(last, v); return nil }),
		change("update_dict_key_value", updateAt),
		change("append_dict_key_value", appendAt),
		change("extend_dict_key_value", extendAt),
	}
}

func invocationError(format string, a ...any) error {
	return value.Errorf("SaltInvocationError", format, a...)
}

// changeAt walks in_dict along "a:b:c", making dicts where there are none,
// lets do change what c holds, and gives in_dict back.
func changeAt(a []any, do func(m *value.Map, last string, v any, ordered bool) error) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, u.UndefinedError()
	}
	keys, ok := py.Text(a[1])
	delim, ok2 := py.Text(a[3])
	if !ok || !ok2 {
		return nil, typeError("argument of type '%s' is not iterable", py.TypeName(a[1]))
	}
	m, ok := a[0].(*value.Map)
	if !ok {
		return nil, typeError("'%s' object does not support item assignment", py.TypeName(a[0]))
	}
	if delim == "" {
		return nil, value.Errorf("ValueError", "empty separator")
	}
	parts, ordered := strings.Split(keys, delim), value.Truth(a[4])
	for _, key := range parts[:len(parts)-1] {
		next, ok := m.At(key).(*value.Map)
		if !ok {
			next = newDict(ordered)
			m.Set(key, next)
		}
		m = next
	}
	return a[0], do(m, parts[len(parts)-1], a[2], ordered)
}

func newDict(ordered bool) *value.Map {
	if ordered {
		return new(value.Map).Order()
	}
	return new(value.Map)
}

func updateAt(m *value.Map, last string, v any, ordered bool) error {
	if m.At(last) == nil {
		m.Set(last, newDict(ordered))
	}
	old := m.At(last)
	switch o := old.(type) {
	case *value.Map:
		if err := py.UpdateMap(o, v); isA(err, "ValueError", "TypeError") {
			return invocationError("Cannot update %s with a %s.", classOf(o), classOf(v))
		} else if err != nil {
			return err
		}
		return nil
	case *value.Set:
		items, err := py.Items(v)
		if err != nil {
			return invocationError("Cannot update %s with a %s.", classOf(o), classOf(v))
		}
		for _, it := range items {
			if err := o.Add(it); err != nil {
				return invocationError("Cannot update %s with a %s.", classOf(o), classOf(v))
			}
		}
		return nil
	}
	return invocationError("The last key contains a %s, which cannot update.", classOf(old))
}

func listAt(m *value.Map, last, verb string) (*value.List, error) {
	if m.At(last) == nil {
		m.Set(last, new(value.List))
	}
	l, ok := m.At(last).(*value.List)
	if !ok {
		return nil, invocationError("The last key contains a %s, which cannot %s.", classOf(m.At(last)), verb)
	}
	return l, nil
}

func appendAt(m *value.Map, last string, v any, _ bool) error {
	l, err := listAt(m, last, "append")
	if err == nil {
		l.Append(v)
	}
	return err
}

func extendAt(m *value.Map, last string, v any, _ bool) error {
	l, err := listAt(m, last, "extend")
	if err != nil {
		return err
	}
	items, err := py.Items(v)
	if isA(err, "TypeError") {
		return invocationError("Cannot extend %s with a %s.", classOf(l), classOf(v))
	}
	l.Append(clone(items).Items...)
	return err
}
