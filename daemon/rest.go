package daemon

import (
	"context"
	"runtime/debug"
	"time"
)

// Memory is given back when nothing was done for restAfter, every restEvery at most.
const (
	restAfter = 5 * time.Second
	restEvery = 2 * time.Minute
)

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
		select {
		case <-ctx.Done():
		case <-d.o.Clock.After(restEvery):
		}
	}
}

// Stir says that something was done whose memory is not needed later.
func (d *Daemon) Stir() {
	select {
	case d.busy <- struct{}{}:
	default:
	}
}
