package pytime

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// ErrNoTime says that a text is no date or time.
var ErrNoTime = errors.New("not a date or time")

// Parse reads a date, a time of day or both in the many forms that Python's
// dateutil guesses: "2026-03-10 12:00:20", "3/10/2026 12:01pm", "Mar 10 2026",
// "Monday 5:00pm", "12pm". What the text does not say comes from the day of
// now; a weekday is today or the next one. A text without an offset is a time
// in the zone of now.
func Parse(text string, now time.Time) (time.Time, error) {
	p := guess{words: words(text), hour: -1, min: -1, sec: -1, weekday: -1}
	for p.i < len(p.words) {
		if !p.next() {
			return time.Time{}, ErrNoTime
		}
	}
	return p.time(now)
}

// A guess is a text on its way to a time.
type guess struct {
	words                []string
	i                    int
	ymd                  []part
	month                int // index in ymd of a month told by name, +1
	hour, min, sec, nano int
	weekday              int
	zone                 *time.Location
}

// A part is a number of a date; digits is how many it was written with.
type part struct {
	n, digits int
}

// words cuts a text into numbers (with a decimal point where they have one),
// names, and single other characters.
func words(text string) []string {
	var out []string
	kind := func(c byte) int {
		switch {
		case c >= '0' && c <= '9':
			return 1
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			return 2
		}
		return 0
	}
	for i := 0; i < len(text); {
		j, k := i+1, kind(text[i])
		for j < len(text) && k != 0 && kind(text[j]) == k {
			j++
		}
		out = append(out, text[i:j])
		i = j
	}
	return out
}

// at is the word n places further, "" behind the end.
func (p *guess) at(n int) string {
	if k := p.i + n; k >= 0 && k < len(p.words) {
		return p.words[k]
	}
	return ""
}

func number(s string) (int, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' || len(s) > 14 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// next reads from one word on; it reports whether that made sense.
func (p *guess) next() bool {
	w := p.at(0)
	if _, ok := number(w); ok {
		return p.number(w)
	}
	low := strings.ToLower(w)
	switch {
	case p.offset(w):
		return true
	case named(low, monthNames, 3) >= 0:
		if p.month != 0 {
			return false
		}
		p.ymd = append(p.ymd, part{named(low, monthNames, 3) + 1, 0})
		p.month = len(p.ymd)
		return p.step(1)
	case named(low, dayNames, 3) >= 0:
		p.weekday = named(low, dayNames, 3)
		return p.step(1)
	case p.meridiem(low) != "":
		half := p.meridiem(low)
		if !p.half(half) {
			return false
		}
		return p.step(p.meridiemWords(low))
	case low == "utc" || low == "gmt" || low == "z":
		p.zone = time.UTC
		return p.step(1)
	case p.hour >= 0 && p.zone == nil && len(w) >= 3 && len(w) <= 5 && strings.ToUpper(w) == w:
		return p.step(1) // a zone whose offset nobody knows
	case filler(low):
		return p.step(1)
	}
	return false
}

func (p *guess) step(n int) bool { p.i += n; return true }

const dayNames = "montuewedthufrisatsun"

// named is the index of a name (by its first letters or in full) in a list of
// names of width letters, -1 when it is none.
func named(s, list string, width int) int {
	if len(s) < width {
		return -1
	}
	i := strings.Index(list, s[:width])
	if i < 0 || i%width != 0 {
		return -1
	}
	full := []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
	if list == dayNames {
		full = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	}
	if s != full[i/width] && s != full[i/width][:width] && s != "sept" {
		return -1
	}
	return i / width
}

// filler reports whether a word says nothing.
func filler(s string) bool {
	switch s {
	case " ", ".", ",", ";", "-", "/", "'", "at", "on", "and", "ad", "m", "t", "of", "st", "nd", "rd", "th", "\t", "\n":
		return true
	}
	return false
}

// meridiem is "a" or "p" for am and pm in their forms.
func (p *guess) meridiem(low string) string {
	switch low {
	case "am", "pm":
		return low[:1]
	case "a", "p":
		return low
	}
	return ""
}

// meridiemWords is how many words it has: a.m. are four.
func (p *guess) meridiemWords(low string) int {
	if len(low) == 1 && p.at(1) == "." && strings.EqualFold(p.at(2), "m") {
		if p.at(3) == "." {
			return 4
		}
		return 3
	}
	return 1
}

// half turns the hour into one of the day's second half, or not.
func (p *guess) half(half string) bool {
	if p.hour < 0 || p.hour > 12 {
		return false
	}
	p.hour %= 12
	if half == "p" {
		p.hour += 12
	}
	return true
}

// offset reads +02:00, -0330, +2 behind a time of day.
func (p *guess) offset(w string) bool {
	if (w != "+" && w != "-") || p.hour < 0 || p.zone != nil {
		return false
	}
	d := p.at(1)
	if _, ok := number(d); !ok || len(d) > 4 {
		return false
	}
	n := 2
	if len(d) <= 2 && p.at(2) == ":" {
		if _, ok := number(p.at(3)); !ok {
			return false
		}
		d = ("0" + d)[len(d)-1:] + p.at(3)
		n = 4
	} else if len(d) <= 2 {
		d = ("0" + d)[len(d)-1:] + "00"
	}
	p.zone = offset(w + d)
	return p.step(n)
}

// time puts the parts together.
func (p *guess) time(now time.Time) (time.Time, error) {
	year, month, day, ok := p.date()
	if !ok || len(p.ymd) == 0 && p.hour < 0 && p.weekday < 0 {
		return time.Time{}, ErrNoTime
	}
	if year < 0 {
		year = now.Year()
	}
	if month < 0 {
		month = int(now.Month())
	}
	last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	switch {
	case month < 1 || month > 12 || day > last || day == 0:
		return time.Time{}, ErrNoTime
	case day < 0:
		day = min(now.Day(), last)
	}
	hour, minute, sec := max(p.hour, 0), max(p.min, 0), max(p.sec, 0)
	if hour > 23 || minute > 59 || sec > 59 {
		return time.Time{}, ErrNoTime
	}
	zone := p.zone
	if zone == nil {
		zone = now.Location()
	}
	said := len(p.ymd) > 0 && (p.month == 0 || len(p.ymd) > 1)
	if p.weekday >= 0 && !said {
		today := int(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Weekday()+6) % 7
		day += (p.weekday - today + 7) % 7
	}
	return time.Date(year, time.Month(month), day, hour, minute, sec, p.nano, zone), nil
}

// date sorts the numbers into year, month and day; -1 is not told.
func (p *guess) date() (year, month, day int, ok bool) {
	year, month, day = -1, -1, -1
	rest := p.ymd
	if p.month > 0 {
		month = p.ymd[p.month-1].n
		rest = append(append([]part{}, p.ymd[:p.month-1]...), p.ymd[p.month:]...)
	}
	isYear := func(x part) bool { return x.digits > 2 || x.n > 31 }
	switch {
	case len(rest) > 3 || month > 0 && len(rest) > 2:
		return 0, 0, 0, false
	case month > 0 && len(rest) == 2:
		day, year = rest[0].n, full(rest[1])
		if isYear(rest[0]) {
			day, year = rest[1].n, full(rest[0])
		}
	case len(rest) == 3:
		year, month, day = order(rest, isYear)
	case len(rest) == 2 && isYear(rest[0]):
		year, month = full(rest[0]), rest[1].n
	case len(rest) == 2 && isYear(rest[1]):
		month, year = rest[0].n, full(rest[1])
	case len(rest) == 2 && rest[0].n > 12:
		day, month = rest[0].n, rest[1].n
	case len(rest) == 2:
		month, day = rest[0].n, rest[1].n
	case len(rest) == 1 && isYear(rest[0]):
		year = full(rest[0])
	case len(rest) == 1:
		day = rest[0].n
	}
	return year, month, day, true
}

// order guesses which of three numbers is what: a year first, or the American
// month first where that can be.
func order(x []part, isYear func(part) bool) (year, month, day int) {
	switch {
	case isYear(x[0]) && x[0].digits <= 2 && x[1].n > 12 && x[2].n <= 12:
		return full(x[0]), x[2].n, x[1].n
	case isYear(x[0]):
		return full(x[0]), x[1].n, x[2].n
	case isYear(x[1]):
		return full(x[1]), x[0].n, x[2].n
	case x[0].n > 12:
		return full(x[2]), x[1].n, x[0].n
	}
	return full(x[2]), x[0].n, x[1].n
}

// full is a year; one of two digits is the nearest to now's century.
func full(x part) int {
	if x.digits > 2 || x.n >= 100 {
		return x.n
	}
	year := 2000 + x.n
	if year >= 2076 {
		year -= 100
	}
	return year
}
