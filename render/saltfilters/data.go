package saltfilters

import (
	"strings"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func dataFilters() []filters.Entry {
	return []filters.Entry{
		entry("compare_dicts", sig("compare_dicts", "", "old", nil, "new", nil), defined(compareDicts)),
		entry("compare_lists", sig("compare_lists", "", "old", nil, "new", nil), compareLists),
		entry("traverse", sig("traverse_dict_and_list", "data key", "default", nil, "delimiter", ":"), traverse),
		entry("mysql_to_dict", sig("mysql_to_dict", "data key"), mysqlToDict),
		entry("to_entries", sig("to_entries", "data"), toEntries),
		entry("from_entries", sig("from_entries", "entries"), fromEntries),
		entry("json_query", sig("json_query", "data expr"), defined(jsonQuery)),
	}
}

// keysOf lists what set(v or {}) holds.
func keysOf(v any) ([]any, error) {
	if !value.Truth(v) {
		return nil, nil
	}
	return py.Items(v)
}

// compareDicts tells what differs: keys of new first, then those only in old.
func compareDicts(_ *jinja.Call, a []any) (any, error) {
	was, now := a[0], a[1]
	if u, ok := now.(*jinja.Undefined); ok && u.StrictErr() != nil {
		return nil, u.StrictErr()
	}
	out := new(value.Map)
	for _, side := range []any{now, was} {
		keys, err := keysOf(side)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if out.HasKey(k) {
				continue
			}
			diff, err := compareKey(was, now, k)
			if err != nil {
				return nil, err
			}
			if diff != nil {
				if err := out.SetKey(k, diff); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}

func compareKey(was, now, k any) (*value.Map, error) {
	in, err := py.Contains(was, k)
	if err != nil {
		return nil, err
	}
	if !in {
		v, err := py.Index(now, k)
		return value.M("old", "", "new", v), err
	}
	before, err := py.Index(was, k)
	if err != nil {
		return nil, err
	}
	if in, err = py.Contains(now, k); err != nil {
		return nil, err
	}
	if !in {
		return value.M("new", "", "old", before), nil
	}
	after, err := py.Index(now, k)
	if err != nil || value.Equal(before, after) {
		return nil, err
	}
	return value.M("old", before, "new", after), nil
}

func compareLists(_ *jinja.Call, a []any) (any, error) {
	out := new(value.Map)
	for _, s := range []struct {
		name        string
		from, other any
	}{{"new", a[1], a[0]}, {"old", a[0], a[1]}} {
		items, err := py.Items(s.from)
		if err != nil {
			return nil, err
		}
		l := new(value.List)
		for _, v := range items {
			in, err := py.Contains(s.other, v)
			if err != nil {
				return nil, err
			}
			if !in {
				l.Append(v)
			}
		}
		if l.Len() > 0 {
			out.Set(s.name, l)
		}
	}
	return out, nil
}

func traverse(_ *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		return nil, u.UndefinedError()
	}
	key := a[1]
	if s, ok := py.Text(key); ok {
		key = s
	}
	delim, ok := py.Text(a[3])
	if !ok {
		return nil, typeError("must be str or None, not %s", py.TypeName(a[3]))
	}
	if delim == "" {
		return nil, value.Errorf("ValueError", "empty separator")
	}
	switch k := key.(type) {
	case string, *value.List, value.Tuple, int64, bool:
	case *jinja.Undefined:
		return nil, k.UndefinedError()
	default:
		items, err := py.Items(key)
		if err != nil {
			return nil, err
		}
		key = value.Tuple(items)
	}
	return value.TraverseOr(a[0], key, a[2], delim), nil
}

// mysqlToDict reads the table that the mysql client prints.
func mysqlToDict(_ *jinja.Call, a []any) (any, error) {
	lines, err := py.Items(a[0])
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	var headers []string
	for _, l := range lines {
		line, ok := py.Text(l)
		if !ok && value.Truth(l) {
			_, err := py.Attr(l, "startswith")
			return nil, err
		}
		if line == "" || line[0] == '+' {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(headers) < 2 {
			headers = cells
			continue
		}
		row := new(value.Map)
		for i := 1; i < len(headers)-1; i++ {
			if i >= len(cells) {
				return nil, value.Errorf("IndexError", "list index out of range")
			}
			n, err := toNum(nil, []any{cells[i]})
			if err != nil {
				return nil, err
			}
			row.Set(headers[i], n)
		}
		k, err := py.Index(row, a[1])
		if err != nil {
			return nil, err
		}
		if err := out.SetKey(k, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func toEntries(_ *jinja.Call, a []any) (any, error) {
	out := new(value.List)
	switch v := a[0].(type) {
	case *value.Map:
		for k, it := range v.All() {
			out.Append(value.M("key", k, "value", it))
		}
	case *value.List:
		for i, it := range v.Items {
			out.Append(value.M("key", int64(i), "value", it))
		}
	default:
		return nil, value.Errorf("SaltException", "Input data must be a dict or list")
	}
	return out, nil
}

// fromEntries takes key or name, and value, in any case of letters.
func fromEntries(_ *jinja.Call, a []any) (any, error) {
	items, err := py.Items(a[0])
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for _, it := range items {
		m, err := py.Dict([]any{it}, nil)
		if err != nil {
			return nil, err
		}
		entry := new(value.Map)
		for k, v := range m.All() {
			s, ok := k.(string)
			if !ok {
				_, err := py.Attr(k, "lower")
				return nil, err
			}
			entry.Set(strings.ToLower(s), v)
		}
		for _, name := range []string{"key", "name"} {
			if k := entry.At(name); value.Truth(k) {
				if err := out.SetKey(k, entry.At("value")); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	return out, nil
}
