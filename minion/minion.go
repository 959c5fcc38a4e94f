// Package minion is the process that belongs to a master: it proves who it is,
// listens to what the master publishes, runs what is meant for this machine
// and sends back what came of it. Schedule, beacons, reactor and the event bus
// are those of package daemon, with the master's pillar.
//
//	m, err := minion.New(minion.Options{Load: load, Registry: modules.Registry(), Log: log})
//	err = m.Run(ctx)
package minion

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"pinch/caller"
	"pinch/config"
	"pinch/daemon"
	"pinch/salt"
	"pinch/value"
)

// Options are what a minion is made of.
type Options struct {
	// Load reads the configuration, at the start and when it is to be read anew.
	Load     func() (*config.Config, error)
	Registry *salt.Registry
	Log      *slog.Logger
	// Ready is called when the first master has accepted this minion; nil: nobody waits.
	Ready func()
	// Notify tells the service manager, in systemd's words; nil: nobody.
	Notify func(state string)
	// Bare leaves out schedule, beacons, reactor and the event bus.
	Bare bool
}

// A Minion is one process for all its masters.
type Minion struct {
	o     Options
	conf  *config.Config
	opts  *value.Map
	id    string
	links []*link
	local *daemon.Daemon // nil: bare
	slots chan struct{}  // one for each job that may have a process
	// everyone is whom the question for a master goes to (discovery).
	everyone net.IP

	ready   sync.Once
	started chan struct{} // closed when the first master has accepted this minion
	jobs    sync.WaitGroup

	mu     sync.Mutex // guards what follows
	grains *value.Map
	stamp  time.Time // of the note that modules leave when grains changed
}

// New reads the keys and prepares one link for each master. Nothing is sent yet.
func New(o Options) (*Minion, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	conf, err := o.Load()
	if err != nil {
		return nil, err
	}
	m := &Minion{o: o, conf: conf, opts: conf.Opts, id: conf.ID(), everyone: net.IPv4bcast, started: make(chan struct{})}
	m.slots = make(chan struct{}, processes(m.opts))
	if err := m.evaluate(); err != nil {
		return nil, err
	}
	groups, err := Masters(m.opts)
	if err != nil {
		return nil, err
	}
	for _, addrs := range groups {
		m.links = append(m.links, &link{m: m, addrs: addrs, seen: newRing(m.opts.At("minion_jid_queue_hwm")), out: make(chan message, outboxSize)})
	}
	if !o.Bare {
		m.local, err = m.daemon()
	}
	return m, err
}

// processes is how many jobs may have a process at a time; more wait.
func processes(o *value.Map) int {
	if n, _ := o.At("process_count_max").(int64); n > 0 {
		return int(n)
	}
	return 32
}

// Run belongs to the masters until the context ends, or until none of them can
// be trusted or wants this minion. It waits for the jobs that run.
func (m *Minion) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.gather()
	errs := make([]error, len(m.links)+1)
	var all, local sync.WaitGroup
	if m.local != nil {
		local.Go(func() {
			errs[len(m.links)] = m.serve(ctx)
			if errs[len(m.links)] != nil {
				cancel()
			}
		})
	}
	for i, l := range m.links {
		all.Go(func() { errs[i] = l.run(ctx) })
	}
	local.Go(func() { m.refreshing(ctx) })
	all.Wait()
	over := ctx.Err() != nil
	cancel()
	local.Wait()
	m.jobs.Wait()
	if over {
		return errs[len(m.links)]
	}
	return errors.Join(errs...)
}

// refreshing gathers the grains and fetches the pillar every so many minutes
// (grains_refresh_every).
func (m *Minion) refreshing(ctx context.Context) {
	every := span(m.opts, "grains_refresh_every", time.Minute).Abs()
	for every > 0 && sleep(ctx, every) {
		m.renew(ctx)
	}
}

// accepted tells that the first master has accepted this minion.
func (m *Minion) accepted() {
	m.ready.Do(func() {
		close(m.started)
		if m.o.Ready != nil {
			m.o.Ready()
		}
	})
	m.stir()
}

// stir says that something was done whose memory is not needed later.
func (m *Minion) stir() {
	if m.local != nil {
		m.local.Stir()
	}
}

// gather gathers the grains anew.
func (m *Minion) gather() *value.Map {
	run := caller.New(caller.Options{Config: m.config(), Registry: m.o.Registry, Log: m.o.Log})
	defer run.Close()
	g := run.Ctx(context.Background()).Grains
	g.Len() // all of them, now
	m.mu.Lock()
	defer m.mu.Unlock()
	m.grains, m.stamp = g, refreshStamp(m.opts)
	return g
}

func (m *Minion) facts() *value.Map {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.grains
}

// config is the configuration for one run, whose options it may change.
func (m *Minion) config() *config.Config {
	c := *m.conf
	c.Opts = m.opts.Shallow()
	return &c
}
