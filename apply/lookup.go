package apply

import (
	"strings"

	"pinch/value"
)

// A ref is one state of an ID.
type ref struct {
	id    any
	state string
}

// body is the body of an ID, nil if there is none.
func (h *High) body(id any) *value.Map {
	v, _ := h.IDs.GetKey(id)
	m, _ := v.(*value.Map)
	return m
}

// firstState is the first key of a body that is no bookkeeping.
func firstState(body *value.Map) string {
	for k := range body.All() {
		if s, ok := k.(string); ok && !strings.HasPrefix(s, "__") {
			return s
		}
	}
	return ""
}

// findName finds the states that a reference means: the ID itself, all IDs of
// an SLS, or any that has an argument of that value (such as name).
func (h *High) findName(name any, state string, strict bool) []ref {
	if b := h.body(name); b != nil && (!strict || b.Has(state)) {
		return []ref{{name, state}}
	}
	var out []ref
	for id, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if !ok {
			continue
		}
		if state == "sls" {
			if value.Equal(body.At("__sls__"), name) {
				k, _ := first(body)
				s, _ := k.(string)
				out = append(out, ref{id, s})
			}
			continue
		}
		for _, a := range items(body.At(state)) {
			if m, ok := a.(*value.Map); ok && m.Len() == 1 {
				if _, v := first(m); value.Equal(v, name) {
					out = append(out, ref{id, state})
				}
			}
		}
	}
	return out
}

// ofSLS are all states of one SLS.
func (h *High) ofSLS(sls any) []ref {
	var out []ref
	for id, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if !ok || !value.Equal(body.At("__sls__"), sls) {
			continue
		}
		for k := range body.All() {
			if s, ok := k.(string); ok && !strings.HasPrefix(s, "__") {
				out = append(out, ref{id, s})
			}
		}
	}
	return out
}

// names are the IDs that have a state of a module, for hints.
func (h *High) names(state string) []string {
	var out []string
	for id, v := range h.IDs.All() {
		if b, ok := v.(*value.Map); ok && b.Has(state) {
			out = append(out, value.Str(id))
		}
	}
	return out
}
