package daemon

import (
	"context"
	"strings"

	"pinch/events"
	"pinch/schedule"
	"pinch/sys"
	"pinch/value"
)

// isRequest reports whether an event asks the daemon for something.
func isRequest(tag string) bool {
	switch tag {
	case schedule.ManageTag, manageBeacons, "pillar_refresh", "module_refresh", "grains_refresh", "beacons_refresh", "matchers_refresh", "resource_refresh":
		return true
	}
	return false
}

// answer carries out requests, one after the other.
func (d *Daemon) answer(ctx context.Context, requests *events.Sub) {
	for e := range requests.C {
		data := value.Copy(e.Data).(*value.Map)
		switch e.Tag {
		case schedule.ManageTag:
			d.manageSchedule(ctx, data)
		case manageBeacons:
			d.manageBeacons(data)
		case "pillar_refresh", "grains_refresh", "beacons_refresh":
			d.configure(ctx, !strings.HasPrefix(e.Tag, "beacons"))
			if !strings.HasPrefix(e.Tag, "beacons") {
				d.bus.Fire("/salt/minion/minion_pillar_refresh_complete", value.M("complete", true))
			}
		case "module_refresh":
			if data.Truth("notify") {
				d.bus.Fire("/salt/minion/minion_mod_refresh_complete", value.M("complete", true))
			}
		}
	}
}

func (d *Daemon) manageSchedule(ctx context.Context, data *value.Map) {
	d.mu.Lock()
	a := d.table.Manage(data, d.count)
	var err error
	if a.Persist {
		err = d.saveSchedule()
	}
	d.mu.Unlock()
	if err != nil {
		d.o.Log.Error("Failed to persist the updated schedule: " + err.Error())
	}
	if a.Run != nil {
		d.start(ctx, d.scheduled(a.Run, a.Run.Fun))
	}
	if a.Tag != "" {
		d.bus.Fire(a.Tag, a.Data)
	}
}

// saveSchedule writes _schedule.conf, without the daemon's own jobs; d.mu is held.
func (d *Daemon) saveSchedule() error {
	t := schedule.Table{Config: new(value.Map)}
	for key, job := range d.table.Config.Items() {
		if !strings.HasPrefix(key, "__") {
			t.Config.Set(key, job)
		}
	}
	return t.Save(sys.Real{}, schedule.File(d.conf.Opts))
}
