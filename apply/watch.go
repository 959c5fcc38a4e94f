package apply

import (
	"pinch/value"
)

// watch runs a chunk of which something watched changed: itself, and when
// that changed nothing its module's mod_watch.
func (r *runner) watch(ch *Chunk, deps []dep) {
	ret := r.call(ch, 1)
	if !ret.Truth("changes") && !ret.Truth("skip_watch") {
		again := ch.with("mod_watch", ch.ID)
		reqs := new(value.Map)
		for _, d := range deps {
			l := reqs.List(d.kind.String())
			if l == nil {
				l = new(value.List)
				reqs.Set(d.kind.String(), l)
			}
			l.Append(d.ch.Low)
		}
		again.Low.Set("__reqs__", reqs)
		ret = r.call(again, 1)
	}
	r.running.Set(ch.Tag, ret)
}
