package py

import (
	"fmt"
	"strings"
	"time"
)

// Strftime is Python's strftime in the C locale, with glibc's flags
// (%-d %_d %0d %^a %#Z) and widths.
func Strftime(t time.Time, format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c != '%' || i+1 == len(format) {
			b.WriteByte(c)
			continue
		}
		start := i
		var d timeField
		for i++; i < len(format) && strings.IndexByte("-_0^#", format[i]) >= 0; i++ {
			d.set(format[i])
		}
		for ; i < len(format) && isDigit(format[i]); i++ {
			d.width = min(d.width*10+int(format[i]-'0'), 1000)
		}
		if i < len(format) && (format[i] == 'E' || format[i] == 'O') {
			i++
		}
		colon := 0
		for ; i < len(format) && format[i] == ':'; i++ {
			colon++
		}
		if i == len(format) {
			b.WriteString(format[start:])
			break
		}
		s, ok := d.text(t, format[i], colon)
		if !ok {
			b.WriteString(format[start : i+1])
			continue
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// timeField is one directive's flags.
type timeField struct {
	pad         byte // 0, '-', '_' or '0'
	upper, swap bool
	width       int
}

func (d *timeField) set(c byte) {
	switch c {
	case '^':
		d.upper = true
	case '#':
		d.swap = true
	default:
		d.pad = c
	}
}

// num writes n with at least width digits, padded with fill.
func (d *timeField) num(n, width int, fill byte) (string, bool) {
	switch d.pad {
	case '-':
		width = 0
	case '_':
		fill = ' '
	case '0':
		fill = '0'
	}
	width = max(width, d.width)
	s := fmt.Sprint(n)
	if len(s) < width {
		s = strings.Repeat(string(fill), width-len(s)) + s
	}
	return s, true
}

func (d *timeField) word(s string) (string, bool) {
	switch {
	case d.upper:
		s = strings.ToUpper(s)
	case d.swap && strings.ToUpper(s) == s:
		s = strings.ToLower(s)
	case d.swap:
		s = strings.ToUpper(s)
	}
	if len(s) < d.width {
		fill := " "
		if d.pad == '0' {
			fill = "0"
		}
		s = strings.Repeat(fill, d.width-len(s)) + s
	}
	return s, true
}

func (d *timeField) text(t time.Time, c byte, colons int) (string, bool) {
	more := func(f string) (string, bool) {
		s, _ := Strftime(t, f)
		return d.word(s)
	}
	switch c {
	case 'a':
		return d.word(t.Weekday().String()[:3])
	case 'A':
		return d.word(t.Weekday().String())
	case 'b', 'h':
		return d.word(t.Month().String()[:3])
	case 'B':
		return d.word(t.Month().String())
	case 'c':
		return more("%a %b %e %H:%M:%S %Y")
	case 'D', 'x':
		return more("%m/%d/%y")
	case 'F':
		return more("%Y-%m-%d")
	case 'R':
		return more("%H:%M")
	case 'r':
		return more("%I:%M:%S %p")
	case 'T', 'X':
		return more("%H:%M:%S")
	case 'p':
		if t.Hour() < 12 {
			return d.word("AM")
		}
		return d.word("PM")
	case 'P':
		if t.Hour() < 12 {
			return d.word("am")
		}
		return d.word("pm")
	case 'n':
		return "\n", true
	case 't':
		return "\t", true
	case '%':
		return "%", true
	case 'Z':
		if !aware(t) {
			return d.word("")
		}
		name, _ := t.Zone()
		return d.word(name)
	case 'z':
		if !aware(t) {
			return "", true
		}
		return zoneText(t, colons), true
	}
	return d.number(t, c)
}

func zoneText(t time.Time, colons int) string {
	_, off := t.Zone()
	sign := '+'
	if off < 0 {
		sign, off = '-', -off
	}
	sep := ""
	if colons > 0 {
		sep = ":"
	}
	s := fmt.Sprintf("%c%02d%s%02d", sign, off/3600, sep, off/60%60)
	if off%60 != 0 || colons > 1 {
		s += fmt.Sprintf("%s%02d", sep, off%60)
	}
	return s
}

func (d *timeField) number(t time.Time, c byte) (string, bool) {
	hour12 := (t.Hour()+11)%12 + 1
	isoYear, isoWeek := t.ISOWeek()
	switch c {
	case 'C':
		return d.num(t.Year()/100, 2, '0')
	case 'd':
		return d.num(t.Day(), 2, '0')
	case 'e':
		return d.num(t.Day(), 2, ' ')
	case 'f':
		return fmt.Sprintf("%06d", t.Nanosecond()/1000), true
	case 'G':
		return d.num(isoYear, 4, '0')
	case 'g':
		return d.num(isoYear%100, 2, '0')
	case 'H':
		return d.num(t.Hour(), 2, '0')
	case 'I':
		return d.num(hour12, 2, '0')
	case 'j':
		return d.num(t.YearDay(), 3, '0')
	case 'k':
		return d.num(t.Hour(), 2, ' ')
	case 'l':
		return d.num(hour12, 2, ' ')
	case 'M':
		return d.num(t.Minute(), 2, '0')
	case 'm':
		return d.num(int(t.Month()), 2, '0')
	case 'S':
		return d.num(t.Second(), 2, '0')
	case 's':
		return d.num(int(t.Unix()), 1, '0')
	case 'U':
		return d.num((t.YearDay()+6-int(t.Weekday()))/7, 2, '0')
	case 'u':
		return d.num((int(t.Weekday())+6)%7+1, 1, '0')
	case 'V':
		return d.num(isoWeek, 2, '0')
	case 'W':
		return d.num((t.YearDay()+6-(int(t.Weekday())+6)%7)/7, 2, '0')
	case 'w':
		return d.num(int(t.Weekday()), 1, '0')
	case 'Y':
		return d.num(t.Year(), 1, '0')
	case 'y':
		return d.num(t.Year()%100, 2, '0')
	}
	return "", false
}
