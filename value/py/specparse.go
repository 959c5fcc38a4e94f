package py

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func parseSpec(s, kind string) (spec, error) {
	p := spec{fill: " ", prec: -1, width: -1, text: s, kind: kind}
	rest := p.aligned(s)
	take := func(set string) byte {
		if rest != "" && strings.IndexByte(set, rest[0]) >= 0 {
			c := rest[0]
			rest = rest[1:]
			return c
		}
		return 0
	}
	digits := func() (n int, ok bool, err error) {
		i := 0
		for i < len(rest) && isDigit(rest[i]) {
			i++
		}
		if i == 0 {
			return 0, false, nil
		}
		n, e := strconv.Atoi(rest[:i])
		rest = rest[i:]
		if e != nil {
			return 0, false, valueError("Too many decimal digits in format string")
		}
		return n, true, nil
	}
	p.sign = take("+- ")
	p.noNegZero = take("z") != 0
	p.alt = take("#") != 0
	if !p.filled && take("0") != 0 {
		p.fill = "0"
		if p.align == 0 && kind != "str" {
			p.align = '='
		}
	}
	n, ok, err := digits()
	if err != nil {
		return p, err
	}
	if ok {
		p.width = n
	}
	p.group = take(",_")
	if p.group != 0 && rest != "" && strings.IndexByte(",_", rest[0]) >= 0 {
		if rest[0] != p.group {
			return p, valueError("Cannot specify both ',' and '_'.")
		}
		return p, p.invalid()
	}
	if take(".") != 0 {
		if p.prec, ok, err = digits(); err != nil {
			return p, err
		}
		if !ok {
			return p, valueError("Format specifier missing precision")
		}
	}
	if utf8.RuneCountInString(rest) > 1 {
		return p, p.invalid()
	}
	if rest != "" {
		p.conv = rest[0]
		if p.conv >= utf8.RuneSelf {
			return p, p.unknown(rest)
		}
	}
	if p.width > MaxBytes || p.prec > MaxBytes {
		if p.prec > 1<<31-1 {
			return p, valueError("precision too big")
		}
		return p, tooBig()
	}
	return p, p.checkGroup()
}

// aligned reads fill and alignment.
func (p *spec) aligned(s string) string {
	if s == "" {
		return s
	}
	n := runeLen(s)
	switch {
	case n < len(s) && strings.IndexByte("<>=^", s[n]) >= 0:
		p.fill, p.filled, p.align = s[:n], true, s[n]
		return s[n+1:]
	case strings.IndexByte("<>=^", s[0]) >= 0:
		p.align = s[0]
		return s[1:]
	}
	return s
}

func (p *spec) invalid() error {
	return valueError("Invalid format specifier '%s' for object of type '%s'", p.text, p.kind)
}

func (p *spec) unknown(conv string) error {
	r, _ := utf8.DecodeRuneInString(conv)
	if r > 32 && r < 128 {
		return valueError("Unknown format code '%s' for object of type '%s'", conv, p.kind)
	}
	return valueError("Unknown format code '\\x%x' for object of type '%s'", r, p.kind)
}

func (p *spec) checkGroup() error {
	if p.group == 0 {
		return nil
	}
	switch p.conv {
	case 0, 'd', 'e', 'f', 'g', 'E', 'G', '%', 'F':
		return nil
	case 'b', 'o', 'x', 'X':
		if p.group == '_' {
			return nil
		}
	}
	c := p.conv
	if c > 32 && c < 128 {
		return valueError("Cannot specify '%c' with '%c'.", p.group, c)
	}
	return valueError("Cannot specify '%c' with '\\x%x'.", p.group, c)
}
