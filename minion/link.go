package minion

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"time"

	"pinch/minion/session"
	"pinch/minion/transport"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A link is the relation to one master (or to one of several).
type link struct {
	m     *Minion
	addrs []string
	next  int  // of addrs
	found bool // addrs is what discovery found
	seen  *ring
	out   chan message // see post

	s      *session.Session // guarded by m.mu for others than run
	pillar *value.Map
}

// session is the relation to the master of the moment, nil before the first.
func (l *link) session() *session.Session {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	return l.s
}

// run keeps the link until the context ends or going on makes no sense.
func (l *link) run(ctx context.Context) error {
	if most := span(l.m.opts, "random_startup_delay", time.Second); most > 0 {
		d := rand.N(most)
		l.m.o.Log.Info(fmt.Sprintf("random_startup_delay: waiting %s", d.Round(time.Second)))
		sleep(ctx, d)
	}
	wait := l.backoff()
	for ctx.Err() == nil {
		err := l.once(ctx, wait)
		var fatal *session.FatalError
		switch {
		case errors.Is(err, errBack):
			l.m.o.Log.Info(err.Error())
			l.next = 0
			continue
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &fatal) && len(l.addrs) == 1:
			l.m.o.Log.Error(err.Error())
			return err
		}
		d := wait.next()
		l.m.o.Log.Warn(fmt.Sprintf("the connection to the master %s is lost: %s; trying again in %s", l.addr(), err, d.Round(100*time.Millisecond)))
		l.next++
		sleep(ctx, d)
	}
	return nil
}

func (l *link) addr() string { return l.addrs[l.next%len(l.addrs)] }

// once is one connection, from the proof to its end.
func (l *link) once(ctx context.Context, wait *backoff) error {
	l.discover(ctx)
	if l.s == nil || l.s.Addr() != l.addr() {
		if l.s != nil {
			l.s.Close()
		}
		s, err := session.New(Settings(l.m.opts, l.addr(), l.m.facts, l.m.o.Log))
		if err != nil {
			return &session.FatalError{Text: err.Error()}
		}
		l.m.mu.Lock()
		l.s = s
		l.m.mu.Unlock()
	}
	if err := l.authenticate(ctx); err != nil {
		return err
	}
	l.refresh(ctx)
	pubs, err := l.s.Subscribe(ctx, l.m.opts.Truth("zmq_filtering"))
	if err != nil {
		return err
	}
	defer pubs.Close()
	stop := context.AfterFunc(ctx, pubs.Close)
	defer stop()
	l.m.o.Log.Info(fmt.Sprintf("the master %s has accepted this minion, %s", l.addr(), l.m.id))
	l.m.accepted()
	wait.reset()
	l.m.jobs.Go(func() { l.started(ctx) })
	watch, cancel := context.WithCancel(ctx)
	defer cancel()
	back := make(chan struct{})
	go func() {
		if l.firstBack(watch) {
			close(back)
			pubs.Close()
		}
	}()
	go l.ping(watch)
	err = l.listen(ctx, pubs)
	select {
	case <-back:
		return errBack
	default:
		return err
	}
}

// ping shows the master that this minion is there, every so many minutes
// (ping_interval); without an answer the connection is made anew.
func (l *link) ping(ctx context.Context) {
	every := span(l.m.opts, "ping_interval", time.Minute)
	for every > 0 && sleep(ctx, every) {
		l.event(ctx, "minion_ping", "ping")
	}
}

var errBack = errors.New("the first master is there again: going back to it (master_failback)")

// firstBack waits, while this is not the first of the masters, until that one
// takes connections again; false when the context ended or nobody wants it.
func (l *link) firstBack(ctx context.Context) bool {
	o := l.m.opts
	every := span(o, "master_failback_interval", time.Second)
	if every <= 0 {
		every = span(o, "master_alive_interval", time.Second)
	}
	if !o.Truth("master_failback") || l.addr() == l.addrs[0] || every <= 0 {
		return false
	}
	for sleep(ctx, every) {
		d := net.Dialer{Timeout: 5 * time.Second}
		if c, err := d.DialContext(ctx, "tcp", l.addrs[0]); err == nil {
			c.Close()
			return true
		}
	}
	return false
}

// listen handles publications until the connection ends.
func (l *link) listen(ctx context.Context, pubs transport.Publications) error {
	for {
		msg, err := pubs.Next()
		if err != nil {
			return err
		}
		load, err := l.s.Check(ctx, msg)
		var fatal *session.FatalError
		switch {
		case errors.As(err, &fatal), errors.Is(err, session.ErrNotAccepted):
			return err
		case err != nil:
			l.m.o.Log.Warn(err.Error())
			continue
		}
		l.publication(ctx, load)
	}
}

// leastWait is how long a master that has not accepted the key is left alone,
// whatever the options say.
const leastWait = 100 * time.Millisecond

// authenticate asks until the master has accepted the key.
func (l *link) authenticate(ctx context.Context) error {
	o := l.m.opts
	step, most := span(o, "acceptance_wait_time", time.Second), span(o, "acceptance_wait_time_max", time.Second)
	wait := max(step, leastWait)
	for {
		state, err := l.s.Auth(ctx)
		if err != nil {
			return err
		}
		finger, _ := l.s.OwnFinger()
		switch state {
		case session.Accepted:
			return nil
		case session.Pending:
			l.m.o.Log.Error(fmt.Sprintf("the master %s knows this minion's key, but nobody has accepted it: run salt-key -a %s there (fingerprint %s); asking again in %s", l.addr(), l.m.id, finger, wait))
		case session.Denied:
			text := fmt.Sprintf("the master %s has rejected this minion's key, or knows another one under the name %s", l.addr(), l.m.id)
			if !o.Truth("rejected_retry") {
				return &session.FatalError{Text: text, Hint: fmt.Sprintf("salt-key -f %s on the master shows the keys; this one has the fingerprint %s", l.m.id, finger)}
			}
			l.m.o.Log.Error(text)
		case session.Full:
			l.m.o.Log.Error(fmt.Sprintf("the master %s has as many minions as max_minions lets it have; asking again in %s", l.addr(), wait))
			if len(l.addrs) > 1 {
				return errors.New("it is full")
			}
		}
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
		if most > 0 {
			wait = max(min(wait+step, most), leastWait)
		}
	}
}

// refresh fetches the pillar; by that the master learns the grains.
func (l *link) refresh(ctx context.Context) {
	o := l.m.opts
	p, err := master{l.s, o}.Pillar(ctx, l.m.facts(), salt.PillarOptions{Env: o.Str("pillarenv"), SaltEnv: o.Str("saltenv")})
	if err != nil {
		if ctx.Err() == nil {
			l.m.o.Log.Error("the master sent no pillar: " + err.Error())
		}
		return
	}
	l.m.mu.Lock()
	l.pillar = p
	l.m.mu.Unlock()
	if o.Truth("minion_pillar_cache") {
		if err := cachePillar(o, p); err != nil {
			l.m.o.Log.Error("the pillar's copy: " + err.Error())
		}
	}
}

// cachePillar keeps the pillar as a tree of its own in cachedir/pillar, for
// runs with --local --pillar-root while the master is away (minion_pillar_cache).
func cachePillar(o, p *value.Map) error {
	dir := filepath.Join(o.Str("cachedir"), "pillar")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	env := o.Str("saltenv")
	if env == "" {
		env = "base"
	}
	mode := os.FileMode(0o600)
	for name, data := range map[string]*value.Map{"top.sls": value.M(env, value.M(o.Str("id"), value.L("cache"))), "cache.sls": p} {
		text, err := yaml.Dump(data, yaml.DumpOptions{})
		if err != nil {
			return err
		}
		if err := sys.WriteFile(sys.Real{}, filepath.Join(dir, name), []byte(text), sys.FileAttrs{Mode: &mode}); err != nil {
			return err
		}
	}
	return nil
}

func (l *link) data() *value.Map {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	return l.pillar
}

// started tells the master that the minion is here.
func (l *link) started(ctx context.Context) {
	id := l.m.id
	tag := "salt/minion/" + id + "/start"
	fields := value.M("tag", tag, "data", "Minion "+id+" started at "+time.Now().Format("Mon Jan _2 15:04:05 2006"), "pretag", nil)
	if names := l.m.opts.List("start_event_grains"); names.Len() > 0 {
		some := new(value.Map)
		for _, n := range names.Items {
			if v, ok := value.Traverse(l.m.facts(), value.Str(n), ":"); ok {
				some.Set(value.Str(n), v)
			}
		}
		fields.Set("grains", some)
	}
	if _, err := l.s.Request(ctx, "_minion_event", fields); err != nil && ctx.Err() == nil {
		l.m.o.Log.Warn("the event of the start: " + err.Error())
	}
}

// A backoff is the time between tries: from recon_default on, doubled each
// time up to recon_max, and half of it chance.
type backoff struct{ first, most, now time.Duration }

func (l *link) backoff() *backoff {
	ms := func(key string, def time.Duration) time.Duration {
		if d := span(l.m.opts, key, time.Millisecond); d > 0 {
			return d
		}
		return def
	}
	b := &backoff{first: ms("recon_default", time.Second), most: ms("recon_max", 10*time.Second)}
	b.reset()
	return b
}

func (b *backoff) reset() { b.now = b.first }

func (b *backoff) next() time.Duration {
	d := b.now/2 + rand.N(b.now/2+1)
	b.now = min(2*b.now, max(b.most, b.first))
	return d
}

// sleep waits; false when the context ended.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
