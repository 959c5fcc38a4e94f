package apply

import (
	"pinch/value"
)

// notUsed are the arguments that use and use_in never copy.
var notUsed = set("require_in", "watch_in", "onfail_in", "onchanges_in", "use", "use_in", "prereq_in",
	"require", "watch", "prereq", "onfail", "onfail_stop", "onchanges", "name", "names")

// use copies arguments from one state to another: from self to the named one
// (use_in), or from the named one to self (use). Arguments that the receiver
// has stay its own.
func (p *inPass) use(name any, mod string, self ref, in bool) {
	for _, r := range p.h.findName(name, mod, true) {
		from, to := r, self
		if in {
			from, to = self, r
		}
		have := p.h.arguments(to)
		list := p.extension(to.id, to.state, nil)
		for _, a := range items(p.h.body(from.id).At(from.state)) {
			m, ok := a.(*value.Map)
			if !ok || m.Len() != 1 {
				continue
			}
			if k := firstKey(m); !notUsed[k] && !have[k] {
				list.Append(m)
			}
		}
	}
}

// arguments are the names of the arguments that a state has.
func (h *High) arguments(r ref) map[string]bool {
	out := map[string]bool{}
	for _, a := range items(h.body(r.id).At(r.state)) {
		if m, ok := a.(*value.Map); ok && m.Len() == 1 {
			out[firstKey(m)] = true
		}
	}
	return out
}
