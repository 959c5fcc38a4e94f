package saltfilters

import (
	"slices"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func listFilters() []filters.Entry {
	return []filters.Entry{
		entry("unique", sig("unique", "values"), func(_ *jinja.Call, a []any) (any, error) { return unique(a[0]) }),
		entry("min", sig("lst_min", "obj"), func(c *jinja.Call, a []any) (any, error) { return extreme(c, a[0], py.Min) }),
		entry("max", sig("lst_max", "obj"), func(c *jinja.Call, a []any) (any, error) { return extreme(c, a[0], py.Max) }),
		entry("avg", sig("lst_avg", "lst"), average),
		entry("union", sig("union", "lst1 lst2"), func(_ *jinja.Call, a []any) (any, error) { return union(a[0], a[1]) }),
		entry("intersect", sig("intersect", "lst1 lst2"), func(_ *jinja.Call, a []any) (any, error) { return intersect(a[0], a[1]) }),
		entry("difference", sig("difference", "lst1 lst2"), func(_ *jinja.Call, a []any) (any, error) { return difference(a[0], a[1]) }),
		entry("symmetric_difference", sig("symmetric_difference", "lst1 lst2"), symmetricDifference),
		entry("exactly_n_true", sig("exactly_n", "iterable", "amount", int64(1)), func(_ *jinja.Call, a []any) (any, error) { return exactlyN(a[0], a[1]) }),
		entry("exactly_one_true", sig("exactly_one", "iterable"), func(_ *jinja.Call, a []any) (any, error) { return exactlyN(a[0], int64(1)) }),
		entry("sorted_ignorecase", sig("sorted_ignorecase", "to_sort"), sortedIgnoreCase),
		entry("substring_in_list", sig("substr_in_list", "string_to_search_for list_to_search"), substringInList),
		entry("flatten", sig("flatten", "data", "levels", nil, "preserve_nulls", false, "_ids", nil), defined(flatten)),
	}
}

// unique keeps the first of equal values: a set of text, tuples and iterators,
// a list of all else.
func unique(v any) (any, error) {
	items, err := py.Items(v)
	if err != nil {
		return nil, err
	}
	if hashable(v) {
		return value.NewSet(items...)
	}
	out := new(value.List)
	seen := new(value.Set) // finds most repetitions without comparing all
	for _, x := range items {
		if _, err := value.HashKey(x); err == nil && !isStrict(x) {
			if seen.Has(x) {
				continue
			}
			_ = seen.Add(x)
			out.Append(x)
			continue
		}
		if in, err := py.Contains(out, x); in || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		out.Append(x)
	}
	return out, nil
}

func isStrict(v any) bool { _, ok := v.(*jinja.Undefined); return ok }

func extreme(c *jinja.Call, v any, pick func([]any, func(any) (any, error)) (any, error)) (any, error) {
	items, err := c.State.Items(v)
	if err != nil {
		return nil, err
	}
	return pick(items, nil)
}

func average(_ *jinja.Call, a []any) (any, error) {
	if hashable(a[0]) {
		f, err := py.Float(a[0])
		return f, err
	}
	items, err := py.Items(a[0])
	if err != nil {
		return nil, err
	}
	sum, err := py.Sum(items, int64(0))
	if err != nil {
		return nil, err
	}
	return py.Div(sum, int64(len(items)))
}

// sets gives both as sets when Salt would make them so.
func sets(a, b any) (x, y *value.Set, both bool, err error) {
	if !hashable(a) || !hashable(b) {
		return nil, nil, false, nil
	}
	if x, err = py.Set(a); err == nil {
		y, err = py.Set(b)
	}
	return x, y, true, err
}

func setMethod(x *value.Set, name string, y *value.Set) (any, error) {
	f, _ := py.Method(x, name)
	return f([]any{y}, nil)
}

func union(a, b any) (any, error) {
	x, y, both, err := sets(a, b)
	if err != nil {
		return nil, err
	}
	if both {
		return setMethod(x, "union", y)
	}
	sum, err := py.Add(a, b)
	if err != nil {
		return nil, err
	}
	return unique(sum)
}

// keep lists the items of a that are in b, or are not.
func keep(a, b any, in bool) (any, error) {
	items, err := py.Items(a)
	if err != nil {
		return nil, err
	}
	out := new(value.List)
	for _, v := range items {
		is, err := py.Contains(b, v)
		if err != nil {
			return nil, err
		}
		if is == in {
			out.Append(v)
		}
	}
	return unique(out)
}

func intersect(a, b any) (any, error) {
	x, y, both, err := sets(a, b)
	if err != nil {
		return nil, err
	}
	if both {
		return setMethod(x, "intersection", y)
	}
	return keep(a, b, true)
}

func difference(a, b any) (any, error) {
	x, y, both, err := sets(a, b)
	if err != nil {
		return nil, err
	}
	if both {
		return setMethod(x, "difference", y)
	}
	return keep(a, b, false)
}

func symmetricDifference(_ *jinja.Call, a []any) (any, error) {
	x, y, both, err := sets(a[0], a[1])
	if err != nil {
		return nil, err
	}
	if both {
		return setMethod(x, "symmetric_difference", y)
	}
	all, err := union(a[0], a[1])
	if err != nil {
		return nil, err
	}
	common, err := intersect(a[0], a[1])
	if err != nil {
		return nil, err
	}
	return keep(all, common, false)
}

func exactlyN(v, amount any) (any, error) {
	n, err := py.AsIndex(amount)
	if err != nil {
		return nil, err
	}
	items, err := py.Items(v)
	if err != nil {
		return nil, err
	}
	yes := int64(0)
	for _, x := range items {
		if value.Truth(x) {
			yes++
		}
	}
	return yes == max(n, 0), nil
}

func sortedIgnoreCase(_ *jinja.Call, a []any) (any, error) {
	items, err := py.Items(a[0])
	if err != nil {
		return nil, err
	}
	out, err := py.Sorted(items, func(v any) (any, error) {
		s, ok := py.Text(v)
		if !ok {
			_, err := py.Attr(v, "lower")
			return nil, err
		}
		return py.Lower(s), nil
	}, false)
	return &value.List{Items: out}, err
}

func substringInList(_ *jinja.Call, a []any) (any, error) {
	items, err := py.Items(a[1])
	if err != nil {
		return nil, err
	}
	for _, s := range items {
		if in, err := py.Contains(s, a[0]); in || err != nil {
			return in, err
		}
	}
	return false, nil
}

func flatten(_ *jinja.Call, a []any) (any, error) {
	f := flattener{nulls: value.Truth(a[2]), seen: map[any]bool{}}
	levels := int64(-1)
	if a[1] != nil {
		n, err := py.Int(a[1])
		if err != nil {
			return nil, err
		}
		if levels, err = py.AsIndex(n); err != nil {
			return nil, err
		}
		levels = max(levels, 0)
	}
	if err := f.add(a[0], levels); err != nil {
		return nil, err
	}
	return &f.out, nil
}

type flattener struct {
	out   value.List
	nulls bool
	seen  map[any]bool
	depth int
}

// add puts the items of v in, down to so many levels; -1 is all.
func (f *flattener) add(v any, levels int64) error {
	switch v.(type) {
	case *value.List, *value.Map, *value.Set:
		if f.seen[v] {
			return value.Errorf("RecursionError", "Reference cycle detected. Check input list.")
		}
		f.seen[v] = true
	}
	if f.depth++; f.depth > 900 {
		return value.Errorf("RecursionError", "maximum recursion depth exceeded")
	}
	defer func() { f.depth-- }()
	items, err := py.Items(v)
	if err != nil {
		return err
	}
	for _, x := range items {
		_, text := py.Text(x)
		switch {
		case !f.nulls && (x == nil || x == "None" || x == "null"):
		case text || !py.CanIterate(x) || levels == 0:
			f.out.Append(x)
		default:
			if err := f.add(x, max(levels-1, -1)); err != nil {
				return err
			}
		}
	}
	return nil
}

func clone(items []any) *value.List { return &value.List{Items: slices.Clone(items)} }
