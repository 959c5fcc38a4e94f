package jinja

import (
	"cmp"
	"math"
	"math/big"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// Truth is Python's bool(v); under Strict an undefined value fails.
func (s *State) Truth(v any) (bool, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case *Undefined:
		return false, v.StrictErr()
	}
	return value.Truth(v), nil
}

// Items is Python's list(v) as a slice that must not be changed. An undefined
// value is empty, or fails under Strict.
func (s *State) Items(v any) ([]any, error) {
	if u, ok := v.(*Undefined); ok {
		return nil, u.StrictErr()
	}
	return py.Items(v)
}

// Equal is Python's a == b; under Strict an undefined value fails, also inside
// lists, tuples and dicts.
func (s *State) Equal(a, b any) (bool, error) {
	if err := s.comparable(a, 0); err != nil {
		return false, err
	}
	if err := s.comparable(b, 0); err != nil {
		return false, err
	}
	return value.Equal(a, b), nil
}

// comparable fails for a strict undefined value, and for containers that hold
// themselves, which no comparison would ever come to the end of.
func (s *State) comparable(v any, depth int) error {
	var items []any
	switch v := v.(type) {
	case *Undefined:
		return v.StrictErr()
	case *value.List:
		items = v.Items
	case value.Tuple:
		items = v
	case *value.Map:
		items = make([]any, 0, v.Len())
		for _, it := range v.All() {
			items = append(items, it)
		}
	default:
		return nil
	}
	if depth > maxNesting {
		return value.Errorf("RecursionError", "maximum recursion depth exceeded in comparison")
	}
	if err := s.Step(); err != nil {
		return err
	}
	for _, it := range items {
		if err := s.comparable(it, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) escape(v any) (string, error) {
	if u, ok := v.(*Undefined); ok {
		t := u.Text()
		return string(py.Escape(t)), u.StrictErr()
	}
	return string(py.Escape(v)), nil
}

// binary works out an arithmetic operator.
func (s *State) binary(op kind, a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			switch op {
			case tAdd:
				if z := x + y; (z > x) == (y > 0) {
					return z, nil
				}
			case tSub:
				if z := x - y; (z < x) == (y > 0) {
					return z, nil
				}
			}
		}
	}
	if u, ok := a.(*Undefined); ok {
		return nil, u.UndefinedError()
	}
	if u, ok := b.(*Undefined); ok {
		if _, percent := a.(string); !percent || op != tMod {
			return nil, u.UndefinedError()
		}
	}
	switch op {
	case tAdd:
		return py.Add(a, b)
	case tSub:
		return py.Sub(a, b)
	case tMul:
		if s.tooLong(a, b) || s.tooLong(b, a) {
			return nil, &value.Exception{Class: "MemoryError"}
		}
		return py.Mul(a, b)
	case tDiv:
		return py.Div(a, b)
	case tFloorDiv:
		return py.FloorDiv(a, b)
	case tMod:
		return py.Mod(a, b)
	default:
		if s.tooBig(a, b) {
			return nil, value.Errorf("OverflowError", "the result of ** is too large")
		}
		return py.Pow(a, b)
	}
}

// tooLong reports whether seq * n is beyond the limits.
func (s *State) tooLong(seq, n any) bool {
	var size int
	switch x := seq.(type) {
	case string:
		size = len(x)
	case py.Markup:
		size = len(x)
	case []byte:
		size = len(x)
	case *value.List:
		size = 16 * x.Len()
	case value.Tuple:
		size = 16 * len(x)
	case *big.Int:
		if y, ok := n.(*big.Int); ok {
			return x.BitLen()+y.BitLen() > 8*s.limits.String
		}
		return false
	default:
		return false
	}
	times, ok := n.(int64)
	return ok && size > 0 && times > int64(s.limits.String/size)
}

// tooBig reports whether a ** b has too many digits.
func (s *State) tooBig(a, b any) bool {
	e, ok := b.(int64)
	if !ok {
		_, huge := b.(*big.Int)
		_, intBase := a.(int64)
		return huge && intBase && a != int64(0) && a != int64(1) && a != int64(-1)
	}
	bits := 0
	switch x := a.(type) {
	case int64:
		if x >= -1 && x <= 1 {
			return false
		}
		bits = big.NewInt(x).BitLen()
	case *big.Int:
		bits = x.BitLen()
	}
	return bits > 0 && e > int64(s.limits.String/bits)
}

// compare works out a comparison.
func (s *State) compare(op string, a, b any) (bool, error) {
	switch op {
	case "in", "not in":
		in, err := s.contains(b, a)
		return in == (op == "in"), err
	case "==":
		return s.Equal(a, b)
	case "!=":
		eq, err := s.Equal(a, b)
		return !eq, err
	}
	if u, ok := a.(*Undefined); ok {
		return false, u.UndefinedError()
	}
	if u, ok := b.(*Undefined); ok {
		return false, u.UndefinedError()
	}
	if isNaN(a) || isNaN(b) {
		return false, nil
	}
	a, b = plain(a), plain(b)
	switch a.(type) {
	case *value.List, value.Tuple:
		if err := cmp.Or(s.comparable(a, 0), s.comparable(b, 0)); err != nil {
			return false, err
		}
	}
	if x, ok := a.(*value.Set); ok {
		if y, ok := b.(*value.Set); ok {
			return compareSets(op, x, y), nil
		}
	}
	c, err := value.Compare(a, b, op)
	if err != nil {
		return false, err
	}
	switch op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	}
	return c >= 0, nil
}

func isNaN(v any) bool { f, ok := v.(float64); return ok && math.IsNaN(f) }

// plain gives the text of Markup as a string.
func plain(v any) any {
	if m, ok := v.(py.Markup); ok {
		return string(m)
	}
	return v
}

// compareSets tells subsets and supersets.
func compareSets(op string, a, b *value.Set) bool {
	if op[0] == '>' {
		a, b = b, a
	}
	for _, v := range a.Items() {
		if !b.Has(v) {
			return false
		}
	}
	return len(op) == 2 || a.Len() < b.Len()
}

// contains is v in obj.
func (s *State) contains(obj, v any) (bool, error) {
	if u, ok := obj.(*Undefined); ok {
		return false, u.StrictErr()
	}
	if s.Env.Undefined == Strict {
		switch o := obj.(type) {
		case *value.List:
			return s.containsItem(o.Items, v)
		case value.Tuple:
			return s.containsItem(o, v)
		}
	}
	return py.Contains(obj, v)
}

// containsItem looks for v among items that may be undefined.
func (s *State) containsItem(items []any, v any) (bool, error) {
	for _, it := range items {
		if u, ok := it.(*Undefined); ok && it == v {
			return u != nil, nil
		}
		if eq, err := s.Equal(it, v); eq || err != nil {
			return eq, err
		}
	}
	return false, nil
}

// concat joins values as text, as ~ does.
func (f *frame) concat(vals []any) (any, error) {
	if f.cx.autoescape {
		for _, v := range vals {
			if _, ok := v.(py.Markup); ok {
				return f.concatMarkup(vals)
			}
		}
	}
	var b strings.Builder
	for _, v := range vals {
		s, err := f.st.Str(v)
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
	}
	if b.Len() > f.st.limits.String {
		return nil, &value.Exception{Class: "MemoryError"}
	}
	return b.String(), nil
}

func (f *frame) concatMarkup(vals []any) (any, error) {
	var b strings.Builder
	for _, v := range vals {
		s, err := f.st.escape(v)
		if err != nil {
			return nil, err
		}
		b.WriteString(s)
	}
	return py.Markup(b.String()), nil
}
