package py

import (
	"fmt"
	"time"

	"pinch/value"
)

// datetimeMethod finds the methods of datetime.
func datetimeMethod(name string) (m method[time.Time], ok bool) {
	switch name {
	case "isoformat":
		return named(isoformat, "sep", "timespec"), true
	case "timestamp":
		return none(func(t time.Time) (any, error) { return float64(t.UnixMicro()) / 1e6, nil }), true
	case "date":
		return none(func(t time.Time) (any, error) { return value.Date{Time: t}, nil }), true
	case "replace":
		return named(func(t time.Time, a args) (any, error) { return timeReplace(t, a) }, "year", "month", "day", "hour", "minute", "second", "microsecond"), true
	case "utcoffset":
		return none(func(t time.Time) (any, error) {
			if !aware(t) {
				return nil, nil
			}
			_, off := t.Zone()
			return Timedelta(time.Duration(off) * time.Second), nil
		}), true
	case "tzname":
		return none(func(t time.Time) (any, error) {
			if !aware(t) {
				return nil, nil
			}
			zone, _ := t.Zone()
			return zone, nil
		}), true
	case "utctimetuple", "timetuple":
		return none(func(t time.Time) (any, error) {
			if name == "utctimetuple" && aware(t) {
				t = t.UTC()
			}
			return timetuple(t), nil
		}), true
	}
	d, ok := dateMethod(name)
	if !ok {
		return m, false
	}
	return method[time.Time]{d.sig, func(t time.Time, a args) (any, error) { return d.do(value.Date{Time: t}, a) }}, true
}

func timetuple(t time.Time) value.Tuple {
	return value.Tuple{int64(t.Year()), int64(t.Month()), int64(t.Day()), int64(t.Hour()), int64(t.Minute()), int64(t.Second()),
		(int64(t.Weekday()) + 6) % 7, int64(t.YearDay()), int64(-1)}
}

// dateMethod finds the methods of date.
func dateMethod(name string) (m method[value.Date], ok bool) {
	switch name {
	case "strftime":
		return named(func(d value.Date, a args) (any, error) {
			f, ok := Text(a.or(0, nil))
			if !ok {
				return nil, typeError("strftime() argument 1 must be str, not %s", TypeName(a.or(0, nil)))
			}
			return Strftime(d.Time, f)
		}, "format"), true
	case "isoformat":
		return none(func(d value.Date) (any, error) { return d.Format(time.DateOnly), nil }), true
	case "weekday":
		return none(func(d value.Date) (any, error) { return (int64(d.Weekday()) + 6) % 7, nil }), true
	case "isoweekday":
		return none(func(d value.Date) (any, error) { return (int64(d.Weekday())+6)%7 + 1, nil }), true
	case "isocalendar":
		return none(func(d value.Date) (any, error) {
			y, w := d.ISOWeek()
			return value.Tuple{int64(y), int64(w), (int64(d.Weekday())+6)%7 + 1}, nil
		}), true
	case "toordinal":
		return none(func(d value.Date) (any, error) {
			return midnight(d).Unix()/86400 + 719163, nil
		}), true
	case "ctime":
		return none(func(d value.Date) (any, error) { return Strftime(d.Time, "%a %b %e %H:%M:%S %Y") }), true
	case "timetuple":
		return none(func(d value.Date) (any, error) { return timetuple(midnight(d)), nil }), true
	case "replace":
		return named(func(d value.Date, a args) (any, error) {
			t, err := timeReplace(midnight(d), a)
			return value.Date{Time: t}, err
		}, "year", "month", "day"), true
	}
	return m, false
}

func timeReplace(t time.Time, a args) (time.Time, error) {
	parts := []int64{int64(t.Year()), int64(t.Month()), int64(t.Day()), int64(t.Hour()), int64(t.Minute()), int64(t.Second()), int64(t.Nanosecond() / 1000)}
	for i := range parts {
		n, err := a.int(i, parts[i])
		if err != nil {
			return t, err
		}
		parts[i] = n
	}
	out := time.Date(int(parts[0]), time.Month(parts[1]), int(parts[2]), int(parts[3]), int(parts[4]), int(parts[5]), int(parts[6])*1000, t.Location())
	switch {
	case parts[0] < 1 || parts[0] > 9999:
		return t, valueError("year %d is out of range", parts[0])
	case parts[1] < 1 || parts[1] > 12:
		return t, valueError("month must be in 1..12")
	case int64(out.Day()) != parts[2] || out.Month() != time.Month(parts[1]):
		return t, valueError("day is out of range for month")
	}
	return out, nil
}

func isoformat(t time.Time, a args) (any, error) {
	sep, _ := Text(a.or(0, "T"))
	spec, _ := Text(a.or(1, "auto"))
	us := t.Nanosecond() / 1000
	if spec == "auto" {
		spec = "seconds"
		if us != 0 {
			spec = "microseconds"
		}
	}
	clock := ""
	switch spec {
	case "hours":
		clock = t.Format("15")
	case "minutes":
		clock = t.Format("15:04")
	case "seconds":
		clock = t.Format("15:04:05")
	case "milliseconds":
		clock = t.Format("15:04:05") + fmt.Sprintf(".%03d", us/1000)
	case "microseconds":
		clock = t.Format("15:04:05") + fmt.Sprintf(".%06d", us)
	default:
		return nil, valueError("Unknown timespec value")
	}
	s := t.Format(time.DateOnly) + sep + clock
	if aware(t) {
		s += zoneText(t, 1)
	}
	return s, nil
}

// deltaMethod finds the methods of timedelta.
func deltaMethod(name string) (m method[Timedelta], ok bool) {
	if name == "total_seconds" {
		return none(func(d Timedelta) (any, error) { return d.Seconds(), nil }), true
	}
	return m, false
}
