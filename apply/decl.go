package apply

import (
	"fmt"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// What to do about declarations that are none.
const (
	notState = "below an ID stands a state with a dot in it, such as pkg.installed"
	twoOfOne = `give one of them an ID of its own, and the thing it is about as "- name: …"`
)

// noIDs is what to do about an SLS that is no mapping.
func noIDs(v any) string {
	if _, list := v.(*value.List); list {
		return `an SLS is a mapping of IDs: "ID:", not "- ID:"`
	}
	return "an SLS is a mapping of IDs: is a colon missing after the first one?"
}

// declare brings all forms of a declaration to one: ID → state → arguments,
// the function among them as a string, and notes SLS and environment.
func declare(h *High, sls, env string, src *source) diag.List {
	var errs diag.List
	for id, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if !ok {
			if s, str := v.(string); str {
				if mod, fun, dot := strings.Cut(s, "."); dot {
					fun, _, _ = strings.Cut(fun, ".")
					_ = h.IDs.SetKey(id, value.M("__sls__", sls, "__env__", env, mod, value.L(fun)))
					continue
				}
			}
			errs = append(errs, src.mistake("sls", src.at(h.IDs, id), "ID %s in SLS %s is not a dictionary", value.Str(id), sls).Hinting(notState))
			continue
		}
		for _, twice := range splitKeys(body) {
			errs = append(errs, src.mistake("sls", src.at(body, twice), "ID '%s' in SLS '%s' contains multiple state declarations of the same type", value.Str(id), sls).Hinting(twoOfOne))
		}
		if !body.Has("__sls__") {
			body.Set("__sls__", sls)
		}
		if !body.Has("__env__") {
			body.Set("__env__", env)
		}
	}
	return errs
}

// splitKeys turns each "mod.fun: [...]" of a body into "mod: [..., fun]". It
// returns the keys whose module the body has already.
func splitKeys(body *value.Map) (twice []string) {
	var seen map[string]bool
	for _, k := range body.Keys() {
		key, ok := k.(string)
		if !ok || strings.HasPrefix(key, "_") {
			continue
		}
		list, ok := body.At(key).(*value.List)
		if !ok {
			continue
		}
		if seen == nil {
			seen = make(map[string]bool, 2)
		}
		mod, fun, dot := strings.Cut(key, ".")
		if dot {
			if seen[mod] {
				twice = append(twice, key)
				continue
			}
			fun, _, _ = strings.Cut(fun, ".")
			body.Pop(key)
			list.Append(fun)
			body.Set(mod, list)
		}
		seen[mod] = true
	}
	return twice
}

// stamp gives every state without an order the next number (state_auto_order).
func (p *Compiler) stamp(h *High) {
	if auto, ok := p.c.Opts.Get("state_auto_order"); ok && !value.Truth(auto) {
		return
	}
	for _, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if !ok {
			continue
		}
		for k, run := range body.All() {
			key, str := k.(string)
			list, ok := run.(*value.List)
			if !str || !ok || strings.HasPrefix(key, "_") || hasOrder(list) {
				continue
			}
			list.Append(value.M("order", p.order))
			p.order++
		}
	}
}

func hasOrder(list *value.List) bool {
	for _, a := range list.Items {
		if m, ok := a.(*value.Map); ok && firstKey(m) == "order" {
			return true
		}
	}
	return false
}

// single makes high data of a single template (state.template_str), where
// include, exclude and extend have no meaning.
func (p *Compiler) single(root *value.Map, template string, src *source) (*High, diag.List) {
	h := p.empty()
	h.IDs = root
	for _, word := range []string{"include", "exclude", "extends"} {
		if root.Has(word) {
			return h, diag.List{src.mistake("sls", src.at(root, word), "The '%s' declaration found on '%s' is invalid when rendering single templates", word, template)}
		}
	}
	var errs diag.List
	for id, v := range root.All() {
		body, ok := v.(*value.Map)
		if !ok {
			if s, str := v.(string); str {
				if mod, fun, dot := strings.Cut(s, "."); dot {
					fun, _, _ = strings.Cut(fun, ".")
					_ = root.SetKey(id, value.M(mod, value.L(fun)))
					continue
				}
			}
			errs = append(errs, src.mistake("sls", src.at(root, id), "ID %s in template %s is not a dictionary", value.Str(id), template).Hinting(notState))
			continue
		}
		for k, run := range body.Items() {
			if run == nil && !strings.HasPrefix(k, "_") {
				errs = append(errs, src.mistake("sls", src.at(body, k), "%s", fmt.Sprintf("ID '%s' in template %s contains a short declaration (%s) with a trailing colon. When not passing any arguments to a state, the colon must be omitted.", value.Str(id), template, k)))
			}
		}
		for _, twice := range splitKeys(body) {
			errs = append(errs, src.mistake("sls", src.at(body, twice), "ID '%s' in template '%s' contains multiple state declarations of the same type", value.Str(id), template).Hinting(twoOfOne))
		}
	}
	return h, errs
}
