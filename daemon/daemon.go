// Package daemon is the process that stays: it runs the jobs of the schedule at
// their times, watches by beacons, reacts to events, and serves the event bus,
// all without a master. Jobs run in child processes of the same program, so
// that they can be stopped and their memory goes back.
//
//	d, err := daemon.New(daemon.Options{Load: load, Registry: modules.Registry(), Log: log})
//	err = d.Run(ctx)
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"pinch/config"
	"pinch/events"
	"pinch/salt"
	"pinch/schedule"
	"pinch/sys"
	"pinch/value"
)

// Options are what a daemon is made of.
type Options struct {
	// Load reads the configuration, at the start and at each Reload.
	Load     func() (*config.Config, error)
	Registry *salt.Registry
	Log      *slog.Logger
	Clock    Clock // nil: the machine's
	// Work runs a job; nil: in a child process.
	Work func(ctx context.Context, j Job) (*value.Map, error)
	// Serve serves the bus; nil: on its sockets.
	Serve func(ctx context.Context, b *events.Bus, p events.Paths) error
	// Notify tells the service manager, in systemd's words; nil: nobody.
	Notify func(state string)
	// Wait is called before schedule and beacons begin: a minion waits for its
	// master. nil: there is nothing to wait for.
	Wait func(ctx context.Context)
	// Facts are what a run of functions gets from a master; fresh asks it
	// anew. nil: there is no master.
	Facts func(ctx context.Context, fresh bool) Facts
	// StopWait is how long running jobs may go on after the end was asked for.
	StopWait time.Duration
}

// Facts are what a minion knows by its master.
type Facts struct {
	Master         salt.Master
	Grains, Pillar *value.Map
}

// ErrRunning says that another daemon serves this minion.
var ErrRunning = errors.New("An instance is already running. Exiting the Salt Minion")

// A Daemon is one running process.
type Daemon struct {
	o   Options
	bus *events.Bus
	// sockets says that the bus has sockets to wait for.
	sockets bool

	mu       sync.Mutex // guards what follows
	conf     *config.Config
	table    *schedule.Table
	running  map[string]*running // by jid
	lastJID  string
	stats    stats
	beacons  beaconSet
	reactors []reaction

	busy chan struct{} // see rest

	jobs  sync.WaitGroup
	async sync.WaitGroup
}

// running is a job under way.
type running struct {
	job    Job
	start  time.Time
	cancel context.CancelFunc
}

// New reads the configuration.
func New(o Options) (*Daemon, error) {
	if o.Clock == nil {
		o.Clock = machine{}
	}
	wait := o.Serve == nil
	if wait {
		o.Serve = func(ctx context.Context, b *events.Bus, p events.Paths) error { return b.Serve(ctx, p) }
	}
	if o.Notify == nil {
		o.Notify = func(string) {}
	}
	if o.StopWait == 0 {
		o.StopWait = 80 * time.Second
	}
	conf, err := o.Load()
	if err != nil {
		return nil, err
	}
	d := &Daemon{o: o, conf: conf, running: map[string]*running{}, bus: events.New(o.Log, o.Clock.Now), sockets: wait,
		busy: make(chan struct{}, 1)}
	if o.Work == nil {
		d.o.Work = d.child
	}
	d.newBeacons()
	return d, nil
}

// Bus is the event bus.
func (d *Daemon) Bus() *events.Bus { return d.bus }

// opts are the options in force.
func (d *Daemon) opts() *value.Map {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.conf.Opts
}

// Run serves until the context ends; then it lets running jobs come to an end.
func (d *Daemon) Run(ctx context.Context) error {
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	o := d.opts()
	serve, stopServing := context.WithCancel(context.Background())
	defer stopServing()
	places := events.Places(o.Str("sock_dir"), o.Str("id"), o.Str("hash_type"))
	served := make(chan error, 1)
	requests := d.bus.Subscribe(isRequest)
	reactions := d.bus.Subscribe(nil)
	go func() { served <- d.o.Serve(serve, d.bus, places) }()
	if err := d.ready(ctx, places, served); err != nil {
		return err
	}
	d.tellCutOff()
	if d.o.Wait != nil {
		d.early(ctx)
	}
	d.configure(ctx, false)
	d.lookAround() // the beacons collect from here on
	d.async.Add(4)
	go func() { defer d.async.Done(); d.answer(ctx, requests) }()
	go func() { defer d.async.Done(); d.react(ctx, reactions) }()
	go func() { defer d.async.Done(); d.watch(ctx) }()
	go func() { defer d.async.Done(); d.rest(ctx) }()
	d.engines(ctx)
	d.watchTree(ctx)
	d.o.Log.Info("the daemon is ready", "id", o.Str("id"), "jobs", len(d.table.Keys()))
	d.o.Notify("READY=1\nSTATUS=" + d.status())
	d.begin(ctx)
	d.loop(ctx)
	d.o.Notify("STOPPING=1")
	d.stop()
	requests.Close()
	reactions.Close()
	d.async.Wait()
	d.saveState()
	stopServing()
	return <-served
}

// ready waits until the sockets are served.
func (d *Daemon) ready(ctx context.Context, p events.Paths, served <-chan error) error {
	for d.sockets {
		select {
		case err := <-served:
			if err == nil {
				err = ctx.Err()
			}
			return err
		case <-ctx.Done():
			return nil
		case <-time.After(2 * time.Millisecond):
		}
		if sys.Exists(sys.Real{}, p.Pull) {
			break
		}
	}
	return nil
}

// lock makes sure that there is one daemon for this minion, and notes its pid.
func (d *Daemon) lock() (unlock func(), err error) {
	o := d.opts()
	dir := filepath.Join(o.Str("cachedir"), "daemon")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l, err := sys.TryLock(filepath.Join(dir, "lock"), fmt.Sprint(os.Getpid()))
	if errors.Is(err, sys.ErrLocked) {
		return nil, ErrRunning
	}
	if err != nil {
		return nil, err
	}
	pid := o.Str("pidfile")
	if pid != "" {
		if err = os.MkdirAll(filepath.Dir(pid), 0o755); err == nil {
			err = sys.WriteFile(sys.Real{}, pid, []byte(fmt.Sprint(os.Getpid())), sys.FileAttrs{})
		}
		if err != nil {
			d.o.Log.Warn("the pid file cannot be written: " + err.Error())
		}
	}
	return func() {
		if pid != "" {
			_ = os.Remove(pid)
		}
		l.Unlock()
	}, nil
}

// file is a file of the daemon's own.
func (d *Daemon) file(name string) string {
	return filepath.Join(d.opts().Str("cachedir"), "daemon", name)
}

// stop lets running jobs end, and ends those that go on too long.
func (d *Daemon) stop() {
	done := make(chan struct{})
	go func() { d.jobs.Wait(); close(done) }()
	select {
	case <-done:
		return
	case <-d.o.Clock.After(d.o.StopWait):
	}
	d.mu.Lock()
	for jid, r := range d.running {
		d.o.Log.Warn("job "+jid+" ("+r.job.Fun+") goes on after the end was asked for: it is stopped", "jid", jid)
		r.cancel()
	}
	d.mu.Unlock()
	<-done
}

// status is one line about what goes on.
func (d *Daemon) status() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return fmt.Sprintf("%d scheduled jobs, %d running", len(d.table.Keys()), len(d.running))
}
