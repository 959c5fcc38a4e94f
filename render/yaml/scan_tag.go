package yaml

import "strings"

func alpha(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'
}

func (s *scanner) word() string {
	from := s.pos
	for alpha(s.at(0)) {
		s.pos++
	}
	return s.text[from:s.pos]
}

// scanAnchor reads "&name" or "*name".
func (s *scanner) scanAnchor(typ tokenType) {
	start := s.mark()
	s.pos++
	name := s.word()
	if name == "" || !s.blankz(0) && !strings.ContainsRune("?:,]}%@`", rune(s.at(0))) {
		context := "while scanning an anchor"
		if typ == tAlias {
			context = "while scanning an alias"
		}
		s.scanError(context, start, "did not find expected alphabetic or numeric character")
	}
	to := int32(s.pos)
	s.queue = append(s.queue, token{typ: typ, from: to - int32(len(name)), to: to, start: start, end: s.mark()})
}

// scanTag reads "!<uri>", "!handle!suffix", "!suffix" or "!".
func (s *scanner) scanTag() {
	const context = "while scanning a tag"
	start := s.mark()
	handle, suffix := "", ""
	if s.at(1) == '<' {
		s.pos += 2
		suffix = s.tagURI(true, false, "", start)
		if s.at(0) != '>' {
			s.scanError(context, start, "did not find the expected '>'")
		}
		s.pos++
	} else {
		handle = s.tagHandle(false, start)
		if len(handle) > 1 && handle[len(handle)-1] == '!' {
			suffix = s.tagURI(false, false, "", start)
		} else {
			suffix = s.tagURI(false, false, handle, start)
			handle = "!"
			if suffix == "" {
				handle, suffix = "", "!"
			}
		}
	}
	if (!s.flow() || s.at(0) != ',') && !s.blankz(0) {
		s.scanError(context, start, "did not find expected whitespace or line break")
	}
	s.queue = append(s.queue, token{typ: tTag, from: s.keep(handle), to: s.keep(suffix), start: start, end: s.mark()})
}

func (s *scanner) tagHandle(directive bool, start mark) string {
	from := s.pos
	if s.at(0) != '!' {
		context := "while scanning a tag"
		if directive {
			context = "while scanning a tag directive"
		}
		s.scanError(context, start, "did not find expected '!'")
	}
	s.pos++
	s.word()
	if s.at(0) == '!' {
		s.pos++
	} else if directive && s.text[from:s.pos] != "!" {
		s.scanError("while parsing a tag directive", start, "did not find expected '!'")
	}
	return s.text[from:s.pos]
}

// tagURI reads the rest of a tag; head is what was taken for its handle.
func (s *scanner) tagURI(uri, directive bool, head string, start mark) string {
	context := "while parsing a tag"
	if directive {
		context = "while parsing a %TAG directive"
	}
	var b []byte
	if len(head) > 1 {
		b = append(b, head[1:]...)
	}
	n := len(head)
	for {
		c := s.at(0)
		if c == 0 || !alpha(c) && !strings.ContainsRune(";/?:@&=+$.%!~*'()", rune(c)) && (!uri || c != ',' && c != '[' && c != ']') {
			break
		}
		if c == '%' {
			b = s.uriEscape(b, context, start)
		} else {
			b = append(b, c)
			s.pos++
		}
		n++
	}
	if n == 0 {
		s.scanError(context, start, "did not find expected tag URI")
	}
	return string(b)
}

// uriEscape reads the %xx of one character.
func (s *scanner) uriEscape(b []byte, context string, start mark) []byte {
	for width := 0; ; {
		hi, ok1 := unhex(s.at(1))
		lo, ok2 := unhex(s.at(2))
		if s.at(0) != '%' || !ok1 || !ok2 {
			s.scanError(context, start, "did not find URI escaped octet")
		}
		c := hi<<4 | lo
		if width == 0 {
			switch {
			case c&0x80 == 0:
				width = 1
			case c&0xe0 == 0xc0:
				width = 2
			case c&0xf0 == 0xe0:
				width = 3
			case c&0xf8 == 0xf0:
				width = 4
			default:
				s.scanError(context, start, "found an incorrect leading UTF-8 octet")
			}
		} else if c&0xc0 != 0x80 {
			s.scanError(context, start, "found an incorrect trailing UTF-8 octet")
		}
		b = append(b, c)
		s.pos += 3
		if width--; width == 0 {
			return b
		}
	}
}

// scanDirective reads a line "%YAML 1.1" or "%TAG ! prefix".
func (s *scanner) scanDirective() {
	const context = "while scanning a directive"
	start := s.mark()
	s.pos++
	name := s.word()
	if name == "" {
		s.scanError(context, start, "could not find expected directive name")
	}
	if !s.blankz(0) {
		s.scanError(context, start, "found unexpected non-alphabetical character")
	}
	t := token{start: start}
	switch name {
	case "YAML":
		t.typ = tVersion
		major, minor := s.version(start)
		t.from, t.to = s.keep(major), s.keep(minor)
	case "TAG":
		t.typ = tTagDirective
		handle, prefix := s.tagDirective(start)
		t.from, t.to = s.keep(handle), s.keep(prefix)
	default:
		s.scanError(context, start, "found unknown directive name")
	}
	t.end = s.mark()
	s.skipBlanks()
	if s.at(0) == '#' {
		s.skipComment()
	}
	if !s.breakz() {
		s.scanError(context, start, "did not find expected comment or line break")
	}
	if n := s.brk(0); n > 0 {
		s.newline(n)
	}
	s.queue = append(s.queue, t)
}

func (s *scanner) skipBlanks() {
	for s.blank() {
		s.pos++
	}
}

func (s *scanner) version(start mark) (major, minor string) {
	s.skipBlanks()
	major = s.versionNumber(start)
	if s.at(0) != '.' {
		s.scanError("while scanning a %YAML directive", start, "did not find expected digit or '.' character")
	}
	s.pos++
	return major, s.versionNumber(start)
}

func (s *scanner) versionNumber(start mark) string {
	from := s.pos
	for c := s.at(0); c >= '0' && c <= '9'; c = s.at(0) {
		if s.pos-from == 9 {
			s.scanError("while scanning a %YAML directive", start, "found extremely long version number")
		}
		s.pos++
	}
	if s.pos == from {
		s.scanError("while scanning a %YAML directive", start, "did not find expected version number")
	}
	n := strings.TrimLeft(s.text[from:s.pos], "0")
	if n == "" {
		return "0"
	}
	return n
}

func (s *scanner) tagDirective(start mark) (handle, prefix string) {
	s.skipBlanks()
	handle = s.tagHandle(true, start)
	if !s.blank() {
		s.scanError("while scanning a %TAG directive", start, "did not find expected whitespace")
	}
	s.skipBlanks()
	prefix = s.tagURI(true, true, "", start)
	if !s.blankz(0) {
		s.scanError("while scanning a %TAG directive", start, "did not find expected whitespace or line break")
	}
	return handle, prefix
}
