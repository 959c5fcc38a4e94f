package saltfilters

import (
	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func encodeFilters() []filters.Entry {
	options := []any{"encoding", nil, "errors", "strict", "keep", false, "preserve_dict_class", false, "preserve_tuples", false}
	dict := func(name string) filters.Entry {
		return entry(name, sig("encode_dict", "data", options...), func(_ *jinja.Call, a []any) (any, error) {
			m, ok := a[0].(*value.Map)
			if !ok {
				_, err := py.Attr(a[0], "items")
				return nil, err
			}
			return newEncoder(a).dict(m, 0)
		})
	}
	list := func(name string) filters.Entry {
		return entry(name, sig("encode_list", "data", options...), func(_ *jinja.Call, a []any) (any, error) {
			items, err := py.Items(a[0])
			if err != nil {
				return nil, err
			}
			return newEncoder(a).list(items, 0)
		})
	}
	return []filters.Entry{dict("json_encode_dict"), dict("json_decode_dict"), list("json_encode_list"), list("json_decode_list")}
}

// encoder turns all text inside of data into bytes.
type encoder struct {
	encoding     any
	errs         string
	keep, tuples bool
}

func newEncoder(a []any) *encoder {
	return &encoder{a[1], value.Str(a[2]), value.Truth(a[3]), value.Truth(a[5])}
}

func (e *encoder) value(v any, depth int) (any, error) {
	if depth > 900 {
		return nil, value.Errorf("RecursionError", "maximum recursion depth exceeded")
	}
	switch v := v.(type) {
	case *value.List:
		return e.list(v.Items, depth+1)
	case value.Tuple:
		l, err := e.list(v, depth+1)
		if err == nil && e.tuples {
			return value.Tuple(l.Items), nil
		}
		return l, err
	case *value.Map:
		return e.dict(v, depth+1)
	case string, py.Markup:
		b, err := toBytes(v, e.encoding, e.errs)
		if isA(err, "TypeError") || e.keep && isA(err, "UnicodeEncodeError") {
			return v, nil
		}
		return b, err
	}
	return v, nil
}

func (e *encoder) dict(m *value.Map, depth int) (*value.Map, error) {
	out := value.NewMap(m.Len())
	for k, v := range m.All() {
		key, err := e.value(k, depth)
		if err != nil {
			return nil, err
		}
		if v, err = e.value(v, depth); err != nil {
			return nil, err
		}
		if err := out.SetKey(key, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (e *encoder) list(items []any, depth int) (*value.List, error) {
	out := new(value.List)
	for _, v := range items {
		x, err := e.value(v, depth)
		if err != nil {
			return nil, err
		}
		out.Append(x)
	}
	return out, nil
}
