package disk

import (
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type statusArgs struct {
	Name     string `py:"name"`           // a mount point or a folder
	Maximum  any    `py:"maximum=None"`   // not more than this: 90% or, with absolute, 1024KB
	Minimum  any    `py:"minimum=None"`   // not less than this
	Absolute bool   `py:"absolute=False"` // the limits are KiB instead of percent
	Free     bool   `py:"free=False"`     // the limits are about the space that is left
}

// status checks the space on a file system: the state fails when it is not
// within limits. It never changes anything.
//
//	used_space:
//	  disk.status:
//	    - name: /dev/xda1
//	    - maximum: 79%
//	    - minimum: 11%
func status(c *salt.Ctx, a statusArgs) salt.Result {
	var l limits
	comment := l.read(a)
	r := salt.Failed("%s", comment)
	r.Extra = value.M("data", new(value.Map))
	if comment != "" {
		return r
	}
	m, err := usage(c, dfArgs{})
	if err != nil {
		return salt.Raised(err)
	}
	if data := m.Map(a.Name); data != nil {
		used, available := amount(data.Str("used")), amount(data.Str("available"))
		if !a.Absolute {
			used = amount(strings.TrimSuffix(data.Str("capacity"), "%"))
			available = 100 - used
		}
		r.Extra = value.M("data", data)
		return l.check(r, a, used, available, false)
	}
	return l.folder(c, r, a)
}

func amount(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// limits are a minimum and a maximum; nil where there is none.
type limits struct{ least, most *int64 }

// read reads the limits and says what is wrong with them.
func (l *limits) read(a statusArgs) (comment string) {
	var text string
	l.most, text = limit("maximum", a.Maximum, a.Absolute)
	comment += text
	l.least, text = limit("minimum", a.Minimum, a.Absolute)
	comment += text
	if l.least != nil && l.most != nil && *l.least >= *l.most {
		comment += "minimum must be less than maximum "
	}
	return comment
}

func limit(name string, v any, absolute bool) (*int64, string) {
	strip := " %"
	if absolute {
		strip = " KB"
	}
	if v == nil {
		return nil, ""
	}
	if f, ok := v.(float64); ok {
		v = int64(f)
	}
	n, err := strconv.ParseInt(strings.Trim(value.Str(v), strip), 10, 64)
	switch {
	case err != nil:
		return nil, name + " must be an integer "
	case !absolute && (n < 0 || n > 100):
		return &n, name + " must be in the range [0, 100] "
	}
	return &n, ""
}

// check compares the space with the limits. The percents of a folder are fine:
// they have a digit behind the point.
func (l *limits) check(r salt.Result, a statusArgs, used, available float64, fine bool) salt.Result {
	unit, what, have := "%", "used", used
	if a.Absolute {
		unit = "KB"
	}
	if a.Free {
		what, have = "available", available
	}
	shown := strconv.FormatFloat(have, 'f', -1, 64)
	if fine {
		shown = value.Repr(have)
	}
	out := salt.Correct("Disk used space in acceptable range")
	switch {
	case l.least != nil && have < float64(*l.least):
		out = salt.Failed("Disk %s space is below minimum of %d %s at %s %s", what, *l.least, unit, shown, unit)
	case l.most != nil && have > float64(*l.most):
		out = salt.Failed("Disk %s space is above maximum of %d %s at %s %s", what, *l.most, unit, shown, unit)
	}
	out.Extra = r.Extra
	return out
}

// folder checks the file system that a folder lies on.
func (l *limits) folder(c *salt.Ctx, r salt.Result, a statusArgs) salt.Result {
	missing := "Disk mount " + a.Name + " not present. "
	if !sys.IsDir(c.Sys, a.Name) {
		r.Comment = missing + "Directory " + a.Name + " does not exist or is not a directory"
		return r
	}
	v, err := c.Call("status.diskusage", a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	all, _ := v.(*value.Map)
	data := all.Map(a.Name)
	total, left := amount(data.Str("total")), amount(data.Str("available"))
	used, available := total-left, left
	if !a.Absolute && total > 0 {
		used, available = round1(used/total*100), round1(left/total*100)
	} else if !a.Absolute {
		used, available = 0, 0
	}
	r.Extra = value.M("data", all)
	return l.check(r, a, used, available, !a.Absolute && total > 0)
}

// round1 is Python's round(x, 1).
func round1(x float64) float64 { return amount(strconv.FormatFloat(x, 'f', 1, 64)) }
