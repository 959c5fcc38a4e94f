package saltfilters

import (
	"math"
	"time"

	"pinch/render/jinja"
	"pinch/render/jinja/filters"
	"pinch/value"
	"pinch/value/py"
)

func timeFilters(host func(*jinja.State) Host) []filters.Entry {
	s := sig("strftime", "", "date", nil, "format", "%Y-%m-%d")
	do := defined(onHost(host, strftime))
	return []filters.Entry{entry("strftime", s, do), entry("date_format", s, do)}
}

func strftime(_ *jinja.Call, h Host, a []any) (any, error) {
	now := time.Now
	if h.Sys != nil {
		now = h.Sys.Now
	}
	t, err := dateCast(a[0], now)
	if err != nil {
		return nil, err
	}
	format, ok := py.Text(a[1])
	if !ok {
		return nil, typeError("strftime() argument 1 must be str, not %s", py.TypeName(a[1]))
	}
	s, err := py.Strftime(t, format)
	return s, err
}

// dateCast makes a time of what Salt's date_cast takes: nothing (now), a
// datetime, seconds since 1970, or a text.
func dateCast(v any, now func() time.Time) (time.Time, error) {
	fail := func() (time.Time, error) {
		return time.Time{}, value.Errorf("ValueError", "Unable to parse %s", value.Str(v))
	}
	num := v
	switch x := v.(type) {
	case nil:
		return now().Local(), nil
	case time.Time:
		return x, nil
	case string, py.Markup:
		s, _ := py.Text(x)
		if t, ok := ParseTime(s, now().Local()); ok {
			return t, nil
		}
		f, err := py.Float(s)
		if err != nil {
			return fail()
		}
		num = f
	case value.Date:
		return fail()
	}
	f, err := py.Float(num)
	if err != nil || math.IsNaN(f) || f < -62135596800 || f >= 253402300800 {
		return fail()
	}
	us := math.RoundToEven(f * 1e6)
	return time.UnixMicro(int64(us)).Local(), nil
}
