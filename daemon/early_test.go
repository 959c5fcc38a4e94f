package daemon

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pinch/value"
)

// While a minion waits for its master, beacons and schedule of the
// configuration are at work only when the options say so.
func TestEarly(t *testing.T) {
	for _, c := range []struct{ beacons, schedule bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		_, read := load(t, value.M("loop_interval", int64(1), "beacons_before_connect", c.beacons, "scheduler_before_connect", c.schedule,
			"beacons", value.M("status", value.L(value.M("interval", int64(60)), value.M("loadavg", value.L("1-min")))),
			"schedule", value.M("often", value.M("function", "test.ping", "seconds", int64(60)))))
		synctest.Test(t, func(t *testing.T) {
			d := newDaemon(t, read)
			h := listen(d)
			var alive atomic.Int32
			d.o.Notify = func(state string) {
				if strings.HasPrefix(state, "WATCHDOG=1") {
					alive.Add(1)
				}
			}
			d.o.Wait = func(ctx context.Context) {
				select {
				case <-ctx.Done():
				case <-time.After(time.Hour):
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- d.Run(ctx) }()
			told := func() (beacons, returns int) {
				synctest.Wait()
				return len(h.tagged("__beacons_return")), len(h.tagged("__schedule_return"))
			}
			time.Sleep(59 * time.Minute)
			if b, r := told(); b > 0 != c.beacons || r > 0 != c.schedule {
				t.Errorf("%+v: before the master is there %d events of beacons, %d returns", c, b, r)
			}
			if n := alive.Load(); n < 59*6-1 { // the unit's WatchdogSec is a minute
				t.Errorf("%+v: the watchdog heard of it %d times in 59 minutes", c, n)
			}
			time.Sleep(10 * time.Minute)
			if b, r := told(); b == 0 || r == 0 {
				t.Errorf("%+v: afterwards %d events of beacons, %d returns", c, b, r)
			}
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			h.closeAll(d)
		})
	}
}
