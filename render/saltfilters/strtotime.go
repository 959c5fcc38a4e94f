package saltfilters

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A clock is a point in time under construction, as PHP's strtotime builds it:
// what was said about date and time of day, and what to add.
type clock struct {
	now              time.Time
	year, month, day int
	hour, min, sec   int
	date, clock, set bool
	dy, dm, dd       int
	dur              time.Duration
	weekday          int // to move to; -1: none
	weekdayStep      int // 1: not today, -1: backwards
}

// timeRule reads one form of date or time at the start of a text.
type timeRule struct {
	re *regexp.Regexp
	do func(c *clock, m []string) bool
}

const (
	monthName = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	dayName   = `(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)`
	unitName  = `(sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|fortnights?|months?|years?|weekdays?)`
)

// ParseTime reads the usual forms of dates, times and distances ("2002-12-25
// 10:20", "25 Dec 2002", "tomorrow", "+2 weeks", "next monday", "@86400");
// time zones are read and not applied. It is what Salt's timelib takes.
func ParseTime(s string, now time.Time) (time.Time, bool) {
	c := &clock{now: now, year: now.Year(), month: int(now.Month()), day: now.Day(), hour: now.Hour(), min: now.Minute(), sec: now.Second(), weekday: -1}
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return time.Time{}, false
	}
next:
	for {
		s = strings.TrimLeft(s, " \t,")
		if s == "" {
			break
		}
		for _, r := range timeRules() {
			if m := r.re.FindStringSubmatch(s); m != nil && r.do(c, m) {
				s = s[len(m[0]):]
				c.set = true
				continue next
			}
		}
		return time.Time{}, false
	}
	return c.time(), c.set
}

func (c *clock) time() time.Time {
	if c.date && !c.clock {
		c.hour, c.min, c.sec = 0, 0, 0
	}
	t := time.Date(c.year+c.dy, time.Month(c.month+c.dm), c.day+c.dd, c.hour, c.min, c.sec, 0, c.now.Location())
	t = t.Add(c.dur)
	if c.weekday >= 0 {
		ahead := (c.weekday - int(t.Weekday()) + 7) % 7
		switch {
		case c.weekdayStep > 0 && ahead == 0:
			ahead = 7
		case c.weekdayStep < 0:
			ahead -= 7
		}
		t = t.AddDate(0, 0, ahead)
	}
	return t
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

func monthOf(name string) int {
	return 1 + strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3
}

func (c *clock) setDate(y, m, d int) bool {
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	c.year, c.month, c.day, c.date = y, m, d, true
	return true
}

func (c *clock) setClock(h, m, s int, half string) bool {
	if half != "" {
		if h < 1 || h > 12 {
			return false
		}
		h %= 12
		if half[0] == 'p' {
			h += 12
		}
	}
	if h > 24 || m > 59 || s > 60 {
		return false
	}
	c.hour, c.min, c.sec, c.clock = h, m, s, true
	return true
}

// shortYear is the century of a year of two digits.
func shortYear(s string) int {
	y := atoi(s)
	switch {
	case len(s) > 2:
		return y
	case y < 70:
		return 2000 + y
	}
	return 1900 + y
}

// add moves by n units.
func (c *clock) add(n int, unit string) bool {
	if n > 1e6 || n < -1e6 {
		return false
	}
	switch unit = strings.TrimSuffix(unit, "s"); unit {
	case "sec", "second":
		c.dur += time.Duration(n) * time.Second
	case "min", "minute":
		c.dur += time.Duration(n) * time.Minute
	case "hour":
		c.dur += time.Duration(n) * time.Hour
	case "week":
		c.dd += 7 * n
	case "fortnight":
		c.dd += 14 * n
	case "month":
		c.dm += n
	case "year":
		c.dy += n
	default:
		c.dd += n
	}
	return true
}

func (c *clock) midnight(days int) bool {
	c.dd += days
	return c.setClock(0, 0, 0, "")
}

var timeRules = sync.OnceValue(func() []timeRule {
	rule := func(re string, do func(c *clock, m []string) bool) timeRule {
		return timeRule{regexp.MustCompile(`^(?:` + re + `)`), do}
	}
	return []timeRule{
		rule(`@(-?\d+)`, func(c *clock, m []string) bool {
			n, err := strconv.ParseInt(m[1], 10, 64)
			t := time.Unix(n, 0).In(c.now.Location())
			c.clock = true
			c.hour, c.min, c.sec = t.Clock()
			return err == nil && c.setDate(t.Year(), int(t.Month()), t.Day())
		}),
		rule(`(\d{4})-w(\d{2})(?:-?([0-7]))?\b`, func(c *clock, m []string) bool {
			day := 1
			if m[3] != "" {
				day = atoi(m[3])
			}
			jan4 := time.Date(atoi(m[1]), 1, 4, 0, 0, 0, 0, time.UTC)
			t := jan4.AddDate(0, 0, -(int(jan4.Weekday())+6)%7+7*(atoi(m[2])-1)+day-1)
			return c.setDate(t.Year(), int(t.Month()), t.Day())
		}),
		rule(`(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:t|\b)`, func(c *clock, m []string) bool { return c.setDate(atoi(m[1]), atoi(m[2]), atoi(m[3])) }),
		rule(`(\d{1,2})[.-](\d{1,2})[.-](\d{4})\b`, func(c *clock, m []string) bool { return c.setDate(atoi(m[3]), atoi(m[2]), atoi(m[1])) }),
		rule(`(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b`, func(c *clock, m []string) bool { return c.setDate(shortYear(m[3]), atoi(m[1]), atoi(m[2])) }),
		rule(`(\d{1,2})/(\d{1,2})(?:$|\s)`, func(c *clock, m []string) bool { return c.setDate(c.year, atoi(m[1]), atoi(m[2])) }),
		rule(`(\d{4})-(\d{2})\b`, func(c *clock, m []string) bool { return c.setDate(atoi(m[1]), atoi(m[2]), 1) }),
		rule(`(\d{4})(\d{2})(\d{2})(?:t|\b)`, func(c *clock, m []string) bool { return c.setDate(atoi(m[1]), atoi(m[2]), atoi(m[3])) }),
		rule(`(\d{1,2})(?:st|nd|rd|th)?[ \t.-]*`+monthName+`[ \t.,-]*(\d{4})\b`, func(c *clock, m []string) bool { return c.setDate(atoi(m[3]), monthOf(m[2]), atoi(m[1])) }),
		rule(`(\d{1,2})(?:st|nd|rd|th)?[ \t.-]*`+monthName+`\b`, func(c *clock, m []string) bool { return c.setDate(c.year, monthOf(m[2]), atoi(m[1])) }),
		rule(monthName+`[ \t.-]*(\d{1,2})(?:st|nd|rd|th)?(?:[ \t.,]+|-)(\d{4})\b`, func(c *clock, m []string) bool { return c.setDate(atoi(m[3]), monthOf(m[1]), atoi(m[2])) }),
		rule(monthName+`[ \t.-]*(\d{4})\b`, func(c *clock, m []string) bool { return c.setDate(atoi(m[2]), monthOf(m[1]), 1) }),
		rule(monthName+`[ \t.-]*(\d{1,2})(?:st|nd|rd|th)?\b`, func(c *clock, m []string) bool { return c.setDate(c.year, monthOf(m[1]), atoi(m[2])) }),
		rule(monthName+`\b`, func(c *clock, m []string) bool { return c.setDate(c.year, monthOf(m[1]), c.day) }),
		rule(`t?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,:]\d+)?)?[ \t]*(?:([ap])\.?m\.?\b)?`, func(c *clock, m []string) bool { return c.setClock(atoi(m[1]), atoi(m[2]), atoi(m[3]), m[4]) }),
		rule(`(\d{1,2})[ \t]*([ap])\.?m\b\.?`, func(c *clock, m []string) bool { return c.setClock(atoi(m[1]), 0, 0, m[2]) }),
		rule(`t?(\d{2})(\d{2})(\d{2})\b`, func(c *clock, m []string) bool {
			return c.date && c.setClock(atoi(m[1]), atoi(m[2]), atoi(m[3]), "")
		}),
		rule(`t?(\d{2})(\d{2})\b`, func(c *clock, m []string) bool {
			return !c.clock && c.setClock(atoi(m[1]), atoi(m[2]), 0, "")
		}),
		rule(`now\b`, func(*clock, []string) bool { return true }),
		rule(`(?:today|midnight)\b`, func(c *clock, _ []string) bool { return c.midnight(0) }),
		rule(`noon\b`, func(c *clock, _ []string) bool { return c.setClock(12, 0, 0, "") }),
		rule(`tomorrow\b`, func(c *clock, _ []string) bool { return c.midnight(1) }),
		rule(`yesterday\b`, func(c *clock, _ []string) bool { return c.midnight(-1) }),
		rule(`([+-]?)[ \t]*(\d{1,6})[ \t]*`+unitName+`\b([ \t]+ago\b)?`, func(c *clock, m []string) bool {
			n := atoi(m[2])
			if (m[1] == "-") != (m[4] != "") {
				n = -n
			}
			return c.add(n, m[3])
		}),
		rule(`(next|last|previous|this)[ \t]+`+unitName+`\b`, func(c *clock, m []string) bool {
			return c.add(map[string]int{"next": 1, "last": -1, "previous": -1}[m[1]], m[2])
		}),
		rule(`(?:(next|last|previous|this)[ \t]+)?`+dayName+`\b\.?`, func(c *clock, m []string) bool {
			if m[1] == "" && c.date {
				return true // only says what the date says
			}
			c.weekday = strings.Index("sunmontuewedthufrisat", m[2][:3]) / 3
			c.weekdayStep = map[string]int{"next": 1, "last": -1, "previous": -1}[m[1]]
			return c.clock || c.setClock(0, 0, 0, "")
		}),
		rule(`(?:z|utc|gmt)?[+-]\d{1,2}:?(?:\d{2})?\b`, func(c *clock, _ []string) bool { return c.clock }),
		rule(`(?:z|utc|gmt|[ecmp][sd]t|cest|cet|bst)\b`, func(*clock, []string) bool { return true }),
	}
})
