package file

import (
	"strconv"
	"strings"

	"pinch/value"
)

// intArg is Python's int() of an argument.
func intArg(v any) (int64, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case float64:
		return int64(v), nil
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		if err != nil {
			return 0, value.Errorf("ValueError", "invalid literal for int() with base 10: %s", value.Repr(v))
		}
		return n, nil
	}
	return 0, value.Errorf("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'", value.TypeName(v))
}

// numArg is an argument that is a number of seconds, whole or not.
func numArg(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		return 0, true
	}
	return 0, false
}

// parseNumber reads a whole number or one with a point.
func parseNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
