package render

import (
	"errors"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// globals are the names that Salt adds to every template.
var globals = value.M(
	"raise", &jinja.Function{Name: "raise", Fn: raise},
	"odict", &jinja.Function{Name: "odict", Fn: odict},
	"show_full_context", &jinja.Function{Name: "show_full_context", Fn: showFullContext},
	"ifelse", &jinja.Function{Name: "ifelse", Fn: ifelse},
)

// raise is {{ raise("text") }}.
func raise(c *jinja.Call) (any, error) {
	if len(c.Args) == 0 {
		return nil, value.Errorf("TypeError", "jinja_raise() missing 1 required positional argument: 'msg'")
	}
	return nil, value.Errorf("TemplateError", "%s", value.Str(c.Args[0]))
}

// odict is OrderedDict: dict with the same arguments.
func odict(c *jinja.Call) (any, error) {
	m := new(value.Map).Order()
	for _, a := range c.Args {
		if src, ok := a.(*value.Map); ok {
			m.Update(src)
			continue
		}
		pairs, err := py.Items(a)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			kv, err := py.Items(p)
			if err != nil {
				return nil, err
			}
			if len(kv) != 2 {
				return nil, value.Errorf("ValueError", "dictionary update sequence element has length %d; 2 is required", len(kv))
			}
			if err := m.SetKey(kv[0], kv[1]); err != nil {
				return nil, err
			}
		}
	}
	m.Update(c.Kwargs)
	return m, nil
}

// showFullContext gives all names that the template sees: plain data as they
// are, anything else as Python shows it.
func showFullContext(c *jinja.Call) (any, error) {
	out := new(value.Map)
	for k, v := range c.Context.All().Items() {
		switch v.(type) {
		case nil, bool, int64, float64, string, *value.Map, *value.List, value.Tuple:
			out.Set(k, value.Plain(v))
		default:
			out.Set(k, value.Repr(v))
		}
	}
	return out, nil
}

// ifelse is match.ifelse for templates.
func ifelse(c *jinja.Call) (any, error) {
	sc, ok := c.State.Data.(*scope)
	if !ok {
		return nil, errors.New("ifelse needs a minion")
	}
	f, _ := (&functions{c: sc.c}).lookup("match.ifelse")
	if f == nil {
		return nil, errors.New("match.ifelse is not available")
	}
	return f.(*jinja.Function).Fn(c)
}
