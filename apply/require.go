package apply

import (
	"strings"

	"pinch/value"
)

// A status says what a chunk's requisites make of it.
type status uint8

const (
	met       status = iota
	unmet            // something it depends on did not run yet
	pending          // something it depends on runs in parallel
	failed           // something it requires failed
	skipped          // a trigger said skip_req
	skipWatch        // the same for watch
	unchanged        // a prereq's target would not change
	noFail           // onfail: nothing failed
	noChange         // onchanges: nothing changed
	changed          // something watched changed
)

// A dep is something that a chunk depends on.
type dep struct {
	kind Kind
	ch   *Chunk
}

// deps lists what a chunk depends on; for its test run, what that depends on.
func (r *runner) deps(ch *Chunk) []dep {
	n, ok := r.g.tags[ch.Tag]
	if !ok {
		return nil
	}
	nd := r.g.nodes[n]
	if ch.prereq {
		if nd.test < 0 {
			return nil
		}
		nd = r.g.nodes[nd.test]
	}
	if len(nd.in) == 0 {
		return nil
	}
	out := make([]dep, 0, len(nd.in))
	for _, i := range nd.in {
		e := &r.g.edges[i]
		from := r.g.nodes[e.from]
		for k := range e.each {
			if from.chunk != nil {
				out = append(out, dep{k, from.chunk})
				continue
			}
			for _, m := range from.members {
				out = append(out, dep{k, r.g.nodes[m].chunk})
			}
		}
	}
	return out
}

// What is seen among the targets of one kind, as bits.
const (
	sawUnmet = 1 << iota
	sawSkip
	sawOnfail
	sawOnchanges
	sawOnchangesMet
	sawFail
	sawChange
	sawPreMet
	sawPre
	sawMet
)

// check looks at the results of all that a chunk depends on.
func (r *runner) check(ch *Chunk, deps []dep) status {
	if len(deps) == 0 {
		return met
	}
	var seen [listen + 1]uint16
	waits := false
	if r.procs.busy() {
		waits = r.procs.settle(ch, deps)
	}
	for _, d := range deps {
		ret := r.result(d)
		if ret == nil {
			seen[d.kind] |= sawUnmet
			continue
		}
		if waits {
			continue
		}
		seen[d.kind] |= look(d.kind, ret)
	}
	var all uint16
	for k, s := range seen {
		all |= reduce(Kind(k), s)
	}
	return decide(all, waits)
}

func (r *runner) result(d dep) *value.Map {
	if d.kind == Prereq {
		return r.pre[d.ch.Tag]
	}
	return r.running.Map(d.ch.Tag)
}

// look is what one target's result means to a requisite of a kind.
func look(k Kind, ret *value.Map) (s uint16) {
	if ret.Truth("skip_req") {
		s = sawSkip
	}
	result := ret.At("result")
	switch k {
	case Onfail, OnfailAny, OnfailAll:
		if result == true {
			return s | sawOnfail
		}
	case Onchanges, OnchangesAny:
		// A failed target triggers as little as one without changes.
		if result == false || !ret.Truth("changes") {
			return s | sawOnchanges
		}
		return s | sawOnchangesMet
	default:
		if result == false {
			return s | sawFail
		}
	}
	if (k == Watch || k == WatchAny) && ret.Truth("changes") {
		return s | sawChange
	}
	if k == Prereq {
		if result == nil {
			return s | sawPreMet
		}
		return s | sawPre
	}
	if ran, ok := ret.Get("__state_ran__"); !ok || value.Truth(ran) {
		s |= sawMet
	}
	return s
}

// reduce applies "any" and "all" to what was seen.
func reduce(k Kind, s uint16) uint16 {
	name := k.String()
	if strings.HasSuffix(name, "_any") || k == Onfail {
		if s&(sawMet|sawChange) != 0 {
			s &^= sawFail
		}
		if s&sawOnchangesMet != 0 {
			s &^= sawOnchanges | sawFail
		}
		if s&sawOnfail != 0 && s&sawMet != 0 {
			s &^= sawOnfail
		}
	}
	if k == OnfailAll && s&sawOnfail != 0 {
		s &^= sawMet
	}
	return s
}

func decide(s uint16, waits bool) status {
	has := func(bits uint16) bool { return s&bits != 0 }
	switch {
	case has(sawUnmet):
		return unmet
	case waits:
		return pending
	case has(sawFail):
		return failed
	case has(sawSkip) && has(sawOnchangesMet|sawPreMet):
		return skipped
	case has(sawSkip) && has(sawChange):
		return skipWatch
	case has(sawPre) && has(sawPreMet):
		return met
	case has(sawPre):
		return unchanged
	case has(sawOnfail) && !has(sawOnchangesMet):
		return noFail
	case has(sawOnchanges) && !has(sawOnchangesMet):
		return noChange
	case has(sawChange):
		return changed
	case has(sawOnfail):
		return noFail
	}
	return met
}
