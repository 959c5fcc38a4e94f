package py

import (
	"bytes"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"pinch/value"
)

// MaxBytes bounds what * on text and lists, ** and padding may build; beyond
// it they fail with a MemoryError instead of taking the machine down.
const MaxBytes = 1 << 28

func tooBig() error { return &value.Exception{Class: "MemoryError"} }

func unsupported(op string, a, b any) error {
	if err := undefined(a, b); err != nil {
		return err
	}
	return typeError("unsupported operand type(s) for %s: '%s' and '%s'", op, TypeName(a), TypeName(b))
}

// Add is a + b.
func Add(a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			s := x + y
			if (s > x) == (y > 0) {
				return s, nil
			}
			return value.Int(new(big.Int).Add(big.NewInt(x), big.NewInt(y))), nil
		}
	}
	switch x := a.(type) {
	case string:
		switch y := b.(type) {
		case string:
			return x + y, nil
		case Markup:
			return Escape(x) + y, nil
		case Undefined:
			return nil, y.UndefinedError()
		}
		return nil, typeError("can only concatenate str (not \"%s\") to str", TypeName(b))
	case Markup:
		if _, ok := Text(b); ok {
			return x + Escape(b), nil
		}
	case []byte:
		if y, ok := b.([]byte); ok {
			return append(bytes.Clone(x), y...), nil
		}
		if err := undefined(b); err != nil {
			return nil, err
		}
		return nil, typeError("can't concat %s to bytes", TypeName(b))
	case *value.List:
		if y, ok := b.(*value.List); ok {
			return concat(x.Items, y.Items), nil
		}
		if err := undefined(b); err != nil {
			return nil, err
		}
		return nil, typeError("can only concatenate list (not \"%s\") to list", TypeName(b))
	case value.Tuple:
		if y, ok := b.(value.Tuple); ok {
			return value.Tuple(concat(x, y).Items), nil
		}
		if err := undefined(b); err != nil {
			return nil, err
		}
		return nil, typeError("can only concatenate tuple (not \"%s\") to tuple", TypeName(b))
	}
	if r, ok := addTime(a, b); ok {
		return r, nil
	}
	return arith("+", a, b, func(x, y float64) (float64, error) { return x + y, nil }, (*big.Int).Add)
}

func concat(a, b []any) *value.List {
	l := &value.List{Items: make([]any, 0, len(a)+len(b))}
	l.Items = append(append(l.Items, a...), b...)
	return l
}

// Sub is a - b; of sets the difference.
func Sub(a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			s := x - y
			if (s < x) == (y > 0) {
				return s, nil
			}
		}
	}
	if x, ok := a.(*value.Set); ok {
		if y, ok := b.(*value.Set); ok {
			return setDifference(x, y), nil
		}
	}
	if r, ok := subTime(a, b); ok {
		return r, nil
	}
	return arith("-", a, b, func(x, y float64) (float64, error) { return x - y, nil }, (*big.Int).Sub)
}

// arith does an operator on two numbers whose small case did not fit.
func arith(op string, a, b any, onFloat func(x, y float64) (float64, error), onInt func(z, x, y *big.Int) *big.Int) (any, error) {
	x, ok := toNum(a)
	y, ok2 := toNum(b)
	if !ok || !ok2 {
		return nil, unsupported(op, a, b)
	}
	if x.float || y.float {
		f, err := x.asFloat()
		if err != nil {
			return nil, err
		}
		g, err := y.asFloat()
		if err != nil {
			return nil, err
		}
		r, err := onFloat(f, g)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	return value.Int(onInt(new(big.Int), x.big(), y.big())), nil
}

// Mul is a * b; text, lists and tuples are repeated.
func Mul(a, b any) (any, error) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
			if hi == 0 && lo <= math.MaxInt64 && x != math.MinInt64 && y != math.MinInt64 {
				return x * y, nil
			}
		}
	}
	if isSequence(a) {
		return repeat(a, b)
	}
	if isSequence(b) {
		return repeat(b, a)
	}
	if r, ok := mulTime(a, b); ok {
		return r, nil
	}
	x, okX := a.(*big.Int)
	y, okY := b.(*big.Int)
	if okX && okY && x.BitLen()+y.BitLen() > MaxBytes/16 {
		return nil, tooBig()
	}
	return arith("*", a, b, func(x, y float64) (float64, error) { return x * y, nil }, (*big.Int).Mul)
}

func isSequence(v any) bool {
	switch v.(type) {
	case string, Markup, []byte, *value.List, value.Tuple:
		return true
	}
	return false
}

func repeat(seq, by any) (any, error) {
	if err := undefined(by); err != nil {
		return nil, err
	}
	n, err := AsIndex(by)
	if err != nil {
		return nil, typeError("can't multiply sequence by non-int of type '%s'", TypeName(by))
	}
	n = max(n, 0)
	fits := func(size int, unit int64) bool { return size == 0 || n <= MaxBytes/unit/int64(size) }
	switch v := seq.(type) {
	case string:
		if !fits(len(v), 1) {
			return nil, tooBig()
		}
		return strings.Repeat(v, count(n, len(v))), nil
	case Markup:
		if !fits(len(v), 1) {
			return nil, tooBig()
		}
		return Markup(strings.Repeat(string(v), count(n, len(v)))), nil
	case []byte:
		if !fits(len(v), 1) {
			return nil, tooBig()
		}
		return bytes.Repeat(v, count(n, len(v))), nil
	case *value.List:
		items, ok := repeatItems(v.Items, n, fits)
		if !ok {
			return nil, tooBig()
		}
		return &value.List{Items: items}, nil
	}
	items, ok := repeatItems(seq.(value.Tuple), n, fits)
	if !ok {
		return nil, tooBig()
	}
	return value.Tuple(items), nil
}

func count(n int64, size int) int {
	if size == 0 {
		return 0
	}
	return int(n)
}

func repeatItems(items []any, n int64, fits func(int, int64) bool) ([]any, bool) {
	if !fits(len(items), 16) {
		return nil, false
	}
	out := make([]any, 0, len(items)*count(n, len(items)))
	for range count(n, len(items)) {
		out = append(out, items...)
	}
	return out, true
}

func zeroDivision(format string, a ...any) error {
	return value.Errorf("ZeroDivisionError", format, a...)
}

// Neg is -v.
func Neg(v any) (any, error) {
	if d, ok := v.(Timedelta); ok {
		return -d, nil
	}
	n, ok := toNum(v)
	switch {
	case !ok:
		return nil, badUnary("-", v)
	case n.float:
		return -n.f, nil
	case n.b == nil && n.i != math.MinInt64:
		return -n.i, nil
	}
	return value.Int(new(big.Int).Neg(n.big())), nil
}

// Pos is +v.
func Pos(v any) (any, error) {
	n, ok := toNum(v)
	switch {
	case !ok:
		return nil, badUnary("+", v)
	case n.float:
		return n.f, nil
	case n.b != nil:
		return n.b, nil
	}
	return n.i, nil
}

// Abs is abs(v).
func Abs(v any) (any, error) {
	if d, ok := v.(Timedelta); ok {
		return max(d, -d), nil
	}
	n, ok := toNum(v)
	switch {
	case !ok:
		if err := undefined(v); err != nil {
			return nil, err
		}
		return nil, typeError("bad operand type for abs(): '%s'", TypeName(v))
	case n.float:
		return math.Abs(n.f), nil
	case n.b == nil && n.i >= 0:
		return n.i, nil
	}
	return value.Int(new(big.Int).Abs(n.big())), nil
}

func badUnary(op string, v any) error {
	if err := undefined(v); err != nil {
		return err
	}
	return typeError("bad operand type for unary %s: '%s'", op, TypeName(v))
}
