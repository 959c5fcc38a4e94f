package filters

import (
	"errors"
	"fmt"
	"math"

	"pinch/render/jinja"
	"pinch/value"
	"pinch/value/py"
)

func numberFilters() []Entry {
	return []Entry{
		{[]string{"int"}, py.Signature{Name: "do_int", Required: []string{"value"}, Optional: []py.Default{{Name: "default", Value: int64(0)}, {Name: "base", Value: int64(10)}}}, toInt},
		{[]string{"float"}, py.Signature{Name: "do_float", Required: []string{"value"}, Optional: []py.Default{{Name: "default", Value: 0.0}}}, toFloat},
		{[]string{"round"}, py.Signature{Name: "do_round", Required: []string{"value"}, Optional: []py.Default{{Name: "precision", Value: int64(0)}, {Name: "method", Value: "common"}}}, round},
		{[]string{"filesizeformat"}, py.Signature{Name: "do_filesizeformat", Required: []string{"value"}, Optional: []py.Default{{Name: "binary", Value: false}}}, filesize},
	}
}

// isA reports whether err is one of Python's exceptions of the given classes.
func isA(err error, classes ...string) bool {
	var e *value.Exception
	if errors.As(err, &e) {
		for _, c := range classes {
			if e.Class == c {
				return true
			}
		}
	}
	return false
}

func toInt(_ *jinja.Call, a []any) (any, error) {
	var i any
	var err error
	switch v := a[0].(type) {
	case int64:
		return v, nil
	case string, py.Markup:
		var base int64
		if base, err = py.AsIndex(a[2]); err == nil {
			i, err = py.IntBase(v, int(base))
		}
	default:
		i, err = py.Int(v)
	}
	if err == nil || !isA(err, "TypeError", "ValueError") {
		return i, err
	}
	f, err := py.Float(a[0])
	if err == nil {
		i, err = py.Int(f)
	}
	if isA(err, "TypeError", "ValueError", "OverflowError") {
		return a[1], nil
	}
	return i, err
}

func toFloat(_ *jinja.Call, a []any) (any, error) {
	f, err := py.Float(a[0])
	if isA(err, "TypeError", "ValueError") {
		return a[1], nil
	}
	return f, err
}

func round(_ *jinja.Call, a []any) (any, error) {
	method, _ := py.Text(a[2])
	switch method {
	case "common":
		if a[1] == nil {
			return py.Round(a[0])
		}
		digits, err := py.AsIndex(a[1])
		if err != nil {
			return nil, err
		}
		return py.RoundTo(a[0], int(digits))
	case "ceil", "floor":
	default:
		return nil, argumentError("method must be common, ceil or floor")
	}
	unit, err := py.Pow(int64(10), a[1])
	if err != nil {
		return nil, err
	}
	v, err := py.Mul(a[0], unit)
	if err != nil {
		return nil, err
	}
	if f, ok := v.(float64); ok {
		f = math.Floor(f)
		if method == "ceil" {
			f = math.Ceil(v.(float64))
		}
		if v, err = py.Int(f); err != nil {
			return nil, err
		}
	} else if _, err := py.Float(v); err != nil || value.TypeName(v) == "str" {
		return nil, value.Errorf("TypeError", "must be real number, not %s", py.TypeName(v))
	}
	return py.Div(v, unit)
}

func filesize(_ *jinja.Call, a []any) (any, error) {
	size, err := py.Float(a[0])
	if err != nil {
		return nil, err
	}
	base, i := 1000.0, ""
	if value.Truth(a[1]) {
		base, i = 1024, "i"
	}
	switch {
	case size == 1:
		return "1 Byte", nil
	case size < base:
		n, err := py.Int(size)
		return value.Str(n) + " Bytes", err
	}
	unit := base
	for n, letter := range "kMGTPEZY" {
		if letter == 'k' && i != "" {
			letter = 'K'
		}
		unit *= base
		if size < unit || n == 7 {
			return fmt.Sprintf("%.1f %c%sB", base*size/unit, letter, i), nil
		}
	}
	return nil, nil
}
