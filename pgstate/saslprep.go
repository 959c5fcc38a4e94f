package pgstate

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// prepared is a password after SASLprep (RFC 4013), which client and server
// apply before they hash it. One that SASLprep forbids stays as it is, as in
// PostgreSQL itself.
func prepared(password string) string {
	if ascii(password) {
		return password
	}
	if !utf8.ValidString(password) {
		return password
	}
	mapped := norm.NFKC.String(strings.Map(func(r rune) rune {
		switch {
		case isNothing(r):
			return -1
		case r == 0xA0 || r == 0x1680 || r >= 0x2000 && r <= 0x200B || r == 0x202F || r == 0x205F || r == 0x3000:
			return ' '
		}
		return r
	}, password))
	if mapped == "" || strings.ContainsFunc(mapped, forbidden) || mixed(mapped) {
		return password
	}
	return mapped
}

// ascii reports a text that SASLprep leaves alone.
func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7E })
}

// isNothing is RFC 3454's table B.1.
func isNothing(r rune) bool {
	return r == 0xAD || r == 0x34F || r == 0x1806 || r >= 0x180B && r <= 0x180D || r == 0x200C || r == 0x200D ||
		r == 0x2060 || r >= 0xFE00 && r <= 0xFE0F || r == 0xFEFF
}

// forbidden are the tables C.1.2 to C.9.
func forbidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r <= 0xA0, r == 0x6DD, r == 0x70F, r == 0x180E, r == 0x2028, r == 0x2029, // spaces and controls
		r >= 0x2061 && r <= 0x2063, r >= 0x206A && r <= 0x206F, r >= 0xFFF9 && r <= 0xFFFD, r >= 0x1D173 && r <= 0x1D17A,
		r >= 0xE000 && r <= 0xF8FF, r >= 0xF0000, // private use
		r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE, // no characters
		r >= 0x2FF0 && r <= 0x2FFB, r == 0x340, r == 0x341, r == 0x200E, r == 0x200F, r >= 0x202A && r <= 0x202E,
		r == 0xE0001, r >= 0xE0020 && r <= 0xE007F: // descriptions, directions, tags
		return true
	}
	return false
}

// mixed reports a text of both directions of writing, which RFC 3454 forbids.
func mixed(s string) bool {
	var left, right bool
	for _, r := range s {
		left = left || direction(r) == bidi.L
		right = right || rightToLeft(r)
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return right && (left || !rightToLeft(first) || !rightToLeft(last))
}

func direction(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

func rightToLeft(r rune) bool { return direction(r) == bidi.R || direction(r) == bidi.AL }
