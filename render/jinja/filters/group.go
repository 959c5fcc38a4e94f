package filters

import (
	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// A Group is what groupby gives for each value: a tuple (grouper, list) whose
// parts have names.
type Group struct {
	Grouper any
	List    *value.List
}

// Items are the two parts.
func (g *Group) Items() []any { return []any{g.Grouper, g.List} }

// Len is two.
func (g *Group) Len() int { return 2 }

// TypeName is the name of Python's class.
func (g *Group) TypeName() string { return "_GroupTuple" }

// Repr is that of a tuple.
func (g *Group) Repr() string { return value.Repr(value.Tuple(g.Items())) }

// String is the repr.
func (g *Group) String() string { return g.Repr() }

// Item is g[0] or g[1].
func (g *Group) Item(key any) (any, error) { return py.Index(value.Tuple(g.Items()), key) }

// Equal compares with any tuple.
func (g *Group) Equal(o any) bool {
	if h, ok := o.(*Group); ok {
		o = value.Tuple(h.Items())
	}
	return value.Equal(value.Tuple(g.Items()), o)
}

// GetAttr gives grouper and list.
func (g *Group) GetAttr(_ *jinja.State, name string) (any, bool, error) {
	switch name {
	case "grouper":
		return g.Grouper, true, nil
	case "list":
		return g.List, true, nil
	}
	f, ok := py.Method(value.Tuple(g.Items()), name)
	return f, ok, nil
}

func groupby(c *jinja.Call, a []any) (any, error) {
	items, err := c.State.Items(a[0])
	if err != nil {
		return nil, err
	}
	sensitive := value.Truth(a[3])
	key := keyFunc(c.State, a[1], a[2], sensitive)
	sorted, err := py.Sorted(items, key, false)
	if err != nil {
		return nil, err
	}
	shown := keyFunc(c.State, a[1], a[2], true)
	out := new(value.List)
	var cur any
	for _, v := range sorted {
		k, err := key(v)
		if err != nil {
			return nil, err
		}
		if n := out.Len(); n > 0 && value.Equal(k, cur) {
			out.Items[n-1].(*Group).List.Append(v)
			continue
		}
		cur = k
		if k, err = shown(v); err != nil {
			return nil, err
		}
		out.Append(&Group{k, value.L(v)})
	}
	return out, nil
}
