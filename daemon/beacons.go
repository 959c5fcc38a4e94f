package daemon

import (
	"context"
	"strings"
	"time"

	"pinch/beacons"
	"pinch/caller"
	"pinch/jobs"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const manageBeacons = beacons.ManageTag

// beaconSet are the beacons of the daemon. Looking and changing take turns.
type beaconSet struct {
	turn chan struct{} // one token
	set  *beacons.Set
	tree customBeacons
}

// newBeacons makes an empty set.
func (d *Daemon) newBeacons() {
	d.beacons.turn = make(chan struct{}, 1)
	d.beacons.turn <- struct{}{}
	d.beacons.set = &beacons.Set{Env: &beacons.Env{ID: d.conf.Opts.Str("id"), Sys: sys.Real{}, Log: d.o.Log, Now: d.o.Clock.Now,
		StateRun: d.stateRun, Call: d.quickCalls(), Keep: d.keptCalls, Custom: d.customBeacon}}
}

// stateRun reports whether one of our jobs, or somebody else, runs states.
func (d *Daemon) stateRun() bool {
	d.mu.Lock()
	dir := d.conf.Opts.Str("cachedir")
	for _, r := range d.running {
		if strings.HasPrefix(r.job.Fun, "state.") {
			d.mu.Unlock()
			return true
		}
	}
	d.mu.Unlock()
	for _, m := range jobs.Running(dir) {
		if strings.HasPrefix(m.Str("fun"), "state.") {
			return true
		}
	}
	return false
}

// quickCalls calls functions in this process. What a run of functions knows of
// the machine is read anew every second.
func (d *Daemon) quickCalls() beacons.Call {
	var run *caller.Caller
	var c *salt.Ctx
	var made time.Time
	return func(fun string, args ...any) (any, error) {
		if now := d.o.Clock.Now(); c == nil || now.Sub(made) >= time.Second || now.Before(made) {
			if run != nil {
				run.Close()
			}
			run = d.newRun()
			c, made = run.Ctx(context.Background()), now
		}
		return c.Call(fun, args...)
	}
}

// keptCalls calls functions in this process, all in one run: one connection to
// systemd for all looks at services.
func (d *Daemon) keptCalls() (beacons.Call, func()) {
	run := d.newRun()
	c := run.Ctx(context.Background())
	return func(fun string, args ...any) (any, error) { return c.Call(fun, args...) }, run.Close
}

// newRun is a run of functions in this process.
func (d *Daemon) newRun() *caller.Caller {
	return caller.New(d.options(context.Background(), false))
}

// take gives the set to one at a time.
func (d *Daemon) take() (*beacons.Set, func()) {
	<-d.beacons.turn
	return d.beacons.set, func() { d.beacons.turn <- struct{}{} }
}

// setBeacons takes the beacons of configuration and pillar into force.
func (d *Daemon) setBeacons(o, pillar *value.Map) {
	set, done := d.take()
	defer done()
	config, ok := o.At("beacons").(*value.Map)
	if !ok && value.Truth(o.At("beacons")) {
		d.o.Log.Error("beacons must be a mapping, not " + value.Repr(o.At("beacons")))
	}
	d.beacons.tree = customBeacons{}
	set.Config, _ = value.Copy(config).(*value.Map)
	set.Pillar, _ = value.Copy(pillar.Map("beacons")).(*value.Map)
}

// watch looks with the beacons until the context ends.
func (d *Daemon) watch(ctx context.Context) {
	for ctx.Err() == nil {
		d.lookAround()
		select {
		case <-ctx.Done():
		case <-d.o.Clock.After(d.wait(d.o.Clock.Now())): // together with loop: one waking, not two
		}
	}
	set, done := d.take()
	defer done()
	set.Close()
}

// lookAround is one look with all beacons: what they tell is fired together, as
// Salt does, and each by its own tag.
func (d *Daemon) lookAround() {
	set, done := d.take()
	found := set.Look(d.o.Clock.Now())
	done()
	if len(found) == 0 {
		return
	}
	all := new(value.List)
	for _, e := range found {
		m := value.M("tag", e.Tag, "data", e.Data, "beacon_name", e.Name)
		if e.Error != "" {
			m = value.M("tag", e.Tag, "error", e.Error, "data", e.Data, "beacon_name", e.Name)
		}
		all.Append(m)
	}
	d.bus.Fire("__beacons_return", value.M("beacons", all))
	for _, e := range found {
		data := e.Data.Shallow()
		if e.Error != "" {
			data.Set("error", e.Error)
		}
		d.bus.Fire(e.Tag, data)
	}
}

func (d *Daemon) manageBeacons(data *value.Map) {
	set, done := d.take()
	answer := set.Manage(data)
	done()
	if tag := beacons.AnswerTag(data.Str("func")); tag != "" && answer != nil {
		d.bus.Fire(tag, answer)
	}
}
