package py

import (
	"iter"
	"slices"

	"pinch/value"
)

// An Iterator gives one value after the other; ok is false at the end.
type Iterator interface {
	Next() (v any, ok bool, err error)
}

// A Generator is a one-shot iterator made of a function, as Python's
// generators are: what was taken is gone.
type Generator struct {
	Name string // of the function, for the repr
	Type string // of an iterator that is no generator, such as "zip"
	next func() (any, bool, error)
}

// NewGenerator makes a generator; next must keep saying false after the end.
func NewGenerator(name string, next func() (any, bool, error)) *Generator {
	return &Generator{Name: name, next: next}
}

// Next takes the next value.
func (g *Generator) Next() (any, bool, error) { return g.next() }

// Iter is the generator itself.
func (g *Generator) Iter() Iterator { return g }

// NewIterator makes a one-shot iterator of a type such as "zip".
func NewIterator(typ string, next func() (any, bool, error)) *Generator {
	return &Generator{Type: typ, next: next}
}

// TypeName is the name of Python's class.
func (g *Generator) TypeName() string {
	if g.Type != "" {
		return g.Type
	}
	return "generator"
}

// Repr names the function; the address Python prints is left as zeros.
func (g *Generator) Repr() string {
	if g.Type != "" {
		return "<" + g.Type + " object at 0x7f0000000000>"
	}
	return "<generator object " + g.Name + " at 0x7f0000000000>"
}

// String is the repr.
func (g *Generator) String() string { return g.Repr() }

// seqIterable is an object of a template engine that can be looped over.
type seqIterable interface{ Iterate() iter.Seq[any] }

type sliceIter struct {
	items []any
	i     int
}

func (s *sliceIter) Next() (any, bool, error) {
	if s.i >= len(s.items) {
		return nil, false, nil
	}
	s.i++
	return s.items[s.i-1], true, nil
}

// SliceIter iterates over items.
func SliceIter(items []any) Iterator { return &sliceIter{items: items} }

// listIter sees items that are appended meanwhile, as Python's does.
type listIter struct {
	l *value.List
	i int
}

func (s *listIter) Next() (any, bool, error) {
	if s.i >= len(s.l.Items) {
		return nil, false, nil
	}
	s.i++
	return s.l.Items[s.i-1], true, nil
}

type textIter struct{ s string }

func (t *textIter) Next() (any, bool, error) {
	if t.s == "" {
		return nil, false, nil
	}
	n := runeLen(t.s)
	c := t.s[:n]
	t.s = t.s[n:]
	return c, true, nil
}

// Iterate is iter(v). Changing a dict or set meanwhile does not disturb it; a
// list is read as it grows.
func Iterate(v any) (Iterator, error) {
	switch v := v.(type) {
	case *value.List:
		return &listIter{l: v}, nil
	case string:
		return &textIter{v}, nil
	case Markup:
		return &textIter{string(v)}, nil
	case Undefined:
		return SliceIter(nil), v.StrictErr()
	case Iterable:
		return v.Iter(), nil
	}
	items, err := Items(v)
	if err != nil {
		return nil, err
	}
	return SliceIter(items), nil
}

// Items is list(v) as a Go slice: code points of text, keys of a dict. The
// slice may be v's own and must not be changed.
func Items(v any) ([]any, error) {
	switch v := v.(type) {
	case *value.List:
		return v.Items, nil
	case value.Tuple:
		return v, nil
	case *value.Map:
		return v.Keys(), nil
	case *value.Set:
		return v.Items(), nil
	case string:
		return chars(v), nil
	case Markup:
		return chars(string(v)), nil
	case []byte:
		out := make([]any, len(v))
		for i, b := range v {
			out[i] = int64(b)
		}
		return out, nil
	case Undefined:
		return nil, v.StrictErr()
	case interface{ Items() []any }:
		return v.Items(), nil
	case Iterable:
		return Drain(v.Iter())
	case seqIterable:
		return slices.Collect(v.Iterate()), nil
	}
	return nil, typeError("'%s' object is not iterable", TypeName(v))
}

// Drain takes all that is left in an iterator.
func Drain(it Iterator) ([]any, error) {
	var out []any
	for {
		v, ok, err := it.Next()
		if err != nil || !ok {
			return out, err
		}
		out = append(out, v)
	}
}

// CanIterate reports whether iter(v) works.
func CanIterate(v any) bool {
	switch v.(type) {
	case *value.List, value.Tuple, *value.Map, *value.Set, string, Markup, []byte, Iterable:
		return true
	case interface{ Items() []any }, seqIterable:
		return true
	}
	return false
}

// Len is len(v) with Python's TypeError.
func Len(v any) (int, error) {
	if u, ok := v.(Undefined); ok {
		return 0, u.StrictErr()
	}
	n, ok := value.Len(v)
	if !ok {
		return 0, typeError("object of type '%s' has no len()", TypeName(v))
	}
	return n, nil
}

func chars(s string) []any {
	out := make([]any, 0, len(s))
	for s != "" {
		n := runeLen(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}
