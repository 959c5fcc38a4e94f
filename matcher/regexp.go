package matcher

import (
	"pinch/value"
	"pinch/value/pyre"
)

// matchStart is Python's bool(re.match(pattern, s)). A bad pattern is the
// exception re.error.
func matchStart(pattern, s string) (bool, error) {
	re, err := pyre.Compile(pattern, 0)
	if err != nil {
		return false, &value.Exception{Class: "error", Msg: err.Error()}
	}
	return re.Match(s) != nil, nil
}
