package codec

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// Decode is b.decode(name, errors) of Python: errors is strict, ignore, replace
// or backslashreplace. The error is a UnicodeDecodeError.
func (c *Codec) Decode(b []byte, errors string) (string, error) {
	if c.enc == nil {
		if c.mark {
			b = bytes.TrimPrefix(b, []byte(mark))
		}
		return c.plain(b, errors)
	}
	out, err := c.enc.NewDecoder().Bytes(b)
	if err != nil {
		return "", value.Errorf("UnicodeDecodeError", "'%s' codec can't decode bytes: %s", c.name, err)
	}
	s := string(out)
	if !strings.ContainsRune(s, utf8.RuneError) {
		return s, nil
	}
	if c.name == "charmap" {
		return c.pages(b, errors)
	}
	if errors == "replace" || c.holdsRuneError(b) {
		return s, nil
	}
	if errors == "ignore" {
		return strings.ReplaceAll(s, string(utf8.RuneError), ""), nil
	}
	return "", value.Errorf("UnicodeDecodeError", "'%s' codec can't decode bytes: illegal multibyte sequence", c.name)
}

// holdsRuneError: whether the bytes themselves may stand for U+FFFD.
func (c *Codec) holdsRuneError(b []byte) bool {
	if !strings.HasPrefix(c.name, "utf") {
		return false
	}
	mark, err := c.enc.NewEncoder().Bytes([]byte("\ufffd"))
	return err == nil && strings.Contains(string(b), strings.TrimPrefix(string(mark), "\xff\xfe"))
}

// pages decodes a code page byte by byte, to find what has no place in it.
func (c *Codec) pages(b []byte, errors string) (string, error) {
	d := c.enc.NewDecoder()
	var out strings.Builder
	for i := range b {
		r, err := d.Bytes(b[i : i+1])
		if err == nil && string(r) != string(utf8.RuneError) {
			out.Write(r)
			continue
		}
		if c.c1 && b[i] < 0xa0 {
			out.WriteRune(rune(b[i]))
			continue
		}
		switch errors {
		case "ignore":
		case "replace":
			out.WriteRune(utf8.RuneError)
		case "backslashreplace":
			fmt.Fprintf(&out, `\x%02x`, b[i])
		default:
			return "", value.Errorf("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: character maps to <undefined>", c.name, b[i], i)
		}
	}
	return out.String(), nil
}

// plain decodes UTF-8, ASCII and Latin-1.
func (c *Codec) plain(b []byte, errors string) (string, error) {
	if c.limit == 0x100 {
		return latin1(b), nil
	}
	if c.limit == 0 && utf8.Valid(b) {
		return string(b), nil
	}
	var out strings.Builder
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if (r != utf8.RuneError || n > 1) && (c.limit == 0 || r < c.limit) {
			out.Write(b[i : i+n])
			i += n
			continue
		}
		bad := 1
		if c.limit == 0 {
			bad = subpart(b[i:])
		}
		switch errors {
		case "ignore":
		case "replace":
			out.WriteRune(utf8.RuneError)
		case "backslashreplace":
			for _, x := range b[i : i+bad] {
				fmt.Fprintf(&out, `\x%02x`, x)
			}
		default:
			return "", c.cannotDecode(b, i)
		}
		i += bad
	}
	return out.String(), nil
}

func latin1(b []byte) string {
	var out strings.Builder
	out.Grow(len(b))
	for _, c := range b {
		out.WriteRune(rune(c))
	}
	return out.String()
}

func (c *Codec) cannotDecode(b []byte, i int) error {
	why := "ordinal not in range(128)"
	if c.limit == 0 {
		switch first := b[i]; {
		case first < 0xc2 || first > 0xf4:
			why = "invalid start byte"
		case len(b)-i < utf8Size(first) && validTail(b[i+1:]):
			why = "unexpected end of data"
			if n := len(b) - i; n > 1 {
				return value.Errorf("UnicodeDecodeError", "'%s' codec can't decode bytes in position %d-%d: %s", c.name, i, i+n-1, why)
			}
		default:
			why = "invalid continuation byte"
		}
	}
	return value.Errorf("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: %s", c.name, b[i], i, why)
}

// subpart is how many bytes of a broken UTF-8 sequence are one fault: as many as
// could still have become a character.
func subpart(b []byte) int {
	if b[0] < 0xc2 || b[0] > 0xf4 {
		return 1
	}
	n := 1
	for n < len(b) && n < utf8Size(b[0]) && b[n]&0xc0 == 0x80 {
		if second := b[1]; n == 1 && (b[0] == 0xe0 && second < 0xa0 || b[0] == 0xed && second > 0x9f || b[0] == 0xf0 && second < 0x90 || b[0] == 0xf4 && second > 0x8f) {
			break
		}
		n++
	}
	return n
}

func utf8Size(c byte) int {
	switch {
	case c >= 0xf0:
		return 4
	case c >= 0xe0:
		return 3
	}
	return 2
}

func validTail(b []byte) bool {
	for _, c := range b {
		if c&0xc0 != 0x80 {
			return false
		}
	}
	return true
}
