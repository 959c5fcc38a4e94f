package apply

import (
	"strings"

	"pinch/value"
)

// Succeeded reports whether a run counts as a success: no result is False,
// unless an onfail state with onfail_stop: false took care of the failure.
// An empty return is none.
func Succeeded(running, high *value.Map) bool {
	if running.Len() == 0 {
		return false
	}
	for tag, v := range running.Items() {
		ok := true
		ret, isMap := v.(*value.Map)
		switch {
		case !isMap:
			ok = tag == "__extend__"
		case ret.Has("result"):
			ok = ret.At("result") != false
		default:
			ok = nested(ret)
		}
		if !ok && !handled(tag, running, high) {
			return false
		}
	}
	return true
}

// nested looks for a failure in what is no return of a state.
func nested(m *value.Map) bool {
	if m.Len() == 0 {
		return false
	}
	for _, v := range m.All() {
		sub, ok := v.(*value.Map)
		if !ok {
			continue
		}
		if r, has := sub.Get("result"); has && r == false || !has && !nested(sub) {
			return false
		}
	}
	return true
}

// handled reports whether a state with onfail on the failed one and
// onfail_stop: false succeeded.
func handled(tag string, running, high *value.Map) bool {
	if high == nil {
		return false
	}
	parts := strings.SplitN(tag, "_|-", 4)
	id, mod := tag, ""
	if len(parts) == 4 {
		mod, id = parts[0], parts[1]
	}
	for hid, v := range high.All() {
		body, ok := v.(*value.Map)
		if !ok || value.Equal(hid, id) {
			continue
		}
		for state, run := range body.Items() {
			if strings.HasPrefix(state, "__") || !catches(items(run), id, mod) {
				continue
			}
			if ok, found := resultOf(running, state, value.Str(hid)); found {
				return ok
			}
		}
	}
	return false
}

// catches reports whether arguments have onfail on the state and
// onfail_stop: false.
func catches(args []any, id, mod string) bool {
	goesOn, named := false, false
	for _, a := range args {
		m, ok := a.(*value.Map)
		if !ok {
			continue
		}
		if v, ok := m.Get("onfail_stop"); ok && v == false {
			goesOn = true
		}
		for _, req := range items(m.At("onfail")) {
			r, ok := req.(*value.Map)
			if !ok {
				named = named || value.Equal(req, id)
			}
			for k, v := range r.Items() {
				named = named || value.Equal(v, id) && (mod == "" || k == mod)
			}
		}
	}
	return goesOn && named
}

// resultOf is the result of the states of one ID: false when one failed.
func resultOf(running *value.Map, mod, id string) (ok, found bool) {
	for tag, v := range running.Items() {
		if !strings.HasPrefix(tag, mod+"_|-"+id+"_|-") {
			continue
		}
		ret, _ := v.(*value.Map)
		switch ret.At("result") {
		case false:
			return false, true
		case true:
			ok, found = true, true
		}
	}
	return ok, found
}

// Terse keeps the states that failed or changed something (terse=True).
func Terse(running *value.Map) *value.Map {
	out := new(value.Map)
	for tag, v := range running.Items() {
		if m, ok := v.(*value.Map); !ok || !m.Truth("result") || m.Truth("changes") {
			out.Set(tag, v)
		}
	}
	return out
}
