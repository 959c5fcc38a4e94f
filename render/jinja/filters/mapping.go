package filters

import (
	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func mapFilters() []Entry {
	return []Entry{
		{[]string{"map"}, py.Signature{Name: "sync_do_map", Hidden: 1, Required: []string{"value"}, Args: true, Kwargs: true}, mapItems},
		{[]string{"select"}, selectSignature("select"), selecting(false, true)},
		{[]string{"reject"}, selectSignature("reject"), selecting(false, false)},
		{[]string{"selectattr"}, selectSignature("selectattr"), selecting(true, true)},
		{[]string{"rejectattr"}, selectSignature("rejectattr"), selecting(true, false)},
		{[]string{"attr"}, py.Signature{Name: "do_attr", Hidden: 1, Required: []string{"obj", "name"}}, attr},
	}
}

func selectSignature(name string) py.Signature {
	return py.Signature{Name: "sync_do_" + name, Hidden: 1, Required: []string{"value"}, Args: true, Kwargs: true}
}

// apply calls the filter or test called name.
func apply(c *jinja.Call, from map[string]jinja.Func, kind string, name any, args []any, kw *value.Map) (any, error) {
	s, _ := py.Text(name)
	f, ok := from[s]
	if !ok {
		return nil, value.Errorf("TemplateRuntimeError", "No %s named %s.", kind, value.Repr(name))
	}
	return f(&jinja.Call{State: c.State, Context: c.Context, Name: s, Args: args, Kwargs: kw})
}

// each makes a generator over v that begins when its first item is asked for.
// start gives the work on one item: its result and whether to keep it.
func each(c *jinja.Call, name string, v any, start func() (func(any) (any, bool, error), error)) any {
	var it py.Iterator
	var do func(any) (any, bool, error)
	return py.NewGenerator(name, func() (any, bool, error) {
		if it == nil {
			some, err := c.State.Truth(v)
			if err != nil {
				return nil, false, err
			}
			if it = py.SliceIter(nil); some {
				if do, err = start(); err != nil {
					return nil, false, err
				}
				if it, err = py.Iterate(v); err != nil {
					return nil, false, err
				}
			}
		}
		for {
			x, ok, err := it.Next()
			if err != nil || !ok {
				return nil, false, err
			}
			if err := c.State.Step(); err != nil {
				return nil, false, err
			}
			x, keep, err := do(x)
			if err != nil || keep {
				return x, keep, err
			}
		}
	})
}

func mapItems(c *jinja.Call, a []any) (any, error) {
	args, kw := a[1].(value.Tuple), a[2].(*value.Map)
	return each(c, "sync_do_map", a[0], func() (func(any) (any, bool, error), error) {
		if attr, ok := kw.Get("attribute"); ok && len(args) == 0 {
			for k := range kw.Items() {
				if k != "attribute" && k != "default" {
					return nil, argumentError("Unexpected keyword argument %s", value.Quote(k))
				}
			}
			p, dflt := newPath(attr), kw.At("default")
			return func(v any) (any, bool, error) {
				v, err := p.get(c.State, v, dflt)
				return v, true, err
			}, nil
		}
		if len(args) == 0 {
			return nil, argumentError("map requires a filter argument")
		}
		return func(v any) (any, bool, error) {
			v, err := apply(c, c.State.Env.Filters, "filter", args[0], append([]any{v}, args[1:]...), kw)
			return v, true, err
		}, nil
	}), nil
}

func selecting(byAttr, want bool) func(*jinja.Call, []any) (any, error) {
	return func(c *jinja.Call, a []any) (any, error) {
		args, kw := a[1].(value.Tuple), a[2].(*value.Map)
		return each(c, "select_or_reject", a[0], func() (func(any) (any, bool, error), error) {
			var p path
			if byAttr {
				if len(args) == 0 {
					return nil, argumentError("Missing parameter for attribute name")
				}
				p, args = newPath(args[0]), args[1:]
			}
			return func(v any) (any, bool, error) {
				x, err := p.get(c.State, v, nil)
				if err == nil && len(args) > 0 {
					x, err = apply(c, c.State.Env.Tests, "test", args[0], append([]any{x}, args[1:]...), kw)
				}
				if err != nil {
					return nil, false, err
				}
				ok, err := c.State.Truth(x)
				return v, ok == want, err
			}, nil
		}), nil
	}
}

// attr looks only at attributes, never at items.
func attr(c *jinja.Call, a []any) (any, error) {
	name, ok := py.Text(a[1])
	if !ok {
		return nil, value.Errorf("TypeError", "attribute name must be string, not '%s'", py.TypeName(a[1]))
	}
	if u, ok := a[0].(*jinja.Undefined); ok {
		return c.State.GetAttr(u, name)
	}
	has := len(name) > 4 && name[:2] == "__"
	if g, ok := a[0].(jinja.AttrGetter); ok && !has {
		_, is, err := g.GetAttr(c.State, name)
		if err != nil {
			return nil, err
		}
		has = is
	} else if !has {
		_, err := py.Attr(a[0], name)
		has = err == nil
	}
	if !has {
		return c.State.UndefAttr(a[0], name), nil
	}
	return c.State.GetAttr(a[0], name)
}
