package apply

import (
	"strings"

	"pinch/diag"
	"pinch/value"
)

// takeExtend takes the extend declaration out of an SLS.
func takeExtend(h *High, sls, env string, src *source) diag.List {
	v, ok := h.IDs.Get("extend")
	if !ok {
		return nil
	}
	ext, ok := v.(*value.Map)
	if !ok {
		defer h.IDs.Pop("extend")
		return diag.List{src.mistake("extend", src.at(h.IDs, "extend"), "Extension value in SLS '%s' is not a dictionary", sls)}
	}
	h.IDs.Pop("extend")
	var errs diag.List
	for id, v := range ext.All() {
		body, ok := v.(*value.Map)
		if !ok {
			errs = append(errs, src.mistake("extend", src.at(ext, id), "Extension name '%s' in SLS '%s' is not a dictionary", value.Str(id), sls))
			continue
		}
		if !body.Has("__sls__") {
			body.Set("__sls__", sls)
		}
		if !body.Has("__env__") {
			body.Set("__env__", env)
		}
		for _, k := range body.Keys() {
			key, _ := k.(string)
			list, ok := body.At(key).(*value.List)
			mod, fun, dot := strings.Cut(key, ".")
			if !ok || !dot || strings.HasPrefix(key, "_") {
				continue
			}
			fun, _, _ = strings.Cut(fun, ".")
			body.Pop(key)
			list.Append(fun)
			body.Set(mod, list)
		}
	}
	h.addExtend(ext)
	return errs
}

// extend is the pass that applies the extend declarations. A strict one (that
// of the _in forms) finds a state by name only under its own module.
func extend(strict bool) Pass {
	return func(h *High) diag.List {
		exts := h.Extend
		h.Extend, h.hasExtend = nil, false
		var errs diag.List
		skip := excludedSLS(h)
		for _, ext := range exts {
			for id, v := range ext.All() {
				body, ok := v.(*value.Map)
				if !ok {
					continue
				}
				errs = append(errs, extendOne(h, id, body, strict, skip)...)
			}
		}
		return errs
	}
}

func extendOne(h *High, id any, body *value.Map, strict bool, skip map[string]bool) diag.List {
	target := h.body(id)
	mod := firstState(body)
	if target == nil || !target.Has(mod) {
		ids := h.findName(id, mod, strict)
		if len(ids) != 1 {
			env, sls := body.Str("__env__"), body.Str("__sls__")
			p, src := diag.Pos{}, h.sources[env+":"+sls]
			if src != nil && src.root != nil {
				p = src.state(body, mod)
			}
			d := src.mistake("extend", p, "Cannot extend ID '%[1]s' in '%[2]s:%[3]s'. It is not part of the high state.\nThis is likely due to a missing include statement or an incorrectly typed ID.\n"+
				"Ensure that a state with an ID of '%[1]s' is available\nin environment '%[2]s' and to SLS '%[3]s'", value.Str(id), or(env, "base"), or(sls, "base"))
			d.Hint = diag.DidYouMean(value.Str(id), h.names(mod))
			return diag.List{d}
		}
		id = ids[0].id
		target = h.body(id)
	}
	if skip[body.Str("__sls__")] {
		return nil
	}
	for k, v := range body.All() {
		state, _ := k.(string)
		if strings.HasPrefix(state, "__") {
			continue
		}
		run, ok := v.(*value.List)
		old, isList := target.At(state).(*value.List)
		if !target.Has(state) || !ok || !isList {
			if !target.Has(state) || ok {
				target.Set(state, v)
			}
			continue
		}
		for _, arg := range run.Items {
			if !override(old, arg) {
				old.Append(arg)
			}
		}
	}
	return nil
}

// override puts arg in the place of what it replaces in list: a string
// replaces the function, an argument the one of the same name, and the
// references of a requisite are added to those there.
func override(list *value.List, arg any) (done bool) {
	for i, have := range list.Items {
		switch a := arg.(type) {
		case string:
			if _, ok := have.(string); ok {
				list.Items[i] = a
				done = true
			}
		case *value.Map:
			m, ok := have.(*value.Map)
			if !ok {
				continue
			}
			key, old := firstKey(a), firstKey(m)
			switch {
			case key == old && requisites[key]:
				to, ok1 := m.At(key).(*value.List)
				from, ok2 := a.At(key).(*value.List)
				if ok1 && ok2 {
					to.Append(from.Items...)
				}
				done = true
			case key == old:
				list.Items[i] = a
				done = true
			case key == "name" && old == "names":
				list.Items[i] = a
			}
		}
	}
	return done
}

func excludedSLS(h *High) map[string]bool {
	m := map[string]bool{}
	for _, e := range h.Exclude {
		switch e := e.(type) {
		case string:
			m[e] = true
		case *value.Map:
			if s := e.Str("sls"); s != "" {
				m[s] = true
			}
		}
	}
	return m
}

func or(s, def string) string {
	if s == "" {
		return def
	}
	return s
}
