package jinja

import "pinch/value"

// A Func is a filter, a test or a function that templates call.
type Func func(c *Call) (any, error)

// A Call is one call of a function from a template. Args and Kwargs belong to
// the callee. For a filter or test, Args[0] is the value it is applied to.
type Call struct {
	State   *State
	Context *Context // variables and name of the calling template
	Name    string   // of the filter or test; "" for functions
	Args    []any
	Kwargs  *value.Map // nil when there are none
}

// A Function is a named Func as a value, such as a global.
type Function struct {
	Name string
	Fn   Func
}

// Call implements Callable.
func (f *Function) Call(c *Call) (any, error) { return f.Fn(c) }

// TypeName is Python's type of it.
func (f *Function) TypeName() string { return "function" }

// Repr is how it is printed.
func (f *Function) Repr() string { return "<function " + f.Name + ">" }

// Host objects (what is not one of package value's types) show themselves to
// templates through the interfaces below and those of package py: Iterable,
// Container, Indexer, Methods, Caller. All are optional. Package value asks
// for Truth() bool, Len() int, Repr() string, String() string and Equal(any)
// bool, error texts for TypeName() string: the Python class with its module,
// such as "salt.loader.lazy.LazyLoader".
type (
	// A Callable can be called: {{ x(1, a=2) }}.
	Callable interface {
		Call(c *Call) (any, error)
	}
	// An AttrGetter has attributes: {{ x.name }}; ok is false when there is no
	// such attribute (then the item of that name is tried).
	AttrGetter interface {
		GetAttr(st *State, name string) (v any, ok bool, err error)
	}
	// An ItemGetter has items: {{ x['name'] }}; ok is false when there is no
	// such item (then the attribute of that name is tried).
	ItemGetter interface {
		GetItem(st *State, key any) (v any, ok bool, err error)
	}
)

// setKw stores a keyword argument.
func (c *Call) setKw(name string, v any) {
	if c.Kwargs == nil {
		c.Kwargs = new(value.Map)
	}
	c.Kwargs.Set(name, v)
}
