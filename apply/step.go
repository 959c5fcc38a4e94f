package apply

import (
	"strings"
	"time"

	"pinch/value"
	"pinch/value/py"
)

// chunk runs a chunk if its requisites allow it, and first what it depends on
// and did not run yet. It reports whether the chunk must wait for a parallel
// one.
func (r *runner) chunk(ch *Chunk, depth int) (wait bool) {
	deps := r.deps(ch)
	r.flights.before(ch, deps)
	r.widen(ch)
	r.init(ch)
	switch r.check(ch, deps) {
	case unmet:
		return r.dependencies(ch, deps, depth)
	case pending:
		return true
	case skipped:
		r.notRun(ch, true, "State was not run because requisites were skipped by another state")
	case skipWatch:
		r.flights.wait(func(*flight) bool { return true })
		if ch.prereq {
			r.plain(ch)
			break
		}
		ret := r.call(ch, 1)
		ret.Set("comment", ret.Str("comment")+" mod_watch was not run because requisites were skipped by another state")
		r.running.Set(ch.Tag, ret)
	case failed:
		r.requisiteFailed(ch, deps)
	case changed:
		r.flights.wait(func(*flight) bool { return true })
		if ch.prereq {
			r.plain(ch)
			break
		}
		r.watch(ch, deps)
	case unchanged:
		r.notRun(ch, true, "No changes detected")
	case noFail:
		r.notRun(ch, true, "State was not run because onfail req did not change")
	case noChange:
		r.notRun(ch, true, "State was not run because none of the onchanges reqs changed")
	default:
		if r.flights.on && r.flights.launch(ch) {
			return false
		}
		r.plain(ch)
	}
	r.after(ch)
	return false
}

// plain calls the state, for real or as a test run.
func (r *runner) plain(ch *Chunk) {
	if ch.prereq {
		r.pre[ch.Tag] = r.call(ch, 1)
		return
	}
	r.running.Set(ch.Tag, r.call(ch, 1))
}

// after fires the event of a chunk and notes its sub states.
func (r *runner) after(ch *Chunk) {
	ret := r.running.Map(ch.Tag)
	if ret == nil {
		return
	}
	if ret.Truth("changes") {
		r.unpaused = time.Time{}
	}
	r.event(ch, ret)
	subs, _ := ret.Pop("sub_state_run")
	for _, s := range items(subs) {
		m, ok := s.(*value.Map)
		if !ok {
			continue
		}
		start, took := fakeDuration(r.c)
		low := m.Map("low")
		r.num++
		sub := value.M("name", ch.Low.At("name"), "changes", m.At("changes"), "result", m.At("result"), "duration", took, "start_time", start,
			"comment", "", "__state_ran__", true, "__run_num__", r.num, "__sls__", ch.Low.At("__sls__"), "__id__", ch.Low.At("__id__"))
		for _, k := range [...]string{"duration", "start_time", "comment"} {
			if v, ok := m.Get(k); ok {
				sub.Set(k, v)
			}
		}
		r.running.Set(newChunk(low).Tag, sub)
	}
}

// notRun notes the result of a chunk that was not called.
func (r *runner) notRun(ch *Chunk, result bool, comment string) {
	start, took := fakeDuration(r.c)
	ret := value.M("changes", new(value.Map), "result", result, "duration", took, "start_time", start, "comment", comment,
		"__state_ran__", false, "__run_num__", r.number(), "__sls__", ch.Low.At("__sls__"), "__id__", ch.Low.At("__id__"), "name", ch.Low.At("name"))
	r.running.Set(ch.Tag, ret)
	if ch.prereq {
		r.pre[ch.Tag] = ret
	}
}

// requisiteFailed notes that something required failed.
func (r *runner) requisiteFailed(ch *Chunk, deps []dep) {
	if pre := r.pre[ch.Tag]; pre != nil {
		// Its test run showed changes that are not made now.
		if pre.Truth("changes") {
			pre.Set("changes", new(value.Map))
		}
		pre.Set("__run_num__", r.number())
		pre.Set("__sls__", ch.Low.At("__sls__"))
		pre.Set("__id__", ch.Low.At("__id__"))
		pre.Set("name", ch.Low.At("name"))
		r.running.Set(ch.Tag, pre)
		return
	}
	var names []string
	seen := map[string]bool{}
	for _, d := range deps {
		ret := r.pre[d.ch.Tag]
		if ret == nil {
			ret = r.running.Map(d.ch.Tag)
		}
		name := d.ch.SLS + "." + d.ch.ID
		if ret != nil && ret.At("result") == false && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	r.notRun(ch, false, "One or more requisite failed: "+strings.Join(py.SetOrder(names), ", "))
}

// maxDepth ends a recursion that the graph did not see.
const maxDepth = 20

// dependencies runs what a chunk depends on and then the chunk.
func (r *runner) dependencies(ch *Chunk, deps []dep, depth int) (wait bool) {
	for _, d := range deps {
		if r.running.Has(d.ch.Tag) {
			continue
		}
		if r.chunk(d.ch, 0) {
			return true
		}
		if r.failhard(d.ch) {
			r.stopped = true
			return false
		}
	}
	switch {
	case ch.prereq:
		st := r.check(ch, r.deps(ch))
		if st == unchanged {
			r.testUnchanged(ch)
			break
		}
		ret := r.call(ch, 1)
		r.pre[ch.Tag] = ret
		if st == changed && !ret.Truth("changes") {
			ret.Set("changes", value.M("watch", "watch"))
			ret.Set("result", nil)
		}
	case depth+1 >= maxDepth:
		r.c.Log.Error("Recursive requisite found")
		r.running.Set(ch.Tag, value.M("changes", new(value.Map), "result", false, "comment", "Recursive requisite found",
			"__run_num__", r.num, "__sls__", ch.Low.At("__sls__"), "__id__", ch.Low.At("__id__"), "name", ch.Low.At("name")))
	default:
		wait = r.chunk(ch, depth+1)
	}
	if r.failhard(ch) {
		r.stopped = true
	}
	return wait
}
