package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// shortRun lets the heap of a run that is soon over grow to 16 MB before it is
// collected for the first time (4 MB is Go's own bound, and thrice the
// collections for a run of a thousand states); from then on Go's pace holds.
// GOGC in the environment has the last word.
func shortRun() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(400)
	type sentinel struct{ _ [16]byte }
	runtime.AddCleanup(new(sentinel), func(int) { debug.SetGCPercent(100) }, 0)
}
