package jmespath

import (
	"strconv"
	"strings"

	"pinch/value"
)

// A token has the names of Python's implementation, as its errors show them.
type token struct {
	kind  string
	val   any
	start int // in code points
}

var simple = map[rune]string{
	'.': "dot", '*': "star", ']': "rbracket", ',': "comma", ':': "colon", '@': "current", '(': "lparen", ')': "rparen", '{': "lbrace", '}': "rbrace",
}

type lexer struct {
	expr string
	s    []rune
	i    int
	out  []token
}

func lex(expr string) ([]token, error) {
	if expr == "" {
		return nil, value.Errorf("EmptyExpressionError", "Invalid JMESPath expression: cannot be empty.")
	}
	l := &lexer{expr: expr, s: []rune(expr)}
	for l.i < len(l.s) {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return append(l.out, token{"eof", "", len(l.s)}), nil
}

func (l *lexer) add(kind string, val any, start int) { l.out = append(l.out, token{kind, val, start}) }

// accept takes c if it comes next.
func (l *lexer) accept(c rune) bool {
	if l.i < len(l.s) && l.s[l.i] == c {
		l.i++
		return true
	}
	return false
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c rune) bool  { return c >= '0' && c <= '9' }

func (l *lexer) span(ok func(rune) bool) string {
	start := l.i
	for l.i < len(l.s) && ok(l.s[l.i]) {
		l.i++
	}
	return string(l.s[start:l.i])
}

func (l *lexer) next() error {
	start, c := l.i, l.s[l.i]
	if kind := simple[c]; kind != "" {
		l.i++
		l.add(kind, string(c), start)
		return nil
	}
	switch {
	case isLetter(c):
		l.add("unquoted_identifier", l.span(func(r rune) bool { return isLetter(r) || isDigit(r) }), start)
		return nil
	case strings.ContainsRune(" \t\n\r", c):
		l.i++
		return nil
	case isDigit(c):
		return l.number("", start)
	}
	l.i++
	either := func(second rune, both, one string) {
		if l.accept(second) {
			l.add(both, string(c)+string(second), start)
		} else {
			l.add(one, string(c), start)
		}
	}
	switch c {
	case '[':
		switch {
		case l.accept(']'):
			l.add("flatten", "[]", start)
		case l.accept('?'):
			l.add("filter", "[?", start)
		default:
			l.add("lbracket", "[", start)
		}
	case '|':
		either('|', "or", "pipe")
	case '&':
		either('&', "and", "expref")
	case '<':
		either('=', "lte", "lt")
	case '>':
		either('=', "gte", "gt")
	case '!':
		either('=', "ne", "not")
	case '=':
		if !l.accept('=') {
			return lexError(l.expr, start, "Unknown token '='")
		}
		l.add("eq", "==", start)
	case '-':
		if l.i < len(l.s) && isDigit(l.s[l.i]) {
			return l.number("-", start)
		}
		return lexError(l.expr, start, "Unknown token '-'")
	case '\'', '"', '`':
		return l.quoted(c, start)
	default:
		return lexError(l.expr, start, "Unknown token %c", c)
	}
	return nil
}

func (l *lexer) number(sign string, start int) error {
	n, err := strconv.ParseInt(sign+l.span(isDigit), 10, 64)
	if err != nil {
		return lexError(l.expr, start, "Number out of range")
	}
	l.add("number", n, start)
	return nil
}

// quoted reads a raw string, a quoted name or a JSON literal.
func (l *lexer) quoted(q rune, start int) error {
	begin := l.i
	for ; l.i < len(l.s) && l.s[l.i] != q; l.i++ {
		if l.s[l.i] == '\\' {
			l.i++
		}
	}
	if l.i >= len(l.s) {
		return lexError(l.expr, start, "Unclosed %c delimiter", q)
	}
	text := string(l.s[begin:l.i])
	l.i++
	switch q {
	case '\'':
		l.add("literal", strings.ReplaceAll(text, `\'`, `'`), start)
	case '"':
		v, err := value.ParseJSON(`"` + text + `"`)
		if err != nil {
			msg, _, _ := strings.Cut(err.Error(), ":")
			return lexError(l.expr, start, "%s", msg)
		}
		l.add("quoted_identifier", v, start)
	default:
		text = strings.ReplaceAll(text, "\\`", "`")
		v, err := value.ParseJSON(text)
		if err != nil {
			if v, err = value.ParseJSON(`"` + strings.TrimLeft(text, " \t\n\r") + `"`); err != nil {
				return lexError(l.expr, start, "Bad token %s", text)
			}
		}
		l.add("literal", v, start)
	}
	return nil
}
