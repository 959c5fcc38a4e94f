package daemon

import "context"

// early waits for the master, and tells systemd's watchdog that it does. Meanwhile
// beacons and schedule of the configuration are at work if
// beacons_before_connect and scheduler_before_connect say so; the pillar's come
// with the master.
func (d *Daemon) early(ctx context.Context) {
	status := func() string { return "waits for the master" }
	o := d.opts()
	beacons, schedule := o.Truth("beacons_before_connect"), o.Truth("scheduler_before_connect")
	d.o.Notify("READY=1\nSTATUS=" + status())
	if beacons || schedule {
		d.configure(ctx, false)
	}
	there := make(chan struct{})
	go func() {
		defer close(there)
		d.o.Wait(ctx)
	}()
	for alive := d.o.Clock.Now(); ; {
		if beacons {
			d.lookAround()
		}
		if schedule {
			d.look(ctx)
		}
		pause, now := aliveEvery, d.o.Clock.Now()
		if beacons || schedule {
			pause = min(pause, d.wait(now))
		}
		alive = d.alive(alive, now, status)
		select {
		case <-there:
			return
		case <-d.o.Clock.After(pause):
		}
	}
}
