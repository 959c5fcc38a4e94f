package pyre

import (
	"strconv"
	"strings"
)

// group reads from an opening to its closing parenthesis.
func (p *parser) group(flags Flags) (item, error) {
	at := p.i
	p.i++
	if !p.accept('?') {
		return p.capture(at, "", flags)
	}
	if !p.more() {
		return nothing, p.fail(p.i, "unexpected end of pattern")
	}
	c := p.s[p.i]
	p.i++
	switch c {
	case 'P':
		return p.extension(at, flags)
	case ':', '=', '!', '>':
		return p.body(at, "(?"+string(c), flags)
	case '#':
		for p.more() && p.s[p.i] != ')' {
			p.i++
		}
		if !p.accept(')') {
			return nothing, p.fail(at, "missing ), unterminated comment")
		}
		return nothing, nil
	case '<':
		switch {
		case p.accept('='):
			return p.body(at, "(?<=", flags)
		case p.accept('!'):
			return p.body(at, "(?<!", flags)
		case !p.more():
			return nothing, p.fail(p.i, "unexpected end of pattern")
		}
		return nothing, p.fail(at+1, "unknown extension ?<%c", p.s[p.i])
	case '(':
		return p.conditional(at, flags)
	}
	if strings.ContainsRune("aiLmsux-", c) {
		p.i--
		return p.scopedFlags(at, flags)
	}
	return nothing, p.fail(at+1, "unknown extension ?%c", c)
}

// capture reads a group that keeps its text.
func (p *parser) capture(at int, name string, flags Flags) (item, error) {
	p.groups++
	n := p.groups
	if name != "" {
		if p.names == nil {
			p.names = map[string]int{}
		}
		p.names[name] = n
	}
	p.open[n] = true
	it, err := p.body(at, "(", flags)
	delete(p.open, n)
	return it, err
}

func (p *parser) body(at int, open string, flags Flags) (item, error) {
	p.emit(open)
	if err := p.sequence(flags); err != nil {
		return nothing, err
	}
	if !p.accept(')') {
		return nothing, p.fail(at, "missing ), unterminated subpattern")
	}
	p.emit(")")
	return atom, nil
}

// name reads up to the terminator and checks that it is an identifier.
func (p *parser) name(end rune) (string, error) {
	begin := p.i
	for p.more() && p.s[p.i] != end {
		p.i++
	}
	s := string(p.s[begin:p.i])
	if !p.accept(end) {
		if s == "" {
			return "", p.fail(begin, "missing group name")
		}
		return "", p.fail(begin, "missing %c, unterminated name", end)
	}
	if s == "" {
		return "", p.fail(begin, "missing group name")
	}
	return s, nil
}

// extension reads what follows (?P.
func (p *parser) extension(at int, flags Flags) (item, error) {
	switch {
	case p.accept('<'):
		begin := p.i
		name, err := p.name('>')
		if err != nil {
			return nothing, err
		}
		if !isName(name) {
			return nothing, p.fail(begin, "bad character in group name '%s'", name)
		}
		if old, ok := p.names[name]; ok {
			return nothing, p.fail(begin, "redefinition of group name '%s' as group %d; was group %d", name, p.groups+1, old)
		}
		return p.capture(at, name, flags)
	case p.accept('='):
		begin := p.i
		name, err := p.name(')')
		if err != nil {
			return nothing, err
		}
		if !isName(name) {
			return nothing, p.fail(begin, "bad character in group name '%s'", name)
		}
		n, ok := p.names[name]
		if !ok {
			return nothing, p.fail(begin, "unknown group name '%s'", name)
		}
		return p.reference(n, begin)
	case !p.more():
		return nothing, p.fail(p.i, "unexpected end of pattern")
	}
	return nothing, p.fail(at+1, "unknown extension ?P%c", p.s[p.i])
}

// conditional reads (?(group)yes|no).
func (p *parser) conditional(at int, flags Flags) (item, error) {
	begin := p.i
	name, err := p.name(')')
	if err != nil {
		return nothing, err
	}
	n, ok := number(name)
	if ok {
		if n == 0 {
			return nothing, p.fail(begin, "bad group number")
		}
		if n > p.groups && n > strings.Count(p.src, "(") {
			return nothing, p.fail(begin, "invalid group reference %d", n)
		}
	} else {
		if !isName(name) {
			return nothing, p.fail(begin, "bad character in group name '%s'", name)
		}
		if n, ok = p.names[name]; !ok {
			return nothing, p.fail(begin, "unknown group name '%s'", name)
		}
	}
	return p.body(at, "(?("+strconv.Itoa(n)+")", flags)
}

// scopedFlags reads (?i-m:…); flags for the whole pattern are an error here,
// for they stand at its start.
func (p *parser) scopedFlags(at int, flags Flags) (item, error) {
	var on, off Flags
	add := &on
	for p.more() && p.s[p.i] != ':' && p.s[p.i] != ')' {
		c := p.s[p.i]
		switch {
		case c == '-':
			add = &off
		case strings.ContainsRune("aiLmsux", c):
			*add |= flagLetter(c)
		default:
			return nothing, p.fail(p.i, "unknown flag")
		}
		p.i++
	}
	if !p.more() {
		return nothing, p.fail(p.i, "missing -, : or )")
	}
	if p.s[p.i] == ')' {
		return nothing, p.fail(at, "global flags not at the start of the expression")
	}
	p.i++
	if on&ASCII != 0 {
		off |= Unicode
	}
	if on&Unicode != 0 {
		off |= ASCII
	}
	return p.body(at, "(?"+engineFlags(on, off)+":", flags&^off|on)
}

func engineFlags(on, off Flags) string {
	s := letters(on)
	if o := letters(off); o != "" {
		s += "-" + o
	}
	return s
}

func letters(f Flags) string {
	var s string
	for _, l := range []struct {
		f Flags
		c string
	}{{IgnoreCase, "i"}, {Multiline, "m"}, {DotAll, "s"}} {
		if f&l.f != 0 {
			s += l.c
		}
	}
	return s
}
