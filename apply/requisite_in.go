package apply

import (
	"slices"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// inForms are the requisites that say something about another state.
var inForms = set("require_in", "watch_in", "onfail_in", "onchanges_in", "use", "use_in", "prereq_in")

// requisiteIn is the pass that turns the _in forms, use and use_in into
// extends of the states they name, and applies those.
func requisiteIn(h *High) diag.List {
	p := &inPass{h: h, out: new(value.Map)}
	for id, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if !ok {
			continue
		}
		for k, run := range body.All() {
			state, _ := k.(string)
			if strings.HasPrefix(state, "__") {
				continue
			}
			for _, a := range items(run) {
				arg, ok := a.(*value.Map)
				key := ""
				if ok {
					key = firstKey(arg)
				}
				if inForms[key] && !slices.Contains(h.disabled, key) {
					p.form(id, body, state, key, arg.At(key))
				}
			}
		}
	}
	h.Extend, h.hasExtend = nil, false
	for id, body := range p.out.All() {
		m := new(value.Map)
		_ = m.SetKey(id, body)
		h.addExtend(m)
	}
	return append(p.errs, extend(true)(h)...)
}

type inPass struct {
	h     *High
	out   *value.Map // ID → what extends it
	errs  diag.List
	named map[string]ref // by name argument, made when a bare string asks
}

// form handles one requisite of one state: a map {module: name}, or a list of
// those and of bare names.
func (p *inPass) form(id any, body *value.Map, state, key string, v any) {
	word, _, _ := strings.Cut(key, "_")
	switch v := v.(type) {
	case *value.Map:
		for k, name := range v.All() {
			mod := p.noDots(word, value.Str(k), value.Str(name), id, body, state, "Invalid requisite in %s: %s for %s in SLS '%s'. Requisites must not contain dots, did you mean '%s'?")
			p.add(name, mod, word, ref{id, state}, body)
		}
	case *value.List:
		// What was named before stays in force for the later items, so a
		// state can get the same requisite twice.
		var hinges []ref
		for _, it := range v.Items {
			m, ok := it.(*value.Map)
			if !ok {
				r, ok := p.bare(it)
				if !ok {
					continue
				}
				m = value.M(r.state, r.id)
			}
			if m.Len() == 0 {
				continue
			}
			k, name := first(m)
			mod := value.Str(k)
			if mod == "sls" {
				hinges = p.h.ofSLS(name)
			} else {
				hinges = append(hinges, ref{name, mod})
			}
			p.noDots(word, mod, value.Str(name), id, body, state, "Invalid requisite in %s: %s for %s, in SLS '%s'. Requisites must not contain dots, did you mean '%s'?")
			for _, r := range hinges {
				switch key {
				case "use_in":
					p.use(r.id, r.state, ref{id, state}, true)
				case "use":
					p.use(r.id, r.state, ref{id, state}, false)
				default:
					p.add(r.id, r.state, word, ref{id, state}, body)
				}
			}
		}
	}
}

func (p *inPass) noDots(word, mod, name string, id any, body *value.Map, state, format string) string {
	short, _, dot := strings.Cut(mod, ".")
	if dot {
		p.errs = append(p.errs, p.h.mistake("requisite", id, body, state, format, word, mod, name, body.Str("__sls__"), short))
	}
	return short
}

// bare finds what a name without a module means: the first state of the ID,
// or the state that has it as name.
func (p *inPass) bare(name any) (ref, bool) {
	if b := p.h.body(name); b != nil {
		if s := firstState(b); s != "" {
			return ref{name, s}, true
		}
		return ref{}, false
	}
	if p.named == nil {
		p.named = map[string]ref{}
		for id, v := range p.h.IDs.All() {
			body, _ := v.(*value.Map)
			for k, run := range body.All() {
				state, _ := k.(string)
				if strings.HasPrefix(state, "__") {
					continue
				}
				for _, a := range items(run) {
					m, _ := a.(*value.Map)
					if n, ok := m.At("name").(string); ok {
						if _, have := p.named[n]; !have {
							p.named[n] = ref{id, state}
						}
					}
				}
			}
		}
	}
	s, _ := name.(string)
	r, ok := p.named[s]
	return r, ok
}

// extension is what extends one state of an ID.
func (p *inPass) extension(id any, state string, body *value.Map) *value.List {
	v, _ := p.out.GetKey(id)
	ext, ok := v.(*value.Map)
	if !ok {
		ext = new(value.Map)
		_ = p.out.SetKey(id, ext)
	}
	list := ext.List(state)
	if list == nil {
		list = new(value.List)
		ext.Set(state, list)
	}
	if body != nil {
		ext.Set("__env__", body.At("__env__"))
		ext.Set("__sls__", body.At("__sls__"))
	}
	return list
}

// add gives the state mod of the ID name the requisite word on from.
func (p *inPass) add(name any, mod, word string, from ref, body *value.Map) {
	if _, err := value.HashKey(name); err != nil {
		return
	}
	list := p.extension(name, mod, body)
	req := value.M(from.state, from.id)
	found := false
	for _, a := range list.Items {
		if m, ok := a.(*value.Map); ok && firstKey(m) == word {
			m.List(word).Append(req)
			found = true
		}
	}
	if !found {
		list.Append(value.M(word, value.L(req)))
	}
}
