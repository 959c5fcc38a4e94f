package py

import (
	"strings"
	"unicode/utf8"

	"pinch/value"
)

func strExpandtabs(s string, a args) (any, error) {
	size, err := a.int(0, 8)
	if err != nil {
		return nil, err
	}
	if size > MaxBytes/int64(len(s)+1) {
		return nil, tooBig()
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		switch r {
		case '\t':
			if size > 0 {
				n := int(size) - col%int(size)
				col += n
				b.WriteString(strings.Repeat(" ", n))
			}
			continue
		case '\n', '\r':
			col = -1
		}
		col++
		b.WriteRune(r)
	}
	return b.String(), nil
}

func strTranslate(s string, table any) (any, error) {
	var b strings.Builder
	for _, r := range s {
		v, err := Index(table, int64(r))
		if x, ok := err.(*value.Exception); ok && (x.Class == "KeyError" || x.Class == "IndexError") {
			b.WriteRune(r)
			continue
		}
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case nil:
		case string:
			b.WriteString(v)
		case int64:
			if v < 0 || v > utf8.MaxRune {
				return nil, valueError("character mapping must be in range(0x110000)")
			}
			b.WriteRune(rune(v))
		default:
			return nil, typeError("character mapping must return integer, None or str")
		}
	}
	return b.String(), nil
}

func maketrans(a args) (any, error) {
	m := new(value.Map)
	if len(a) == 1 {
		from, ok := a[0].(*value.Map)
		if !ok {
			return nil, typeError("if you give only one argument to maketrans it must be a dict")
		}
		for k, v := range from.All() {
			switch k := k.(type) {
			case string:
				if utf8.RuneCountInString(k) != 1 {
					return nil, valueError("string keys in translate table must be of length 1")
				}
				r, _ := utf8.DecodeRuneInString(k)
				_ = m.SetKey(int64(r), v)
			case int64:
				_ = m.SetKey(k, v)
			default:
				return nil, typeError("keys in translate table must be strings or integers")
			}
		}
		return m, nil
	}
	var text [3]string
	for i, v := range a {
		s, ok := Text(v)
		if !ok {
			return nil, typeError("maketrans() argument %d must be str, not %s", i+1, TypeName(v))
		}
		text[i] = s
	}
	from, to := []rune(text[0]), []rune(text[1])
	if len(from) != len(to) {
		return nil, valueError("the first two maketrans arguments must have equal length")
	}
	for i, r := range from {
		_ = m.SetKey(int64(r), int64(to[i]))
	}
	for _, r := range text[2] {
		_ = m.SetKey(int64(r), nil)
	}
	return m, nil
}
