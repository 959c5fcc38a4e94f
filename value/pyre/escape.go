package pyre

import (
	"strconv"
	"strings"
)

// Sets of ASCII's classes, as they stand inside of brackets.
const (
	asciiWord     = `a-zA-Z0-9_`
	asciiNotWord  = `\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\uffff`
	asciiDigit    = `0-9`
	asciiNotDigit = `\u0000-\u002f\u003a-\uffff`
	asciiSpace    = ` \t\n\r\f\v`
	asciiNotSpace = `\u0000-\u0008\u000e-\u001f\u0021-\uffff`
)

var asciiSets = map[rune]string{'w': asciiWord, 'W': asciiNotWord, 'd': asciiDigit, 'D': asciiNotDigit, 's': asciiSpace, 'S': asciiNotSpace}

// escape reads a backslash and what follows, outside of a set.
func (p *parser) escape(flags Flags) (item, error) {
	at := p.i
	if p.i+1 >= len(p.s) {
		return nothing, p.fail(at, "bad escape (end of pattern)")
	}
	c := p.s[p.i+1]
	switch {
	case strings.ContainsRune("AbBZ", c):
		p.i += 2
		p.plain = false
		p.emit(boundary(c, flags))
		return anchor, nil
	case strings.ContainsRune("dDsSwW", c):
		p.i += 2
		p.plain = false
		if flags&ASCII != 0 && flags&Unicode == 0 {
			p.emit("[" + asciiSets[c] + "]")
		} else {
			p.emit(`\` + string(c))
		}
		return atom, nil
	case c >= '1' && c <= '9':
		return p.backReference()
	}
	r, err := p.char()
	if err != nil {
		return nothing, err
	}
	p.literal(r)
	return atom, nil
}

func boundary(c rune, flags Flags) string {
	switch c {
	case 'A':
		return `\A`
	case 'Z':
		return `\z`
	}
	if flags&ASCII == 0 || flags&Unicode != 0 {
		return `\` + string(c)
	}
	const w = "[" + asciiWord + "]"
	if c == 'b' {
		return `(?:(?<=` + w + `)(?!` + w + `)|(?<!` + w + `)(?=` + w + `))`
	}
	return `(?:(?<=` + w + `)(?=` + w + `)|(?<!` + w + `)(?!` + w + `))`
}

// char reads an escape that stands for one character. The parser is at the
// backslash, and something follows it.
func (p *parser) char() (rune, error) {
	at := p.i
	c := p.s[p.i+1]
	p.i += 2
	if k := strings.IndexRune("afnrtv\\", c); k >= 0 {
		return rune("\a\f\n\r\t\v\\"[k]), nil
	}
	switch {
	case c == 'x':
		return p.hex(at, 2)
	case c == 'u' && !p.bytes:
		return p.hex(at, 4)
	case c == 'U' && !p.bytes:
		return p.hex(at, 8)
	case c == 'N' && !p.bytes:
		return p.unicodeName(at)
	case isOctal(c):
		limit := 2
		n := c - '0'
		for ; limit > 0 && p.more() && isOctal(p.s[p.i]); limit-- {
			n = n*8 + p.s[p.i] - '0'
			p.i++
		}
		if n > 0o377 {
			return 0, p.fail(at, "octal escape value %s outside of range 0-0o377", string(p.s[at:p.i]))
		}
		return n, nil
	case isLetter(c) || isDigit(c):
		return 0, p.fail(at, `bad escape \%c`, c)
	}
	return c, nil
}

// unicodeName reads \N{…}. The table of the characters' names is not worth its
// megabyte: the code point (\u00e9) or the character itself says the same.
func (p *parser) unicodeName(at int) (rune, error) {
	if !p.accept('{') {
		return 0, p.fail(p.i, "missing {")
	}
	name, err := p.name('}')
	if err != nil {
		return 0, err
	}
	return 0, p.fail(at, "undefined character name '%s'", name)
}

func (p *parser) hex(at, digits int) (rune, error) {
	begin := p.i
	for p.more() && p.i-begin < digits && strings.ContainsRune("0123456789abcdefABCDEF", p.s[p.i]) {
		p.i++
	}
	n, err := strconv.ParseUint(string(p.s[begin:p.i]), 16, 32)
	if p.i-begin != digits || err != nil {
		return 0, p.fail(at, "incomplete escape %s", string(p.s[at:p.i]))
	}
	if n > 0x10ffff {
		return 0, p.fail(at, "bad escape %s", string(p.s[at:p.i]))
	}
	return rune(n), nil
}

// backReference reads \1 … \99, or an octal number of three digits.
func (p *parser) backReference() (item, error) {
	at := p.i
	n := int(p.s[p.i+1] - '0')
	p.i += 2
	if p.more() && isDigit(p.s[p.i]) {
		c, d := p.s[p.i-1], p.s[p.i]
		if isOctal(c) && isOctal(d) && p.i+1 < len(p.s) && isOctal(p.s[p.i+1]) {
			p.i = at
			r, err := p.char()
			if err != nil {
				return nothing, err
			}
			p.literal(r)
			return atom, nil
		}
		n = n*10 + int(d-'0')
		p.i++
	}
	return p.reference(n, at+1)
}

func (p *parser) reference(n, at int) (item, error) {
	p.plain = false
	switch {
	case n > p.groups:
		return nothing, p.fail(at, "invalid group reference %d", n)
	case p.open[n]:
		return nothing, p.fail(at-1, "cannot refer to an open group")
	}
	p.emit(`\k<` + strconv.Itoa(n) + `>`)
	return atom, nil
}
