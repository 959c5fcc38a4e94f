package docker

import (
	"strconv"
	"time"

	"pinch/salt"
	"pinch/value"
)

// logTime reads since and until: a Unix time, or a date and time.
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
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
			if t, err := time.ParseInLocation(layout, x, time.Local); err == nil {
				return strconv.FormatInt(t.Unix(), 10), nil
			}
		}
	}
	class := map[string]string{"str": "str", "int": "int", "float": "float"}[value.TypeName(v)]
	if class == "" {
		class = value.TypeName(v)
	}
	return "", salt.CommandError("%s value should be datetime or positive int/float, not <class '%s'>", key, class)
}
