package value

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSONError is Python's JSONDecodeError.
type JSONError struct {
	Msg       string // "Expecting value"
	Line, Col int    // from 1
	Char      int    // code points from the start
}

func (e *JSONError) Error() string {
	return fmt.Sprintf("%s: line %d column %d (char %d)", e.Msg, e.Line, e.Col, e.Char)
}

// ParseJSON is Python's json.loads: objects keep their order (a later
// duplicate key wins), and NaN and Infinity are read. It fails with a *JSONError.
func ParseJSON(s string) (v any, err error) {
	r := &jsonReader{s: s}
	return r.whole(r.space, r.value)
}

type jsonReader struct {
	s string
	i int
}

// whole reads a text that is one value and no more.
func (r *jsonReader) whole(space func(), one func(depth int) any) (v any, err error) {
	defer func() {
		if e := recover(); e != nil {
			je, ok := e.(*JSONError)
			if !ok {
				panic(e)
			}
			v, err = nil, je
		}
	}()
	space()
	v = one(0)
	space()
	if r.i < len(r.s) {
		r.fail("Extra data", r.i)
	}
	return v, nil
}

func (r *jsonReader) fail(msg string, at int) {
	at = min(at, len(r.s))
	before := r.s[:at]
	line := 1 + strings.Count(before, "\n")
	start := strings.LastIndexByte(before, '\n') + 1
	panic(&JSONError{msg, line, utf8.RuneCountInString(before[start:]) + 1, utf8.RuneCountInString(before)})
}

func (r *jsonReader) space() {
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ' ', '\t', '\n', '\r':
			r.i++
		default:
			return
		}
	}
}

func (r *jsonReader) peek() byte {
	if r.i < len(r.s) {
		return r.s[r.i]
	}
	return 0
}

func (r *jsonReader) value(depth int) any {
	if depth > 990 {
		r.fail("Nesting too deep", r.i)
	}
	switch c := r.peek(); {
	case c == '"':
		r.i++
		return r.string()
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	for _, w := range []struct {
		text string
		v    any
	}{{"null", nil}, {"true", true}, {"false", false}, {"NaN", math.NaN()}, {"Infinity", math.Inf(1)}} {
		if strings.HasPrefix(r.s[r.i:], w.text) {
			r.i += len(w.text)
			return w.v
		}
	}
	r.fail("Expecting value", r.i)
	return nil
}

func (r *jsonReader) object(depth int) any {
	m := new(Map)
	r.i++
	r.space()
	if r.peek() == '}' {
		r.i++
		return m
	}
	for {
		if r.peek() != '"' {
			r.fail("Expecting property name enclosed in double quotes", r.i)
		}
		r.i++
		k := r.string()
		r.space()
		if r.peek() != ':' {
			r.fail("Expecting ':' delimiter", r.i)
		}
		r.i++
		r.space()
		m.Set(k, r.value(depth+1))
		r.space()
		switch r.peek() {
		case '}':
			r.i++
			return m
		case ',':
			r.i++
			r.space()
		default:
			r.fail("Expecting ',' delimiter", r.i)
		}
	}
}

func (r *jsonReader) array(depth int) any {
	l := new(List)
	r.i++
	r.space()
	if r.peek() == ']' {
		r.i++
		return l
	}
	for {
		l.Append(r.value(depth + 1))
		r.space()
		switch r.peek() {
		case ']':
			r.i++
			return l
		case ',':
			r.i++
			r.space()
		default:
			r.fail("Expecting ',' delimiter", r.i)
		}
	}
}

func (r *jsonReader) digits() int {
	start := r.i
	for r.i < len(r.s) && r.s[r.i] >= '0' && r.s[r.i] <= '9' {
		r.i++
	}
	return r.i - start
}

func (r *jsonReader) number() any {
	start := r.i
	if r.peek() == '-' {
		r.i++
		if strings.HasPrefix(r.s[r.i:], "Infinity") {
			r.i += len("Infinity")
			return math.Inf(-1)
		}
	}
	if r.peek() == '0' {
		r.i++
	} else if r.digits() == 0 {
		r.fail("Expecting value", start)
	}
	float := false
	if end := r.i; r.peek() == '.' {
		r.i++
		if float = r.digits() > 0; !float {
			r.i = end
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		end := r.i
		r.i++
		if c := r.peek(); c == '+' || c == '-' {
			r.i++
		}
		if r.digits() > 0 {
			float = true
		} else {
			r.i = end
		}
	}
	text := r.s[start:r.i]
	if float {
		f, _ := strconv.ParseFloat(text, 64)
		return f
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	i, _ := new(big.Int).SetString(text, 10)
	return i
}

// string reads up to the closing quote; the opening one is behind.
func (r *jsonReader) string() string {
	begin := r.i - 1
	start := r.i
	for i := r.i; i < len(r.s); i++ {
		switch c := r.s[i]; {
		case c == '"':
			r.i = i + 1
			return r.s[start:i]
		case c == '\\' || c < ' ':
			return r.escaped(begin)
		}
	}
	r.fail("Unterminated string starting at", begin)
	return ""
}

func (r *jsonReader) escaped(begin int) string {
	var b strings.Builder
	for r.i < len(r.s) {
		c := r.s[r.i]
		switch {
		case c == '"':
			r.i++
			return b.String()
		case c < ' ':
			r.fail("Invalid control character at", r.i)
		case c != '\\':
			b.WriteByte(c)
			r.i++
			continue
		}
		r.i++
		if r.i >= len(r.s) {
			break
		}
		c = r.s[r.i]
		if c == 'u' {
			b.WriteRune(r.unicode())
			continue
		}
		i := strings.IndexByte(`"\/bfnrt`, c)
		if i < 0 {
			r.fail("Invalid \\escape", r.i-1)
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		r.i++
	}
	r.fail("Unterminated string starting at", begin)
	return ""
}

func (r *jsonReader) hex4() rune {
	if r.i+5 <= len(r.s) {
		if n, err := strconv.ParseUint(r.s[r.i+1:r.i+5], 16, 32); err == nil {
			r.i += 5
			return rune(n)
		}
	}
	r.fail("Invalid \\uXXXX escape", r.i)
	return 0
}

func (r *jsonReader) unicode() rune {
	c := r.hex4()
	if utf16.IsSurrogate(c) && strings.HasPrefix(r.s[r.i:], `\u`) {
		mark := r.i
		r.i++
		if both := utf16.DecodeRune(c, r.hex4()); both != utf8.RuneError {
			return both
		}
		r.i = mark
	}
	return c
}
