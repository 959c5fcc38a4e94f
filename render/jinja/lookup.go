package jinja

import (
	"errors"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// GetAttr is {{ obj.name }}: the attribute, else the item, else undefined.
func (s *State) GetAttr(obj any, name string) (any, error) {
	switch o := obj.(type) {
	case *value.Map:
		if f, ok := py.Method(o, name); ok {
			return &Method{Recv: o, Name: name, fn: f}, nil
		}
		if v, ok := o.Get(name); ok && !unsafeAttr(name) {
			return v, nil
		}
	case *Undefined:
		if !unsafeAttr(name) {
			return o.attr()
		}
	}
	if v, ok, err := s.attr(obj, name); ok || err != nil {
		return v, err
	}
	if v, ok, err := s.item(obj, name); ok || err != nil {
		return v, err
	}
	return s.UndefAttr(obj, name), nil
}

// GetItem is {{ obj[key] }}: the item, else the attribute of that name, else undefined.
func (s *State) GetItem(obj, key any) (any, error) {
	switch o := obj.(type) {
	case *value.Map:
		if k, ok := key.(string); ok {
			if v, ok := o.Get(k); ok {
				return v, nil
			}
		}
	case *value.List:
		if i, ok := key.(int64); ok {
			if i < 0 {
				i += int64(len(o.Items))
			}
			if i >= 0 && i < int64(len(o.Items)) {
				return o.Items[i], nil
			}
			return s.UndefAttr(obj, key), nil
		}
	case *Undefined:
		if o.Policy == Chainable {
			return o, nil
		}
		return nil, o.UndefinedError()
	}
	if u, ok := key.(*Undefined); ok {
		if _, isMap := obj.(*value.Map); !isMap || u.Policy != Strict {
			return s.UndefAttr(obj, key), nil
		}
		return nil, u.UndefinedError()
	}
	if v, ok, err := s.item(obj, key); ok || err != nil {
		return v, err
	}
	if name, ok := py.Text(key); ok {
		if v, ok, err := s.attr(obj, name); ok || err != nil {
			return v, err
		}
		key = name
	}
	return s.UndefAttr(obj, key), nil
}

// attr is Python's getattr; what the sandbox forbids is an undefined value
// that says so.
func (s *State) attr(obj any, name string) (v any, ok bool, err error) {
	if unsafeAttr(name) {
		u := s.UndefAttr(obj, name)
		u.Hint = "access to attribute " + value.Quote(name) + " of " + value.Quote(value.ClassName(obj)) + " object is unsafe."
		u.Class = "SecurityError"
		return u, true, nil
	}
	if g, ok := obj.(AttrGetter); ok {
		return g.GetAttr(s, name)
	}
	if f, ok := s.method(obj, name); ok {
		return &Method{Recv: obj, Name: name, fn: f}, true, nil
	}
	switch obj.(type) {
	case nil, string, *value.Map, *value.List, value.Tuple:
		return nil, false, nil
	}
	if v, err := py.Attr(obj, name); err == nil {
		return v, true, nil
	}
	return nil, false, nil
}

// item is Python's obj[key]; ok is false when there is no such item or there
// are none at all.
func (s *State) item(obj, key any) (v any, ok bool, err error) {
	if g, ok := obj.(ItemGetter); ok {
		return g.GetItem(s, key)
	}
	if v, err = py.Index(obj, key); err == nil {
		return v, true, nil
	}
	var x *value.Exception
	if errors.As(err, &x) {
		switch x.Class {
		case "TypeError", "KeyError", "IndexError":
			return nil, false, nil
		}
	}
	return nil, false, err
}

// method is py.Method, with str.format kept inside the sandbox: its {0.name}
// fields read attributes as templates do.
func (s *State) method(obj any, name string) (py.Func, bool) {
	if text, ok := obj.(string); ok && strings.HasPrefix(name, "format") {
		attr := func(obj any, name string) (any, error) {
			v, err := s.GetAttr(obj, name)
			if u, ok := v.(*Undefined); ok && err == nil && u.Class != "" {
				err = u.UndefinedError()
			}
			return v, err
		}
		switch name {
		case "format":
			return func(args []any, kw *value.Map) (any, error) { return py.StrFormat(text, args, kw, attr) }, true
		case "format_map":
			return func(args []any, kw *value.Map) (any, error) {
				switch {
				case kw.Len() > 0:
					return nil, Errorf("TypeError", "format_map() takes no keyword arguments")
				case len(args) != 1:
					return nil, Errorf("TypeError", "format_map() takes exactly one argument (%d given)", len(args))
				}
				return py.StrFormatMap(text, args[0], attr)
			}, true
		}
	}
	return py.Method(obj, name)
}

func (u *Undefined) attr() (any, error) {
	if u.Policy == Chainable {
		return u, nil
	}
	return nil, u.UndefinedError()
}

// dunders are the attributes with underscores that every Python object has, or
// that containers and numbers have.
const dunders = " class doc init new repr str hash eq ne lt le gt ge getattribute setattr delattr dir format reduce reduce_ex" +
	" sizeof subclasshook init_subclass getstate len iter contains getitem setitem delitem add mul rmul mod rmod iadd imul" +
	" reversed class_getitem or ror ior call "

func unsafeAttr(name string) bool {
	return len(name) > 4 && name[0] == '_' && name[1] == '_' && strings.HasSuffix(name, "__") &&
		strings.Contains(dunders, " "+name[2:len(name)-2]+" ")
}

// A Method is a method of a value, bound to it.
type Method struct {
	Recv any
	Name string
	fn   py.Func
}

// Call implements Callable.
func (m *Method) Call(c *Call) (any, error) { return m.fn(c.Args, c.Kwargs) }

// TypeName is Python's type of it.
func (m *Method) TypeName() string { return "builtin_function_or_method" }

// Repr is how it is printed; the address Python prints is left as zeros.
func (m *Method) Repr() string {
	return "<built-in method " + m.Name + " of " + TypeName(m.Recv) + " object at 0x7f0000000000>"
}

// Call calls a value from a template.
func (s *State) Call(fn any, c *Call) (any, error) {
	if err := s.Step(); err != nil {
		return nil, err
	}
	c.State = s
	switch fn := fn.(type) {
	case *Method:
		return fn.fn(c.Args, c.Kwargs)
	case Callable:
		return fn.Call(c)
	case *Undefined:
		return nil, fn.UndefinedError()
	}
	return py.Call(fn, c.Args, c.Kwargs)
}

// IsCallable reports whether v can be called.
func IsCallable(v any) bool {
	switch v.(type) {
	case Callable, *Undefined:
		return true
	}
	return py.Callable(v)
}
