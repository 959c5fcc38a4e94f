package ssh_pki

import (
	"regexp"
	"strconv"
	"sync"
	"time"

	"pinch/value"
)

var durationForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+(?:\.\d+)?[smhd]$`) })

// duration reads seconds, or a text such as 1.5h; ok is false for None.
func duration(v any) (d time.Duration, ok bool, err error) {
	unit := 1.0
	var n float64
	switch v := v.(type) {
	case nil:
		return 0, false, nil
	case int64:
		n = float64(v)
	case float64:
		n = v
	case string:
		if n, err = strconv.ParseFloat(v, 64); err == nil {
			break
		}
		if !durationForm().MatchString(v) {
			return 0, false, value.Errorf("ValueError", "Invalid time string format: %s", v)
		}
		if n, err = strconv.ParseFloat(v[:len(v)-1], 64); err != nil {
			return 0, false, value.Errorf("ValueError", "Invalid time string format: %s", v)
		}
		unit = map[byte]float64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400}[v[len(v)-1]]
	default:
		return 0, false, value.Errorf("ValueError", "Expected integer, float or time string")
	}
	return time.Duration(n * unit * float64(time.Second)), true, nil
}
