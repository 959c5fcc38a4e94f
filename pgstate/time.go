package pgstate

import "time"

// Time reads a timestamp of the server without its zone. Infinity and nothing
// are none.
func Time(s string) (time.Time, bool) {
	t, err := time.ParseInLocation(time.DateTime, s, time.Local)
	return t, err == nil
}
