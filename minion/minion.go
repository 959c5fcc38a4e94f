// Package minion is the process that belongs to a master: it proves who it is,
// listens to what the master publishes, runs what is meant for this machine
// and sends back what came of it.
//
//	m, err := minion.New(minion.Options{Config: conf, Registry: modules.Registry(), Log: log})
//	err = m.Run(ctx)
package minion

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"pinch/caller"
	"pinch/config"
	"pinch/salt"
	"pinch/value"
)

// Options are what a minion is made of.
type Options struct {
	Config   *config.Config
	Registry *salt.Registry
	Log      *slog.Logger
	// Ready is called when the first master has accepted this minion; nil: nobody waits.
	Ready func()
}

// A Minion is one process for all its masters.
type Minion struct {
	o     Options
	opts  *value.Map
	id    string
	links []*link
	ready sync.Once
	jobs  sync.WaitGroup

	mu     sync.Mutex // guards what follows
	grains *value.Map
}

// New reads the keys and prepares one link for each master. Nothing is sent yet.
func New(o Options) (*Minion, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	m := &Minion{o: o, opts: o.Config.Opts, id: o.Config.ID()}
	groups, err := Masters(m.opts)
	if err != nil {
		return nil, err
	}
	for _, addrs := range groups {
		m.links = append(m.links, &link{m: m, addrs: addrs, seen: newRing(m.opts.At("minion_jid_queue_hwm"))})
	}
	return m, nil
}

// Run belongs to the masters until the context ends, or until none of them can
// be trusted or wants this minion. It waits for the jobs that run.
func (m *Minion) Run(ctx context.Context) error {
	m.gather()
	errs := make([]error, len(m.links))
	var all sync.WaitGroup
	for i, l := range m.links {
		all.Go(func() { errs[i] = l.run(ctx) })
	}
	all.Wait()
	m.jobs.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return errors.Join(errs...)
}

// gather gathers the grains anew.
func (m *Minion) gather() *value.Map {
	run := caller.New(caller.Options{Config: m.config(), Registry: m.o.Registry, Log: m.o.Log})
	defer run.Close()
	g := run.Ctx(context.Background()).Grains
	g.Len() // all of them, now
	m.mu.Lock()
	defer m.mu.Unlock()
	m.grains = g
	return g
}

func (m *Minion) facts() *value.Map {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.grains
}

// config is the configuration for one run, whose options it may change.
func (m *Minion) config() *config.Config {
	c := *m.o.Config
	c.Opts = m.opts.Shallow()
	return &c
}
