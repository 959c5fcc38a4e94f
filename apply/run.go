package apply

import (
	"time"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// RunOptions are what a call says about its run.
type RunOptions struct {
	JID  string // for state.pause; "" if the run cannot be paused
	Mock bool   // call no state function
	// Pillar is the pillar= of the call, for reload_pillar.
	Pillar *value.Map
}

// A runner runs the chunks of one plan.
type runner struct {
	c    *salt.Ctx
	p    *Compiler
	g    *graph
	o    RunOptions
	plan *Plan

	running *value.Map            // results by tag
	pre     map[string]*value.Map // results of the test runs that prereqs asked for
	num     int64
	stopped bool // by failhard, inside a requisite
	failed  bool // failhard of the configuration
	started map[string]bool
	procs   *procs
	flights *flights

	secrets  secrets
	unpaused time.Time  // when there was no pause file; zero: look again
	outer    *value.Map // results of the run that this one is part of

	outerChunks []*value.Map
}

// Run compiles prepared high data and runs it. The map is the return of the
// states by tag; with mistakes nothing was run.
func (p *Compiler) Run(h *High, o RunOptions) (*value.Map, diag.List) {
	if errs := p.Prepare(h); len(errs) > 0 {
		return nil, errs
	}
	pl, errs := p.Low(h)
	if len(errs) > 0 {
		return nil, errs
	}
	if errs := p.checkArguments(pl); len(errs) > 0 {
		return nil, errs
	}
	r := p.runner(pl, o)
	defer r.close()
	r.refuse(pl)
	r.chunks(pl.Chunks)
	r.listeners(pl.Chunks)
	r.beacons(pl.Chunks)
	r.unpause()
	return r.running, nil
}

// RunLow runs a plan of chunks that came from elsewhere (state.pkg).
func (p *Compiler) RunLow(pl *Plan, o RunOptions) *value.Map {
	r := p.runner(pl, o)
	defer r.close()
	r.chunks(pl.Chunks)
	r.listeners(pl.Chunks)
	return r.running
}

// RunID runs the chunks of one ID and what they require (state.sls_id).
func (p *Compiler) RunID(pl *Plan, id string, o RunOptions) *value.Map {
	all := new(value.Map)
	r := p.runner(pl, o)
	defer r.close()
	for _, ch := range pl.Chunks {
		if ch.ID != id {
			continue
		}
		r.reset()
		r.chunk(ch, 0)
		r.procs.wait(nil)
		all.Update(r.running)
		if r.stopped {
			all.Set("__FAILHARD__", true)
		}
	}
	return all
}

// RunChunk verifies and runs one low chunk (state.single, state.low). The
// strings are what is wrong with it.
func (p *Compiler) RunChunk(low *value.Map, o RunOptions) (*value.Map, []string, error) {
	ch := newChunk(low)
	fn, errs := p.verify(ch)
	if len(errs) > 0 {
		return nil, errs, nil
	}
	if bad := unknown(fn, ch.Low); len(bad) > 0 {
		return nil, nil, salt.InvocationError("%s", invalidKeywords(bad, ch.State+"."+ch.Fun))
	}
	g := newGraph(1)
	g.add(ch)
	r := p.runner(&Plan{Chunks: []*Chunk{ch}, graph: g, high: p.empty()}, o)
	defer r.close()
	r.init(ch)
	ret := r.call(ch, 1)
	r.running.Set(ch.Tag, ret)
	r.procs.wait(nil)
	return ret, nil, nil
}

func (p *Compiler) runner(pl *Plan, o RunOptions) *runner {
	c := *p.c
	r := &runner{c: &c, p: p, g: pl.graph, o: o, plan: pl, pre: map[string]*value.Map{}, started: map[string]bool{}}
	r.failed = c.Opts.Truth("failhard")
	r.procs, r.flights = newProcs(r), newFlights(r)
	r.outer, r.outerChunks = c.Run.Running, c.Run.Chunks
	r.reset()
	return r
}

func (r *runner) reset() {
	r.running = value.NewMap(len(r.plan.Chunks))
	r.c.Run.Running = r.running
	r.c.Run.Chunks = make([]*value.Map, len(r.plan.Chunks))
	for i, ch := range r.plan.Chunks {
		r.c.Run.Chunks[i] = ch.Low
	}
}

// close gives the results of an outer run back to its states.
func (r *runner) close() { r.c.Run.Running, r.c.Run.Chunks = r.outer, r.outerChunks }

func (r *runner) number() int64 {
	r.num++
	return r.num - 1
}

// chunks runs chunks in order. Those that wait for a parallel one are tried
// again before each of the next.
func (r *runner) chunks(chunks []*Chunk) {
	r.flights.on = r.flights.limit > 0
	defer r.flights.wait(func(*flight) bool { return true })
	var waiting []*Chunk
	again := func() bool {
		var still []*Chunk
		for _, ch := range waiting {
			if r.running.Has(ch.Tag) {
				continue
			}
			if r.chunk(ch, 0) {
				still = append(still, ch)
			}
			if r.failhard(ch) {
				return true
			}
		}
		waiting = still
		return false
	}
	for _, ch := range chunks {
		if r.c.Err() != nil {
			return
		}
		if len(waiting) > 0 && again() {
			r.procs.wait(nil)
			return
		}
		if r.stopped {
			r.stopped = false
			r.procs.wait(nil)
			return
		}
		r.procs.reconcile(nil)
		if r.running.Has(ch.Tag) {
			continue
		}
		if r.paused(ch) == "kill" {
			break
		}
		if r.chunk(ch, 0) {
			waiting = append(waiting, ch)
		}
		if r.failhard(ch) {
			r.procs.end(ch)
			return
		}
	}
	for len(waiting) > 0 && r.c.Err() == nil {
		if again() {
			break
		}
		r.procs.pause()
	}
	r.procs.wait(nil)
}

// failhard reports whether a chunk failed that must end the run.
func (r *runner) failhard(ch *Chunk) bool {
	if r.c.Test {
		return false
	}
	hard := r.failed
	if v, ok := ch.Low.Get("failhard"); ok {
		hard = value.Truth(v)
	}
	if !hard {
		return false
	}
	ret := r.running.Map(ch.Tag)
	if ret == nil {
		return false
	}
	res := ret.At("result")
	return res != nil && !value.Truth(res)
}

// clock is a local time of day as Python's isoformat writes it.
func clock(t time.Time) string {
	if t.Nanosecond()/1000 == 0 {
		return t.Format("15:04:05")
	}
	return t.Format("15:04:05.000000")
}

// millis is a duration in milliseconds with three decimals.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fakeDuration is the start and duration of a state that did not run.
func fakeDuration(c *salt.Ctx) (string, float64) {
	now := c.Sys.Now()
	return clock(now), millis(c.Sys.Now().Sub(now))
}
