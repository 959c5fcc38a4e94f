package yaml

import (
	"strings"
	"unicode/utf8"
)

// scanQuoted reads a scalar in single or double quotes. Without escapes and
// line breaks it is a slice of the text.
func (s *scanner) scanQuoted(quote byte) {
	const context = "while scanning a quoted scalar"
	start := s.mark()
	s.pos++
	from := s.pos
	if s.quotedSlice(quote) {
		s.queue = append(s.queue, token{typ: tScalar, from: int32(from), to: int32(s.pos - 1), start: start, end: s.mark()})
		return
	}
	s.buf = s.buf[:0]
	for {
		if s.pos == s.bol && s.docMarker() {
			s.scanError(context, start, "found unexpected document indicator")
		}
		if s.pos >= len(s.text) {
			s.scanError(context, start, "found unexpected end of stream")
		}
		leading := s.quotedWord(quote, start)
		if s.at(0) == quote {
			break
		}
		s.quotedGap(leading)
	}
	s.pos++
	s.queue = append(s.queue, token{typ: tScalar, own: true, from: s.keep(string(s.buf)), start: start, end: s.mark()})
}

// quotedSlice steps over a text that stands for itself, and its quote.
func (s *scanner) quotedSlice(quote byte) bool {
	rest := s.text[s.pos:]
	i := strings.IndexByte(rest, quote)
	if i < 0 || quote == '\'' && i+1 < len(rest) && rest[i+1] == quote {
		return false
	}
	for j := range i {
		switch c := rest[j]; {
		case c == '\n' || c == '\r' || c == '\\' && quote == '"':
			return false
		case c == 0xc2 || c == 0xe2:
			if s.brk(j) > 0 {
				return false
			}
		}
	}
	s.pos += i + 1
	return true
}

// quotedWord reads up to a blank, a break or the quote. It reports that an
// escaped line break ended the word.
func (s *scanner) quotedWord(quote byte, start mark) bool {
	for !s.blankz(0) {
		c := s.text[s.pos]
		switch {
		case c == quote && quote == '\'' && s.at(1) == quote:
			s.buf = append(s.buf, quote)
			s.pos += 2
		case c == quote:
			return false
		case c == '\\' && quote == '"':
			s.pos++
			if n := s.brk(0); n > 0 {
				s.newline(n)
				return true
			}
			s.pos--
			s.escape(start)
		default:
			s.buf = append(s.buf, c)
			s.pos++
		}
	}
	return false
}

// quotedGap reads blanks and line breaks, which fold as in plain scalars.
func (s *scanner) quotedGap(leading bool) {
	from := s.pos
	s.breaks = s.breaks[:0]
	if !leading {
		for s.blank() {
			s.pos++
		}
		n := s.brk(0)
		if n == 0 {
			s.buf = append(s.buf, s.text[from:s.pos]...)
			return
		}
		if n == 3 {
			s.buf = append(s.buf, s.text[s.pos:s.pos+n]...)
			leading = true // nothing to fold: the break itself stays
		}
		s.newline(n)
	}
	for {
		if s.blank() {
			s.pos++
		} else if s.brk(0) > 0 {
			s.breaks = s.readBreak(s.breaks)
		} else {
			break
		}
	}
	if !leading && len(s.breaks) == 0 {
		s.buf = append(s.buf, ' ')
	}
	s.buf = append(s.buf, s.breaks...)
}

// escapes gives the characters of the one-letter escapes.
var escapes = map[byte]string{'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f",
	'r': "\r", 'e': "\x1b", ' ': " ", '"': "\"", '/': "/", '\\': "\\", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}

func (s *scanner) escape(start mark) {
	const context = "while parsing a quoted scalar"
	n := 0
	switch c := s.at(1); c {
	case 'x':
		n = 2
	case 'u':
		n = 4
	case 'U':
		n = 8
	default:
		text, ok := escapes[c]
		if !ok || s.pos+1 >= len(s.text) {
			s.scanError(context, start, "found unknown escape character")
		}
		s.buf = append(s.buf, text...)
		s.pos += 2
		return
	}
	s.pos += 2
	r := rune(0)
	for i := range n {
		d, ok := unhex(s.at(i))
		if !ok {
			s.scanError(context, start, "did not find expected hexdecimal number")
		}
		r = r<<4 | rune(d)
	}
	if r >= 0xd800 && r <= 0xdfff || r > 0x10ffff || r < 0 {
		s.scanError(context, start, "found invalid Unicode character escape code")
	}
	s.buf = utf8.AppendRune(s.buf, r)
	s.pos += n
}

func unhex(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
