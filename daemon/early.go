package daemon

import "context"

// early waits for the master. Meanwhile beacons and schedule of the
// configuration are at work if beacons_before_connect and
// scheduler_before_connect say so; the pillar's come with the master.
func (d *Daemon) early(ctx context.Context) {
	o := d.opts()
	beacons, schedule := o.Truth("beacons_before_connect"), o.Truth("scheduler_before_connect")
	if !beacons && !schedule {
		d.o.Wait(ctx)
		return
	}
	d.configure(ctx, false)
	there := make(chan struct{})
	go func() {
		defer close(there)
		d.o.Wait(ctx)
	}()
	for {
		if beacons {
			d.lookAround()
		}
		if schedule {
			d.look(ctx)
		}
		select {
		case <-there:
			return
		case <-d.o.Clock.After(d.wait(d.o.Clock.Now())):
		}
	}
}
