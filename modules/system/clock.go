package system

import (
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type offsetArgs struct {
	UtcOffset any `py:"utc_offset=None"` // the time zone as +hhmm or -hhmm, the local one by default
}

// now is the time in a zone that is given by its distance from UTC.
func now(c *salt.Ctx, offset any) (time.Time, error) {
	if offset == nil {
		return c.Sys.Now(), nil
	}
	s := value.Str(offset)
	sign := 1
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, -1
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || len(s) != 4 {
		return time.Time{}, salt.InvocationError("Invalid UTC offset")
	}
	seconds := sign * int(n/100*3600+n%100*60)
	return c.Sys.Now().In(time.FixedZone("", seconds)), nil
}

func show(c *salt.Ctx, offset any, layout string) (string, error) {
	t, err := now(c, offset)
	if err != nil {
		return "", err
	}
	return t.Format(layout), nil
}

// getSystemTime returns the time of day: hh:mm:ss AM.
func getSystemTime(c *salt.Ctx, a offsetArgs) (string, error) {
	return show(c, a.UtcOffset, "03:04:05 PM")
}

// getSystemDate returns the day: Mon mm/dd/yyyy.
func getSystemDate(c *salt.Ctx, a offsetArgs) (string, error) {
	return show(c, a.UtcOffset, "Mon 01/02/2006")
}

// getSystemDateTime returns day and time: yyyy-mm-dd hh:mm:ss.
func getSystemDateTime(c *salt.Ctx, a offsetArgs) (string, error) {
	return show(c, a.UtcOffset, "2006-01-02 15:04:05")
}

func parse(s string, layouts ...string) (time.Time, bool) {
	for _, l := range layouts {
		if t, err := time.Parse(l, strings.ToUpper(strings.TrimSpace(s))); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

type setTimeArgs struct {
	Newtime   string `py:"newtime"`         // hh:mm:ss AM, hh:mm AM, hh:mm:ss or hh:mm
	UtcOffset any    `py:"utc_offset=None"` // the zone of the time as +hhmm or -hhmm, the local one by default
}

// setSystemTime sets the time of day; False when it cannot be read.
func setSystemTime(c *salt.Ctx, a setTimeArgs) (bool, error) {
	t, ok := parse(a.Newtime, "3:4:5 PM", "3:4 PM", "15:4:5", "15:4")
	if !ok {
		return false, nil
	}
	return setSystemDateTime(c, dateTimeArgs{Hours: int64(t.Hour()), Minutes: int64(t.Minute()), Seconds: int64(t.Second()), UtcOffset: a.UtcOffset})
}

type setDateArgs struct {
	Newdate   string `py:"newdate"`         // such as 2024-03-28, 03-28-2024 or 03/28/24
	UtcOffset any    `py:"utc_offset=None"` // the zone of the time as +hhmm or -hhmm, the local one by default
}

// setSystemDate sets the day.
func setSystemDate(c *salt.Ctx, a setDateArgs) (bool, error) {
	t, ok := parse(a.Newdate, "2006-1-2", "1-2-2006", "1-2-06", "1/2/2006", "1/2/06", "2006/1/2")
	if !ok {
		return false, salt.InvocationError("Invalid date format")
	}
	return setSystemDateTime(c, dateTimeArgs{Years: int64(t.Year()), Months: int64(t.Month()), Days: int64(t.Day()), UtcOffset: a.UtcOffset})
}

type dateTimeArgs struct {
	Years     any `py:"years=None"`      // the year, that of now by default
	Months    any `py:"months=None"`     // the month, 1 to 12
	Days      any `py:"days=None"`       // the day of the month
	Hours     any `py:"hours=None"`      // the hour, 0 to 23
	Minutes   any `py:"minutes=None"`    // the minute
	Seconds   any `py:"seconds=None"`    // the second
	UtcOffset any `py:"utc_offset=None"` // the zone of the time as +hhmm or -hhmm, the local one by default
}

// setSystemDateTime sets the clock: the parts that are given, the others stay.
// The clock of the hardware follows where it can be set.
func setSystemDateTime(c *salt.Ctx, a dateTimeArgs) (bool, error) {
	t, err := now(c, a.UtcOffset)
	if err != nil {
		return false, err
	}
	t, err = a.apply(t)
	if err != nil {
		return false, err
	}
	if err := c.Sys.SetTime(t); err != nil {
		return false, salt.CommandError("date failed: %s", err)
	}
	if ok, err := hasSettableHwclock(c, salt.NoArgs{}); !ok || err != nil {
		return err == nil, err
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"hwclock", "--systohc"}})
	if err == nil && r.Code != 0 {
		c.Log.Warn("hwclock failed to set hardware clock from software clock: " + string(r.Stderr))
	}
	return err == nil, err
}

// apply replaces the given parts of a time.
func (a dateTimeArgs) apply(t time.Time) (time.Time, error) {
	year, month, day := t.Date()
	n := [6]int64{int64(year), int64(month), int64(day), int64(t.Hour()), int64(t.Minute()), int64(t.Second())}
	for i, v := range []any{a.Years, a.Months, a.Days, a.Hours, a.Minutes, a.Seconds} {
		switch v := v.(type) {
		case nil:
		case int64:
			n[i] = v
		default:
			return t, value.Errorf("TypeError", "'%s' object cannot be interpreted as an integer", value.TypeName(v))
		}
	}
	limits := []struct {
		name     string
		min, max int64
	}{{"year", 1, 9999}, {"month", 1, 12}, {"day", 1, 31}, {"hour", 0, 23}, {"minute", 0, 59}, {"second", 0, 59}}
	for i, l := range limits {
		if n[i] >= l.min && n[i] <= l.max {
			continue
		}
		if l.name == "day" {
			return t, salt.InvocationError("day is out of range for month")
		}
		text := l.name + " must be in " + strconv.FormatInt(l.min, 10) + ".." + strconv.FormatInt(l.max, 10)
		if l.name == "year" {
			text = "year " + strconv.FormatInt(n[i], 10) + " is out of range"
		}
		return t, salt.InvocationError("%s", text)
	}
	out := time.Date(int(n[0]), time.Month(n[1]), int(n[2]), int(n[3]), int(n[4]), int(n[5]), 0, t.Location())
	if int64(out.Day()) != n[2] {
		return t, salt.InvocationError("day is out of range for month")
	}
	return out, nil
}

// hasSettableHwclock says whether there is a clock of the hardware that can be
// set.
func hasSettableHwclock(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	if c.Sys.LookPath("hwclock") == "" {
		return false, nil
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"hwclock", "--test", "--systohc"}, Query: true})
	return err == nil && r.Code == 0, err
}
