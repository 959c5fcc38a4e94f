package pyre

import (
	"fmt"
	"strings"
)

// SubFunc replaces the first count matches (0: all) by what f makes of them,
// and says how many there were.
func (r *Regexp) SubFunc(s string, count int, f func(*Match) string) (string, int) {
	var b strings.Builder
	pos, n := 0, 0
	for m := range r.All(s) {
		if count > 0 && n >= count {
			break
		}
		n++
		b.WriteString(s[pos:m.spans[0]])
		b.WriteString(f(m))
		pos = m.spans[1]
	}
	if n == 0 {
		return s, 0
	}
	b.WriteString(s[pos:])
	return b.String(), n
}

// Sub is Python's re.subn with a template: \1, \g<1>, \g<name>, \n and the
// like. The error is an *Error.
func (r *Regexp) Sub(template, s string, count int) (string, int, error) {
	parts, err := r.Template(template)
	if err != nil {
		return s, 0, err
	}
	out, n := r.SubFunc(s, count, func(m *Match) string { return parts.expand(m) })
	return out, n, nil
}

// Expand is Python's Match.expand.
func (m *Match) Expand(template string) (string, error) {
	parts, err := m.re.Template(template)
	if err != nil {
		return "", err
	}
	return parts.expand(m), nil
}

// A Template is a parsed replacement text.
type Template []part

// A part is literal text, or a group (above 0, or 0 with whole set).
type part struct {
	text  string
	group int // -1: text
}

func (t Template) expand(m *Match) string {
	if len(t) == 1 && t[0].group < 0 {
		return t[0].text
	}
	var b strings.Builder
	for _, p := range t {
		if p.group < 0 {
			b.WriteString(p.text)
			continue
		}
		g, _ := m.Group(p.group)
		b.WriteString(g)
	}
	return b.String()
}

// Template parses a replacement text.
func (r *Regexp) Template(text string) (Template, error) {
	if !strings.Contains(text, `\`) {
		return Template{{text, -1}}, nil
	}
	t := &templateParser{re: r, src: text, s: []rune(text)}
	if r.bytes {
		t.s = t.s[:0]
		for i := range len(text) {
			t.s = append(t.s, rune(text[i]))
		}
	}
	if err := t.parse(); err != nil {
		return nil, err
	}
	t.flush()
	return t.out, nil
}

type templateParser struct {
	re  *Regexp
	src string
	s   []rune
	i   int
	lit []byte
	out Template
}

func (t *templateParser) flush() {
	if len(t.lit) > 0 {
		t.out = append(t.out, part{string(t.lit), -1})
		t.lit = nil
	}
}

func (t *templateParser) char(c rune) {
	if t.re.bytes {
		t.lit = append(t.lit, byte(c))
		return
	}
	t.lit = append(t.lit, string(c)...)
}

func (t *templateParser) group(n int) {
	t.flush()
	t.out = append(t.out, part{"", n})
}

func (t *templateParser) fail(pos int, format string, a ...any) error {
	return &Error{fmt.Sprintf(format, a...), t.src, pos}
}

func (t *templateParser) parse() error {
	for t.i < len(t.s) {
		c := t.s[t.i]
		if c != '\\' {
			t.char(c)
			t.i++
			continue
		}
		if t.i+1 >= len(t.s) {
			return t.fail(t.i, "bad escape (end of pattern)")
		}
		if err := t.escape(); err != nil {
			return err
		}
	}
	return nil
}

func (t *templateParser) escape() error {
	start := t.i
	c := t.s[t.i+1]
	t.i += 2
	switch {
	case c == 'g':
		return t.named(start)
	case c == '0':
		n := 0
		for k := 0; k < 2 && t.i < len(t.s) && isOctal(t.s[t.i]); k++ {
			n = n*8 + int(t.s[t.i]-'0')
			t.i++
		}
		t.char(rune(n & 0xff))
		return nil
	case isDigit(c):
		return t.number(start, c)
	}
	if k := strings.IndexRune("abfnrtv\\", c); k >= 0 {
		t.char(rune("\a\b\f\n\r\t\v\\"[k]))
		return nil
	}
	if isLetter(c) {
		return t.fail(start, `bad escape \%c`, c)
	}
	t.char('\\')
	t.char(c)
	return nil
}

func (t *templateParser) number(start int, c rune) error {
	n := int(c - '0')
	if t.i < len(t.s) && isDigit(t.s[t.i]) {
		d := t.s[t.i]
		if isOctal(c) && isOctal(d) && t.i+1 < len(t.s) && isOctal(t.s[t.i+1]) {
			v := n*64 + int(d-'0')*8 + int(t.s[t.i+1]-'0')
			if v > 0o377 {
				return t.fail(start, `octal escape value %s outside of range 0-0o377`, string(t.s[start:t.i+2]))
			}
			t.i += 2
			t.char(rune(v))
			return nil
		}
		n = n*10 + int(d-'0')
		t.i++
	}
	return t.reference(n, start+1)
}

func (t *templateParser) reference(n, pos int) error {
	if n > t.re.groups {
		return t.fail(pos, "invalid group reference %d", n)
	}
	t.group(n)
	return nil
}

func (t *templateParser) named(start int) error {
	if t.i >= len(t.s) || t.s[t.i] != '<' {
		return t.fail(t.i, "missing <")
	}
	t.i++
	begin := t.i
	for t.i < len(t.s) && t.s[t.i] != '>' {
		t.i++
	}
	name := string(t.s[begin:t.i])
	switch {
	case name == "" && t.i >= len(t.s):
		return t.fail(begin, "missing group name")
	case t.i >= len(t.s):
		return t.fail(begin, "missing >, unterminated name")
	case name == "":
		return t.fail(begin, "missing group name")
	}
	t.i++
	if n, ok := number(name); ok {
		return t.reference(n, begin)
	}
	if !isName(name) {
		return t.fail(begin, "bad character in group name '%s'", name)
	}
	n, ok := t.re.names[name]
	if !ok {
		return t.fail(-1, "unknown group name '%s'", name)
	}
	t.group(n)
	return nil
}
