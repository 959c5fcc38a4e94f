package yaml

import "unicode/utf8"

type tokenType uint8

const (
	tStreamEnd tokenType = iota
	tVersion
	tTagDirective
	tDocStart
	tDocEnd
	tSeqStart
	tMapStart
	tBlockEnd
	tFlowSeqStart
	tFlowSeqEnd
	tFlowMapStart
	tFlowMapEnd
	tBlockEntry
	tFlowEntry
	tKey
	tValue
	tAlias
	tAnchor
	tTag
	tScalar
)

// A token is one word of the YAML grammar. Tokens live by value in a queue
// that is used again and again, and hold no pointers.
type token struct {
	typ   tokenType
	plain bool // of a scalar: without quotes, not a block
	own   bool // of a scalar: its text is scanner.texts[from], not a part of the document
	// Where the text of a scalar or the name of an anchor stands. Of a tag, a
	// version and a %TAG: the places of its two parts in scanner.texts.
	from, to   int32
	start, end mark
}

// A simpleKey is the place where a key without "?" may have begun.
type simpleKey struct {
	possible, required bool
	number             int // of the token
	col                int
	line               int32
	mark               mark
}

// maxKey is the number of characters that a key without "?" may have.
const maxKey = 1024

// maxDepth is libyaml's limit of nested collections.
const maxDepth = 1000

// A scanner cuts the text into tokens as libyaml does: the rules of simple
// keys, indentation and the order of complaints are its own.
type scanner struct {
	name string
	text string
	pos  int
	line int32
	bol  int // where the line begins, in bytes

	// Columns count characters; with ASCII alone they are bytes.
	wide    bool
	idxPos  int // bytes counted so far …
	idx     int // … as characters
	bolIdx  int
	started bool
	over    int // 1 at the end of a text without a last line break
	lines   []int32

	queue      []token
	head       int
	taken      int  // tokens given out so far
	ready      bool // the head of the queue is settled
	keyAllowed bool
	keys       []simpleKey // one for each flow level, and one below
	indent     int
	indents    []int
	buf        []byte
	breaks     []byte
	texts      []string // what is not a part of the text
}

func (s *scanner) at(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

func (s *scanner) index() int {
	if !s.wide {
		return s.pos
	}
	s.idx += utf8.RuneCountInString(s.text[s.idxPos:s.pos])
	s.idxPos = s.pos
	return s.idx
}

func (s *scanner) col() int {
	if !s.wide {
		return s.pos - s.bol
	}
	return s.index() - s.bolIdx
}

func (s *scanner) mark() mark { return mark(s.pos + s.over) }

func (s *scanner) flow() bool { return len(s.keys) > 1 }

// brk is the length of the line break n bytes ahead, 0 when there is none.
func (s *scanner) brk(n int) int {
	i := s.pos + n
	if i >= len(s.text) {
		return 0
	}
	switch s.text[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(s.text) && s.text[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if i+1 < len(s.text) && s.text[i+1] == 0x85 {
			return 2
		}
	case 0xe2:
		if i+2 < len(s.text) && s.text[i+1] == 0x80 && s.text[i+2]&^1 == 0xa8 {
			return 3
		}
	}
	return 0
}

// blankz reports a space, a tab, a line break or the end n bytes ahead.
func (s *scanner) blankz(n int) bool {
	i := s.pos + n
	if i >= len(s.text) {
		return true
	}
	c := s.text[i]
	return c == ' ' || c == '\t' || s.brk(n) > 0
}

func (s *scanner) breakz() bool { return s.pos >= len(s.text) || s.brk(0) > 0 }

func (s *scanner) blank() bool { c := s.at(0); return c == ' ' || c == '\t' }

// newline steps over a line break of n bytes.
func (s *scanner) newline(n int) {
	s.pos += n
	s.line++
	s.bol = s.pos
	if s.wide {
		s.bolIdx = s.index()
	}
}

// readBreak steps over a line break and appends what it stands for.
func (s *scanner) readBreak(b []byte) []byte {
	n := s.brk(0)
	if n == 0 {
		return b
	}
	if n == 3 {
		b = append(b, s.text[s.pos:s.pos+3]...)
	} else {
		b = append(b, '\n')
	}
	s.newline(n)
	return b
}

// peek is the next token; it stays valid until take.
func (s *scanner) peek() *token {
	if !s.ready {
		if s.head == len(s.queue) || s.waiting() {
			s.fetchMore()
		}
		s.ready = true
	}
	return &s.queue[s.head]
}

// waiting reports that the head of the queue may still turn out to be a key.
func (s *scanner) waiting() bool {
	s.stale()
	for i := range s.keys {
		if s.keys[i].possible && s.keys[i].number == s.taken {
			return true
		}
	}
	return false
}

func (s *scanner) fetchMore() {
	if s.head == len(s.queue) || s.head > 1024 {
		s.queue, s.head = s.queue[:copy(s.queue, s.queue[s.head:])], 0
	}
	for {
		s.fetch()
		if s.head < len(s.queue) && !s.waiting() {
			return
		}
	}
}

// take drops the token that peek gave.
func (s *scanner) take() {
	s.head++
	s.taken++
	s.ready = false
}

func (s *scanner) push(typ tokenType, start, end mark) {
	s.queue = append(s.queue, token{typ: typ, start: start, end: end})
}

// keep stores a text that is not a part of the document.
func (s *scanner) keep(text string) int32 {
	s.texts = append(s.texts, text)
	return int32(len(s.texts) - 1)
}

// insert puts a token before the one with the given number.
func (s *scanner) insert(number int, t token) {
	i := s.head + number - s.taken
	s.queue = append(s.queue, t)
	copy(s.queue[i+1:], s.queue[i:])
	s.queue[i] = t
}

// stale drops keys that a line break or 1024 characters have ended.
func (s *scanner) stale() {
	for i := range s.keys {
		k := &s.keys[i]
		if k.possible && (k.line < s.line || s.pos-int(k.mark) > maxKey && utf8.RuneCountInString(s.text[k.mark:s.pos]) > maxKey) {
			if k.required {
				s.scanError("while scanning a simple key", k.mark, "could not find expected ':'")
			}
			k.possible = false
		}
	}
}

func (s *scanner) saveKey() {
	if !s.keyAllowed {
		return
	}
	col := s.col()
	k := simpleKey{true, !s.flow() && s.indent == col, s.taken + len(s.queue) - s.head, col, s.line, s.mark()}
	s.removeKey()
	s.keys[len(s.keys)-1] = k
}

func (s *scanner) removeKey() {
	k := &s.keys[len(s.keys)-1]
	if k.possible && k.required {
		s.scanError("while scanning a simple key", k.mark, "could not find expected ':'")
	}
	k.possible = false
}

// roll opens a block collection when the column lies deeper than the current.
// A number of -1 puts its token last.
func (s *scanner) roll(col, number int, typ tokenType, m mark) {
	if s.flow() || s.indent >= col {
		return
	}
	s.indents = append(s.indents, s.indent)
	if len(s.indents) >= maxDepth {
		s.scanError("while increasing block level", s.mark(), "exceeded maximum nesting depth")
	}
	s.indent = col
	if number < 0 {
		s.push(typ, m, m)
	} else {
		s.insert(number, token{typ: typ, start: m, end: m})
	}
}

// unroll closes the block collections that lie deeper than the column.
func (s *scanner) unroll(col int) {
	if s.flow() {
		return
	}
	for s.indent > col {
		m := s.mark()
		s.push(tBlockEnd, m, m)
		s.indent = s.indents[len(s.indents)-1]
		s.indents = s.indents[:len(s.indents)-1]
	}
}
