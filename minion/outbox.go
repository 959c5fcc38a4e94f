package minion

import (
	"context"
	"errors"
	"net"
	"time"

	"pinch/minion/session"
	"pinch/minion/transport"
	"pinch/value"
)

// outboxSize is how many messages wait for a master that is away; then the
// oldest make room.
const outboxSize = 1000

// A message is what is to be sent to a master besides the returns of its jobs:
// events, returns of the schedule, the mine.
type message struct {
	cmd, tag string
	fields   *value.Map
	made     time.Time
}

// put adds a message to what is to be sent.
func (l *link) put(m message) {
	for {
		select {
		case l.out <- m:
			return
		default:
		}
		select {
		case old := <-l.out:
			l.m.o.Log.Warn("the master is away, and too much waits for it: " + old.tag + " is dropped")
		default:
		}
	}
}

// post sends what was put, in its order, until nothing more is. A message waits
// while the master is away, as the return of a job does.
func (l *link) post(ctx context.Context) {
	for m := range l.out {
		wait := l.backoff()
		for {
			err := errAbsent
			if s := l.session(); s != nil {
				_, err = s.Request(ctx, m.cmd, m.fields)
			}
			if err == nil {
				break
			}
			if !isAway(err) || time.Since(m.made) > away || !sleep(ctx, wait.next()) {
				l.m.o.Log.Warn("the master did not take " + m.tag + ": " + err.Error())
				break
			}
		}
	}
}

// isAway reports whether the master cannot be asked at present.
func isAway(err error) bool {
	var gone *net.OpError
	return errors.As(err, &gone) || errors.Is(err, transport.ErrLost) || errors.Is(err, session.ErrNotAccepted) || errors.Is(err, errAbsent)
}

// later is a context that ends some time after another one.
func later(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	long, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d, cancel) })
	return long, func() { stop(); cancel() }
}
