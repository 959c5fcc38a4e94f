package schedule

import "time"

// naive is the clock time of t as if it were one of UTC, so that clock times
// can be compared and added to.
func naive(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// instant is when the clock of loc first shows a clock time; the end of the gap
// for one that the clock jumps over.
func instant(wall time.Time, loc *time.Location) time.Time {
	t := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), loc)
	if naive(t).Equal(wall) {
		// Of two such times Go may give either.
		for _, back := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
			if e := t.Add(-back); naive(e).Equal(wall) {
				return e
			}
		}
		return t
	}
	return transition(t.Add(-4*time.Hour), t.Add(4*time.Hour))
}

func sameOffset(a, b time.Time) bool {
	_, x := a.Zone()
	_, y := b.Zone()
	return x == y
}

// transition is the first second between a and b with another offset than a's;
// b when there is none.
func transition(a, b time.Time) time.Time {
	if sameOffset(a, b) {
		return b
	}
	lo, hi := a.Unix(), b.Unix()
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if sameOffset(a, time.Unix(mid, 0).In(a.Location())) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return time.Unix(hi, 0).In(a.Location())
}
