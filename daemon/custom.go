package daemon

import (
	"context"
	"errors"
	"time"

	"pinch/beacons"
	"pinch/caller"
	"pinch/config"
	"pinch/salt"
	"pinch/value"
)

// customBeacons are the beacons of the tree (_beacons) as they were found,
// until the beacons are read anew.
type customBeacons map[string]*customBeacon

// A customBeacon is a module of the tree that watches something. It has a run
// of its own, and with that a process of its own, once it looks: what it keeps
// in memory stays from look to look.
type customBeacon struct {
	d    *Daemon
	file string // "" if there is none of that name

	run     *caller.Caller
	c       *salt.Ctx
	checked any // the configuration that was checked last
	wrong   string
}

// customBeacon finds a beacon of the tree.
func (d *Daemon) customBeacon(name string) (beacons.Kind, bool) {
	b := d.beacons.tree[name]
	if b == nil {
		b = &customBeacon{d: d}
		run := d.newRun()
		c := run.Ctx(context.Background())
		b.file = moduleFile(c, "beacons", name)
		run.Close()
		d.beacons.tree[name] = b
	}
	if b.file == "" {
		return beacons.Kind{}, false
	}
	return beacons.Kind{Validate: b.validate, Whole: b.start}, true
}

// moduleFile is the file of a module of the tree, by the name it takes; "" if
// there is none.
func moduleFile(c *salt.Ctx, kind, name string) string {
	cu := c.Run.Custom
	switch {
	case cu == nil:
		return ""
	case cu.Has(c, kind, name):
		return name
	}
	return cu.FileOf(c, kind, name)
}

// call calls a function of the module; ok is false if it has none of that name.
func (b *customBeacon) call(fun string, conf any) (v any, ok bool, err error) {
	if b.run == nil {
		b.run = b.d.newRun()
		b.c = b.run.Ctx(context.Background())
	}
	m := b.c.Run.Custom.File(b.c, "beacons", b.file)
	if m == nil || m.Functions("exec")[fun] == nil {
		return nil, false, nil
	}
	v, err = b.c.Run.Custom.Call(b.c, "beacons", b.file, fun, []any{conf}, nil)
	return v, true, err
}

// validate asks the module, if it has something to say, once for each
// configuration.
func (b *customBeacon) validate(conf any) string {
	if b.checked != nil && value.Equal(b.checked, conf) {
		return b.wrong
	}
	v, ok, err := b.call("validate", conf)
	b.checked, b.wrong = value.Copy(conf), ""
	pair, _ := v.(value.Tuple)
	switch {
	case err != nil:
		b.wrong = err.Error()
	case ok && len(pair) == 2 && !value.Truth(pair[0]):
		b.wrong = value.Str(pair[1])
	}
	return b.wrong
}

func (b *customBeacon) start(_ *beacons.Env, conf any) (beacons.Watcher, error) {
	return &customWatcher{b: b, conf: conf}, nil
}

// A customWatcher is a beacon of the tree with a configuration.
type customWatcher struct {
	b    *customBeacon
	conf any
}

func (w *customWatcher) Look() ([]*value.Map, error) {
	v, ok, err := w.b.call("beacon", w.conf)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errors.New("it has no function beacon")
	}
	var out []*value.Map
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			if m, ok := it.(*value.Map); ok {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// Close calls close of the module, and ends its process.
func (w *customWatcher) Close() {
	if w.b.run == nil {
		return
	}
	if _, _, err := w.b.call("close", w.conf); err != nil {
		w.b.d.o.Log.Error("close of the beacon " + w.b.file + ": " + err.Error())
	}
	w.b.run.Close()
	w.b.run, w.b.c = nil, nil
}

// again is how long after its end an engine of the tree starts anew.
const again = 10 * time.Second

// customEngine runs start(**conf) of an engine of the tree (_engines), which is
// meant to go on for ever, in a process of its own.
func (d *Daemon) customEngine(name string) (run func(context.Context, *value.Map) error, ok bool) {
	conf := d.config()
	opts := conf.Opts.Shallow()
	opts.Set("custom_timeout", int64(0))
	own := &config.Config{}
	*own = *conf
	own.Opts = opts
	newRun := func() *caller.Caller {
		return caller.New(caller.Options{Config: own, Registry: d.o.Registry, Log: d.o.Log, Bus: d.bus})
	}
	first := newRun()
	defer first.Close()
	file := moduleFile(first.Ctx(context.Background()), "engines", name)
	if file == "" {
		return nil, false
	}
	return func(ctx context.Context, conf *value.Map) error {
		for ctx.Err() == nil {
			run := newRun()
			c := run.Ctx(ctx)
			_, err := c.Run.Custom.Call(c, "engines", file, "start", nil, conf)
			run.Close()
			if ctx.Err() != nil {
				return nil
			}
			text := "the engine " + name + " ended"
			if err != nil {
				text += ": " + err.Error()
			}
			d.o.Log.Error(text+"; it starts again in "+again.String(), "engine", name)
			select {
			case <-ctx.Done():
			case <-d.o.Clock.After(again):
			}
		}
		return nil
	}, true
}
