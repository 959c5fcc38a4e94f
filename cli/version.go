package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"pinch/config"
)

// Version is pinch's own version; the release build sets it.
var Version = "0.1.0"

// versionsReport is the text of --versions-report.
func versionsReport() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Salt Version:\n          Salt: %s\n\nPinch Version:\n         pinch: %s\n            Go: %s\n\nDependency Versions:\n", config.SaltVersion, Version, runtime.Version())
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			fmt.Fprintf(&b, "  %s: %s\n", d.Path, d.Version)
		}
	}
	fmt.Fprintf(&b, "\nSystem Versions:\n       machine: %s\n        system: %s\n", runtime.GOARCH, runtime.GOOS)
	return b.String()
}

// newJID is a job id: the time in UTC, to the microsecond.
func newJID() string {
	t := time.Now().UTC()
	return t.Format("20060102150405") + fmt.Sprintf("%06d", t.Nanosecond()/1000)
}
