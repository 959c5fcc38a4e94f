package py

import (
	"slices"

	"pinch/value"
)

// method is one method of the Go type T that stands for a Python type: how
// Python declares its arguments, and what it does with them.
type method[T any] struct {
	sig sig
	do  func(recv T, a args) (any, error)
}

// sig is a signature. The kinds follow C Python's, whose error texts differ.
type sig struct {
	kind     byte // '0' no argument, '1' one, 'p' positions, 's' positions of find and its like, 'k' names
	min, max int
	names    []string
}

func none[T any](do func(T) (any, error)) method[T] {
	return method[T]{sig{kind: '0'}, func(r T, _ args) (any, error) { return do(r) }}
}

func one[T any](do func(T, any) (any, error)) method[T] {
	return method[T]{sig{kind: '1'}, func(r T, a args) (any, error) { return do(r, a[0]) }}
}

// pos takes min to max arguments; max -1 is no limit.
func pos[T any](min, max int, do func(T, args) (any, error)) method[T] {
	return method[T]{sig{kind: 'p', min: min, max: max}, do}
}

// span takes a value and optional start and end.
func span[T any](do func(T, args) (any, error)) method[T] {
	return method[T]{sig{kind: 's', min: 1, max: 3}, do}
}

// named takes all its arguments by place or by name.
func named[T any](do func(T, args) (any, error), names ...string) method[T] {
	return method[T]{sig{kind: 'k', max: len(names), names: names}, do}
}

// args are bound arguments; those left out are absent.
type args []any

type missing struct{}

var absent any = missing{}

// has reports whether argument i was given.
func (a args) has(i int) bool {
	if i >= len(a) {
		return false
	}
	_, left := a[i].(missing)
	return !left
}

// or gives argument i or a default.
func (a args) or(i int, dflt any) any {
	if a.has(i) {
		return a[i]
	}
	return dflt
}

// int gives argument i as an int.
func (a args) int(i int, dflt int64) (int64, error) {
	if !a.has(i) {
		return dflt, nil
	}
	return AsIndex(a[i])
}

func bind[T any](recv T, typ, name string, m method[T]) Func {
	return func(list []any, kw *value.Map) (any, error) {
		a, err := m.sig.bind(typ, name, list, kw)
		if err != nil {
			return nil, err
		}
		for _, v := range a {
			if u, ok := v.(Undefined); ok && typ == "str" {
				return nil, u.UndefinedError()
			}
		}
		return m.do(recv, a)
	}
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (s sig) bind(typ, name string, list []any, kw *value.Map) (args, error) {
	n := len(list)
	if s.kind != 'k' && kw.Len() > 0 {
		return nil, typeError("%s.%s() takes no keyword arguments", typ, name)
	}
	switch s.kind {
	case '0':
		if n != 0 {
			return nil, typeError("%s.%s() takes no arguments (%d given)", typ, name, n)
		}
	case '1':
		if n != 1 {
			return nil, typeError("%s.%s() takes exactly one argument (%d given)", typ, name, n)
		}
	case 'p':
		switch {
		case s.min == s.max && n != s.min:
			return nil, typeError("%s expected %d argument%s, got %d", name, s.min, plural(s.min), n)
		case n < s.min:
			return nil, typeError("%s expected at least %d argument%s, got %d", name, s.min, plural(s.min), n)
		case s.max >= 0 && n > s.max:
			return nil, typeError("%s expected at most %d argument%s, got %d", name, s.max, plural(s.max), n)
		}
	case 's':
		switch {
		case n < s.min:
			return nil, typeError("%s() takes at least %d argument%s (%d given)", name, s.min, plural(s.min), n)
		case n > s.max:
			return nil, typeError("%s() takes at most %d arguments (%d given)", name, s.max, n)
		}
	case 'k':
		return s.bindNamed(name, list, kw)
	}
	return list, nil
}

func (s sig) bindNamed(name string, list []any, kw *value.Map) (args, error) {
	if n := len(list) + kw.Len(); n > s.max {
		return nil, typeError("%s() takes at most %d argument%s (%d given)", name, s.max, plural(s.max), n)
	}
	out := make(args, s.max)
	for i := range out {
		out[i] = absent
	}
	copy(out, list)
	for k, v := range kw.Items() {
		i := slices.Index(s.names, k)
		switch {
		case i < 0:
			return nil, typeError("'%s' is an invalid keyword argument for %s()", k, name)
		case i < len(list):
			return nil, typeError("argument for %s() given by name ('%s') and position (%d)", name, k, i+1)
		}
		out[i] = v
	}
	for i := range s.min {
		if !out.has(i) {
			return nil, typeError("%s() missing required argument '%s' (pos %d)", name, s.names[i], i+1)
		}
	}
	return out, nil
}
