package render

import (
	"strings"

	"pinch/render/jinja"
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// functions is the name salt of a template: salt['pkg.version']('bash') and
// salt.pkg.version('bash').
type functions struct {
	c *salt.Ctx
	// offered says that whitelist_modules holds: in SLS files, not in the
	// templates that states and modules render.
	offered bool
}

// Functions is the name salt as templates have it, for those who give it to
// them under another one.
func Functions(c *salt.Ctx) any { return &functions{c: c, offered: true} }

func (f *functions) lookup(name string) (any, bool) {
	find := f.c.Registry().Exec
	if f.offered {
		find = f.c.Registry().Offered
	}
	if _, err := find(f.c, name); err != nil {
		return nil, false
	}
	return &jinja.Function{Name: name, Fn: func(call *jinja.Call) (any, error) {
		args := make([]any, len(call.Args))
		for i, a := range call.Args {
			v, err := plain(a)
			if err != nil {
				return nil, err
			}
			args[i] = v
		}
		var kw *value.Map
		if call.Kwargs.Len() > 0 {
			kw = value.NewMap(call.Kwargs.Len())
			for k, a := range call.Kwargs.Items() {
				v, err := plain(a)
				if err != nil {
					return nil, err
				}
				kw.Set(k, v)
			}
		}
		return f.c.CallFunc(f.c, name, args, kw)
	}}, true
}

// plain turns a template's own kinds of values (marked-up text, ranges, views
// of dicts) into those of package value. An undefined one is an error.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, nil
	case *jinja.Undefined:
		return nil, v.UndefinedError()
	}
	if it, ok := v.(py.Iterable); ok {
		items, err := py.Items(it)
		if err != nil {
			return nil, err
		}
		v = value.L(items...)
	}
	return py.Plain(v), nil
}

// GetItem is salt['mod.fun'].
func (f *functions) GetItem(_ *jinja.State, key any) (any, bool, error) {
	name, ok := py.Text(key)
	if !ok {
		return nil, false, nil
	}
	if v, ok := f.lookup(name); ok {
		return v, true, nil
	}
	return f.GetAttr(nil, name)
}

// GetAttr is salt.mod.
func (f *functions) GetAttr(_ *jinja.State, name string) (any, bool, error) {
	if name == "get" {
		return &jinja.Function{Name: "get", Fn: func(call *jinja.Call) (any, error) {
			if len(call.Args) == 0 {
				return nil, value.Errorf("TypeError", "get() missing 1 required positional argument: 'key'")
			}
			if v, ok, _ := f.GetItem(nil, call.Args[0]); ok {
				return v, nil
			}
			if len(call.Args) > 1 {
				return call.Args[1], nil
			}
			return nil, nil
		}}, true, nil
	}
	if strings.Contains(name, ".") || f.offered && !salt.Offers(f.c, name) || !f.c.Registry().HasModule(f.c, name) {
		return nil, false, nil
	}
	return &moduleFunctions{f, name}, true, nil
}

// Contains is 'mod.fun' in salt.
func (f *functions) Contains(v any) (bool, error) {
	name, ok := py.Text(v)
	if !ok {
		return false, nil
	}
	_, ok = f.lookup(name)
	return ok, nil
}

// TypeName is the class that Salt's messages name.
func (f *functions) TypeName() string { return "salt.utils.templates.AliasedLoader" }

// Repr hides what it holds.
func (f *functions) Repr() string { return "<salt.loader.lazy.LazyLoader object>" }

// moduleFunctions is salt.mod.
type moduleFunctions struct {
	f    *functions
	name string
}

// GetAttr is salt.mod.fun.
func (m *moduleFunctions) GetAttr(_ *jinja.State, name string) (any, bool, error) {
	v, ok := m.f.lookup(m.name + "." + name)
	return v, ok, nil
}

// GetItem is salt['mod'].fun in the other spelling.
func (m *moduleFunctions) GetItem(st *jinja.State, key any) (any, bool, error) {
	name, ok := py.Text(key)
	if !ok {
		return nil, false, nil
	}
	return m.GetAttr(st, name)
}

// TypeName is the class that Salt's messages name.
func (m *moduleFunctions) TypeName() string { return "salt.loader.lazy.LoadedMod" }

// Repr hides what it holds.
func (m *moduleFunctions) Repr() string {
	return "<LoadedMod module='salt.loaded.int.module." + m.name + "'>"
}
