// Package filters holds the filters and tests that Jinja 3.1 has built in, as
// functions for a jinja.Env. They follow Python's in arguments, laziness (map
// and select are generators) and error texts.
//
//	fs, ts := filters.Builtin()
//	env := &jinja.Env{Filters: fs, Tests: ts}
package filters

import (
	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

// An Entry is one filter or test: the names templates call it by, the Python
// signature that error texts speak of, and what it does with the arguments.
type Entry struct {
	Names []string
	Sig   py.Signature
	Do    func(c *jinja.Call, a []any) (any, error)
}

// Func is the entry as the engine calls it.
func (e *Entry) Func() jinja.Func {
	return func(c *jinja.Call) (any, error) {
		a, err := e.Sig.Bind(c.Args, c.Kwargs)
		if err != nil {
			return nil, err
		}
		return e.Do(c, a)
	}
}

// Add puts all entries under all their names into m.
func Add(m map[string]jinja.Func, table []Entry) {
	for i := range table {
		f := table[i].Func()
		for _, name := range table[i].Names {
			m[name] = f
		}
	}
}

// Builtin gives Jinja's filters and tests in maps that the caller may extend.
func Builtin() (fs, tests map[string]jinja.Func) {
	fs = make(map[string]jinja.Func, 192)
	for _, t := range [][]Entry{textFilters(), htmlFilters(), numberFilters(), sequenceFilters(), mapFilters()} {
		Add(fs, t)
	}
	addFunctions(fs)
	tests = make(map[string]jinja.Func, 64)
	Add(tests, tableOfTests())
	addOperators(tests)
	return fs, tests
}

// addFunctions adds the filters that are C functions in Python, whose errors
// about arguments read differently.
func addFunctions(fs map[string]jinja.Func) {
	fs["abs"] = builtin("abs", func(_ *jinja.Call, v any) (any, error) {
		if isUndefined(v) {
			return nil, value.Errorf("TypeError", "bad operand type for abs(): '%s'", py.TypeName(v))
		}
		return py.Abs(v)
	})
	fs["length"] = builtin("len", length)
	fs["count"] = fs["length"]
	fs["escape"] = builtin("escape", escape)
	fs["e"] = fs["escape"]
}

func builtin(name string, do func(c *jinja.Call, v any) (any, error)) jinja.Func {
	return func(c *jinja.Call) (any, error) {
		switch {
		case c.Kwargs.Len() > 0:
			return nil, value.Errorf("TypeError", "%s() takes no keyword arguments", name)
		case len(c.Args) != 1:
			return nil, value.Errorf("TypeError", "%s() takes exactly one argument (%d given)", name, len(c.Args))
		}
		return do(c, c.Args[0])
	}
}

func length(_ *jinja.Call, v any) (any, error) {
	n, err := py.Len(v)
	return int64(n), err
}

func argumentError(format string, a ...any) error {
	return value.Errorf("FilterArgumentError", format, a...)
}

// soft is markupsafe.soft_str: Markup stays Markup, all else becomes text.
func soft(c *jinja.Call, v any) (any, error) {
	switch v.(type) {
	case string, py.Markup:
		return v, nil
	}
	return c.State.Str(v)
}

// method calls a method of v made text.
func method(c *jinja.Call, v any, name string, args ...any) (any, error) {
	s, err := soft(c, v)
	if err != nil {
		return nil, err
	}
	f, _ := py.Method(s, name)
	return f(args, nil)
}
