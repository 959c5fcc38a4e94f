package apply

import (
	"strings"

	"pinch/diag"
	"pinch/value"
)

// takeExclude takes the exclude declaration out of an SLS.
func takeExclude(h *High, sls string, src *source) diag.List {
	v, ok := h.IDs.Get("exclude")
	if !ok {
		return nil
	}
	defer h.IDs.Pop("exclude")
	l, ok := v.(*value.List)
	if !ok {
		return diag.List{src.mistake("exclude", src.at(h.IDs, "exclude"), "Exclude Declaration in SLS %s is not formed as a list", sls)}
	}
	h.AddExclude(l.Items...)
	return nil
}

// exclude is the pass that drops the excluded IDs, and all IDs of the
// excluded SLS files.
func exclude(h *High) diag.List {
	if !h.hasExclude {
		return nil
	}
	var sls []string
	ids := new(value.Set)
	for _, e := range h.Exclude {
		switch e := e.(type) {
		case string:
			sls = append(sls, e)
		case *value.Map:
			if e.Len() != 1 {
				continue
			}
			if v, ok := e.Get("sls"); ok {
				sls = append(sls, value.Str(v))
			} else if v, ok := e.Get("id"); ok {
				_ = ids.Add(v)
			}
		}
	}
	h.Exclude, h.hasExclude = nil, false
	kept := value.NewMap(h.IDs.Len())
	for id, v := range h.IDs.All() {
		s, _ := id.(string)
		body, _ := v.(*value.Map)
		if ids.Has(id) || !strings.HasPrefix(s, "__") && matchesAny(body.Str("__sls__"), sls) {
			continue
		}
		_ = kept.SetKey(id, v)
	}
	h.IDs = kept
	return nil
}

func matchesAny(name string, globs []string) bool {
	if name == "" {
		return false
	}
	for _, g := range globs {
		if value.Fnmatch(name, g) {
			return true
		}
	}
	return false
}
