package yaml

import "strings"

const (
	nextToken   = "while scanning for the next token"
	cannotStart = "found character that cannot start any token"
)

// skipSpace goes to the next token, over blanks, comments and line breaks. A
// tab counts as a blank only where no key may begin.
func (s *scanner) skipSpace() {
	for {
		if s.wide && s.pos == s.bol && strings.HasPrefix(s.text[s.pos:], bom) {
			s.pos += len(bom) // may begin a line, but shifts its column
		}
		for s.pos < len(s.text) {
			c := s.text[s.pos]
			if c != ' ' && (c != '\t' || !s.flow() && s.keyAllowed) {
				break
			}
			s.pos++
		}
		if s.at(0) == '#' {
			s.skipComment()
		}
		n := s.brk(0)
		if n == 0 {
			return
		}
		s.newline(n)
		if !s.flow() {
			s.keyAllowed = true
		}
	}
}

func (s *scanner) skipComment() {
	for s.pos < len(s.text) {
		if c := s.text[s.pos]; c == '\n' || (c == '\r' || c >= 0x80) && s.brk(0) > 0 {
			return
		}
		s.pos++
	}
}

// fetch puts at least one more token into the queue, except at a level's end.
func (s *scanner) fetch() {
	if !s.started {
		s.started, s.keyAllowed, s.indent = true, true, -1
		s.keys = append(s.keys[:0], simpleKey{})
	}
	s.skipSpace()
	s.stale()
	col := s.col()
	s.unroll(col)
	if s.pos >= len(s.text) {
		s.fetchEnd(col)
		return
	}
	c := s.text[s.pos]
	if col == 0 && (c == '%' || c == '-' || c == '.') && s.fetchLineStart(c) {
		return
	}
	switch c {
	case '[':
		s.openFlow(tFlowSeqStart)
	case '{':
		s.openFlow(tFlowMapStart)
	case ']':
		s.closeFlow(tFlowSeqEnd)
	case '}':
		s.closeFlow(tFlowMapEnd)
	case ',':
		s.removeKey()
		s.keyAllowed = true
		s.indicator(tFlowEntry)
	case '*':
		s.fetchAnchor(tAlias)
	case '&':
		s.fetchAnchor(tAnchor)
	case '!':
		s.saveKey()
		s.keyAllowed = false
		s.scanTag()
	case '\'', '"':
		s.saveKey()
		s.keyAllowed = false
		s.scanQuoted(c)
	case '|', '>':
		if s.flow() {
			s.scanError(nextToken, s.mark(), cannotStart)
		}
		s.removeKey()
		s.keyAllowed = true
		s.scanBlock(c == '|')
	case '-', '?', ':':
		s.fetchIndicator(c, col)
	case '%', '@', '`', '#', '\t':
		s.scanError(nextToken, s.mark(), cannotStart)
	default:
		s.fetchPlain()
	}
}

func (s *scanner) fetchPlain() {
	s.saveKey()
	s.keyAllowed = false
	s.scanPlain()
}

func (s *scanner) fetchEnd(col int) {
	if col != 0 { // libyaml ends the last line itself
		s.newline(0)
		s.over = 1
	}
	s.unroll(-1)
	s.removeKey()
	s.keyAllowed = false
	m := s.mark()
	s.push(tStreamEnd, m, m)
}

// fetchLineStart handles what only counts in the first column.
func (s *scanner) fetchLineStart(c byte) bool {
	if c == '%' {
		s.unroll(-1)
		s.removeKey()
		s.keyAllowed = false
		s.scanDirective()
		return true
	}
	if !s.docMarker() {
		return false
	}
	s.unroll(-1)
	s.removeKey()
	s.keyAllowed = false
	m := s.mark()
	s.pos += 3
	typ := tDocStart
	if c == '.' {
		typ = tDocEnd
	}
	s.push(typ, m, s.mark())
	return true
}

// docMarker reports "---" or "..." as a word of its own.
func (s *scanner) docMarker() bool {
	c := s.at(0)
	return (c == '-' || c == '.') && s.at(1) == c && s.at(2) == c && s.blankz(3)
}

// indicator makes a token of one character.
func (s *scanner) indicator(typ tokenType) {
	m := s.mark()
	s.pos++
	s.push(typ, m, m+1)
}

func (s *scanner) openFlow(typ tokenType) {
	s.saveKey()
	if len(s.keys)-1+len(s.indents) >= maxDepth {
		s.scanError("while increasing flow level", s.mark(), "exceeded maximum nesting depth")
	}
	s.keys = append(s.keys, simpleKey{})
	s.keyAllowed = true
	s.indicator(typ)
}

func (s *scanner) closeFlow(typ tokenType) {
	s.removeKey()
	if s.flow() {
		s.keys = s.keys[:len(s.keys)-1]
	}
	s.keyAllowed = false
	s.indicator(typ)
}

func (s *scanner) fetchAnchor(typ tokenType) {
	s.saveKey()
	s.keyAllowed = false
	s.scanAnchor(typ)
}

// fetchIndicator handles "-", "?" and ":", which may also begin a plain scalar.
func (s *scanner) fetchIndicator(c byte, col int) {
	flow := s.flow()
	blank := s.blankz(1)
	switch {
	case c == '-' && blank:
		if !flow {
			if !s.keyAllowed {
				s.scanError("", noMark, "block sequence entries are not allowed in this context")
			}
			s.roll(col, -1, tSeqStart, s.mark())
		}
		s.removeKey()
		s.keyAllowed = true
		s.indicator(tBlockEntry)
	case c == '?' && (flow || blank):
		if !flow {
			if !s.keyAllowed {
				s.scanError("", noMark, "mapping keys are not allowed in this context")
			}
			s.roll(col, -1, tMapStart, s.mark())
		}
		s.removeKey()
		s.keyAllowed = !flow
		s.indicator(tKey)
	case c == ':' && (flow || blank):
		s.fetchValue(col)
	default:
		s.fetchPlain()
	}
}

func (s *scanner) fetchValue(col int) {
	if k := &s.keys[len(s.keys)-1]; k.possible {
		m, col := k.mark, k.col
		s.insert(k.number, token{typ: tKey, start: m, end: m})
		s.roll(col, k.number, tMapStart, m)
		k.possible = false
		s.keyAllowed = false
	} else {
		if !s.flow() {
			if !s.keyAllowed {
				s.scanError("", noMark, "mapping values are not allowed in this context")
			}
			s.roll(col, -1, tMapStart, s.mark())
		}
		s.keyAllowed = !s.flow()
	}
	s.indicator(tValue)
}
