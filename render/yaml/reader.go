package yaml

import (
	"fmt"
	"unicode/utf8"
)

// block is the number of bytes that libyaml reads and checks at once: a bad
// character hides every error that lies in or behind its block.
const block = 16384

const bom = "\ufeff"

// checkText finds the first character that YAML forbids. It returns its place
// in bytes, or -1, and whether the text has any character beyond ASCII.
func checkText(text string) (bad int, wide bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
				return i, wide
			}
			i++
			continue
		}
		wide = true
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff {
			return i, wide
		}
		i += n
	}
	return -1, wide
}

// readerError describes the character at byte i of the text.
func (s *scanner) readerError(text string, i int) *Error {
	r, n := utf8.DecodeRuneInString(text[i:])
	problem := "control characters are not allowed"
	if r == utf8.RuneError && n == 1 {
		r, problem = badByte(text, i)
	}
	e := &Error{Class: "ReaderError", Name: s.streamName(), Problem: problem}
	e.Line, e.Col = 1, 1
	for j, r := range text[:i] {
		switch {
		case r == '\n' || r == 0x85 || r == 0x2028 || r == 0x2029,
			r == '\r' && (j+1 == len(text) || text[j+1] != '\n'):
			e.Line++
			e.Col = 1
		default:
			e.Col++
		}
	}
	e.Message = fmt.Sprintf("unacceptable character #x%04x: %s\n  in \"%s\", position %d", r, problem, e.Name, i)
	return e
}

// badByte says why the bytes at i are no UTF-8.
func badByte(text string, i int) (rune, string) {
	c := text[i]
	want := 0
	switch {
	case c&0xe0 == 0xc0:
		want = 1
	case c&0xf0 == 0xe0:
		want = 2
	case c&0xf8 == 0xf0:
		want = 3
	default:
		return rune(c), "invalid leading UTF-8 octet"
	}
	if i+want >= len(text) {
		return -1, "incomplete UTF-8 octet sequence"
	}
	for j := i + 1; j <= i+want; j++ {
		if text[j]&0xc0 != 0x80 {
			return rune(text[j]), "invalid trailing UTF-8 octet"
		}
	}
	return -1, "invalid length of a UTF-8 sequence"
}
