package jinja

import (
	"unicode/utf8"

	"pinch/value"
	"pinch/value/py"
)

// A source gives the items of a loop one by one.
type source interface {
	next() (v any, ok bool, err error)
	// size is the number of all items, when that is known.
	size() (int, bool)
}

// source makes the items of v, as Python's iter(v).
func (s *State) source(v any) (source, error) {
	switch v := v.(type) {
	case *value.List:
		return &listSource{l: v}, nil
	case value.Tuple:
		return &sliceSource{items: v}, nil
	case *value.Map:
		return &mapSource{m: v, n: v.Len(), items: v.Keys()}, nil
	case py.View:
		return &mapSource{m: v.Map, n: v.Len(), items: v.Items()}, nil
	case string:
		return &textSource{s: v}, nil
	case *Undefined:
		return &sliceSource{}, v.StrictErr()
	}
	it, err := py.Iterate(v)
	if err != nil {
		return nil, err
	}
	n, known := value.Len(v)
	return &pySource{it, n, known}, nil
}

type sliceSource struct {
	items []any
	i     int
}

func (s *sliceSource) next() (any, bool, error) {
	if s.i >= len(s.items) {
		return nil, false, nil
	}
	s.i++
	return s.items[s.i-1], true, nil
}

func (s *sliceSource) size() (int, bool) { return len(s.items), true }

// A listSource sees what is appended meanwhile, as Python does.
type listSource struct {
	l *value.List
	i int
}

func (s *listSource) next() (any, bool, error) {
	if s.i >= len(s.l.Items) {
		return nil, false, nil
	}
	s.i++
	return s.l.Items[s.i-1], true, nil
}

func (s *listSource) size() (int, bool) { return len(s.l.Items), true }

// A mapSource fails when the dict grows or shrinks meanwhile.
type mapSource struct {
	m     *value.Map
	n     int
	items []any
	i     int
}

func (s *mapSource) next() (any, bool, error) {
	if s.m.Len() != s.n {
		return nil, false, value.Errorf("RuntimeError", "dictionary changed size during iteration")
	}
	if s.i >= len(s.items) {
		return nil, false, nil
	}
	s.i++
	return s.items[s.i-1], true, nil
}

func (s *mapSource) size() (int, bool) { return s.m.Len(), true }

type textSource struct {
	s string
	i int
}

func (s *textSource) next() (any, bool, error) {
	if s.i >= len(s.s) {
		return nil, false, nil
	}
	_, n := utf8.DecodeRuneInString(s.s[s.i:])
	s.i += n
	return s.s[s.i-n : s.i], true, nil
}

func (s *textSource) size() (int, bool) { return utf8.RuneCountInString(s.s), true }

type pySource struct {
	it    py.Iterator
	n     int
	known bool
}

func (s *pySource) next() (any, bool, error) { return s.it.Next() }

func (s *pySource) size() (int, bool) { return s.n, s.known }

// A testSource leaves out the items for which a loop's condition is false.
type testSource struct {
	source
	f      *frame
	enter  []enterOp
	target assign
	test   eval
	off    int32
}

func (s *testSource) next() (any, bool, error) {
	for {
		v, ok, err := s.source.next()
		if err != nil || !ok {
			return nil, false, err
		}
		if err := s.f.st.Step(); err != nil {
			return nil, false, err
		}
		s.f.enter(s.enter)
		if err := s.target(s.f, v); err != nil {
			return nil, false, err
		}
		cond, err := s.test(s.f)
		if err == nil {
			ok, err = s.f.st.Truth(cond)
		}
		if err != nil {
			return nil, false, s.f.reported(err, s.off)
		}
		if ok {
			return v, true, nil
		}
	}
}

func (s *testSource) size() (int, bool) { return 0, false }

// unpack gives the n items of v.
func (s *State) unpack(v any, n int) ([]any, error) {
	var items []any
	switch v := v.(type) {
	case value.Tuple:
		items = v
	case *value.List:
		items = v.Items
	case *Undefined:
		return nil, v.UndefinedError()
	default:
		if !py.CanIterate(v) {
			return nil, value.Errorf("TypeError", "cannot unpack non-iterable %s object", TypeName(v))
		}
		var err error
		if items, err = py.Items(v); err != nil {
			return nil, err
		}
	}
	switch {
	case len(items) < n:
		return nil, value.Errorf("ValueError", "not enough values to unpack (expected %d, got %d)", n, len(items))
	case len(items) > n:
		return nil, value.Errorf("ValueError", "too many values to unpack (expected %d)", n)
	}
	return items, nil
}
