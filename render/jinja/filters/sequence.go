package filters

import (
	"math/rand/v2"
	"slices"
	"strings"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func sequenceFilters() []Entry {
	return []Entry{
		{[]string{"default", "d"}, py.Signature{Name: "do_default", Required: []string{"value"}, Optional: []py.Default{{Name: "default_value", Value: ""}, {Name: "boolean", Value: false}}}, dflt},
		{[]string{"first"}, py.Signature{Name: "sync_do_first", Hidden: 1, Required: []string{"seq"}}, first},
		{[]string{"last"}, py.Signature{Name: "do_last", Hidden: 1, Required: []string{"seq"}}, last},
		{[]string{"random"}, py.Signature{Name: "do_random", Hidden: 1, Required: []string{"seq"}}, random},
		{[]string{"list"}, py.Signature{Name: "sync_do_list", Required: []string{"value"}}, list},
		{[]string{"join"}, py.Signature{Name: "sync_do_join", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "d", Value: ""}, {Name: "attribute"}}}, join},
		{[]string{"sort"}, py.Signature{Name: "do_sort", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "reverse", Value: false}, {Name: "case_sensitive", Value: false}, {Name: "attribute"}}}, sortItems},
		{[]string{"unique"}, py.Signature{Name: "sync_do_unique", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "case_sensitive", Value: false}, {Name: "attribute"}}}, unique},
		{[]string{"min"}, py.Signature{Name: "do_min", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "case_sensitive", Value: false}, {Name: "attribute"}}}, smallest},
		{[]string{"max"}, py.Signature{Name: "do_max", Hidden: 1, Required: []string{"value"}, Optional: []py.Default{{Name: "case_sensitive", Value: false}, {Name: "attribute"}}}, largest},
		{[]string{"sum"}, py.Signature{Name: "sync_do_sum", Hidden: 1, Required: []string{"iterable"}, Optional: []py.Default{{Name: "attribute"}, {Name: "start", Value: int64(0)}}}, sum},
		{[]string{"reverse"}, py.Signature{Name: "do_reverse", Required: []string{"value"}}, reverse},
		{[]string{"batch"}, py.Signature{Name: "do_batch", Required: []string{"value", "linecount"}, Optional: []py.Default{{Name: "fill_with"}}}, batch},
		{[]string{"slice"}, py.Signature{Name: "sync_do_slice", Required: []string{"value", "slices"}, Optional: []py.Default{{Name: "fill_with"}}}, slice},
		{[]string{"dictsort"}, py.Signature{Name: "do_dictsort", Required: []string{"value"}, Optional: []py.Default{{Name: "case_sensitive", Value: false}, {Name: "by", Value: "key"}, {Name: "reverse", Value: false}}}, dictsort},
		{[]string{"items"}, py.Signature{Name: "do_items", Required: []string{"value"}}, items},
		{[]string{"groupby"}, py.Signature{Name: "sync_do_groupby", Hidden: 1, Required: []string{"value", "attribute"}, Optional: []py.Default{{Name: "default"}, {Name: "case_sensitive", Value: false}}}, groupby},
	}
}

func dflt(c *jinja.Call, a []any) (any, error) {
	if _, undefined := a[0].(*jinja.Undefined); undefined {
		return a[1], nil
	}
	if value.Truth(a[2]) && !value.Truth(a[0]) {
		return a[1], nil
	}
	return a[0], nil
}

func first(c *jinja.Call, a []any) (any, error) {
	it, err := py.Iterate(a[0])
	if err != nil {
		return nil, err
	}
	v, ok, err := it.Next()
	if err == nil && !ok {
		return c.State.Env.UndefHint("No first item, sequence was empty.", ""), nil
	}
	return v, err
}

// reversible reports whether Python's reversed() takes v.
func reversible(v any) bool {
	switch v.(type) {
	case *value.List, value.Tuple, *value.Map, string, py.Markup, []byte, py.Range, py.View:
		return true
	}
	return false
}

func last(c *jinja.Call, a []any) (any, error) {
	if u, ok := a[0].(*jinja.Undefined); ok {
		if err := u.StrictErr(); err != nil {
			return nil, err
		}
	} else if !reversible(a[0]) {
		return nil, value.Errorf("TypeError", "'%s' object is not reversible", py.TypeName(a[0]))
	}
	items, err := py.Items(a[0])
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return c.State.Env.UndefHint("No last item, sequence was empty.", ""), nil
	}
	return items[len(items)-1], nil
}

func random(c *jinja.Call, a []any) (any, error) {
	n, err := py.Len(a[0])
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return c.State.Env.UndefHint("No random item, sequence was empty.", ""), nil
	}
	return py.Index(a[0], rand.Int64N(int64(n)))
}

func list(_ *jinja.Call, a []any) (any, error) {
	items, err := py.Items(a[0])
	return &value.List{Items: slices.Clone(items)}, err
}

func join(c *jinja.Call, a []any) (any, error) {
	items, err := c.State.Items(a[0])
	if err != nil {
		return nil, err
	}
	if a[2] != nil {
		p := newPath(a[2])
		items = slices.Clone(items)
		for i, v := range items {
			if items[i], err = p.get(c.State, v, nil); err != nil {
				return nil, err
			}
		}
	}
	if c.Autoescape() {
		return joinSafe(c, items, a[1])
	}
	sep, err := c.State.Str(a[1])
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i, v := range items {
		s, err := c.State.Str(v)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
	}
	if b.Len() > c.State.Limits().String {
		return nil, &value.Exception{Class: "MemoryError"}
	}
	return b.String(), nil
}

func joinSafe(c *jinja.Call, items []any, sep any) (any, error) {
	_, safe := sep.(py.Markup)
	l := new(value.List)
	for _, v := range items {
		_, is := v.(py.Markup)
		safe = safe || is
		s, err := soft(c, v)
		if err != nil {
			return nil, err
		}
		l.Append(s)
	}
	if safe {
		sep = py.Escape(sep)
	}
	return method(c, sep, "join", l)
}

func sortItems(c *jinja.Call, a []any) (any, error) {
	items, err := c.State.Items(a[0])
	if err != nil {
		return nil, err
	}
	if _, err := py.AsIndex(a[1]); err != nil {
		return nil, err
	}
	out, err := py.Sorted(items, keysFunc(c.State, a[3], value.Truth(a[2])), value.Truth(a[1]))
	return &value.List{Items: out}, err
}

func unique(c *jinja.Call, a []any) (any, error) {
	key := keyFunc(c.State, a[2], nil, value.Truth(a[1]))
	var it py.Iterator
	seen := new(value.Set)
	return py.NewGenerator("sync_do_unique", func() (any, bool, error) {
		if it == nil {
			var err error
			if it, err = py.Iterate(a[0]); err != nil {
				return nil, false, err
			}
		}
		for {
			v, ok, err := it.Next()
			if err != nil || !ok {
				return nil, false, err
			}
			k, err := key(v)
			if err != nil {
				return nil, false, err
			}
			if u, ok := k.(*jinja.Undefined); ok && u.StrictErr() != nil {
				return nil, false, u.StrictErr()
			}
			n := seen.Len()
			if err := seen.Add(k); err != nil {
				return nil, false, err
			}
			if seen.Len() > n {
				return v, true, nil
			}
		}
	}), nil
}

func smallest(c *jinja.Call, a []any) (any, error) { return extreme(c, a, py.Min) }
func largest(c *jinja.Call, a []any) (any, error)  { return extreme(c, a, py.Max) }

func extreme(c *jinja.Call, a []any, pick func([]any, func(any) (any, error)) (any, error)) (any, error) {
	items, err := c.State.Items(a[0])
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return c.State.Env.UndefHint("No aggregated item, sequence was empty.", ""), nil
	}
	return pick(items, keyFunc(c.State, a[2], nil, value.Truth(a[1])))
}

func sum(c *jinja.Call, a []any) (any, error) {
	items, err := c.State.Items(a[0])
	if err != nil {
		return nil, err
	}
	if a[1] != nil {
		p := newPath(a[1])
		items = slices.Clone(items)
		for i, v := range items {
			if items[i], err = p.get(c.State, v, nil); err != nil {
				return nil, err
			}
		}
	}
	return py.Sum(items, a[2])
}

func reverse(_ *jinja.Call, a []any) (any, error) {
	typ := ""
	switch v := a[0].(type) {
	case string, py.Markup:
		return py.Slice(v, nil, nil, int64(-1))
	case *jinja.Undefined:
		if err := v.StrictErr(); err != nil {
			return nil, err
		}
		typ = "reversed"
	case *value.List:
		typ = "list_reverseiterator"
	case *value.Map:
		typ = "dict_reversekeyiterator"
	case py.Range:
		typ = "range_iterator"
	default:
		if reversible(v) {
			typ = "reversed"
		}
	}
	items, err := py.Items(a[0])
	if isA(err, "TypeError") {
		return nil, argumentError("argument must be iterable")
	}
	if err != nil {
		return nil, err
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	if typ == "" {
		return &value.List{Items: items}, nil
	}
	return py.NewIterator(typ, py.SliceIter(items).Next), nil
}

func dictsort(_ *jinja.Call, a []any) (any, error) {
	place := 0
	switch by, _ := py.Text(a[2]); by {
	case "key":
	case "value":
		place = 1
	default:
		return nil, argumentError(`You can only sort by either "key" or "value"`)
	}
	pairs, err := pairsOf(a[0])
	if err != nil {
		return nil, err
	}
	if _, err := py.AsIndex(a[3]); err != nil {
		return nil, err
	}
	out, err := py.Sorted(pairs, func(v any) (any, error) {
		k := v.(value.Tuple)[place]
		if value.Truth(a[1]) {
			return k, nil
		}
		return ignoreCase(k), nil
	}, value.Truth(a[3]))
	return &value.List{Items: out}, err
}

// pairsOf is list(v.items()).
func pairsOf(v any) ([]any, error) {
	if m, ok := v.(*value.Map); ok {
		return py.View{Kind: "items", Map: m}.Items(), nil
	}
	f, err := py.Attr(v, "items")
	if err != nil {
		return nil, err
	}
	out, err := py.Call(f, nil, nil)
	if err != nil {
		return nil, err
	}
	return py.Items(out)
}

func items(_ *jinja.Call, a []any) (any, error) {
	var it py.Iterator
	return py.NewGenerator("do_items", func() (any, bool, error) {
		if it == nil {
			switch v := a[0].(type) {
			case *jinja.Undefined:
				it = py.SliceIter(nil)
			case *value.Map:
				it = py.View{Kind: "items", Map: v}.Iter()
			default:
				return nil, false, value.Errorf("TypeError", "Can only get item pairs from a mapping.")
			}
		}
		return it.Next()
	}), nil
}
