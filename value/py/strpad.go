package py

import (
	"strings"
	"unicode/utf8"
)

// strPadMethod finds the methods of str that strip and pad.
func strPadMethod(name string) (m method[string], ok bool) {
	switch name {
	case "strip", "lstrip", "rstrip":
		return pos(0, 1, func(s string, a args) (any, error) { return strip(s, a, name) }), true
	case "center", "ljust", "rjust":
		return pos(1, 2, func(s string, a args) (any, error) { return justify(s, a, name) }), true
	case "zfill":
		return one(func(s string, v any) (any, error) {
			n, err := AsIndex(v)
			if err != nil {
				return nil, err
			}
			if n > MaxBytes {
				return nil, tooBig()
			}
			fill := int(n) - utf8.RuneCountInString(s)
			if fill <= 0 {
				return s, nil
			}
			if s != "" && (s[0] == '+' || s[0] == '-') {
				return s[:1] + strings.Repeat("0", fill) + s[1:], nil
			}
			return strings.Repeat("0", fill) + s, nil
		}), true
	}
	return m, false
}

func strip(s string, a args, name string) (any, error) {
	in := isSpace
	if v := a.or(0, nil); v != nil {
		set, ok := Text(v)
		if !ok {
			return nil, typeError("%s arg must be None or str", name)
		}
		in = func(r rune) bool { return strings.ContainsRune(set, r) }
	}
	if name != "rstrip" {
		s = strings.TrimLeftFunc(s, in)
	}
	if name != "lstrip" {
		s = strings.TrimRightFunc(s, in)
	}
	return s, nil
}

func justify(s string, a args, name string) (any, error) {
	width, err := AsIndex(a[0])
	if err != nil {
		return nil, err
	}
	fill := " "
	if a.has(1) {
		var ok bool
		if fill, ok = Text(a[1]); !ok {
			return nil, typeError("The fill character must be a unicode character, not %s", TypeName(a[1]))
		}
		if utf8.RuneCountInString(fill) != 1 {
			return nil, typeError("The fill character must be exactly one character long")
		}
	}
	if width > MaxBytes {
		return nil, tooBig()
	}
	n := int(width) - utf8.RuneCountInString(s)
	if n <= 0 {
		return s, nil
	}
	switch name {
	case "ljust":
		return s + strings.Repeat(fill, n), nil
	case "rjust":
		return strings.Repeat(fill, n) + s, nil
	}
	left := n/2 + n&int(width)&1
	return strings.Repeat(fill, left) + s + strings.Repeat(fill, n-left), nil
}
