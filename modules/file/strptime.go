package file

import (
	"strconv"
	"strings"
	"time"

	"pinch/value/pyre"
)

// directives are those of Python's strptime that tell a date or a time, as
// regular expressions with a group of their name.
var directives = map[byte]string{
	'Y': `(?P<Y>\d\d\d\d)`, 'y': `(?P<y>\d\d)`, 'm': `(?P<m>1[0-2]|0[1-9]|[1-9])`, 'd': `(?P<d>3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9])`,
	'H': `(?P<H>2[0-3]|[0-1]\d|\d)`, 'I': `(?P<I>1[0-2]|0[1-9]|[1-9])`, 'M': `(?P<M>[0-5]\d|\d)`, 'S': `(?P<S>6[0-1]|[0-5]\d|\d)`,
	'f': `(?P<f>[0-9]{1,6})`, 'p': `(?P<p>am|pm)`, 'j': `(?P<j>36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9])`,
	'b': `(?P<b>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`,
	'B': `(?P<B>january|february|march|april|may|june|july|august|september|october|november|december)`,
	'a': `(?:mon|tue|wed|thu|fri|sat|sun)`, 'A': `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`,
	'w': `(?:[0-6])`, 'u': `(?:[1-7])`, 'z': `(?P<z>[+-]\d\d:?[0-5]\d(:?[0-5]\d(\.\d{1,6})?)?|Z)`, 'Z': `(?P<Z>utc|gmt|)`, '%': `%`,
	'U': `(?:5[0-3]|[0-4]\d|\d)`, 'W': `(?:5[0-3]|[0-4]\d|\d)`,
}

var composed = strings.NewReplacer("%D", "%m/%d/%y", "%T", "%H:%M:%S", "%R", "%H:%M", "%F", "%Y-%m-%d",
	"%c", "%a %b %d %H:%M:%S %Y", "%x", "%m/%d/%y", "%X", "%H:%M:%S")

const monthNames = "janfebmaraprmayjunjulaugsepoctnovdec"

// strptime reads a time as Python's datetime.strptime; all of the text must fit.
func strptime(s, format string) (time.Time, bool) {
	format = composed.Replace(format)
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '%' && i+1 < len(format):
			i++
			d, ok := directives[format[i]]
			if !ok {
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
	return fields(m).time()
}

// fields are the parts of a time by the letters of their directives.
type timeFields map[string]string

func fields(m *pyre.Match) timeFields {
	f := timeFields{}
	for _, name := range []string{"Y", "y", "m", "d", "H", "I", "M", "S", "f", "p", "j", "b", "B"} {
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

func (f timeFields) time() (time.Time, bool) {
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
	return time.Date(year, time.Month(month), day, hour, f.num("M", 0), f.num("S", 0), micro*1000, time.UTC), true
}
