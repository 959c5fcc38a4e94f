package pyre

import "strings"

// set reads [...]; the parser is at the opening bracket.
func (p *parser) set(flags Flags) error {
	at := p.i
	p.i++
	p.emit("[")
	if p.accept('^') {
		p.emit("^")
	}
	for first := true; ; first = false {
		if !p.more() {
			return p.fail(at, "unterminated character set")
		}
		if p.s[p.i] == ']' && !first {
			p.i++
			p.emit("]")
			return nil
		}
		if err := p.member(at, flags); err != nil {
			return err
		}
	}
}

// member reads one character, class or range of a set.
func (p *parser) member(at int, flags Flags) error {
	begin := p.i
	lo, class, err := p.setItem(flags)
	if err != nil {
		return err
	}
	ranged := p.peek() == '-' && p.i+1 < len(p.s) && p.s[p.i+1] != ']'
	if p.peek() == '-' && p.i+1 >= len(p.s) {
		return p.fail(at, "unterminated character set")
	}
	if !ranged {
		if class == "" {
			class = quote(lo)
		}
		p.emit(class)
		return nil
	}
	p.i++
	hi, class2, err := p.setItem(flags)
	if err != nil {
		return err
	}
	if class != "" || class2 != "" || hi < lo {
		return p.fail(begin, "bad character range %s", string(p.s[begin:p.i]))
	}
	p.emit(quote(lo) + "-" + quote(hi))
	return nil
}

// setItem reads one end of a range, or a class such as \w.
func (p *parser) setItem(flags Flags) (c rune, class string, err error) {
	c = p.s[p.i]
	if c != '\\' {
		p.i++
		return c, "", nil
	}
	if p.i+1 >= len(p.s) {
		return 0, "", p.fail(p.i, "bad escape (end of pattern)")
	}
	e := p.s[p.i+1]
	if strings.ContainsRune("dDsSwW", e) {
		p.i += 2
		if flags&ASCII != 0 && flags&Unicode == 0 {
			return 0, asciiSets[e], nil
		}
		return 0, `\` + string(e), nil
	}
	if e == 'b' {
		p.i += 2
		return '\b', "", nil
	}
	c, err = p.char()
	return c, "", err
}
