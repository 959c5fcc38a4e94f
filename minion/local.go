package minion

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"pinch/config"
	"pinch/daemon"
	"pinch/events"
	"pinch/value"
)

// daemon makes what runs the schedule and the beacons of this minion.
func (m *Minion) daemon() (*daemon.Daemon, error) {
	first := true
	return daemon.New(daemon.Options{
		Registry: m.o.Registry, Log: m.o.Log, Notify: m.o.Notify,
		Load: func() (*config.Config, error) {
			if first {
				first = false
				return m.config(), nil
			}
			return m.o.Load()
		},
		Wait: func(ctx context.Context) {
			select {
			case <-m.started:
			case <-ctx.Done():
			}
		},
		Facts: m.know,
		Work: func(ctx context.Context, j daemon.Job) (*value.Map, error) {
			return m.links[0].child(ctx, value.M("job", j.Pack()))
		},
	})
}

// know is what the first master has told; fresh has all be asked anew.
func (m *Minion) know(ctx context.Context, fresh bool) daemon.Facts {
	if fresh {
		m.renew(ctx)
	}
	l := m.links[0]
	pillar := l.data()
	if pillar == nil {
		pillar = new(value.Map)
	}
	f := daemon.Facts{Master: absent{}, Grains: m.facts(), Pillar: pillar}
	if s := l.session(); s != nil {
		f.Master = master{s, m.opts}
	}
	return f
}

// renew gathers the grains and fetches the pillars.
func (m *Minion) renew(ctx context.Context) {
	m.gather()
	for _, l := range m.links {
		if l.session() != nil {
			l.refresh(ctx)
		}
	}
}

// serve runs the schedule and the beacons until the context ends, and sends
// to the masters what is for them.
func (m *Minion) serve(ctx context.Context) error {
	sub := m.local.Bus().Subscribe(forMaster)
	long, cancel := later(ctx, lastWords)
	defer cancel()
	var posts sync.WaitGroup
	for _, l := range m.links {
		posts.Go(func() { l.post(long) })
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range sub.C {
			m.forward(e)
		}
	}()
	err := m.local.Run(ctx)
	sub.Close()
	<-done
	for _, l := range m.links {
		close(l.out)
	}
	posts.Wait()
	return err
}

// forMaster reports whether events of this tag go to the masters.
func forMaster(tag string) bool {
	switch tag {
	case "__schedule_return", daemon.StartupReturn, "__beacons_return", "fire_master", "_minion_mine":
		return true
	}
	return false
}

// forward puts an event of the local bus into what is sent to the masters.
func (m *Minion) forward(e events.Event) {
	cmd, fields := "_minion_event", new(value.Map)
	switch e.Tag {
	case "__beacons_return":
		fields.Set("events", e.Data.At("beacons"))
		fields.Set("pretag", nil)
	case "fire_master":
		for _, k := range []string{"data", "tag", "events", "pretag"} {
			if v := e.Data.At(k); v != nil || k == "pretag" {
				fields.Set(k, v)
			}
		}
	default: // a message as it is to be sent
		fields = e.Data.Shallow()
		fields.Pop("_stamp")
		name, _ := fields.Pop("cmd")
		cmd = value.Str(name)
	}
	fields = sendable(fields).(*value.Map)
	for _, l := range m.links {
		l.put(message{cmd: cmd, tag: e.Tag, fields: fields, made: time.Now()})
	}
}

// Reload reads the configuration anew, as far as schedule and beacons go.
func (m *Minion) Reload(ctx context.Context) {
	if m.local != nil {
		m.local.Reload(ctx)
	}
}

// refreshStamp is when a module last noted that grains or modules changed.
func refreshStamp(o *value.Map) time.Time {
	i, err := os.Stat(filepath.Join(o.Str("cachedir"), "module_refresh"))
	if err != nil {
		return time.Time{}
	}
	return i.ModTime()
}
