package apply

import (
	"fmt"
	"strings"

	"pinch/value"
)

// A listener is a state that listens and one thing that it listens to.
type listener struct {
	state, id, name string // who; name may be "" when only the ID is known
	to              any
}

// listeners runs, after all chunks, the mod_watch of every state that listens
// to one that changed.
func (r *runner) listeners(chunks []*Chunk) {
	ls := collect(chunks)
	if len(ls) == 0 {
		return
	}
	byRef := map[refKey][]*Chunk{}
	seen := map[string]bool{}
	for _, ch := range chunks {
		key := ch.State + "\x00" + ch.ID + "\x00" + ch.Name
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, n := range unique([]string{ch.State, ch.ID, ch.Name}) {
			byRef[refKey{ch.State, n}] = append(byRef[refKey{ch.State, n}], ch)
		}
	}
	var watchers []*Chunk
	var errs []*value.Map
	added := map[string]bool{}
	for _, l := range ls {
		for _, to := range r.heard(l, chunks) {
			found := byRef[to]
			if len(found) == 0 {
				errs = append(errs, listenError(to.state, to.name))
				continue
			}
			for _, ch := range found {
				ret := r.running.Map(ch.Tag)
				if ret == nil || !ret.Truth("changes") {
					continue
				}
				who := byRef[refKey{l.state, l.id}]
				if len(who) == 0 {
					errs = append(errs, listenError(l.state, l.id))
				}
				for _, w := range who {
					low := w.with("mod_watch", "listener_"+w.ID)
					if added[low.Tag] {
						continue
					}
					added[low.Tag] = true
					for k := range requisites {
						low.Low.Pop(k)
					}
					low.aggregate = false
					r.g.add(low)
					watchers = append(watchers, low)
				}
			}
		}
	}
	r.chunks(watchers)
	told := map[any]bool{}
	for _, e := range errs {
		if told[e.At("tag")] {
			continue
		}
		told[e.At("tag")] = true
		e.Set("__run_num__", r.number())
		tag, _ := e.Pop("tag")
		r.running.Set(tag.(string), e)
	}
}

// collect finds all that listens, by listen and by listen_in.
func collect(chunks []*Chunk) []listener {
	var out []listener
	for _, ch := range chunks {
		for _, to := range items(ch.Low.At("listen")) {
			out = append(out, listener{ch.State, ch.ID, ch.Name, to})
		}
		for _, in := range items(ch.Low.At("listen_in")) {
			m, _ := in.(*value.Map)
			for k, v := range m.Items() {
				out = append(out, listener{k, value.Str(v), "", value.M(ch.State, ch.ID)})
			}
		}
	}
	return out
}

// heard is what a listener names. A bare name means the first state of that ID
// or name; one that nothing has is ignored.
func (r *runner) heard(l listener, chunks []*Chunk) []refKey {
	if m, ok := l.to.(*value.Map); ok {
		var out []refKey
		for k, v := range m.Items() {
			out = append(out, refKey{k, value.Str(v)})
		}
		return out
	}
	name := value.Str(l.to)
	for _, ch := range chunks {
		if ch.ID == name || ch.Name == name {
			return []refKey{{ch.State, ch.ID}}
		}
	}
	return nil
}

func listenError(state, id string) *value.Map {
	tag := strings.Join([]string{"Listen_Error", "listen_" + id, "listen_" + state, "Listen_Error"}, "_|-")
	return value.M("tag", tag, "comment", fmt.Sprintf("Referenced state %s: %s does not exist", state, id),
		"name", "listen_"+state+":"+id, "result", false, "changes", new(value.Map))
}
