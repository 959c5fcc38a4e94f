package stateconf

import (
	"fmt"

	"pinch/value"
)

// chain makes each state require the one before it. A state that requires a
// later one, or is required in an earlier one, would close a circle.
func (k *Confs) chain(data *value.Map, m *Moves) error {
	if k.require == nil {
		k.require, k.requires = map[string][]string{}, map[string][]string{}
	}
	before, after := map[string]bool{}, map[string]bool{}
	all := declarations(data)
	for _, d := range all {
		if d.id != "extend" && len(pairs(d.args, "names")) > 0 {
			return fmt.Errorf("'names' declaration(found in state id: %s) is not supported with implicitly ordered states! You should generate the states in a template for-loop instead.", d.id)
		}
		after[tag(d.id, d.name)] = true
	}
	var prev *value.Map
	for _, d := range all {
		if d.id == "extend" {
			k.extendedBy(d)
			continue
		}
		own := tag(d.id, d.name)
		delete(after, own)
		for _, target := range append(tags(references(d.args, requires)), k.require[own]...) {
			if after[target] {
				return fmt.Errorf("State(%s) can't require/watch/listen/onchanges/onfail a state(%s) defined after it!", own, target)
			}
		}
		for _, target := range append(tags(references(d.args, requiresIn)), k.requires[own]...) {
			if before[target] {
				return fmt.Errorf("State(%s) can't require_in/watch_in/listen_in/onchanges_in/onfail_in a state(%s) defined before it!", own, target)
			}
		}
		if prev != nil && d.args != nil {
			m.require(d.args, prev)
		}
		before[own] = true
		prev = value.M(stateName(d.name), d.id)
	}
	return nil
}

// extendedBy notes the requisites of a state under extend (d.name is its ID).
func (k *Confs) extendedBy(d declaration) {
	states, ok := d.states.At(d.name).(*value.Map)
	if !ok {
		return
	}
	for _, e := range declarations(value.M(d.name, states)) {
		for _, ref := range references(e.args, requires) {
			own := tag(e.id, ref.key)
			k.require[own] = append(k.require[own], tags([]pair{ref})...)
		}
		for _, ref := range references(e.args, requiresIn) {
			own := tag(e.id, ref.key)
			k.requires[own] = append(k.requires[own], tags([]pair{ref})...)
		}
	}
}

func (m *Moves) require(args *value.List, req *value.Map) {
	for _, p := range pairs(args, "require") {
		if l := p.in.List("require"); l != nil {
			m.prepend(l, req)
			return
		}
	}
	args.Append(value.M("require", value.L(req)))
}

// tag names a state for the search of circles.
func tag(id, state string) string { return id + ":" + stateName(state) }

func tags(refs []pair) []string {
	var out []string
	for _, r := range refs {
		out = append(out, tag(value.Str(r.in.At(r.key)), r.key))
	}
	return out
}
