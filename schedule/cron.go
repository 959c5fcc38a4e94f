package schedule

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// A Cron is a parsed cron expression: five fields, a sixth for seconds, a
// seventh for years, as croniter reads them. Sets are bits.
type Cron struct {
	minute, hour, second uint64
	day, month, weekday  uint64
	allDays, allWeekdays bool
	anyHour              bool
	last                 bool // L among the days of the month
	nearest              []int
	nth                  map[int][]int // weekday → which ones of the month, -1: the last
	years                []int         // empty: all
}

var errCron = errors.New("invalid cron expression")

// A field's range and names.
type cronField struct {
	min, max int
	names    string // of three letters each
}

func cronFields() [7]cronField {
	return [7]cronField{
		{0, 59, ""}, {0, 23, ""}, {1, 31, ""},
		{1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"}, {0, 7, "sunmontuewedthufrisat"},
		{0, 59, ""}, {1970, 2099, ""},
	}
}

// ParseCron reads an expression.
func ParseCron(text string) (*Cron, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch text {
	case "@midnight", "@daily":
		text = "0 0 * * *"
	case "@hourly":
		text = "0 * * * *"
	case "@weekly":
		text = "0 0 * * 0"
	case "@monthly":
		text = "0 0 1 * *"
	case "@yearly", "@annually":
		text = "0 0 1 1 *"
	}
	words := strings.Fields(text)
	if len(words) < 5 || len(words) > 7 {
		return nil, errCron
	}
	c := &Cron{}
	if len(words) == 5 {
		c.second = 1
	}
	fields := cronFields()
	for i, w := range words {
		if err := c.field(i, w, fields[i]); err != nil {
			return nil, err
		}
	}
	c.anyHour = c.hour == 1<<24-1
	c.allDays = c.day == 1<<32-2 && !c.last && len(c.nearest) == 0
	if c.weekday&(1<<7) != 0 {
		c.weekday |= 1
	}
	c.weekday &= 1<<7 - 1
	c.allWeekdays = c.weekday == 1<<7-1
	return c, nil
}

// field reads one field.
func (c *Cron) field(i int, text string, f cronField) error {
	for _, item := range strings.Split(text, ",") {
		if i == 2 && item == "l" {
			c.last = true
			continue
		}
		if n, ok := strings.CutSuffix(item, "w"); i == 2 && ok {
			day, err := f.number(n)
			if err != nil {
				return err
			}
			c.nearest = append(c.nearest, day)
			continue
		}
		if i == 4 && (strings.HasPrefix(item, "l") || strings.Contains(item, "#")) {
			if err := c.nthWeekday(item, f); err != nil {
				return err
			}
			continue
		}
		if item == "?" && (i == 2 || i == 4) {
			item = "*"
		}
		values, err := f.span(item, i == 4)
		if err != nil {
			return err
		}
		c.add(i, values)
	}
	return nil
}

// nthWeekday reads fri#2 and l5.
func (c *Cron) nthWeekday(item string, f cronField) error {
	name, which, hash := strings.Cut(item, "#")
	n := -1
	if hash {
		var err error
		if n, err = strconv.Atoi(which); err != nil || n < 1 || n > 5 {
			return errCron
		}
	} else {
		name = item[1:]
	}
	day, err := f.number(name)
	if err != nil {
		return err
	}
	if c.nth == nil {
		c.nth = map[int][]int{}
	}
	c.nth[day%7] = append(c.nth[day%7], n)
	return nil
}

func (c *Cron) add(i int, values []int) {
	sets := []*uint64{&c.minute, &c.hour, &c.day, &c.month, &c.weekday, &c.second}
	if i == 6 {
		c.years = append(c.years, values...)
		return
	}
	for _, v := range values {
		*sets[i] |= 1 << v
	}
}

// number reads a number or a name.
func (f cronField) number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		k := -1
		if len(s) == 3 {
			k = strings.Index(f.names, s)
		}
		if k < 0 || k%3 != 0 {
			return 0, errCron
		}
		n = k / 3
		if f.min == 1 {
			n++
		}
	}
	if n < f.min || n > f.max {
		return 0, errCron
	}
	return n, nil
}

// span reads *, a, a-b, each with /step. A range whose end is smaller runs over
// the end of the field and goes on at its start.
func (f cronField) span(item string, week bool) ([]int, error) {
	text, stepText, stepped := strings.Cut(item, "/")
	step := 1
	if stepped {
		var err error
		if step, err = strconv.Atoi(stepText); err != nil || step < 1 {
			return nil, errCron
		}
	}
	from, to := f.min, f.max
	if week {
		to = 6
	}
	if text != "*" {
		a, b, ranged := strings.Cut(text, "-")
		var err error
		if from, err = f.number(a); err != nil {
			return nil, err
		}
		switch {
		case ranged:
			if to, err = f.number(b); err != nil {
				return nil, err
			}
		case !stepped:
			to = from
		}
	}
	size := f.max - f.min + 1
	if week {
		size = 7
	}
	if to < from {
		to += size
	}
	var out []int
	for n := from; n <= to; n += step {
		v := n
		if v > f.max {
			v = (v-f.min)%size + f.min
		}
		out = append(out, v)
	}
	return out, nil
}

// day reports whether the date is one of the expression's.
func (c *Cron) date(d time.Time) bool {
	if c.month&(1<<d.Month()) == 0 {
		return false
	}
	if len(c.nth) > 0 {
		for _, n := range c.nth[int(d.Weekday())] {
			if n > 0 && (d.Day()-1)/7+1 == n || n < 0 && d.AddDate(0, 0, 7).Month() != d.Month() {
				return true
			}
		}
		return c.weekday != 0 && c.weekday&(1<<d.Weekday()) != 0
	}
	inMonth := c.day&(1<<d.Day()) != 0 || c.last && d.AddDate(0, 0, 1).Day() == 1
	for _, n := range c.nearest {
		inMonth = inMonth || d.Day() == nearestWorkday(d, n)
	}
	inWeek := c.weekday&(1<<d.Weekday()) != 0
	if c.allDays || c.allWeekdays {
		return (c.allDays || inMonth) && (c.allWeekdays || inWeek)
	}
	return inMonth || inWeek
}

// nearestWorkday is the working day nearest to a day of d's month.
func nearestWorkday(d time.Time, day int) int {
	last := time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	day = min(day, last)
	switch time.Date(d.Year(), d.Month(), day, 0, 0, 0, 0, time.UTC).Weekday() {
	case time.Saturday:
		if day == 1 {
			return 3
		}
		return day - 1
	case time.Sunday:
		if day == last {
			return day - 2
		}
		return day + 1
	}
	return day
}

// horizon is how many years ahead a time is looked for.
const horizon = 30

// wall is the first matching clock time after t, both as times of UTC.
func (c *Cron) wall(t time.Time) (time.Time, bool) {
	start := t.Truncate(time.Second).Add(time.Second)
	date := time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, time.UTC)
	first := int(start.Sub(date) / time.Second)
	for end := start.Year() + horizon; date.Year() <= end; first = 0 {
		if c.inYear(date.Year()) && c.date(date) {
			if s, ok := c.secondOfDay(first); ok {
				return date.Add(time.Duration(s) * time.Second), true
			}
		}
		if c.month&(1<<date.Month()) == 0 {
			date = time.Date(date.Year(), date.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		} else {
			date = date.AddDate(0, 0, 1)
		}
	}
	return time.Time{}, false
}

func (c *Cron) inYear(y int) bool {
	if len(c.years) == 0 {
		return true
	}
	for _, n := range c.years {
		if n == y {
			return true
		}
	}
	return false
}

// secondOfDay is the first matching second of a day, from one on.
func (c *Cron) secondOfDay(from int) (int, bool) {
	for h := from / 3600; h < 24; h++ {
		if c.hour&(1<<h) == 0 {
			continue
		}
		for m := 0; m < 60; m++ {
			if c.minute&(1<<m) == 0 || h*3600+m*60+59 < from {
				continue
			}
			for s := 0; s < 60; s++ {
				if n := h*3600 + m*60 + s; c.second&(1<<s) != 0 && n >= from {
					return n, true
				}
			}
		}
	}
	return 0, false
}

// Next is the first time after t; false when there is none within 30 years.
//
// An expression for certain hours means times on the clock: where the clock is
// put forward over one, it is due when the clock goes on, and in the hour that
// comes twice it is due once. One for every hour goes on through both.
func (c *Cron) Next(t time.Time) (time.Time, bool) {
	if c.anyHour {
		return c.elapsed(t)
	}
	w := naive(t)
	for range 20000 { // more than a repeated hour has seconds
		next, ok := c.wall(w)
		if !ok {
			return next, false
		}
		if at := instant(next, t.Location()); at.After(t) {
			return at, true
		}
		w = next
	}
	return time.Time{}, false
}

// elapsed is Next for every hour: where the offset changes on the way, the
// search goes on from what the clock shows then.
func (c *Cron) elapsed(t time.Time) (time.Time, bool) {
	w := naive(t)
	for range 3 * horizon {
		next, ok := c.wall(w)
		if !ok {
			return next, false
		}
		at := t.Add(next.Sub(naive(t)))
		if sameOffset(at, t) {
			return at, true
		}
		t = transition(t, at)
		w = naive(t).Add(-time.Second)
	}
	return time.Time{}, false
}
