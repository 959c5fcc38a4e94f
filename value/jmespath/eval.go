package jmespath

import (
	"pinch/value"
	"pinch/value/py"
)

func field(name string) node {
	return func(v any) (any, error) {
		m, ok := v.(*value.Map)
		if !ok {
			return nil, nil
		}
		return m.At(name), nil
	}
}

func chain(a, b node) node {
	return func(v any) (any, error) {
		v, err := a(v)
		if err != nil {
			return nil, err
		}
		return b(v)
	}
}

// keep applies to each item and keeps what is not null.
func keep(items []any, each node) (any, error) {
	out := new(value.List)
	for _, v := range items {
		x, err := each(v)
		if err != nil {
			return nil, err
		}
		if x != nil {
			out.Append(x)
		}
	}
	return out, nil
}

func projection(base, each node) node {
	return func(v any) (any, error) {
		v, err := base(v)
		l, ok := v.(*value.List)
		if err != nil || !ok {
			return nil, err
		}
		return keep(l.Items, each)
	}
}

func valueProjection(base, each node) node {
	return func(v any) (any, error) {
		v, err := base(v)
		m, ok := v.(*value.Map)
		if err != nil || !ok {
			return nil, err
		}
		return keep(py.View{Kind: "values", Map: m}.Items(), each)
	}
}

func filterProjection(base, each, cond node) node {
	return func(v any) (any, error) {
		v, err := base(v)
		l, ok := v.(*value.List)
		if err != nil || !ok {
			return nil, err
		}
		var in []any
		for _, x := range l.Items {
			c, err := cond(x)
			if err != nil {
				return nil, err
			}
			if !isFalse(c) {
				in = append(in, x)
			}
		}
		return keep(in, each)
	}
}

func flatten(base node) node {
	return func(v any) (any, error) {
		v, err := base(v)
		l, ok := v.(*value.List)
		if err != nil || !ok {
			return nil, err
		}
		out := new(value.List)
		for _, x := range l.Items {
			if inner, ok := x.(*value.List); ok {
				out.Append(inner.Items...)
			} else {
				out.Append(x)
			}
		}
		return out, nil
	}
}

func at(i int64) node {
	return func(v any) (any, error) {
		l, ok := v.(*value.List)
		if !ok {
			return nil, nil
		}
		n := i
		if n < 0 {
			n += int64(l.Len())
		}
		if n < 0 || n >= int64(l.Len()) {
			return nil, nil
		}
		return l.Items[n], nil
	}
}

func slice(ends [3]any) node {
	return func(v any) (any, error) {
		if _, ok := v.(*value.List); !ok {
			return nil, nil
		}
		return py.Slice(v, ends[0], ends[1], ends[2])
	}
}

func or(a, b node) node {
	return func(v any) (any, error) {
		x, err := a(v)
		if err != nil || !isFalse(x) {
			return x, err
		}
		return b(v)
	}
}

func and(a, b node) node {
	return func(v any) (any, error) {
		x, err := a(v)
		if err != nil || isFalse(x) {
			return x, err
		}
		return b(v)
	}
}

func not(a node) node {
	return func(v any) (any, error) {
		x, err := a(v)
		if err != nil {
			return nil, err
		}
		if number(x) {
			return false, nil
		}
		return !value.Truth(x), nil
	}
}

func number(v any) bool {
	_, b := v.(bool)
	return !b && typeOf(v) == "number"
}

// equal keeps 1 and true apart, which Python does not.
func equal(a, b any) bool {
	_, x := a.(bool)
	_, y := b.(bool)
	if x != y && (number(a) || number(b)) {
		return false
	}
	return value.Equal(a, b)
}

func compare(op string, a, b node) node {
	return func(v any) (any, error) {
		x, err := a(v)
		if err != nil {
			return nil, err
		}
		y, err := b(v)
		if err != nil {
			return nil, err
		}
		switch op {
		case "eq":
			return equal(x, y), nil
		case "ne":
			return !equal(x, y), nil
		}
		_, s := x.(string)
		_, t := y.(string)
		if !s && !number(x) || !t && !number(y) {
			return nil, nil
		}
		sign := map[string]string{"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}[op]
		c, err := value.Compare(x, y, sign)
		if err != nil {
			return nil, err
		}
		switch op {
		case "lt":
			return c < 0, nil
		case "lte":
			return c <= 0, nil
		case "gt":
			return c > 0, nil
		}
		return c >= 0, nil
	}
}

func multiList(items []node) node {
	return func(v any) (any, error) {
		if v == nil {
			return nil, nil
		}
		out := new(value.List)
		for _, it := range items {
			x, err := it(v)
			if err != nil {
				return nil, err
			}
			out.Append(x)
		}
		return out, nil
	}
}

func multiHash(names []string, items []node) node {
	return func(v any) (any, error) {
		if v == nil {
			return nil, nil
		}
		out := new(value.Map)
		for i, it := range items {
			x, err := it(v)
			if err != nil {
				return nil, err
			}
			out.Set(names[i], x)
		}
		return out, nil
	}
}
