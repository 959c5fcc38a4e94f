package py

import (
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pinch/value"
)

// Formatter is an object with its own format(v, spec).
type Formatter interface {
	Format(spec string) (string, error)
}

// Format is format(v, spec): Python's format specification mini-language for
// text and numbers, strftime for dates.
func Format(v any, spec string) (string, error) {
	switch x := v.(type) {
	case string:
		if spec == "" {
			return x, nil
		}
		return formatText(x, spec)
	case Markup:
		return Format(string(x), spec)
	case time.Time:
		if spec != "" {
			return Strftime(x, spec)
		}
	case value.Date:
		if spec != "" {
			return Strftime(x.Time, spec)
		}
	case Undefined:
		return "", x.UndefinedError()
	case Formatter:
		return x.Format(spec)
	}
	if spec == "" {
		return value.Str(v), nil
	}
	n, ok := toNum(v)
	switch {
	case !ok:
		return "", typeError("unsupported format string passed to %s.__format__", TypeName(v))
	case n.float:
		return formatFloat(n.f, spec, "float")
	}
	return formatInt(n, spec, TypeName(v))
}

// A spec is a parsed [[fill]align][sign][z][#][0][width][,_][.precision][type].
type spec struct {
	fill       string
	filled     bool // fill was given
	align      byte // '<' '>' '=' '^', or 0
	sign       byte // '+' '-' ' ', or 0
	noNegZero  bool
	alt        bool
	width      int
	group      byte // ',' '_', or 0
	prec       int  // -1: none
	conv       byte // 0: none
	text, kind string
}

func formatText(s, text string) (string, error) {
	p, err := parseSpec(text, "str")
	switch {
	case err != nil:
		return "", err
	case p.conv != 0 && p.conv != 's':
		return "", p.unknown(string(p.conv))
	case p.sign == ' ':
		return "", valueError("Space not allowed in string format specifier")
	case p.sign != 0:
		return "", valueError("Sign not allowed in string format specifier")
	case p.noNegZero:
		return "", valueError("Negative zero coercion (z) not allowed in string format specifier")
	case p.alt:
		return "", valueError("Alternate form (#) not allowed in string format specifier")
	case p.group != 0:
		return "", valueError("Cannot specify '%c' with 's'.", p.group)
	case p.align == '=':
		return "", valueError("'=' alignment not allowed in string format specifier")
	}
	if p.prec >= 0 {
		s = s[:offset(s, p.prec)]
	}
	return p.pad("", s, '<'), nil
}

// pad aligns body; head (a sign, a prefix) stays in front of '=' padding.
func (p *spec) pad(head, body string, dflt byte) string {
	n := p.width - utf8.RuneCountInString(head) - utf8.RuneCountInString(body)
	if n <= 0 {
		return head + body
	}
	align := p.align
	if align == 0 {
		align = dflt
	}
	switch align {
	case '<':
		return head + body + strings.Repeat(p.fill, n)
	case '=':
		return head + strings.Repeat(p.fill, n) + body
	case '^':
		return strings.Repeat(p.fill, n/2) + head + body + strings.Repeat(p.fill, n-n/2)
	}
	return strings.Repeat(p.fill, n) + head + body
}

func (p *spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case p.sign == '+' || p.sign == ' ':
		return string(p.sign)
	}
	return ""
}

func formatInt(n num, text, kind string) (string, error) {
	p, err := parseSpec(text, kind)
	if err != nil {
		return "", err
	}
	base, prefix := 10, ""
	switch p.conv {
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		f, err := n.asFloat()
		if err != nil {
			return "", err
		}
		return formatFloat(f, text, kind)
	case 0, 'd', 'n', 'c':
	case 'b':
		base, prefix = 2, "0b"
	case 'o':
		base, prefix = 8, "0o"
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	default:
		return "", p.unknown(string(p.conv))
	}
	switch {
	case p.prec >= 0:
		return "", valueError("Precision not allowed in integer format specifier")
	case p.noNegZero:
		return "", valueError("Negative zero coercion (z) not allowed in format specifier with integer presentation type")
	}
	if p.conv == 'c' {
		return p.char(n)
	}
	i := n.big()
	digits := new(big.Int).Abs(i).Text(base)
	if p.conv == 'X' {
		digits = strings.ToUpper(digits)
	}
	if !p.alt {
		prefix = ""
	}
	return p.number(p.signOf(i.Sign() < 0)+prefix, digits, ""), nil
}

func (p *spec) char(n num) (string, error) {
	switch {
	case p.sign != 0:
		return "", valueError("Sign not allowed with integer format specifier 'c'")
	case p.alt:
		return "", valueError("Alternate form (#) not allowed with integer format specifier 'c'")
	case n.b != nil || n.i < 0 || n.i > utf8.MaxRune:
		return "", value.Errorf("OverflowError", "%%c arg not in range(0x110000)")
	}
	return p.pad("", string(rune(n.i)), '>'), nil
}

// number groups the digits and pads; zeros of '=' padding are grouped too.
func (p *spec) number(head, digits, tail string) string {
	if p.group != 0 {
		size := 3
		switch p.conv {
		case 'b', 'o', 'x', 'X':
			size = 4
		}
		width := 0
		if p.fill == "0" && p.align == '=' {
			width = p.width - len(head) - len(tail)
		}
		digits = grouped(digits, p.group, size, width)
	}
	return p.pad(head, digits+tail, '>')
}

// grouped puts sep between groups of size digits and adds zeros, as far as
// whole digits fit, up to width.
func grouped(digits string, sep byte, size, width int) string {
	for len(digits)+(len(digits)-1)/size < width {
		digits = "0" + digits
	}
	first := len(digits) % size
	if first == 0 {
		first = min(size, len(digits))
	}
	var b strings.Builder
	b.WriteString(digits[:first])
	for i := first; i < len(digits); i += size {
		b.WriteByte(sep)
		b.WriteString(digits[i : i+size])
	}
	return b.String()
}

func formatFloat(f float64, text, kind string) (string, error) {
	p, err := parseSpec(text, kind)
	if err != nil {
		return "", err
	}
	conv, prec, tail := p.conv, p.prec, ""
	if prec < 0 {
		prec = 6
	}
	var s string
	switch conv {
	case 0:
		s = p.shortest(f)
	case 'n':
		s = floatText(f, 'g', prec, p.alt)
	case '%':
		s, tail = floatText(f*100, 'f', prec, p.alt), "%"
	case 'e', 'E', 'f', 'F', 'g', 'G':
		s = floatText(f, conv, prec, p.alt)
	default:
		return "", p.unknown(string(conv))
	}
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if negative && p.noNegZero && strings.Trim(s, "0.") == "" {
		negative = false
	}
	whole, i := s, strings.IndexAny(s, ".eE")
	if i >= 0 && isDigit(s[0]) {
		whole, tail = s[:i], s[i:]+tail
	}
	if !isDigit(s[0]) {
		p.group = 0
	}
	return p.number(p.signOf(negative), whole, tail), nil
}

// shortest is the form without a type: repr, or like g with at least one
// digit past the point.
func (p *spec) shortest(f float64) string {
	if p.prec < 0 {
		return value.FormatFloat(f)
	}
	prec := max(p.prec, 1)
	s := floatText(f, 'g', prec, p.alt)
	if p.alt || !isDigit(s[len(s)-1]) {
		return s
	}
	// An exponent starts one digit earlier than with g.
	e := strconv.FormatFloat(f, 'e', prec-1, 64)
	mantissa, exp, _ := strings.Cut(e, "e")
	if x, _ := strconv.Atoi(exp); x == prec-1 && f != 0 {
		return trimZeros(mantissa, false) + "e" + exp
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
