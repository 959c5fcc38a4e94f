package jmespath

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// expref is &expression, an argument of map, sort_by and their like.
type expref node

// TypeName is that of Python's class.
func (expref) TypeName() string { return "_Expression" }

// typeOf is JMESPath's name of a value's type.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case int64, float64, *big.Int:
		return "number"
	case *value.List:
		return "array"
	case *value.Map:
		return "object"
	case expref:
		return "expref"
	}
	return "unknown"
}

// spec is the signature of a function: the types each argument may have ("" is
// any, "array-number" a list of numbers), and whether the last repeats.
type spec struct {
	args     []string
	variadic bool
	do       func(a []any) (any, error)
}

func function(name string, args []node) node {
	return func(v any) (any, error) {
		vals := make([]any, len(args))
		for i, a := range args {
			var err error
			if vals[i], err = a(v); err != nil {
				return nil, err
			}
		}
		s, ok := lookup(name)
		if !ok {
			return nil, value.Errorf("UnknownFunctionError", "Unknown function: %s()", name)
		}
		if err := s.check(name, vals); err != nil {
			return nil, err
		}
		return s.do(vals)
	}
}

func (s *spec) check(name string, vals []any) error {
	want, word := len(s.args), "arguments"
	if want == 1 {
		word = "argument"
	}
	if s.variadic && len(vals) < want {
		return value.Errorf("VariadictArityError", "Expected at least %d %s for function %s(), received %d", want, word, name, len(vals))
	}
	if !s.variadic && len(vals) != want {
		return value.Errorf("ArityError", "Expected %d %s for function %s(), received %d", want, word, name, len(vals))
	}
	for i, types := range s.args {
		if types == "" {
			continue
		}
		if err := checkType(name, vals[i], strings.Fields(types)); err != nil {
			return err
		}
	}
	return nil
}

func typeError(name string, v any, got string, types []string) error {
	return value.Errorf("JMESPathTypeError", "In function %s(), invalid type for value: %s, expected one of: %s, received: \"%s\"",
		name, value.Str(v), value.Repr(value.Strings(types)), got)
}

func checkType(name string, v any, types []string) error {
	got := typeOf(v)
	var inner []string
	ok := false
	for _, t := range types {
		outer, sub, has := strings.Cut(t, "-")
		ok = ok || outer == got
		if has {
			inner = append(inner, sub)
		}
	}
	if !ok {
		return typeError(name, v, got, types)
	}
	if inner == nil {
		return nil
	}
	items := v.(*value.List).Items
	if len(inner) > 1 && len(items) > 0 {
		first := typeOf(items[0])
		if !slices.Contains(inner, first) {
			return typeError(name, items[0], value.TypeName(items[0]), types)
		}
		inner = []string{first}
	}
	for _, x := range items {
		if !slices.Contains(inner, typeOf(x)) {
			return typeError(name, x, value.TypeName(x), types)
		}
	}
	return nil
}

func one(types string, do func(v any) (any, error)) (spec, bool) {
	return spec{[]string{types}, false, func(a []any) (any, error) { return do(a[0]) }}, true
}

func two(a, b string, do func(x, y any) (any, error)) (spec, bool) {
	return spec{[]string{a, b}, false, func(v []any) (any, error) { return do(v[0], v[1]) }}, true
}

func items(v any) []any { return v.(*value.List).Items }

func list(v []any) *value.List { return &value.List{Items: v} }

func lookup(name string) (spec, bool) {
	switch name {
	case "abs":
		return one("number", py.Abs)
	case "avg":
		return one("array-number", func(v any) (any, error) {
			if len(items(v)) == 0 {
				return nil, nil
			}
			sum, err := py.Sum(items(v), int64(0))
			if err != nil {
				return nil, err
			}
			return py.Div(sum, int64(len(items(v))))
		})
	case "sum":
		return one("array-number", func(v any) (any, error) { return py.Sum(items(v), int64(0)) })
	case "ceil":
		return one("number", func(v any) (any, error) { return rounded(v, math.Ceil) })
	case "floor":
		return one("number", func(v any) (any, error) { return rounded(v, math.Floor) })
	case "not_null":
		return spec{[]string{""}, true, func(a []any) (any, error) {
			for _, v := range a {
				if v != nil {
					return v, nil
				}
			}
			return nil, nil
		}}, true
	case "merge":
		return spec{[]string{"object"}, true, func(a []any) (any, error) {
			out := new(value.Map)
			for _, v := range a {
				m, ok := v.(*value.Map)
				if !ok {
					return nil, value.Errorf("TypeError", "'%s' object is not iterable", value.TypeName(v))
				}
				out.Update(m)
			}
			return out, nil
		}}, true
	case "type":
		return one("", func(v any) (any, error) { return typeOf(v), nil })
	}
	if s, ok := lookupText(name); ok {
		return s, true
	}
	return lookupList(name)
}

func rounded(v any, f func(float64) float64) (any, error) {
	if x, ok := v.(float64); ok {
		return py.Int(f(x))
	}
	return v, nil
}

func lookupText(name string) (spec, bool) {
	switch name {
	case "to_string":
		return one("", func(v any) (any, error) {
			if s, ok := v.(string); ok {
				return s, nil
			}
			s, err := value.JSON(v, value.JSONOptions{Compact: true, ASCII: true, Default: func(v any) (any, error) { return value.Str(v), nil }})
			return s, err
		})
	case "to_number":
		return one("", func(v any) (any, error) {
			s, ok := v.(string)
			if !ok {
				if number(v) {
					return v, nil
				}
				return nil, nil
			}
			if i, err := py.Int(s); err == nil {
				return i, nil
			}
			if f, err := py.Float(s); err == nil {
				return f, nil
			}
			return nil, nil
		})
	case "starts_with":
		return two("string", "string", func(x, y any) (any, error) { return strings.HasPrefix(x.(string), y.(string)), nil })
	case "ends_with":
		return two("string", "string", func(x, y any) (any, error) { return strings.HasSuffix(x.(string), y.(string)), nil })
	case "join":
		return two("string", "array-string", func(x, y any) (any, error) {
			f, _ := py.Method(x, "join")
			return f([]any{y}, nil)
		})
	case "contains":
		return two("array string", "", func(x, y any) (any, error) { return py.Contains(x, y) })
	case "length":
		return one("string array object", func(v any) (any, error) {
			n, err := py.Len(v)
			return int64(n), err
		})
	case "reverse":
		return one("array string", func(v any) (any, error) { return py.Slice(v, nil, nil, int64(-1)) })
	}
	return spec{}, false
}

func lookupList(name string) (spec, bool) {
	switch name {
	case "to_array":
		return one("", func(v any) (any, error) {
			if _, ok := v.(*value.List); ok {
				return v, nil
			}
			return value.L(v), nil
		})
	case "keys":
		return one("object", func(v any) (any, error) { return list(v.(*value.Map).Keys()), nil })
	case "values":
		return one("object", func(v any) (any, error) { return list(py.View{Kind: "values", Map: v.(*value.Map)}.Items()), nil })
	case "map":
		return two("expref", "array", func(f, v any) (any, error) {
			out := new(value.List)
			for _, x := range items(v) {
				y, err := f.(expref)(x)
				if err != nil {
					return nil, err
				}
				out.Append(y)
			}
			return out, nil
		})
	case "sort":
		return one("array-string array-number", func(v any) (any, error) {
			out, err := py.Sorted(items(v), nil, false)
			return list(out), err
		})
	case "min", "max":
		pick := py.Min
		if name == "max" {
			pick = py.Max
		}
		return one("array-number array-string", func(v any) (any, error) {
			if len(items(v)) == 0 {
				return nil, nil
			}
			return pick(items(v), nil)
		})
	case "min_by", "max_by":
		pick := py.Min
		if name == "max_by" {
			pick = py.Max
		}
		return two("array", "expref", func(v, f any) (any, error) {
			if len(items(v)) == 0 {
				return nil, nil
			}
			return pick(items(v), key(name, f.(expref), "number", "string"))
		})
	case "sort_by":
		return two("array", "expref", sortBy)
	}
	return spec{}, false
}

// key makes a sort key of an expression that must give one of the types.
func key(name string, f expref, types ...string) func(any) (any, error) {
	return func(v any) (any, error) {
		k, err := f(v)
		if err == nil && !slices.Contains(types, typeOf(k)) {
			err = typeError(name, k, typeOf(k), types)
		}
		return k, err
	}
}

func sortBy(v, f any) (any, error) {
	if len(items(v)) == 0 {
		return v, nil
	}
	first, err := f.(expref)(items(v)[0])
	if err != nil {
		return nil, err
	}
	t := typeOf(first)
	if t != "number" && t != "string" {
		return nil, typeError("sort_by", items(v)[0], t, []string{"string", "number"})
	}
	out, err := py.Sorted(items(v), key("sort_by", f.(expref), t), false)
	return list(out), err
}
