package py

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"pinch/value"
)

// bytesMethod finds the methods of bytes. Those that treat the bytes as
// ASCII text work on a string and turn the result back.
func bytesMethod(name string) (m method[[]byte], ok bool) {
	switch name {
	case "decode":
		return named(bytesDecode, "encoding", "errors"), true
	case "hex":
		return named(bytesHex, "sep", "bytes_per_sep"), true
	case "fromhex":
		return one(func(_ []byte, v any) (any, error) { return bytesFromHex(v) }), true
	case "join":
		return one(bytesJoin), true
	case "translate":
		return pos(1, 2, bytesTranslate), true
	case "startswith", "endswith":
		return span(func(b []byte, a args) (any, error) { return bytesAffix(b, a, name) }), true
	case "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace", "istitle", "isupper",
		"lower", "upper", "title", "capitalize", "swapcase",
		"split", "rsplit", "splitlines", "partition", "rpartition", "strip", "lstrip", "rstrip",
		"replace", "find", "rfind", "index", "rindex", "count", "removeprefix", "removesuffix",
		"center", "ljust", "rjust", "zfill", "expandtabs":
		sm, _ := strMethod(name)
		return method[[]byte]{sm.sig, func(b []byte, a args) (any, error) { return asText(b, a, name, sm) }}, true
	}
	return m, false
}

// latin1 makes a string with one code point a byte, so that what works on
// code points works on bytes.
func latin1(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String()
}

func fromLatin1(v any) any {
	switch v := v.(type) {
	case string:
		out := make([]byte, 0, len(v))
		for _, r := range v {
			out = append(out, byte(r))
		}
		return out
	case *value.List:
		for i, x := range v.Items {
			v.Items[i] = fromLatin1(x)
		}
	case value.Tuple:
		for i, x := range v {
			v[i] = fromLatin1(x)
		}
	}
	return v
}

func asText(b []byte, a args, name string, m method[string]) (any, error) {
	a = slices.Clone(a)
	for i, v := range a {
		switch v := v.(type) {
		case []byte:
			a[i] = latin1(v)
		case string:
			switch name {
			case "find", "rfind", "index", "rindex", "count":
				return nil, typeError("argument should be integer or bytes-like object, not 'str'")
			}
			return nil, typeError("a bytes-like object is required, not 'str'")
		case int64:
			if i == 0 && (strings.HasSuffix(name, "find") || strings.HasSuffix(name, "index") || name == "count") {
				if v < 0 || v > 255 {
					return nil, valueError("byte must be in range(0, 256)")
				}
				a[i] = string(rune(v))
			}
		}
	}
	r, err := m.do(latin1(b), a)
	if err != nil {
		return nil, err
	}
	return fromLatin1(r), nil
}

func bytesAffix(b []byte, a args, name string) (any, error) {
	has := strings.HasPrefix
	if name == "endswith" {
		has = strings.HasSuffix
	}
	a = slices.Clone(a)
	switch v := a[0].(type) {
	case []byte:
		a[0] = latin1(v)
	case value.Tuple:
		t := make(value.Tuple, len(v))
		for i, x := range v {
			p, ok := x.([]byte)
			if !ok {
				return nil, typeError("a bytes-like object is required, not '%s'", TypeName(x))
			}
			t[i] = latin1(p)
		}
		a[0] = t
	default:
		return nil, typeError("%s first arg must be bytes or a tuple of bytes, not %s", name, TypeName(v))
	}
	return affix(latin1(b), a, name, has)
}

func bytesHex(b []byte, a args) (any, error) {
	s := hex.EncodeToString(b)
	v := a.or(0, nil)
	if v == nil {
		return s, nil
	}
	sep, ok := Text(v)
	if bs, is := v.([]byte); is {
		sep, ok = string(bs), true
	}
	if !ok || len(sep) != 1 {
		return nil, valueError("sep must be length 1.")
	}
	group, err := a.int(1, 1)
	if err != nil || group == 0 || len(b) == 0 {
		return s, err
	}
	size := int(min(max(group, -group), int64(len(b))))
	var parts []string
	if group > 0 { // groups are counted from the right
		if first := len(b) % size; first > 0 {
			parts = append(parts, s[:2*first])
			s = s[2*first:]
		}
	}
	for ; len(s) > 2*size; s = s[2*size:] {
		parts = append(parts, s[:2*size])
	}
	return strings.Join(append(parts, s), sep), nil
}

func bytesFromHex(v any) (any, error) {
	s, ok := Text(v)
	if !ok {
		return nil, typeError("fromhex() argument must be str, not %s", TypeName(v))
	}
	var out []byte
	for i := 0; i < len(s); {
		if isSpace(rune(s[i])) {
			i++
			continue
		}
		if i+1 >= len(s) || strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0 {
			return nil, valueError("non-hexadecimal number found in fromhex() arg at position %d", i)
		}
		x, err := hex.DecodeString(s[i : i+2])
		if err != nil {
			return nil, valueError("non-hexadecimal number found in fromhex() arg at position %d", i+1)
		}
		out = append(out, x...)
		i += 2
	}
	return append([]byte{}, out...), nil
}

func bytesJoin(sep []byte, v any) (any, error) {
	if !CanIterate(v) {
		return nil, typeError("can only join an iterable")
	}
	items, err := Items(v)
	if err != nil {
		return nil, err
	}
	parts := make([][]byte, len(items))
	for i, x := range items {
		b, ok := x.([]byte)
		if !ok {
			return nil, typeError("sequence item %d: expected a bytes-like object, %s found", i, TypeName(x))
		}
		parts[i] = b
	}
	return bytes.Join(parts, sep), nil
}

func bytesTranslate(b []byte, a args) (any, error) {
	var drop []byte
	if a.has(1) {
		d, ok := a[1].([]byte)
		if !ok {
			return nil, typeError("a bytes-like object is required, not '%s'", TypeName(a[1]))
		}
		drop = d
	}
	table, ok := a[0].([]byte)
	switch {
	case a[0] != nil && !ok:
		return nil, typeError("a bytes-like object is required, not '%s'", TypeName(a[0]))
	case ok && len(table) != 256:
		return nil, valueError("translation table must be 256 characters long")
	}
	out := []byte{}
	for _, c := range b {
		switch {
		case bytes.IndexByte(drop, c) >= 0:
		case table != nil:
			out = append(out, table[c])
		default:
			out = append(out, c)
		}
	}
	return out, nil
}
