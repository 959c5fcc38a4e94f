package py

import (
	"fmt"
	"math"
	"time"

	"pinch/value"
)

// A Timedelta is Python's datetime.timedelta, to the microsecond.
type Timedelta time.Duration

// TypeName is "timedelta".
func (d Timedelta) TypeName() string { return "timedelta" }

// Truth reports whether there is any time between.
func (d Timedelta) Truth() bool { return d != 0 }

// parts gives days (rounded down), seconds and microseconds, as Python keeps them.
func (d Timedelta) parts() (days, seconds, micros int64) {
	us := int64(d) / 1000
	days = floorInt(us, 86400e6)
	us -= days * 86400e6
	return days, us / 1e6, us % 1e6
}

func floorInt(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// String is Python's str: "1 day, 2:03:04".
func (d Timedelta) String() string {
	days, s, us := d.parts()
	out := fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	if us != 0 {
		out += fmt.Sprintf(".%06d", us)
	}
	if days == 1 || days == -1 {
		return fmt.Sprintf("%d day, %s", days, out)
	}
	if days != 0 {
		return fmt.Sprintf("%d days, %s", days, out)
	}
	return out
}

// Repr is Python's repr.
func (d Timedelta) Repr() string {
	days, s, us := d.parts()
	out := ""
	for _, p := range []struct {
		name string
		n    int64
	}{{"days", days}, {"seconds", s}, {"microseconds", us}} {
		if p.n == 0 {
			continue
		}
		if out != "" {
			out += ", "
		}
		out += fmt.Sprintf("%s=%d", p.name, p.n)
	}
	if out == "" {
		out = "0"
	}
	return "datetime.timedelta(" + out + ")"
}

// Seconds is total_seconds().
func (d Timedelta) Seconds() float64 { return float64(int64(d)/1000) / 1e6 }

func addTime(a, b any) (any, bool) {
	if _, ok := a.(Timedelta); ok {
		a, b = b, a
	}
	d, ok := b.(Timedelta)
	if !ok {
		return nil, false
	}
	switch x := a.(type) {
	case Timedelta:
		return x + d, true
	case time.Time:
		return wallAdd(x, time.Duration(d)), true
	case value.Date:
		days, _, _ := d.parts()
		return value.Date{Time: x.AddDate(0, 0, int(days))}, true
	}
	return nil, false
}

// wallAdd adds by the clock on the wall, as naive datetimes do.
func wallAdd(t time.Time, d time.Duration) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()+int(d), t.Location())
}

func subTime(a, b any) (any, bool) {
	switch x := a.(type) {
	case Timedelta:
		if y, ok := b.(Timedelta); ok {
			return x - y, true
		}
	case time.Time:
		switch y := b.(type) {
		case Timedelta:
			return wallAdd(x, -time.Duration(y)), true
		case time.Time:
			if aware(x) != aware(y) {
				return nil, false
			}
			return Timedelta(wall(x).Sub(wall(y))), true
		}
	case value.Date:
		switch y := b.(type) {
		case Timedelta:
			days, _, _ := y.parts()
			return value.Date{Time: x.AddDate(0, 0, -int(days))}, true
		case value.Date:
			return Timedelta(midnight(x).Sub(midnight(y))), true
		}
	}
	return nil, false
}

// aware reports whether Python would give t a tzinfo; a local time has none.
func aware(t time.Time) bool { return t.Location() != time.Local }

func wall(t time.Time) time.Time {
	if aware(t) {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

func midnight(d value.Date) time.Time {
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
}

func mulTime(a, b any) (any, bool) {
	d, ok := a.(Timedelta)
	if !ok {
		a, b = b, a
		if d, ok = a.(Timedelta); !ok {
			return nil, false
		}
	}
	n, ok := toNum(b)
	if !ok || n.b != nil {
		return nil, false
	}
	if n.float {
		return Timedelta(math.RoundToEven(float64(d)*n.f/1000) * 1000), true
	}
	return d * Timedelta(n.i), true
}

func divTime(a, b any) (any, bool, error) {
	d, ok := a.(Timedelta)
	if !ok {
		return nil, false, nil
	}
	if e, ok := b.(Timedelta); ok {
		if e == 0 {
			return nil, true, zeroDivision("division by zero")
		}
		return float64(d) / float64(e), true, nil
	}
	n, ok := toNum(b)
	if !ok || n.b != nil {
		return nil, false, nil
	}
	f, _ := n.asFloat()
	if f == 0 {
		return nil, true, zeroDivision("integer division or modulo by zero")
	}
	return Timedelta(math.RoundToEven(float64(d)/f/1000) * 1000), true, nil
}

func floorDivTime(a, b any) (any, bool, error) {
	d, ok := a.(Timedelta)
	if !ok {
		return nil, false, nil
	}
	by := int64(0)
	e, isDelta := b.(Timedelta)
	if i, ok := b.(int64); ok {
		by = i
	} else if isDelta {
		by = int64(e)
	} else {
		return nil, false, nil
	}
	if by == 0 {
		return nil, true, zeroDivision("integer division or modulo by zero")
	}
	if isDelta {
		return floorInt(int64(d), by), true, nil
	}
	return Timedelta(floorInt(int64(d)/1000, by) * 1000), true, nil
}

// timeAttr gives the fields of datetimes, dates and timedeltas.
func timeAttr(obj any, name string) (any, bool) {
	var t time.Time
	switch x := obj.(type) {
	case time.Time:
		t = x
		switch name {
		case "hour":
			return int64(t.Hour()), true
		case "minute":
			return int64(t.Minute()), true
		case "second":
			return int64(t.Second()), true
		case "microsecond":
			return int64(t.Nanosecond() / 1000), true
		case "tzinfo":
			if !aware(t) {
				return nil, true
			}
			zone, _ := t.Zone()
			return zone, true
		}
	case value.Date:
		t = x.Time
	case Timedelta:
		days, s, us := x.parts()
		switch name {
		case "days":
			return days, true
		case "seconds":
			return s, true
		case "microseconds":
			return us, true
		}
		return nil, false
	default:
		return nil, false
	}
	switch name {
	case "year":
		return int64(t.Year()), true
	case "month":
		return int64(t.Month()), true
	case "day":
		return int64(t.Day()), true
	}
	return nil, false
}
