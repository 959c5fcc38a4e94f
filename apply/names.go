package apply

import (
	"strings"

	"pinch/value"
)

// chunks cuts the high data into low chunks: one for each state of an ID, or
// one for each of its names.
func (p *Compiler) chunks(h *High) []*Chunk {
	out := make([]*Chunk, 0, h.IDs.Len())
	aggregate := p.c.Opts.At("state_aggregate")
	for id, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if s, str := id.(string); !ok || str && strings.HasPrefix(s, "__") {
			continue
		}
		for k, run := range body.All() {
			state, _ := k.(string)
			if strings.HasPrefix(state, "__") {
				continue
			}
			for _, ch := range cut(id, body, state, run) {
				ch.body = body
				ch.aggregate = p.mayAggregate(ch, aggregate)
				out = append(out, ch)
			}
		}
	}
	return out
}

func cut(id any, body *value.Map, state string, run any) []*Chunk {
	args := items(run)
	low := value.NewMap(len(args) + 6)
	low.Set("state", state)
	low.Set("name", id)
	for _, k := range [...]string{"__sls__", "__env__", "__sls_included_from__"} {
		if v, ok := body.Get(k); ok {
			low.Set(k, v)
		}
	}
	low.Set("__id__", id)
	fun := ""
	var names *value.List
	for _, a := range args {
		switch a := a.(type) {
		case string:
			fun = a
		case *value.Map:
			for k, v := range a.All() {
				switch k {
				case "names":
					names = addNames(names, v)
				case "state":
					// The module is never overridden.
				case "name":
					if _, str := v.(string); !str {
						v = id
					}
					low.Set("name", v)
				default:
					_ = low.SetKey(k, v)
				}
			}
		}
	}
	if fun == "" {
		return nil
	}
	if names.Len() == 0 {
		low.Set("fun", fun)
		return []*Chunk{newChunk(low)}
	}
	out := make([]*Chunk, 0, names.Len())
	for i, n := range names.Items {
		live := low.Shallow()
		if m, ok := n.(*value.Map); ok {
			name, own := first(m)
			live.Set("name", name)
			for _, a := range items(own) {
				if m, ok := a.(*value.Map); ok {
					live.Update(m)
				}
			}
		} else {
			live.Set("name", n)
		}
		live.Set("fun", fun)
		ch := newChunk(live)
		ch.nameOrder = i + 1
		out = append(out, ch)
	}
	return out
}

// addNames adds the names that are not there yet.
func addNames(names *value.List, v any) *value.List {
	if names == nil {
		names = new(value.List)
	}
	add := items(v)
	if len(add) > 16 && names.Len() == 0 {
		// Strings, the usual case, are compared by a set.
		if s, err := value.NewSet(add...); err == nil {
			names.Items = s.Items()
			return names
		}
	}
next:
	for _, n := range add {
		for _, have := range names.Items {
			if value.Equal(n, have) {
				continue next
			}
		}
		names.Append(n)
	}
	return names
}
