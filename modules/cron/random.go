package cron

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"pinch/value"
)

func lowerText(s string) string { return strings.ToLower(s) }

// at gives the job its times: random is any value, a:b one between the two.
func (j job) at() job {
	j.minute = pick(j.minute, 0, 59)
	j.hour = pick(j.hour, 0, 23)
	j.month = pick(j.month, 1, 12)
	j.dayweek = pick(j.dayweek, 0, 6)
	last := 28
	switch j.month {
	case "1", "3", "5", "7", "8", "10", "12":
		last = 31
	case "4", "6", "9", "11":
		last = 30
	}
	if j.daymonth == "random" {
		j.daymonth = pick(j.daymonth, 1, last)
	}
	return j
}

func pick(v any, lo, hi int) any {
	s := value.Str(v)
	if from, to, ok := strings.Cut(s, ":"); ok {
		a, err1 := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil {
			return s
		}
		lo, hi = min(a, b), max(a, b)
	} else if s != "random" {
		return s
	}
	return strconv.Itoa(lo + rand.IntN(hi-lo+1))
}
