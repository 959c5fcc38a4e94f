package yaml

// plainStop marks the bytes at which the fast loop over a plain scalar stops
// to look closer.
var plainStop = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ':': true, ',': true, '?': true,
	'[': true, ']': true, '{': true, '}': true, 0xc2: true, 0xe2: true}

// scanPlain reads a scalar without quotes. A scalar of one line is a slice of
// the text.
func (s *scanner) scanPlain() {
	start := s.mark()
	flow := s.flow()
	indent := s.indent + 1
	from, end := s.pos, s.pos
	endMark := start
	s.buf = s.buf[:0]
	folded := false  // the text is in buf, not a slice
	leading := false // a line break was met
	for {
		if s.pos == s.bol && s.docMarker() || s.at(0) == '#' {
			break
		}
		word := s.pos
		s.plainWord(flow, start)
		if s.pos > word {
			if folded {
				s.buf = append(s.buf, s.text[word:s.pos]...)
			}
			leading = false
			end = s.pos
			endMark = s.mark()
		}
		if !s.blank() && s.brk(0) == 0 {
			break
		}
		gap := s.pos
		for s.blank() {
			s.pos++
		}
		if s.brk(0) > 0 {
			leading = true
			s.foldPlain(start, indent)
			if !flow && s.col() < indent || !s.plainGoesOn(flow) {
				break
			}
			if !folded {
				s.buf = append(s.buf, s.text[from:end]...)
				folded = true
			}
			s.buf = append(s.buf, s.breaks...)
			continue
		}
		if !flow && s.col() < indent {
			break
		}
		if folded && s.plainGoesOn(flow) {
			s.buf = append(s.buf, s.text[gap:s.pos]...)
		}
	}
	t := token{typ: tScalar, plain: true, from: int32(from), to: int32(end), start: start, end: endMark}
	if folded {
		t.own, t.from = true, s.keep(string(s.buf))
	}
	s.queue = append(s.queue, t)
	if leading {
		s.keyAllowed = true
	}
}

// plainGoesOn reports that another word of the scalar follows.
func (s *scanner) plainGoesOn(flow bool) bool {
	if s.pos >= len(s.text) || s.pos == s.bol && s.docMarker() {
		return false
	}
	switch c := s.text[s.pos]; c {
	case '#':
		return false
	case ':':
		return !s.blankz(1)
	case ',', '[', ']', '{', '}':
		return !flow
	}
	return true
}

// plainWord goes to the end of a word.
func (s *scanner) plainWord(flow bool, start mark) {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if !plainStop[c] {
			s.pos++
			continue
		}
		switch c {
		case ' ', '\t', '\n', '\r':
			return
		case ':':
			if flow {
				switch s.at(1) {
				case ',', '?', '[', ']', '{', '}':
					s.scanError("while scanning a plain scalar", start, "found unexpected ':'")
				}
			}
			if s.blankz(1) {
				return
			}
		case ',', '[', ']', '{', '}':
			if flow {
				return
			}
		case 0xc2, 0xe2:
			if s.brk(0) > 0 {
				return
			}
		}
		s.pos++
	}
}

// foldPlain reads the line breaks and blanks between two words and leaves in
// breaks what they stand for: a space, or all breaks but the first.
func (s *scanner) foldPlain(start mark, indent int) {
	first := s.brk(0)
	s.breaks = s.breaks[:0]
	if first == 3 {
		s.breaks = s.readBreak(s.breaks)
	} else {
		s.newline(first)
	}
	for {
		if s.blank() {
			if s.at(0) == '\t' && s.col() < indent {
				s.scanError("while scanning a plain scalar", start, "found a tab character that violates indentation")
			}
			s.pos++
		} else if s.brk(0) > 0 {
			s.breaks = s.readBreak(s.breaks)
		} else {
			break
		}
	}
	if len(s.breaks) == 0 {
		s.breaks = append(s.breaks, ' ')
	}
}

// scanBlock reads a "|" or ">" scalar.
func (s *scanner) scanBlock(literal bool) {
	const context = "while scanning a block scalar"
	start := s.mark()
	s.pos++
	chomp, inc := byte(0), 0
	for range 2 {
		switch c := s.at(0); {
		case (c == '+' || c == '-') && chomp == 0:
			chomp = c
			s.pos++
		case c >= '0' && c <= '9' && inc == 0:
			if c == '0' {
				s.scanError(context, start, "found an indentation indicator equal to 0")
			}
			inc = int(c - '0')
			s.pos++
		}
	}
	for s.blank() {
		s.pos++
	}
	if s.at(0) == '#' {
		s.skipComment()
	}
	if !s.breakz() {
		s.scanError(context, start, "did not find expected comment or line break")
	}
	if n := s.brk(0); n > 0 {
		s.newline(n)
	}
	indent := 0
	if inc > 0 {
		indent = max(s.indent, 0) + inc
	}
	b, end := s.blockLines(literal, indent, chomp, start)
	s.buf = b
	s.queue = append(s.queue, token{typ: tScalar, own: true, from: s.keep(string(s.buf)), start: start, end: end})
}

func (s *scanner) blockLines(literal bool, indent int, chomp byte, start mark) ([]byte, mark) {
	b := s.buf[:0]
	s.breaks = s.breaks[:0]
	indent, end := s.blockBreaks(indent, start)
	var lead [3]byte // the break that ended the last line
	nlead := 0
	leadingBlank := false
	for s.pos < len(s.text) && s.col() == indent {
		trailingBlank := s.blank()
		if !literal && nlead > 0 && lead[0] == '\n' && !leadingBlank && !trailingBlank {
			if len(s.breaks) == 0 {
				b = append(b, ' ')
			}
		} else {
			b = append(b, lead[:nlead]...)
		}
		b = append(b, s.breaks...)
		s.breaks = s.breaks[:0]
		leadingBlank = s.blank()
		from := s.pos
		s.skipComment() // to the end of the line
		b = append(b, s.text[from:s.pos]...)
		nlead = len(s.readBreak(lead[:0]))
		indent, end = s.blockBreaks(indent, start)
	}
	if chomp != '-' {
		b = append(b, lead[:nlead]...)
	}
	if chomp == '+' {
		b = append(b, s.breaks...)
	}
	return b, end
}

// blockBreaks reads indentation and empty lines, and finds the indentation of
// the scalar when it is not known (0).
func (s *scanner) blockBreaks(indent int, start mark) (int, mark) {
	end := s.mark()
	deepest := 0
	for {
		col := s.col()
		for (indent == 0 || col < indent) && s.at(0) == ' ' {
			s.pos++
			col++
		}
		deepest = max(deepest, col)
		if (indent == 0 || col < indent) && s.at(0) == '\t' {
			s.scanError("while scanning a block scalar", start, "found a tab character where an indentation space is expected")
		}
		if s.brk(0) == 0 {
			break
		}
		s.breaks = s.readBreak(s.breaks)
		end = s.mark()
	}
	if indent == 0 {
		indent = max(deepest, s.indent+1, 1)
	}
	return indent, end
}
