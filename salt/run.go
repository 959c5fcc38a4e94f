package salt

import (
	"slices"
	"sync"

	"pinch/diag"
	"pinch/value"
)

// Run is what all calls of one run share: facts read once (the package
// database, the list of units), and the exit code asked for.
type Run struct {
	mu    sync.Mutex
	facts map[any]*fact
	code  int

	reports diag.List // see Report
	secrets secrets   // see Hide
	ends    []func()  // see AtEnd

	// Running are the results of the states that ran so far, by tag
	// (__running__), for the state runner; functions see Ctx.Results.
	Running *value.Map
	// Chunks are the low chunks of the run in their order (__lowstate__); nil
	// outside of a state run.
	Chunks []*value.Map
	// Custom are the modules of the trees; nil: none.
	Custom Custom
	// Regather has the grains gathered anew at their next reading.
	Regather func()
	// Progress is told which state of how many begins; nil when nobody looks.
	Progress func(n, total int, what string)
	// Master is asked for files, pillar and more; nil: there is none.
	Master Master
	// Context is __context__, for custom modules.
	Context *value.Map
}

type fact struct {
	once sync.Once
	v    any
	err  error
}

// NewRun starts an empty run.
func NewRun() *Run { return &Run{facts: map[any]*fact{}, Context: new(value.Map)} }

// Once returns what f made the first time it was asked for key in this run.
// Use a private type as key. Forget drops it again after a change.
func Once[T any](r *Run, key any, f func() (T, error)) (T, error) {
	r.mu.Lock()
	e := r.facts[key]
	if e == nil {
		e = new(fact)
		r.facts[key] = e
	}
	r.mu.Unlock()
	e.once.Do(func() { e.v, e.err = f() })
	v, _ := e.v.(T)
	return v, e.err
}

// Forget drops facts, so that the next Once reads them anew.
func (r *Run) Forget(keys ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range keys {
		delete(r.facts, k)
	}
}

// AtEnd has f called when the run ends, to close what was opened for all of
// it: in a process that stays, a run's connections would stay as well.
func (r *Run) AtEnd(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends = append(r.ends, f)
}

// End calls what AtEnd was given, the last first. The run has no facts any more.
func (r *Run) End() {
	r.mu.Lock()
	ends := r.ends
	r.ends, r.facts = nil, map[any]*fact{}
	r.mu.Unlock()
	for _, f := range slices.Backward(ends) {
		f()
	}
}

// SetRetcode asks for an exit code, as __context__['retcode'] does.
func (r *Run) SetRetcode(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.code = n
}

// Retcode is the exit code that was asked for, 0 if none was.
func (r *Run) Retcode() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.code
}
