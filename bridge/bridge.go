// Package bridge runs custom modules that are written in Python: those that
// people keep in _modules, _states, _grains and so on of their trees.
//
// A Bridge belongs to a run. It lists the files of the extension folders when
// somebody asks for a function, and starts one python3 process when a module
// is used for the first time; see python/pinch_worker.py for the other side.
// Calls go both ways: a custom state calls __salt__["cmd.run"], a built-in one
// may call a custom function.
//
//	b := bridge.New(bridge.Options{Opts: opts, Registry: registry, Log: log})
//	defer b.Close()
//	run.Custom = b
package bridge

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"pinch/salt"
	"pinch/value"
)

// Options are what a bridge is made of.
type Options struct {
	Opts *value.Map // extension_modules, module_dirs, python, custom_timeout …
	Log  *slog.Logger
	// Grains are those that are there before the custom ones.
	Grains func() *value.Map
}

// A Bridge is the custom modules of one run.
type Bridge struct {
	o Options

	mu       sync.Mutex
	files    map[string]map[string]string // kind → name → path
	modules  map[moduleKey]*salt.Module
	info     map[moduleKey]*described
	extra    map[string]map[string]string // kind → name → path in extensions
	packages []string                     // folders of extensions, nil until they were looked for
	stale    map[string]bool              // what the worker must forget before the next call

	calls sync.Mutex // one conversation with the worker at a time
	w     *worker
	now   *nested    // what is being answered to the worker
	seen  *value.Map // the pillar that the worker has seen
	ended error      // why we ended the worker ourselves
}

type moduleKey struct{ kind, name string }

var _ salt.Custom = (*Bridge)(nil)

// New makes a bridge; nothing is read or started yet.
func New(o Options) *Bridge {
	b := &Bridge{o: o, stale: map[string]bool{}}
	b.reset()
	return b
}

func (b *Bridge) reset() {
	b.files = map[string]map[string]string{}
	b.modules = map[moduleKey]*salt.Module{}
	b.info = map[moduleKey]*described{}
	b.extra = map[string]map[string]string{}
	b.packages = nil
}

// Close ends the worker, if there is one.
func (b *Bridge) Close() {
	b.calls.Lock()
	defer b.calls.Unlock()
	if b.w != nil {
		b.w.close()
		b.w = nil
	}
}

// Forget drops what was read.
func (b *Bridge) Forget(what ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range what {
		b.stale[w] = true
		if w == "modules" {
			b.reset()
		}
	}
}

// timeout is how long a module may keep the processor to itself: the option
// custom_timeout in seconds, an hour without one, 0 for ever.
func (b *Bridge) timeout() time.Duration {
	switch n := b.o.Opts.At("custom_timeout").(type) {
	case int64:
		return time.Duration(n) * time.Second
	case float64:
		return time.Duration(n * float64(time.Second))
	}
	return time.Hour
}

// nested marks the context of calls that the worker itself asked for: they
// are part of its conversation until that is answered. turn is held by whoever
// talks with the worker meanwhile.
type nested struct {
	turn   sync.Mutex
	closed bool
}

type nestedKey struct{}

// talk runs one conversation with the worker: a whole call, with what it asks
// for meanwhile. Calls out of a conversation are part of it.
func (b *Bridge) talk(c *salt.Ctx, do func(w *worker) error) error {
	ctx := c.Context
	if ctx == nil {
		ctx = context.Background()
	}
	n, ok := ctx.Value(nestedKey{}).(*nested)
	if !ok { // a pillar that is compiled because the worker reads it has the run's context
		b.mu.Lock()
		n = b.now
		b.mu.Unlock()
	}
	if n != nil && n.enter() {
		defer n.turn.Unlock()
		if b.w == nil || b.w.dead {
			return b.gone("the Python process of the custom modules ended during an outer call")
		}
		if err := b.tell(c, b.w); err != nil {
			return err
		}
		return do(b.w)
	}
	b.calls.Lock()
	defer b.calls.Unlock()
	w, err := b.start(c)
	if err != nil {
		return err
	}
	if err := b.tell(c, w); err != nil {
		return err
	}
	return do(w)
}

// enter takes the turn, unless the conversation went on without.
func (n *nested) enter() bool {
	n.turn.Lock()
	if n.closed {
		n.turn.Unlock()
	}
	return !n.closed
}

// leave ends the part of the conversation that n is.
func (n *nested) leave() {
	n.turn.Lock()
	n.closed = true
	n.turn.Unlock()
}

// tell passes on what the worker must forget.
func (b *Bridge) tell(c *salt.Ctx, w *worker) error {
	b.mu.Lock()
	if len(b.stale) == 0 {
		b.mu.Unlock()
		return nil
	}
	l := new(value.List)
	for what := range b.stale {
		l.Append(what)
	}
	clear(b.stale)
	b.mu.Unlock()
	_, err := w.request(c, value.Tuple{"forget", l})
	return err
}
