package py

import (
	"math/big"
	"time"

	"pinch/value"
)

// Method gives the method of recv's type with that name, bound to recv; ok is
// false when Python's type has none. Methods change lists, dicts and sets in
// place, as Python's do.
func Method(recv any, name string) (f Func, ok bool) { return MethodWith(recv, name, Call, Attr) }

// MethodWith is Method for an engine with its own callables and attributes:
// call is used for sort(key=…), attr for format's {0.name}.
func MethodWith(recv any, name string, call CallFunc, attr AttrFunc) (f Func, ok bool) {
	switch r := recv.(type) {
	case string:
		switch name {
		case "format":
			return func(a []any, kw *value.Map) (any, error) { return StrFormat(r, a, kw, attr) }, true
		case "format_map":
			m := one(func(s string, m any) (any, error) { return StrFormatMap(s, m, attr) })
			return bind(r, "str", name, m), true
		}
		return bound(r, "str", name, strMethod)
	case *value.Map:
		switch name {
		case "update":
			return dictUpdate(r), true
		case "items", "keys", "values":
			return viewOf(r, name), true
		}
		if r.Ordered() {
			if f, ok := bound(r, "OrderedDict", name, orderedMethod); ok {
				return f, true
			}
		}
		return bound(r, "dict", name, dictMethod)
	case *value.List:
		if name == "sort" {
			return listSort(r, call), true
		}
		return bound(r, "list", name, listMethod)
	case value.Tuple:
		return bound(r, "tuple", name, tupleMethod)
	case int64, bool, *big.Int:
		n, _ := toNum(r)
		return bound(n.big(), "int", name, intMethod)
	case float64:
		return bound(r, "float", name, floatMethod)
	case []byte:
		return bound(r, "bytes", name, bytesMethod)
	case *value.Set:
		return bound(r, "set", name, setMethod)
	case Markup:
		return markupMethod(r, name)
	case time.Time:
		return bound(r, "datetime", name, datetimeMethod)
	case value.Date:
		return bound(r, "date", name, dateMethod)
	case Timedelta:
		return bound(r, "timedelta", name, deltaMethod)
	case Range:
		return bound(r, "range", name, rangeMethod)
	case View:
		return nil, false
	case Methods:
		return r.Method(name)
	}
	return nil, false
}

func bound[T any](recv T, typ, name string, find func(string) (method[T], bool)) (Func, bool) {
	m, ok := find(name)
	if !ok {
		return nil, false
	}
	return bind(recv, typ, name, m), true
}

func rangeMethod(name string) (m method[Range], ok bool) {
	switch name {
	case "index":
		return one(func(r Range, v any) (any, error) {
			if in, _ := r.Contains(v); !in {
				return nil, valueError("%s is not in range", value.Repr(v))
			}
			n, err := Int(v)
			if err != nil {
				return nil, err
			}
			return (n.(int64) - r.Start) / r.Step, nil
		}), true
	case "count":
		return one(func(r Range, v any) (any, error) {
			if in, _ := r.Contains(v); in {
				return int64(1), nil
			}
			return int64(0), nil
		}), true
	}
	return m, false
}
