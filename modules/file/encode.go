package file

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"pinch/value"
)

// codec finds an encoding by Python's name for it. A nil encoding is UTF-8.
func codec(name string) (encoding.Encoding, error) {
	n := strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(name))
	switch n {
	case "utf-8", "utf8", "u8", "utf", "cp65001":
		return nil, nil
	case "utf-8-sig":
		return unicode.UTF8BOM, nil
	case "utf-16", "utf16", "u16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case "utf-16-le", "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	case "utf-16-be", "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), nil
	case "utf-32", "utf32", "u32":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), nil
	case "utf-32-le", "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), nil
	case "utf-32-be", "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), nil
	case "ascii", "us-ascii", "646":
		return asciiOnly{}, nil
	case "latin-1", "latin1", "latin", "l1", "iso-8859-1", "iso8859-1", "8859", "cp819":
		return latin1{}, nil
	}
	n = strings.Replace(n, "iso8859", "iso-8859", 1)
	if rest, ok := strings.CutPrefix(n, "cp125"); ok {
		n = "windows-125" + rest
	} else if rest, ok := strings.CutPrefix(n, "cp"); ok {
		n = "ibm" + rest
	}
	if e, err := htmlindex.Get(n); err == nil {
		return e, nil
	}
	if e, err := ianaindex.IANA.Encoding(n); err == nil && e != nil {
		return e, nil
	}
	return nil, value.Errorf("LookupError", "unknown encoding: %s", name)
}

// encode is Python's str.encode.
func encode(s, name, errors string) ([]byte, error) {
	e, err := codec(name)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return []byte(s), nil
	}
	if n, ok := e.(narrow); ok {
		return narrowEncode(s, name, errors, n.limit())
	}
	if out, err := e.NewEncoder().Bytes([]byte(s)); err == nil {
		return out, nil
	}
	return charByChar(s, name, errors, e)
}

// charByChar encodes what cannot be encoded whole, to find and treat the
// characters that have no place in the encoding.
func charByChar(s, name, errors string, e encoding.Encoding) ([]byte, error) {
	enc := e.NewEncoder()
	var out []byte
	pos := 0
	for _, r := range s {
		b, err := enc.Bytes([]byte(string(r)))
		if err != nil {
			if b, err = substitute(r, pos, name, errors); err != nil {
				return nil, err
			}
		}
		out = append(out, b...)
		pos++
	}
	return out, nil
}

func substitute(r rune, pos int, name, errors string) ([]byte, error) {
	switch errors {
	case "ignore":
		return nil, nil
	case "replace":
		return []byte("?"), nil
	case "xmlcharrefreplace":
		return fmt.Appendf(nil, "&#%d;", r), nil
	case "backslashreplace":
		return []byte(escapeRune(r)), nil
	}
	return nil, value.Errorf("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: %s", name, escapeRune(r), pos, noPlace(name))
}

func noPlace(name string) string {
	switch e, _ := codec(name); e.(type) {
	case asciiOnly:
		return "ordinal not in range(128)"
	case latin1:
		return "ordinal not in range(256)"
	}
	return "character maps to <undefined>"
}

func escapeRune(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// narrow encodings hold the first code points as they are, one byte each.
type narrow interface{ limit() rune }

type asciiOnly struct{ encoding.Encoding }
type latin1 struct{ encoding.Encoding }

func (asciiOnly) limit() rune { return 0x80 }
func (latin1) limit() rune    { return 0x100 }

func narrowEncode(s, name, errors string, limit rune) ([]byte, error) {
	out := make([]byte, 0, len(s))
	pos := 0
	for _, r := range s {
		if r < limit {
			out = append(out, byte(r))
		} else {
			sub, err := substitute(r, pos, name, errors)
			if err != nil {
				return nil, err
			}
			out = append(out, sub...)
		}
		pos++
	}
	return out, nil
}

// decodeAs is Python's bytes.decode with errors that are not fit to print.
func decodeAs(data []byte, name string) (string, error) {
	e, err := codec(name)
	if err != nil {
		return "", err
	}
	switch e := e.(type) {
	case nil:
		if !utf8.Valid(data) {
			return "", notDecodable(name, data)
		}
		return string(data), nil
	case narrow:
		var b strings.Builder
		for i, c := range data {
			if rune(c) >= e.limit() {
				return "", notDecodable(name, data[i:])
			}
			b.WriteRune(rune(c))
		}
		return b.String(), nil
	}
	out, err := e.NewDecoder().Bytes(data)
	return string(out), err
}

func notDecodable(name string, data []byte) error {
	for i, r := range string(data) {
		if r == utf8.RuneError || r >= 0x80 {
			return value.Errorf("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d", name, data[i], i)
		}
	}
	return value.Errorf("UnicodeDecodeError", "'%s' codec can't decode the content", name)
}
