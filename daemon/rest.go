package daemon

import (
	"context"
	"runtime/debug"
	"time"
)

// The heap is given back when nothing was done for restAfter, every restEvery at
// most; pages of the program, which collecting garbage uses too, every unmapEvery.
const (
	restAfter  = 5 * time.Second
	restEvery  = 2 * time.Minute
	unmapEvery = time.Minute
)

// A job's start, a reload or a reaction takes memory that the long waiting
// after it does not need. rest gives it back once things are quiet: busy wakes it.
func (d *Daemon) rest(ctx context.Context) {
	stale, freed := false, time.Time{}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-d.busy:
			d.quiet(ctx)
			stale = true
		case <-d.o.Clock.After(unmapEvery):
		}
		if now := d.o.Clock.Now(); stale && now.Sub(freed) >= restEvery {
			debug.FreeOSMemory()
			stale, freed = false, now
		}
		unmapProgram()
	}
}

// quiet waits until nothing was done for restAfter.
func (d *Daemon) quiet(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.busy:
		case <-d.o.Clock.After(restAfter):
			return
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
