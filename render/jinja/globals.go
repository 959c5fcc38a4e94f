package jinja

import (
	"pinch/value"
	"pinch/value/py"
)

// builtinNames are the globals that every template has.
var builtinNames = []string{"range", "dict", "lipsum", "cycler", "joiner", "namespace"}

// builtin gives one of the standard globals.
func builtin(name string) (any, bool) {
	switch name {
	case "range":
		return &Function{"range", safeRange}, true
	case "dict":
		return &dictType{}, true
	case "lipsum":
		return &Function{"generate_lorem_ipsum", lipsum}, true
	case "cycler":
		return &Function{"Cycler", newCycler}, true
	case "joiner":
		return &Function{"Joiner", newJoiner}, true
	case "namespace":
		return &Function{"Namespace", newNamespace}, true
	}
	return nil, false
}

// safeRange is range() with the sandbox's limit.
func safeRange(c *Call) (any, error) {
	if c.Kwargs.Len() > 0 {
		return nil, Errorf("TypeError", "safe_range() got an unexpected keyword argument %s", value.Repr(c.Kwargs.Keys()[0]))
	}
	for _, a := range c.Args {
		if u, ok := a.(*Undefined); ok {
			return nil, Errorf("TypeError", "'%s' object cannot be interpreted as an integer", u.TypeName())
		}
	}
	r, err := py.NewRange(c.Args...)
	if err != nil {
		return nil, err
	}
	if limit := c.State.limits.Range; r.Len() > limit {
		return nil, Errorf("OverflowError", "Range too big. The sandbox blocks ranges larger than MAX_RANGE (%d).", limit)
	}
	return r, nil
}

// dictType is the global dict: a class that makes dicts.
type dictType struct{}

func (*dictType) Call(c *Call) (any, error) { return py.Dict(c.Args, c.Kwargs) }

func (*dictType) TypeName() string { return "type" }

func (*dictType) Repr() string { return "<class 'dict'>" }

// A Namespace is an object whose attributes templates may set.
type Namespace struct{ attrs value.Map }

func newNamespace(c *Call) (any, error) {
	m, err := py.Dict(c.Args, c.Kwargs)
	if err != nil {
		return nil, err
	}
	n := new(Namespace)
	n.attrs.Update(m)
	return n, nil
}

// GetAttr gives an attribute.
func (n *Namespace) GetAttr(_ *State, name string) (any, bool, error) {
	v, ok := n.attrs.Get(name)
	return v, ok, nil
}

// TypeName is the Python class.
func (n *Namespace) TypeName() string { return "jinja2.utils.Namespace" }

// Repr is how it is printed.
func (n *Namespace) Repr() string { return "<Namespace " + value.Repr(&n.attrs) + ">" }

// A cycler gives its items in turn.
type cycler struct {
	items []any
	at    int
}

func newCycler(c *Call) (any, error) {
	if len(c.Args) == 0 {
		return nil, Errorf("RuntimeError", "at least one item has to be provided")
	}
	return &cycler{items: c.Args}, nil
}

func (c *cycler) TypeName() string { return "jinja2.utils.Cycler" }

// GetAttr gives current, pos, items, next and reset.
func (c *cycler) GetAttr(_ *State, name string) (any, bool, error) {
	switch name {
	case "current":
		return c.items[c.at], true, nil
	case "pos":
		return int64(c.at), true, nil
	case "items":
		return value.Tuple(c.items), true, nil
	case "next":
		return &Function{"next", func(*Call) (any, error) {
			v := c.items[c.at]
			c.at = (c.at + 1) % len(c.items)
			return v, nil
		}}, true, nil
	case "reset":
		return &Function{"reset", func(*Call) (any, error) {
			c.at = 0
			return nil, nil
		}}, true, nil
	}
	return nil, false, nil
}

func newJoiner(c *Call) (any, error) {
	var sep any = ", "
	if len(c.Args) > 0 {
		sep = c.Args[0]
	} else if v, ok := c.Kwargs.Get("sep"); ok {
		sep = v
	}
	used := false
	return &Function{"Joiner", func(*Call) (any, error) {
		if !used {
			used = true
			return "", nil
		}
		return sep, nil
	}}, nil
}
