// Package pytime reads dates and times as Python does: Strptime by a format,
// Parse as dateutil guesses.
//
//	t, ok := pytime.Strptime("10.03.2026 12:00", "%d.%m.%Y %H:%M", time.Local)
//	t, err := pytime.Parse("Monday 8:00am", time.Now())
package pytime

import (
	"strconv"
	"strings"
	"time"

	"pinch/value/pyre"
)

// directive is one of Python's strptime that tells a date or a time, as a
// regular expression with a group of its name; "" when there is none.
func directive(c byte) string {
	switch c {
	case 'Y':
		return `(?P<Y>\d\d\d\d)`
	case 'y':
		return `(?P<y>\d\d)`
	case 'm':
		return `(?P<m>1[0-2]|0[1-9]|[1-9])`
	case 'd':
		return `(?P<d>3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9])`
	case 'H':
		return `(?P<H>2[0-3]|[0-1]\d|\d)`
	case 'I':
		return `(?P<I>1[0-2]|0[1-9]|[1-9])`
	case 'M':
		return `(?P<M>[0-5]\d|\d)`
	case 'S':
		return `(?P<S>6[0-1]|[0-5]\d|\d)`
	case 'f':
		return `(?P<f>[0-9]{1,6})`
	case 'p':
		return `(?P<p>am|pm)`
	case 'j':
		return `(?P<j>36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9])`
	case 'b':
		return `(?P<b>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`
	case 'B':
		return `(?P<B>january|february|march|april|may|june|july|august|september|october|november|december)`
	case 'a':
		return `(?:mon|tue|wed|thu|fri|sat|sun)`
	case 'A':
		return `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
	case 'w':
		return `(?:[0-6])`
	case 'u':
		return `(?:[1-7])`
	case 'z':
		return `(?P<z>[+-]\d\d:?[0-5]\d(:?[0-5]\d(\.\d{1,6})?)?|Z)`
	case 'Z':
		return `(?P<Z>utc|gmt|)`
	case '%':
		return `%`
	case 'U', 'W':
		return `(?:5[0-3]|[0-4]\d|\d)`
	}
	return ""
}

// composed spells out the directives that stand for others.
func composed(format string) string {
	return strings.NewReplacer("%D", "%m/%d/%y", "%T", "%H:%M:%S", "%R", "%H:%M", "%F", "%Y-%m-%d",
		"%c", "%a %b %d %H:%M:%S %Y", "%x", "%m/%d/%y", "%X", "%H:%M:%S").Replace(format)
}

const monthNames = "janfebmaraprmayjunjulaugsepoctnovdec"

// Strptime reads a time as Python's datetime.strptime; all of the text must
// fit. A text without an offset (%z) is a time of loc.
func Strptime(s, format string, loc *time.Location) (time.Time, bool) {
	format = composed(format)
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '%' && i+1 < len(format):
			i++
			d := directive(format[i])
			if d == "" {
				return time.Time{}, false
			}
			b.WriteString(d)
		case c == ' ':
			b.WriteString(`\s+`)
		default:
			b.WriteString(pyre.Escape(string(c)))
		}
	}
	re, err := pyre.Compile(b.String(), pyre.IgnoreCase)
	if err != nil {
		return time.Time{}, false
	}
	m := re.FullMatch(s)
	if m == nil {
		return time.Time{}, false
	}
	return fields(m).time(loc)
}

// fields are the parts of a time by the letters of their directives.
type timeFields map[string]string

func fields(m *pyre.Match) timeFields {
	f := timeFields{}
	for _, name := range []string{"Y", "y", "m", "d", "H", "I", "M", "S", "f", "p", "j", "b", "B", "z"} {
		if s, ok := m.Named(name); ok {
			f[name] = strings.ToLower(strings.TrimSpace(s))
		}
	}
	return f
}

func (f timeFields) num(name string, def int) int {
	if n, err := strconv.Atoi(f[name]); err == nil {
		return n
	}
	return def
}

func (f timeFields) time(loc *time.Location) (time.Time, bool) {
	year := f.num("Y", 1900)
	if f["y"] != "" {
		if year = f.num("y", 0) + 2000; year >= 2069 {
			year -= 100
		}
	}
	month := f.num("m", 1)
	if name := f["b"] + f["B"]; len(name) >= 3 {
		month = strings.Index(monthNames, name[:3])/3 + 1
	}
	hour := f.num("H", 0)
	if f["I"] != "" {
		if hour = f.num("I", 12) % 12; f["p"] == "pm" {
			hour += 12
		}
	}
	day := f.num("d", 1)
	micro, _ := strconv.Atoi((f["f"] + "000000")[:6])
	if f["j"] != "" && f["d"] == "" {
		month, day = 1, f.num("j", 1)
	} else if t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC); t.Day() != day {
		return t, false
	}
	if f["z"] != "" {
		loc = offset(f["z"])
	}
	return time.Date(year, time.Month(month), day, hour, f.num("M", 0), f.num("S", 0), micro*1000, loc), true
}

// offset is the zone of a text such as +0200, -03:30 or Z.
func offset(s string) *time.Location {
	digits := strings.NewReplacer(":", "", "+", "", "-", "").Replace(s)
	if len(digits) < 2 {
		return time.UTC
	}
	if len(digits) < 4 {
		digits = (digits + "00")[:4]
	}
	h, _ := strconv.Atoi(digits[:2])
	m, _ := strconv.Atoi(digits[2:4])
	sec := h*3600 + m*60
	if s[0] == '-' {
		sec = -sec
	}
	return time.FixedZone("", sec)
}
