package py

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"pinch/value"
)

// Percent is format % arg, Python's printf-style formatting: a tuple gives
// several values, a dict named ones (%(name)s), anything else is the one value.
func Percent(format string, arg any) (string, error) {
	if err := undefined(arg); err != nil {
		return "", err
	}
	p := &percent{f: format, arg: arg}
	switch a := arg.(type) {
	case value.Tuple:
		p.args = a
	case *value.Map, *value.List, []byte, Indexer:
		p.args, p.named = []any{arg}, true
	default:
		p.args = []any{arg}
	}
	for p.i < len(format) {
		next := strings.IndexByte(format[p.i:], '%')
		if next < 0 {
			p.b.WriteString(format[p.i:])
			break
		}
		p.b.WriteString(format[p.i : p.i+next])
		p.i += next + 1
		if err := p.directive(); err != nil {
			return "", err
		}
	}
	if p.used < len(p.args) && !p.named {
		return "", typeError("not all arguments converted during string formatting")
	}
	return p.b.String(), nil
}

type percent struct {
	f     string
	i     int
	b     strings.Builder
	arg   any
	args  []any
	used  int
	named bool // left-over values are no error
}

func (p *percent) next() (any, error) {
	if p.used >= len(p.args) {
		return nil, typeError("not enough arguments for format string")
	}
	p.used++
	return p.args[p.used-1], nil
}

func (p *percent) peek() byte {
	if p.i < len(p.f) {
		return p.f[p.i]
	}
	return 0
}

func (p *percent) directive() error {
	if p.peek() == '%' {
		p.b.WriteByte('%')
		p.i++
		return nil
	}
	var d field
	if p.peek() == '(' {
		if err := p.key(); err != nil {
			return err
		}
	}
	p.flags(&d)
	n, ok, err := p.number("width too big")
	if err != nil {
		return err
	}
	if ok {
		d.width = n
		if n < 0 {
			d.left, d.width = true, -n
		}
	}
	d.prec = -1
	if p.peek() == '.' {
		p.i++
		n, _, err := p.number("precision too big")
		if err != nil {
			return err
		}
		d.prec = max(n, 0)
	}
	if c := p.peek(); c == 'h' || c == 'l' || c == 'L' {
		p.i++
	}
	if p.i >= len(p.f) {
		return valueError("incomplete format")
	}
	if d.width > MaxBytes || d.prec > MaxBytes {
		return tooBig()
	}
	c, size := utf8.DecodeRuneInString(p.f[p.i:])
	p.i += size
	v, err := p.next()
	if err != nil {
		return err
	}
	if err := undefined(v); err != nil {
		return err
	}
	return p.convert(c, v, d)
}

// key reads "(name)" and makes its value the only one left.
func (p *percent) key() error {
	switch p.arg.(type) {
	case *value.Map, *value.List, []byte, Indexer:
	default:
		return typeError("format requires a mapping")
	}
	depth := 1
	start := p.i + 1
	for p.i = start; p.i < len(p.f) && depth > 0; p.i++ {
		switch p.f[p.i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	if depth > 0 {
		return valueError("incomplete format key")
	}
	v, err := Index(p.arg, p.f[start:p.i-1])
	if err != nil {
		return err
	}
	p.args, p.used, p.named = []any{v}, 0, true
	return nil
}

// field is what stands between the % and the conversion.
type field struct {
	left, plus, space, zero, alt bool
	width, prec                  int
}

func (p *percent) flags(d *field) {
	for ; ; p.i++ {
		switch p.peek() {
		case '-':
			d.left = true
		case '+':
			d.plus = true
		case ' ':
			d.space = true
		case '#':
			d.alt = true
		case '0':
			d.zero = true
		default:
			return
		}
	}
}

func (p *percent) number(tooLarge string) (n int, ok bool, err error) {
	if p.peek() == '*' {
		p.i++
		v, err := p.next()
		if err != nil {
			return 0, false, err
		}
		i, isInt := v.(int64)
		if !isInt {
			return 0, false, typeError("* wants int")
		}
		return int(max(min(i, MaxBytes+1), -MaxBytes-1)), true, nil
	}
	start := p.i
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.i++
	}
	if start == p.i {
		return 0, false, nil
	}
	n, e := strconv.Atoi(p.f[start:p.i])
	if e != nil {
		return 0, false, valueError("%s", tooLarge)
	}
	if n > 1<<31-1 && tooLarge == "precision too big" {
		return 0, false, valueError("%s", tooLarge)
	}
	return n, true, nil
}

func (p *percent) convert(c rune, v any, d field) error {
	switch c {
	case 's', 'r', 'a':
		s := ""
		switch c {
		case 's':
			s = value.Str(v)
		case 'r':
			s = value.Repr(v)
		case 'a':
			s = ASCII(v)
		}
		if d.prec >= 0 {
			s = s[:offset(s, d.prec)]
		}
		p.pad(s, d)
		return nil
	case 'c':
		s, err := percentChar(v)
		if err != nil {
			return err
		}
		p.pad(s, d)
		return nil
	case 'd', 'i', 'u', 'x', 'X', 'o':
		n, err := percentInt(c, v)
		if err != nil {
			return err
		}
		p.integer(c, n, d)
		return nil
	case 'e', 'E', 'f', 'F', 'g', 'G':
		n, ok := toNum(v)
		if !ok {
			return typeError("must be real number, not %s", TypeName(v))
		}
		f, err := n.asFloat()
		if err != nil {
			return err
		}
		prec := d.prec
		if prec < 0 {
			prec = 6
		}
		s := floatText(f, byte(c), prec, d.alt)
		p.signed(s, "", d)
		return nil
	}
	index := utf8.RuneCountInString(p.f[:p.i]) - 1
	shown := c
	if c < ' ' || c > '~' {
		shown = '?'
	}
	return valueError("unsupported format character '%c' (0x%x) at index %d", shown, c, index)
}

func percentChar(v any) (string, error) {
	if s, ok := Text(v); ok {
		if utf8.RuneCountInString(s) == 1 {
			return s, nil
		}
		return "", typeError("%%c requires int or char")
	}
	i, err := AsIndex(v)
	if err != nil {
		return "", typeError("%%c requires int or char")
	}
	if i < 0 || i > utf8.MaxRune {
		return "", value.Errorf("OverflowError", "%%c arg not in range(0x110000)")
	}
	return string(rune(i)), nil
}

func percentInt(c rune, v any) (*big.Int, error) {
	n, ok := toNum(v)
	decimal := c == 'd' || c == 'i' || c == 'u'
	switch {
	case !ok && decimal:
		return nil, typeError("%%%c format: a real number is required, not %s", c, TypeName(v))
	case !ok || n.float && !decimal:
		return nil, typeError("%%%c format: an integer is required, not %s", c, TypeName(v))
	case n.float:
		return floatToInt(n.f)
	}
	return n.big(), nil
}

func (p *percent) integer(c rune, n *big.Int, d field) {
	base, prefix := 10, ""
	switch c {
	case 'x', 'X':
		base, prefix = 16, "0x"
	case 'o':
		base, prefix = 8, "0o"
	}
	digits := new(big.Int).Abs(n).Text(base)
	if len(digits) < d.prec {
		digits = strings.Repeat("0", d.prec-len(digits)) + digits
	}
	if !d.alt {
		prefix = ""
	}
	if c == 'X' {
		digits, prefix = strings.ToUpper(digits), strings.ToUpper(prefix)
	}
	if n.Sign() < 0 {
		digits = "-" + digits
	}
	p.signed(digits, prefix, d)
}

// signed writes a number with its sign, its prefix and the padding between or
// around them.
func (p *percent) signed(s, prefix string, d field) {
	sign := ""
	switch {
	case s[0] == '-':
		sign, s = "-", s[1:]
	case d.plus:
		sign = "+"
	case d.space:
		sign = " "
	}
	sign += prefix
	fill := d.width - len(sign) - len(s)
	if d.zero && !d.left && fill > 0 {
		s = strings.Repeat("0", fill) + s
	}
	p.pad(sign+s, d)
}

func (p *percent) pad(s string, d field) {
	fill := d.width - utf8.RuneCountInString(s)
	if fill > 0 && !d.left {
		p.b.WriteString(strings.Repeat(" ", fill))
	}
	p.b.WriteString(s)
	if fill > 0 && d.left {
		p.b.WriteString(strings.Repeat(" ", fill))
	}
}

// ASCII is ascii(v): the repr with everything beyond ASCII escaped.
func ASCII(v any) string {
	r := value.Repr(v)
	if ascii(r) {
		return r
	}
	var b strings.Builder
	for _, c := range r {
		switch {
		case c < utf8.RuneSelf:
			b.WriteByte(byte(c))
		case c <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, c)
		case c <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			fmt.Fprintf(&b, `\U%08x`, c)
		}
	}
	return b.String()
}
