package cli

import (
	"fmt"
	"time"
)

// Version is pinch's own version; the release build sets it.
var Version = "0.1.0"

// newJID is a job id: the time in UTC, to the microsecond.
func newJID() string {
	t := time.Now().UTC()
	return t.Format("20060102150405") + fmt.Sprintf("%06d", t.Nanosecond()/1000)
}
