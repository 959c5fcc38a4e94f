package daemon

import (
	"context"
	"runtime/debug"
	"time"
)

// restAfter is how long nothing must have been done before memory is given back.
const restAfter = 5 * time.Second

// A job's start, a reload or a reaction takes memory that the long waiting
// after it does not need. rest gives it back once things are quiet: busy wakes it.
func (d *Daemon) rest(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.busy:
		}
		for quiet := false; !quiet; {
			select {
			case <-ctx.Done():
				return
			case <-d.busy:
			case <-d.o.Clock.After(restAfter):
				quiet = true
			}
		}
		debug.FreeOSMemory()
		unmapProgram()
	}
}

// Stir says that something was done whose memory is not needed later.
func (d *Daemon) Stir() {
	select {
	case d.busy <- struct{}{}:
	default:
	}
}
