package jinja

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"pinch/value"
)

// code reads the tokens inside a tag of the given kind up to its end.
func (l *lexer) code(kind byte) bool {
	l.braces = l.braces[:0]
	for {
		if end, ok := l.codeEnd(kind); ok {
			l.i, l.bol = end, end > 0 && l.src[end-1] == '\n'
			return true
		}
		next := l.skipSpace(l.i)
		if next > l.i {
			l.i = next
			continue
		}
		if l.i >= len(l.src) {
			return false
		}
		if !l.codeToken() {
			return false
		}
	}
}

func (l *lexer) codeEnd(kind byte) (int, bool) {
	if len(l.braces) > 0 {
		return 0, false
	}
	switch kind {
	case 'v':
		s, end := l.src[l.i:], l.o.VariableEnd
		if strings.HasPrefix(s, "-"+end) {
			l.emit(tVariableEnd, l.i, "")
			return l.skipSpace(l.i + 1 + len(end)), true
		}
		if strings.HasPrefix(s, end) {
			l.emit(tVariableEnd, l.i, "")
			return l.i + len(end), true
		}
	case 's':
		next := l.skipSpace(l.i)
		if next == len(l.src) {
			l.emit(tBlockEnd, l.i, "")
			return next, true
		}
		if nl := strings.LastIndexByte(l.src[l.i:next], '\n'); nl >= 0 {
			l.emit(tBlockEnd, l.i, "")
			return l.i + nl + 1, true
		}
	default:
		if end, ok := l.blockEnd(l.i, l.o.BlockEnd); ok {
			l.emit(tBlockEnd, l.i, "")
			return end, true
		}
	}
	return 0, false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') ||
		r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '·')
}

func (l *lexer) codeToken() bool {
	c := l.src[l.i]
	switch {
	case isDigit(c):
		return l.number()
	case c == '\'' || c == '"':
		return l.str(c)
	}
	if r, _ := utf8.DecodeRuneInString(l.src[l.i:]); isWord(r) {
		return l.name()
	}
	return l.operator()
}

func (l *lexer) name() bool {
	start := l.i
	for l.i < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.i:])
		if !isWord(r) {
			break
		}
		l.i += n
	}
	text := l.src[start:l.i]
	if r, _ := utf8.DecodeRuneInString(text); r != '_' && !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) {
		return l.fail(start, "Invalid character in identifier")
	}
	l.emit(tName, start, text)
	return true
}

func (l *lexer) operator() bool {
	c := l.src[l.i]
	var next byte
	if l.i+1 < len(l.src) {
		next = l.src[l.i+1]
	}
	k, n := tError, 1
	double := func(one, two kind, second byte) {
		if k = one; next == second {
			k, n = two, 2
		}
	}
	switch c {
	case '+':
		k = tAdd
	case '-':
		k = tSub
	case '/':
		double(tDiv, tFloorDiv, '/')
	case '*':
		double(tMul, tPow, '*')
	case '%':
		k = tMod
	case '~':
		k = tTilde
	case '[':
		k = tLBracket
		l.braces = append(l.braces, ']')
	case '(':
		k = tLParen
		l.braces = append(l.braces, ')')
	case '{':
		k = tLBrace
		l.braces = append(l.braces, '}')
	case ']', ')', '}':
		if len(l.braces) == 0 {
			return l.fail(l.i, "unexpected '%c'", c)
		}
		want := l.braces[len(l.braces)-1]
		l.braces = l.braces[:len(l.braces)-1]
		if want != c {
			return l.fail(l.i, "unexpected '%c', expected '%c'", c, want)
		}
		k = map[byte]kind{']': tRBracket, ')': tRParen, '}': tRBrace}[c]
	case '=':
		double(tAssign, tEq, '=')
	case '!':
		double(tError, tNe, '=')
	case '>':
		double(tGt, tGtEq, '=')
	case '<':
		double(tLt, tLtEq, '=')
	case '.':
		k = tDot
	case ':':
		k = tColon
	case '|':
		k = tPipe
	case ',':
		k = tComma
	case ';':
		k = tSemicolon
	}
	if k == tError {
		r, _ := utf8.DecodeRuneInString(l.src[l.i:])
		return l.fail(l.i, "unexpected char %s at %d", value.Quote(string(r)), utf8.RuneCountInString(l.src[:l.i]))
	}
	l.emit(k, l.i, "")
	l.i += n
	return true
}

// digits returns the end of a run of digits with single underscores between.
func (l *lexer) digits(i int, ok func(byte) bool) int {
	for i < len(l.src) {
		switch {
		case ok(l.src[i]):
			i++
		case l.src[i] == '_' && i+1 < len(l.src) && ok(l.src[i+1]):
			i += 2
		default:
			return i
		}
	}
	return i
}

func (l *lexer) number() bool {
	start := l.i
	if end := l.float(start); end > 0 {
		f, _ := strconv.ParseFloat(strings.ReplaceAll(l.src[start:end], "_", ""), 64)
		l.tokens = append(l.tokens, token{kind: tFloat, off: int32(start), val: f})
		l.i = end
		return true
	}
	base, end := 10, 0
	if l.src[start] == '0' {
		var ok func(byte) bool
		if start+1 < len(l.src) {
			switch l.src[start+1] | 0x20 {
			case 'b':
				base, ok = 2, func(c byte) bool { return c == '0' || c == '1' }
			case 'o':
				base, ok = 8, func(c byte) bool { return c >= '0' && c <= '7' }
			case 'x':
				base, ok = 16, func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
			}
		}
		if ok != nil {
			if end = l.digits(start+2, ok); end == start+2 {
				end = 0
			}
		}
		if end == 0 {
			base, end = 10, l.digits(start, func(c byte) bool { return c == '0' })
		}
	} else {
		end = l.digits(start, isDigit)
	}
	text := strings.ReplaceAll(l.src[start:end], "_", "")
	if base != 10 {
		text = text[2:]
	}
	var v any
	if i, err := strconv.ParseInt(text, base, 64); err == nil {
		v = i
	} else if len(text) > 4300 && base == 10 {
		return l.fail(start, "Exceeds the limit (4300 digits) for integer string conversion")
	} else {
		i, _ := new(big.Int).SetString(text, base)
		v = value.Int(i)
	}
	l.tokens = append(l.tokens, token{kind: tInteger, off: int32(start), val: v})
	l.i = end
	return true
}

// float returns the end of a float that begins at start, or 0.
func (l *lexer) float(start int) int {
	if start > 0 && l.src[start-1] == '.' {
		return 0
	}
	end := l.digits(start, isDigit)
	found := false
	if end+1 < len(l.src) && l.src[end] == '.' && isDigit(l.src[end+1]) {
		end, found = l.digits(end+1, isDigit), true
	}
	if end < len(l.src) && l.src[end]|0x20 == 'e' {
		i := end + 1
		if i < len(l.src) && (l.src[i] == '+' || l.src[i] == '-') {
			i++
		}
		if i < len(l.src) && isDigit(l.src[i]) {
			end, found = l.digits(i, isDigit), true
		}
	}
	if !found {
		return 0
	}
	return end
}

func (l *lexer) str(quote byte) bool {
	start := l.i
	escaped := false
	for i := start + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			escaped = true
			i++
		case quote:
			text := l.src[start+1 : i]
			if l.o.NewlineSequence != "\n" {
				text = strings.ReplaceAll(text, "\n", l.o.NewlineSequence)
			}
			if escaped {
				var msg string
				if text, msg = unescape(text); msg != "" {
					return l.fail(start, "%s", msg)
				}
			}
			l.emit(tString, start, text)
			l.i = i + 1
			return true
		}
	}
	return l.fail(start, "unexpected char %s at %d", value.Quote(string(quote)), utf8.RuneCountInString(l.src[:start]))
}

var simpleEscapes = map[byte]string{
	'\n': "", '\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// unescape replaces Python's escape sequences; msg is what is wrong with one.
func unescape(s string) (text, msg string) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			if i >= 0 {
				return "", "\\ at end of string"
			}
			b.WriteString(s)
			return b.String(), ""
		}
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		if e, ok := simpleEscapes[c]; ok {
			b.WriteString(e)
			continue
		}
		width, what := 0, ""
		switch {
		case c >= '0' && c <= '7':
			n := rune(c - '0')
			for k := 0; k < 2 && s != "" && s[0] >= '0' && s[0] <= '7'; k++ {
				n = n*8 + rune(s[0]-'0')
				s = s[1:]
			}
			b.WriteRune(n)
			continue
		case c == 'x':
			width, what = 2, "truncated \\xXX escape"
		case c == 'u':
			width, what = 4, "truncated \\uXXXX escape"
		case c == 'U':
			width, what = 8, "truncated \\UXXXXXXXX escape"
		case c == 'N':
			return "", "unknown Unicode character name"
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		r, ok := hexRune(s, width)
		if !ok {
			return "", what
		}
		s = s[width:]
		if r > unicode.MaxRune {
			return "", "illegal Unicode character"
		}
		if utf16.IsSurrogate(r) && strings.HasPrefix(s, "\\u") {
			if low, ok := hexRune(s[2:], 4); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
				r, s = utf16.DecodeRune(r, low), s[6:]
			}
		}
		b.WriteRune(r)
	}
}

func hexRune(s string, width int) (rune, bool) {
	if len(s) < width {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:width], 16, 32)
	return rune(min(n, unicode.MaxRune+1)), err == nil
}
