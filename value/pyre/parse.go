package pyre

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// parser translates Python's syntax into the engine's, and finds Python's errors.
type parser struct {
	src    string
	s      []rune
	i      int
	out    []byte
	flags  Flags
	bytes  bool
	groups int
	open   map[int]bool
	names  map[string]int

	plain bool   // only literal characters so far
	text  []byte // what they spell
}

func newParser(pattern string, flags Flags, bytes bool) *parser {
	p := &parser{src: pattern, flags: flags, bytes: bytes, open: map[int]bool{}, plain: true}
	if !bytes {
		p.s = []rune(pattern)
		return p
	}
	p.flags |= ASCII
	for i := range len(pattern) {
		p.s = append(p.s, rune(pattern[i]))
	}
	return p
}

func (p *parser) fail(pos int, format string, a ...any) error {
	return &Error{fmt.Sprintf(format, a...), p.src, pos}
}

func (p *parser) emit(s string) { p.out = append(p.out, s...) }

func (p *parser) more() bool { return p.i < len(p.s) }

func (p *parser) peek() rune {
	if p.more() {
		return p.s[p.i]
	}
	return -1
}

func (p *parser) accept(c rune) bool {
	if p.peek() == c && p.more() {
		p.i++
		return true
	}
	return false
}

func (p *parser) parse() error {
	if err := p.globalFlags(); err != nil {
		return err
	}
	if err := p.sequence(p.flags); err != nil {
		return err
	}
	if p.more() {
		return p.fail(p.i, "unbalanced parenthesis")
	}
	return nil
}

// globalFlags reads (?im) at the very start.
func (p *parser) globalFlags() error {
	for {
		k := p.i + 2
		if k >= len(p.s) || p.s[p.i] != '(' || p.s[p.i+1] != '?' || !strings.ContainsRune("aiLmsux", p.s[k]) {
			return nil
		}
		var f Flags
		for ; k < len(p.s) && strings.ContainsRune("aiLmsux", p.s[k]); k++ {
			f |= flagLetter(p.s[k])
		}
		if k >= len(p.s) || p.s[k] != ')' {
			return nil // (?i:…)
		}
		p.flags |= f
		p.i = k + 1
	}
}

func flagLetter(c rune) Flags {
	return map[rune]Flags{'a': ASCII, 'i': IgnoreCase, 'L': Locale, 'm': Multiline, 's': DotAll, 'u': Unicode, 'x': Verbose}[c]
}

// item says what a repetition would apply to.
type item int

const (
	nothing item = iota
	anchor
	atom
	repeated
)

// sequence reads alternatives up to a closing parenthesis or the end.
func (p *parser) sequence(flags Flags) error {
	last, start := nothing, 0
	for p.more() && p.peek() != ')' {
		c := p.s[p.i]
		if flags&Verbose != 0 {
			if strings.ContainsRune(" \t\n\r\v\f", c) {
				p.i++
				continue
			}
			if c == '#' {
				for p.more() && p.s[p.i] != '\n' {
					p.i++
				}
				continue
			}
		}
		begin := len(p.out)
		if strings.ContainsRune("*+?{", c) {
			done, err := p.repeat(last, start)
			if err != nil {
				return err
			}
			if done {
				last = repeated
				continue
			}
		}
		var err error
		if last, err = p.one(c, flags); err != nil {
			return err
		}
		start = begin
	}
	return nil
}

// one reads one element that is no repetition.
func (p *parser) one(c rune, flags Flags) (item, error) {
	switch c {
	case '|', '^', '$', '.':
		p.plain = false
		p.i++
		p.emit(string(c))
		return map[rune]item{'|': nothing, '^': anchor, '$': anchor, '.': atom}[c], nil
	case '[':
		p.plain = false
		return atom, p.set(flags)
	case '(':
		p.plain = false
		return p.group(flags)
	case '\\':
		return p.escape(flags)
	}
	p.i++
	p.literal(c)
	return atom, nil
}

func (p *parser) literal(c rune) {
	if p.plain {
		if p.bytes {
			p.text = append(p.text, byte(c))
		} else {
			p.text = append(p.text, string(c)...)
		}
	}
	p.emit(quote(c))
}

// quote writes one character so that the engine takes it literally.
func quote(c rune) string {
	switch {
	case strings.ContainsRune(`\*+?|{}[]()^$.#-&~`, c):
		return `\` + string(c)
	case c < ' ' || c >= 0x7f && c <= 0xffff:
		return fmt.Sprintf(`\u%04x`, c)
	}
	return string(c)
}

// repeat reads a quantifier; it is none when a brace has no numbers behind it.
func (p *parser) repeat(last item, start int) (bool, error) {
	at := p.i
	lo, hi := 0, -1
	switch c := p.s[p.i]; c {
	case '*':
		p.i++
	case '+':
		lo = 1
		p.i++
	case '?':
		hi = 1
		p.i++
	default:
		var ok bool
		if lo, hi, ok = p.braces(); !ok {
			return false, nil
		}
		if hi >= 0 && hi < lo {
			return false, p.fail(at+1, "min repeat greater than max repeat")
		}
	}
	switch last {
	case nothing, anchor:
		return false, p.fail(at, "nothing to repeat")
	case repeated:
		return false, p.fail(at, "multiple repeat")
	}
	p.plain = false
	q := fmt.Sprintf("{%d,}", lo)
	switch {
	case lo == 0 && hi < 0:
		q = "*"
	case lo == 1 && hi < 0:
		q = "+"
	case lo == 0 && hi == 1:
		q = "?"
	case hi >= 0:
		q = fmt.Sprintf("{%d,%d}", lo, hi)
	}
	switch {
	case p.accept('?'):
		p.emit(q + "?")
	case p.accept('+'):
		p.out = append(append(append([]byte(nil), p.out[:start]...), "(?>"...), p.out[start:]...)
		p.emit(q + ")")
	default:
		p.emit(q)
	}
	return true, nil
}

func (p *parser) braces() (lo, hi int, ok bool) {
	k := p.i + 1
	digits := func() string {
		b := k
		for k < len(p.s) && isDigit(p.s[k]) {
			k++
		}
		return string(p.s[b:k])
	}
	low := digits()
	high, comma := low, false
	if k < len(p.s) && p.s[k] == ',' {
		k++
		comma = true
		high = digits()
	}
	if k >= len(p.s) || p.s[k] != '}' || low == "" && !comma {
		return 0, 0, false
	}
	p.i = k + 1
	hi = -1
	lo, _ = strconv.Atoi(low)
	if high != "" {
		hi, _ = strconv.Atoi(high)
	}
	return lo, hi, true
}

func isDigit(c rune) bool  { return c >= '0' && c <= '9' }
func isOctal(c rune) bool  { return c >= '0' && c <= '7' }
func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func number(s string) (int, bool) {
	for _, c := range s {
		if !isDigit(c) {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// isName is Python's str.isidentifier.
func isName(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c) && !unicode.Is(unicode.Mn, c)) {
			return false
		}
	}
	return s != ""
}
