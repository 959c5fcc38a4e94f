package docker

import (
	"strconv"
	"time"

	"pinch/render/saltfilters"
	"pinch/salt"
	"pinch/value"
)

// logTime reads since and until: a Unix time, or what timelib reads.
func logTime(key string, v any) (string, error) {
	switch x := v.(type) {
	case nil:
		return "", nil
	case int64:
		if x > 0 {
			return strconv.FormatInt(x, 10), nil
		}
	case float64:
		if x > 0 {
			return value.FormatFloat(x), nil
		}
	case time.Time:
		return strconv.FormatInt(x.Unix(), 10), nil
	case value.Date:
		return logTime(key, value.Str(x))
	case string:
		if n, err := strconv.ParseInt(x, 10, 64); err == nil {
			return logTime(key, n)
		}
		if t, ok := saltfilters.ParseTime(x, time.Now()); ok {
			return strconv.FormatInt(t.Unix(), 10), nil
		}
	}
	return "", salt.CommandError("%s value should be datetime or positive int/float, not <class '%s'>", key, value.TypeName(v))
}
