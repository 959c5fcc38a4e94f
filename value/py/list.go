package py

import (
	"slices"

	"pinch/value"
)

// listMethod finds the methods of list.
func listMethod(name string) (m method[*value.List], ok bool) {
	switch name {
	case "append":
		return one(func(l *value.List, v any) (any, error) { l.Append(v); return nil, nil }), true
	case "extend":
		return one(func(l *value.List, v any) (any, error) {
			items, err := Items(v)
			l.Items = append(l.Items, slices.Clone(items)...)
			return nil, err
		}), true
	case "insert":
		return pos(2, 2, func(l *value.List, a args) (any, error) {
			i, err := AsIndex(a[0])
			if err != nil {
				return nil, err
			}
			n := int64(len(l.Items))
			if i < 0 {
				i += n
			}
			l.Items = slices.Insert(l.Items, int(min(max(i, 0), n)), a[1])
			return nil, nil
		}), true
	case "pop":
		return pos(0, 1, listPop), true
	case "remove":
		return one(func(l *value.List, v any) (any, error) {
			i := slices.IndexFunc(l.Items, func(x any) bool { return value.Equal(x, v) })
			if i < 0 {
				return nil, valueError("list.remove(x): x not in list")
			}
			l.Items = slices.Delete(l.Items, i, i+1)
			return nil, nil
		}), true
	case "index":
		return pos(1, 3, func(l *value.List, a args) (any, error) {
			i, err := indexOf(l.Items, a)
			if i < 0 && err == nil {
				err = valueError("%s is not in list", value.Repr(a[0]))
			}
			return i, err
		}), true
	case "count":
		return one(func(l *value.List, v any) (any, error) { return countOf(l.Items, v), nil }), true
	case "reverse":
		return none(func(l *value.List) (any, error) { slices.Reverse(l.Items); return nil, nil }), true
	case "copy":
		return none(func(l *value.List) (any, error) { return value.L(slices.Clone(l.Items)...), nil }), true
	case "clear":
		return none(func(l *value.List) (any, error) { l.Items = nil; return nil, nil }), true
	}
	return m, false
}

// tupleMethod finds the methods of tuple.
func tupleMethod(name string) (m method[value.Tuple], ok bool) {
	switch name {
	case "index":
		return pos(1, 3, func(t value.Tuple, a args) (any, error) {
			i, err := indexOf(t, a)
			if i < 0 && err == nil {
				err = valueError("tuple.index(x): x not in tuple")
			}
			return i, err
		}), true
	case "count":
		return one(func(t value.Tuple, v any) (any, error) { return countOf(t, v), nil }), true
	}
	return m, false
}

func indexOf(items []any, a args) (int64, error) {
	from, to, _, err := slicePlaces(a.or(1, nil), a.or(2, nil), nil, len(items))
	if err != nil {
		return 0, err
	}
	for i := from; i < to; i++ {
		if value.Equal(items[i], a[0]) {
			return int64(i), nil
		}
	}
	return -1, nil
}

func countOf(items []any, v any) int64 {
	n := int64(0)
	for _, x := range items {
		if value.Equal(x, v) {
			n++
		}
	}
	return n
}

func listPop(l *value.List, a args) (any, error) {
	n := int64(len(l.Items))
	i, err := a.int(0, n-1)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, value.Errorf("IndexError", "pop from empty list")
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return nil, value.Errorf("IndexError", "pop index out of range")
	}
	v := l.Items[i]
	l.Items = slices.Delete(l.Items, int(i), int(i)+1)
	return v, nil
}

// listSort is list.sort, which takes only keywords.
func listSort(l *value.List, call CallFunc) Func {
	return func(list []any, kw *value.Map) (any, error) {
		if len(list) > 0 {
			return nil, typeError("sort() takes no positional arguments")
		}
		var key any
		reverse := false
		for k, v := range kw.Items() {
			switch k {
			case "key":
				key = v
			case "reverse":
				n, err := AsIndex(v)
				if err != nil {
					return nil, err
				}
				reverse = n != 0
			default:
				return nil, typeError("'%s' is an invalid keyword argument for sort()", k)
			}
		}
		var by func(any) (any, error)
		if key != nil {
			by = func(v any) (any, error) { return call(key, []any{v}, nil) }
		}
		out, err := Sorted(l.Items, by, reverse)
		if err != nil {
			return nil, err
		}
		l.Items = out
		return nil, nil
	}
}

// CallFunc calls a value of a template: functions that take a callback get
// the template engine's.
type CallFunc func(f any, args []any, kw *value.Map) (any, error)

// Sorted is sorted(items, key=key, reverse=reverse): stable, and failing with
// a TypeError for values that have no order.
func Sorted(items []any, key func(any) (any, error), reverse bool) ([]any, error) {
	type pair struct{ key, val any }
	pairs := make([]pair, len(items))
	for i, v := range items {
		pairs[i] = pair{v, v}
		if key != nil {
			k, err := key(v)
			if err != nil {
				return nil, err
			}
			pairs[i].key = k
		}
	}
	var bad error
	cmp := func(a, b pair) int {
		if bad != nil {
			return 0
		}
		if err := undefined(a.key, b.key); err != nil {
			bad = err
			return 0
		}
		c, err := value.Compare(a.key, b.key, "<")
		if err != nil {
			bad = err
		}
		return c
	}
	if reverse {
		slices.Reverse(pairs)
	}
	slices.SortStableFunc(pairs, cmp)
	if bad != nil {
		return nil, bad
	}
	if reverse {
		slices.Reverse(pairs)
	}
	out := make([]any, len(items))
	for i, p := range pairs {
		out[i] = p.val
	}
	return out, nil
}
