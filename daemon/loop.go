package daemon

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"pinch/caller"
	"pinch/config"
	"pinch/schedule"
	"pinch/value"
)

// interval is how far apart the looks at the clock are (loop_interval).
func interval(o *value.Map) time.Duration {
	switch n := o.At("loop_interval").(type) {
	case int64:
		if n > 0 {
			return time.Duration(n) * time.Second
		}
	case float64:
		if n > 0 {
			return time.Duration(n * float64(time.Second))
		}
	}
	return time.Second
}

// aliveEvery is how often systemd's watchdog hears of the daemon.
const aliveEvery = 10 * time.Second

// alive tells the watchdog that the daemon is, and what it does, when it did so
// last aliveEvery ago; it gives back when that was.
func (d *Daemon) alive(last, now time.Time, status func() string) time.Time {
	if now.Sub(last) < aliveEvery && !now.Before(last) {
		return last
	}
	d.o.Notify("WATCHDOG=1\nSTATUS=" + status())
	return now
}

// loop looks at the clock until the context ends.
func (d *Daemon) loop(ctx context.Context) {
	alive, saved := d.o.Clock.Now(), d.o.Clock.Now()
	for ctx.Err() == nil {
		d.look(ctx)
		now := d.o.Clock.Now()
		alive = d.alive(alive, now, d.status)
		if now.Sub(saved) >= time.Minute || now.Before(saved) {
			d.saveState()
			saved = now
		}
		select {
		case <-ctx.Done():
		case <-d.o.Clock.After(d.wait(now)):
		}
	}
}

// wait is how long until the next look: looks fall on the same part of the
// second, so that times are met.
func (d *Daemon) wait(now time.Time) time.Duration {
	loop := interval(d.opts())
	if loop >= time.Second {
		if rest := now.Add(loop).Truncate(time.Second).Add(10 * time.Millisecond).Sub(now); rest > 0 && rest <= loop+time.Second {
			return rest
		}
	}
	return loop
}

// look is one look at the clock: due jobs are started.
func (d *Daemon) look(ctx context.Context) {
	d.mu.Lock()
	env := schedule.Env{Loop: interval(d.conf.Opts), Random: random, Running: d.count}
	due, notes := d.table.Tick(d.o.Clock.Now(), env)
	d.mu.Unlock()
	for _, n := range notes {
		if n.Error {
			d.o.Log.Error(n.Text, "job", n.Job)
		} else {
			d.o.Log.Info(n.Text, "job", n.Job)
		}
	}
	if slices.ContainsFunc(due, func(j schedule.Due) bool { return j.Job.Remembered() }) {
		d.saveState() // whoever kills us now does not make them run again
	}
	for _, j := range due {
		if j.Late > 2*env.Loop {
			d.o.Log.Warn("job "+j.Job.Name+" is late", "job", j.Job.Name, "late", j.Late.Round(time.Second).String())
		}
		if !j.Job.DryRun {
			d.start(ctx, d.scheduled(j.Job, j.Fun))
		}
	}
}

func random(lo, hi int64) int64 { return lo + rand.Int64N(hi-lo+1) }

// count is how many runs of a scheduled job are under way; d.mu is held.
func (d *Daemon) count(name string) int {
	n := 0
	for _, r := range d.running {
		if r.job.Schedule == name {
			n++
		}
	}
	return n
}

// options are those of a run of functions in this process.
func (d *Daemon) options(ctx context.Context, fresh bool) caller.Options {
	o := caller.Options{Config: d.config(), Registry: d.o.Registry, Log: d.o.Log, Bus: d.bus}
	if d.o.Facts != nil {
		f := d.o.Facts(ctx, fresh)
		o.Master, o.Grains, o.Pillar = f.Master, f.Grains, f.Pillar
	}
	return o
}

// configure takes the configuration and the pillar into force, keeping what
// goes on. fresh asks a master for the pillar anew.
func (d *Daemon) configure(ctx context.Context, fresh bool) {
	defer d.Stir()
	o := d.options(ctx, fresh)
	conf, run := o.Config, caller.New(o)
	defer run.Close()
	c := run.Ctx(ctx)
	pillar := new(value.Map)
	for _, k := range []string{"schedule", "beacons", "whens", "mine_functions", "minion_blackout", "minion_blackout_whitelist", "reactor"} {
		if v, ok := c.Pillar.Get(k); ok {
			pillar.Set(k, value.Copy(v))
		}
	}
	if errs := c.Pillar.List("_errors"); errs.Len() > 0 {
		d.o.Log.Error("the pillar has errors; its schedule and beacons may be missing")
	}
	grains := new(value.Map)
	if v, ok := c.Grains.Get("whens"); ok {
		grains.Set("whens", v)
	}
	t := schedule.Of(conf.Opts, pillar, grains)
	addMine(conf.Opts, pillar, t)
	d.setBeacons(conf.Opts, pillar)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.table == nil {
		d.table = t
		d.table.Restore(d.readState())
	} else {
		d.table.Config, d.table.Pillar, d.table.Whens = t.Config, t.Pillar, t.Whens
		d.table.Changed()
	}
	d.setReactors(conf.Opts)
}

func (d *Daemon) config() *config.Config {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.conf
}

// addMine adds the job that keeps the mine fresh (mine_interval, in minutes).
func addMine(o, pillar *value.Map, t *schedule.Table) {
	if !o.Truth("mine_enabled") || !o.Truth("mine_functions") && !pillar.Truth("mine_functions") {
		return
	}
	minutes := o.At("mine_interval")
	if !value.Truth(minutes) {
		return
	}
	t.Config.Set("__mine_interval", value.M("function", "mine.update", "minutes", minutes, "jid_include", true, "maxrunning", int64(2),
		"run_on_start", true, "return_job", o.Truth("mine_return_job")))
	t.Changed()
}

// Reload reads configuration and pillar anew; with a broken configuration the
// old one stays in force.
func (d *Daemon) Reload(ctx context.Context) {
	d.o.Notify("RELOADING=1")
	conf, err := d.o.Load()
	if err != nil {
		d.o.Log.Error("the configuration cannot be read, the old one stays in force: " + err.Error())
	} else {
		d.mu.Lock()
		d.conf = conf
		d.mu.Unlock()
		d.configure(ctx, true)
		d.o.Log.Info("the configuration was read anew")
	}
	d.o.Notify("READY=1\nSTATUS=" + d.status())
}
