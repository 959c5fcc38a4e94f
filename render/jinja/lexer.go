package jinja

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A delimiter begins something in template data.
type delimiter struct {
	kind byte // 'b'lock, 'v'ariable, 'c'omment, line 's'tatement, line comment '#'
	text string
	rank int // among equally long ones the higher is tried first
}

// A lexer cuts a template into tokens.
type lexer struct {
	o      Options
	src    string
	i      int
	tokens []token
	delims []delimiter
	first  [256]bool // bytes that a delimiter begins with
	line   bool      // there are line prefixes
	braces []byte    // closing brackets that are awaited
	bol    bool      // the last token ended with a newline (or there was none)
}

func (o Options) orDefault() Options {
	o.BlockStart, o.BlockEnd = cmp.Or(o.BlockStart, "{%"), cmp.Or(o.BlockEnd, "%}")
	o.VariableStart, o.VariableEnd = cmp.Or(o.VariableStart, "{{"), cmp.Or(o.VariableEnd, "}}")
	o.CommentStart, o.CommentEnd = cmp.Or(o.CommentStart, "{#"), cmp.Or(o.CommentEnd, "#}")
	o.NewlineSequence = cmp.Or(o.NewlineSequence, "\n")
	return o
}

// normalize makes every line end a "\n" and drops the last one unless it is kept.
func normalize(s string, keep bool) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if !keep {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// lex cuts src, which is normalized. A mistake is a last token of its own, so
// that the parser's earlier ones are reported first.
func lex(src string, o Options) []token {
	l := &lexer{o: o, src: src, bol: true, tokens: make([]token, 0, len(src)/6+8)}
	l.delims = []delimiter{{'v', o.VariableStart, 5}, {'c', o.CommentStart, 2}, {'b', o.BlockStart, 1}}
	if o.LineStatementPrefix != "" {
		l.delims, l.line = append(l.delims, delimiter{'s', o.LineStatementPrefix, 4}), true
	}
	if o.LineCommentPrefix != "" {
		l.delims, l.line = append(l.delims, delimiter{'#', o.LineCommentPrefix, 3}), true
	}
	slices.SortFunc(l.delims, func(a, b delimiter) int {
		return cmp.Or(len(b.text)-len(a.text), b.rank-a.rank)
	})
	for _, d := range l.delims {
		l.first[d.text[0]] = true
	}
	for l.data() {
	}
	return append(l.tokens, token{kind: tEOF, off: l.lastOff()})
}

func (l *lexer) lastOff() int32 {
	if n := len(l.tokens); n > 0 {
		return l.tokens[n-1].off
	}
	return 0
}

func (l *lexer) emit(k kind, off int, text string) {
	l.tokens = append(l.tokens, token{kind: k, off: int32(off), text: text})
}

// fail ends the tokens with an error.
func (l *lexer) fail(off int, format string, a ...any) bool {
	l.tokens = append(l.tokens, token{kind: tError, off: int32(off), err: syntaxError(format, a...)})
	return false
}

func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func trimRight(s string) string { return strings.TrimRightFunc(s, isSpace) }

// skipSpace returns the place of the next character that is no white space.
func (l *lexer) skipSpace(i int) int {
	return i + len(l.src[i:]) - len(strings.TrimLeftFunc(l.src[i:], isSpace))
}

// find looks for the next delimiter from i on: where the white space before it
// that belongs to it begins, and where the delimiter itself ends.
func (l *lexer) find(i int) (start, end int, d delimiter, ok bool) {
	for j := i; j <= len(l.src); j++ {
		if l.line {
			for _, d := range l.delims {
				if end := l.linePrefix(j, d); end > 0 {
					return j, end, d, true
				}
				if d.kind != 's' && d.kind != '#' && strings.HasPrefix(l.src[j:], d.text) {
					return j, j + len(d.text), d, true
				}
			}
			continue
		}
		for j < len(l.src) && !l.first[l.src[j]] {
			j++
		}
		for _, d := range l.delims {
			if strings.HasPrefix(l.src[j:], d.text) {
				return j, j + len(d.text), d, true
			}
		}
	}
	return 0, 0, d, false
}

// linePrefix matches a line statement or comment at j and returns its end, or 0.
func (l *lexer) linePrefix(j int, d delimiter) int {
	atStart := j == 0 || l.src[j-1] == '\n'
	blank := " \t\v"
	switch d.kind {
	case 's':
		if !atStart {
			return 0
		}
	case '#':
		if !atStart {
			if r, _ := utf8.DecodeLastRuneInString(l.src[:j]); isSpace(r) {
				return 0
			}
		}
		blank = " \t\v\f"
	default:
		return 0
	}
	rest := strings.TrimLeft(l.src[j:], blank)
	if !strings.HasPrefix(rest, d.text) {
		return 0
	}
	return len(l.src) - len(rest) + len(d.text)
}

// sign reads the white space control after a delimiter.
func (l *lexer) sign(i int) (byte, int) {
	if i < len(l.src) && (l.src[i] == '-' || l.src[i] == '+') {
		return l.src[i], i + 1
	}
	return 0, i
}

// text emits template data before a tag with the given control sign.
func (l *lexer) text(from, to int, sign byte, variable bool) {
	s := l.src[from:to]
	switch {
	case sign == '-':
		s = trimRight(s)
	case sign != '+' && l.o.LstripBlocks && !variable:
		if nl := strings.LastIndexByte(s, '\n') + 1; (nl > 0 || l.bol) && trimRight(s[nl:]) == "" {
			s = s[:nl]
		}
	}
	if s != "" {
		l.emitData(from, s)
	}
}

func (l *lexer) emitData(off int, s string) {
	if l.o.NewlineSequence != "\n" {
		s = strings.ReplaceAll(s, "\n", l.o.NewlineSequence)
	}
	l.emit(tData, off, s)
}

// data reads template data and the tag after it; false at the end.
func (l *lexer) data() bool {
	start, end, d, ok := l.find(l.i)
	if !ok {
		if l.i < len(l.src) {
			l.emitData(l.i, l.src[l.i:])
		}
		return false
	}
	sign, after := l.sign(end)
	if d.kind == 'b' {
		if body, ok := l.rawBegin(after); ok {
			l.text(l.i, start, sign, false)
			l.bol = l.src[body-1] == '\n'
			return l.raw(start, body)
		}
	}
	l.text(l.i, start, sign, d.kind == 'v')
	l.i, l.bol = after, false
	switch d.kind {
	case 'c':
		return l.comment(start)
	case '#':
		if n := strings.IndexByte(l.src[after:], '\n'); n >= 0 {
			l.i = after + n
		} else {
			l.i = len(l.src)
		}
		return true
	case 'v':
		l.emit(tVariableBegin, start, "")
	default:
		l.emit(tBlockBegin, end-len(d.text), "")
	}
	return l.code(d.kind)
}

// rawBegin matches "raw %}" after a block start and returns where the raw text begins.
func (l *lexer) rawBegin(i int) (int, bool) {
	i = l.skipSpace(i)
	if !strings.HasPrefix(l.src[i:], "raw") {
		return 0, false
	}
	i = l.skipSpace(i + len("raw"))
	if strings.HasPrefix(l.src[i:], "-"+l.o.BlockEnd) {
		return l.skipSpace(i + 1 + len(l.o.BlockEnd)), true
	}
	if strings.HasPrefix(l.src[i:], l.o.BlockEnd) {
		return i + len(l.o.BlockEnd), true
	}
	return 0, false
}

func (l *lexer) raw(tag, body int) bool {
	if body == len(l.src) { // as Jinja, which looks no further
		return false
	}
	for j := body; ; {
		n := strings.Index(l.src[j:], l.o.BlockStart)
		if n < 0 {
			return l.fail(tag, "Missing end of raw directive")
		}
		j += n
		sign, i := l.sign(j + len(l.o.BlockStart))
		i = l.skipSpace(i)
		if strings.HasPrefix(l.src[i:], "endraw") {
			if end, ok := l.blockEnd(l.skipSpace(i+len("endraw")), l.o.BlockEnd); ok {
				l.text(body, j, sign, false)
				l.i, l.bol = end, l.src[end-1] == '\n'
				return true
			}
		}
		j++
	}
}

// blockEnd matches the end of a block or comment with its control sign and
// returns where the text goes on.
func (l *lexer) blockEnd(i int, end string) (int, bool) {
	s := l.src[i:]
	switch {
	case strings.HasPrefix(s, "+"+end):
		return i + 1 + len(end), true
	case strings.HasPrefix(s, "-"+end):
		return l.skipSpace(i + 1 + len(end)), true
	case strings.HasPrefix(s, end):
		i += len(end)
		if l.o.TrimBlocks && i < len(l.src) && l.src[i] == '\n' {
			i++
		}
		return i, true
	}
	return 0, false
}

func (l *lexer) comment(tag int) bool {
	n := strings.Index(l.src[l.i:], l.o.CommentEnd)
	if n < 0 {
		if l.i == len(l.src) { // as Jinja, which looks no further
			return false
		}
		return l.fail(tag, "Missing end of comment tag")
	}
	j := l.i + n
	if j > l.i && (l.src[j-1] == '-' || l.src[j-1] == '+') {
		j--
	}
	l.i, _ = l.blockEnd(j, l.o.CommentEnd)
	l.bol = l.src[l.i-1] == '\n'
	return true
}
