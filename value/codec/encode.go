package codec

import (
	"fmt"
	"unicode/utf8"

	"pinch/value"
)

// mark is the byte order mark of UTF-8.
const mark = "\xef\xbb\xbf"

// Encode is s.encode(name, errors) of Python: errors is strict, ignore, replace,
// xmlcharrefreplace or backslashreplace. The error is a UnicodeEncodeError.
func (c *Codec) Encode(s, errors string) ([]byte, error) {
	switch {
	case c.UTF8():
		return []byte(s), nil
	case c.mark:
		return append([]byte(mark), s...), nil
	case c.enc != nil:
		if out, err := c.enc.NewEncoder().Bytes([]byte(s)); err == nil {
			return out, nil
		}
	}
	var one func(r rune) ([]byte, bool)
	if c.limit > 0 {
		one = func(r rune) ([]byte, bool) { return []byte{byte(r)}, r < c.limit }
	} else {
		e := c.enc.NewEncoder()
		one = func(r rune) ([]byte, bool) {
			if c.c1 && r >= 0x80 && r < 0xa0 {
				return []byte{byte(r)}, true
			}
			b, err := e.Bytes(utf8.AppendRune(nil, r))
			e.Reset()
			return b, err == nil
		}
	}
	out := make([]byte, 0, len(s))
	all := []rune(s)
	for i := 0; i < len(all); i++ {
		if b, ok := one(all[i]); ok {
			out = append(out, b...)
			continue
		}
		with, ok := replacement(all[i], errors)
		if !ok {
			end := i + 1
			for c.batches() && end < len(all) {
				if _, ok := one(all[end]); ok {
					break
				}
				end++
			}
			return nil, c.cannotEncode(all, i, end)
		}
		out = append(out, with...)
	}
	return out, nil
}

// batches: whether an error names a whole run of characters; those of several
// bytes a character name the first one.
func (c *Codec) batches() bool { return c.limit > 0 || c.name == "charmap" }

func (c *Codec) cannotEncode(all []rune, from, to int) error {
	why := "illegal multibyte sequence"
	switch {
	case c.limit > 0:
		why = fmt.Sprintf("ordinal not in range(%d)", c.limit)
	case c.name == "charmap":
		why = "character maps to <undefined>"
	}
	if to-from > 1 {
		return value.Errorf("UnicodeEncodeError", "'%s' codec can't encode characters in position %d-%d: %s", c.name, from, to-1, why)
	}
	return value.Errorf("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: %s", c.name, escapeRune(all[from]), from, why)
}

func escapeRune(r rune) string {
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func replacement(r rune, errors string) (string, bool) {
	switch errors {
	case "ignore":
		return "", true
	case "replace":
		return "?", true
	case "backslashreplace":
		return escapeRune(r), true
	case "xmlcharrefreplace":
		return fmt.Sprintf("&#%d;", r), true
	}
	return "", false
}
