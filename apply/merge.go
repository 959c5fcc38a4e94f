package apply

import (
	"slices"

	"pinch/diag"
	"pinch/value"
)

// merge puts the IDs of from into h. An ID that both have with different
// bodies is a conflict.
func merge(h, from *High) diag.List {
	if from.hasExtend {
		h.startExtend()
	}
	if from.hasExclude {
		h.AddExclude()
	}
	h.Extend = append(h.Extend, from.Extend...)
	h.Exclude = append(h.Exclude, from.Exclude...)
	var errs diag.List
	for id, body := range from.IDs.All() {
		if old, ok := h.IDs.GetKey(id); ok && old != body && !value.Equal(old, body) {
			errs = append(errs, conflict(h, id, old, body))
		}
		_ = h.IDs.SetKey(id, body)
	}
	return errs
}

func conflict(h *High, id, old, body any) *diag.Diagnostic {
	a, _ := old.(*value.Map)
	b, _ := body.(*value.Map)
	d := h.mistake("id", id, b, "", "Detected conflicting IDs, SLS IDs need to be globally unique.\n    The conflicting ID is '%s' and is found in SLS '%s:%s' and SLS '%s:%s'",
		value.Str(id), a.Str("__env__"), a.Str("__sls__"), b.Str("__env__"), b.Str("__sls__"))
	if p, src := h.place(id, a, ""); src != nil {
		d.Notes = append(d.Notes, diag.Note{Pos: p, Text: "the other one is here"})
	}
	return d
}

// cleanExtends splits the extends into one per ID and drops equal ones.
func cleanExtends(h *High) {
	var out []*value.Map
	for _, ext := range h.Extend {
		for id, body := range ext.All() {
			n := new(value.Map)
			_ = n.SetKey(id, body)
			if !slices.ContainsFunc(out, func(m *value.Map) bool { return value.Equal(m, n) }) {
				out = append(out, n)
			}
		}
	}
	h.Extend = out
}
