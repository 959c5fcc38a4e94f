// Package py is Python's behaviour over the values of package value: the
// operators, item access, iteration, the methods of the built-in types,
// str.format and % formatting, and the built-in functions that templates and
// modules lean on. Errors are *value.Exception with the class and the text of
// Python 3.11.
//
//	v, err := py.Add("a", int64(1)) // TypeError: can only concatenate str (not "int") to str
//	split, _ := py.Method("a,b", "split")
//	l, _ := split([]any{","}, nil)  // ['a', 'b']
//
// Values beyond the closed set (a template's ranges, macros, undefined names)
// take part through the small interfaces below.
package py

import (
	"time"

	"pinch/value"
)

// A Func is something callable: positional arguments, then keyword arguments
// by name (kw may be nil).
type Func = func(args []any, kw *value.Map) (any, error)

// Caller is an object that can be called.
type Caller interface {
	Call(args []any, kw *value.Map) (any, error)
}

// Undefined is an object that stands for a missing value. Operators, item
// access and conversions fail with UndefinedError; iteration, length and membership fail
// with StrictErr, and find nothing when that is nil.
type Undefined interface {
	UndefinedError() error
	StrictErr() error
}

// Indexer is an object with its own item access (obj[key]).
type Indexer interface {
	Item(key any) (any, error)
}

// Container is an object with its own membership test (v in obj).
type Container interface {
	Contains(v any) (bool, error)
}

// Methods is an object with its own methods.
type Methods interface {
	Method(name string) (Func, bool)
}

// Iterable is an object that can be iterated over.
type Iterable interface{ Iter() Iterator }

// Markup is text that is safe in HTML (markupsafe.Markup): a str whose
// operators escape what is put into it.
type Markup string

// String is the text itself.
func (m Markup) String() string { return string(m) }

// PlainString is the text for package value: as a key, and in comparisons, it
// is the same as a string.
func (m Markup) PlainString() string { return string(m) }

// TypeName is the name of Python's class.
func (m Markup) TypeName() string { return "Markup" }

// Repr is Python's repr.
func (m Markup) Repr() string { return "Markup(" + value.Quote(string(m)) + ")" }

// Truth reports whether the text has any character.
func (m Markup) Truth() bool { return m != "" }

// Len is the number of code points.
func (m Markup) Len() int { n, _ := value.Len(string(m)); return n }

// Equal is equality with any text.
func (m Markup) Equal(o any) bool { s, ok := Text(o); return ok && s == string(m) }

// Text gives the text of a str or Markup.
func Text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case Markup:
		return string(v), true
	}
	return "", false
}

// TypeName is the type's name as Python's error texts give it.
func TypeName(v any) string {
	switch v.(type) {
	case time.Time, value.Date, Timedelta:
		return "datetime." + value.TypeName(v)
	}
	if _, ok := v.(Func); ok {
		return "builtin_function_or_method"
	}
	return value.TypeName(v)
}

// Call calls v, a Func or a Caller.
func Call(v any, args []any, kw *value.Map) (any, error) {
	switch f := v.(type) {
	case Func:
		return f(args, kw)
	case Caller:
		return f.Call(args, kw)
	case Undefined:
		return nil, f.UndefinedError()
	}
	return nil, typeError("'%s' object is not callable", TypeName(v))
}

// Callable reports whether v can be called.
func Callable(v any) bool {
	switch v.(type) {
	case Func, Caller:
		return true
	}
	return false
}

func typeError(format string, a ...any) error  { return value.Errorf("TypeError", format, a...) }
func valueError(format string, a ...any) error { return value.Errorf("ValueError", format, a...) }

// KeyError is Python's KeyError for a key: its text is the key's repr.
func KeyError(key any) error { return &value.Exception{Class: "KeyError", Msg: value.Repr(key)} }

// undefined gives the error of the first undefined value among vs.
func undefined(vs ...any) error {
	for _, v := range vs {
		if u, ok := v.(Undefined); ok {
			return u.UndefinedError()
		}
	}
	return nil
}
