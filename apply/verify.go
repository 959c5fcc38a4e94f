package apply

import (
	"fmt"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// verify is the pass that checks the structure of the high data.
func verify(h *High) diag.List {
	var errs diag.List
	for id, v := range h.IDs.All() {
		body, ok := v.(*value.Map)
		if s, str := id.(string); !str {
			errs = append(errs, h.mistake("id", id, body, "", "ID '%s' in SLS '%s' is not formed as a string, but is type %s. It may need to be quoted.", value.Str(id), body.Str("__sls__"), value.TypeName(id)))
		} else if strings.HasPrefix(s, "__") {
			continue
		}
		if !ok {
			errs = append(errs, (*source)(nil).mistake("sls", diag.Pos{}, "The type %s in %s is not formatted as a dictionary", value.Str(id), value.Str(v)))
			continue
		}
		for k, run := range body.All() {
			state, _ := k.(string)
			if strings.HasPrefix(state, "__") {
				continue
			}
			errs = append(errs, check{h, id, body, value.Str(k)}.state(run)...)
		}
	}
	return errs
}

// A check looks at one state of one ID.
type check struct {
	h    *High
	id   any
	body *value.Map
	mod  string
}

func (k check) mistake(kind, format string, a ...any) *diag.Diagnostic {
	return k.h.mistake(kind, k.id, k.body, k.mod, format, a...)
}

func (k check) sls() string { return k.body.Str("__sls__") }

func (k check) state(run any) diag.List {
	id := value.Str(k.id)
	if run == nil {
		return diag.List{k.mistake("sls", "ID '%s' in SLS '%s' contains a short declaration (%s) with a trailing colon. When not passing any arguments to a state, the colon must be omitted.", id, k.sls(), k.mod)}
	}
	list, ok := run.(*value.List)
	if !ok {
		d := k.mistake("sls", "State '%s' in SLS '%s' is not formed as a list", id, k.sls())
		switch v := run.(type) {
		case *value.Map:
			d.Hinting(`begin each argument with "- "`)
		case string:
			d.Hinting(fmt.Sprintf(`write it on a line of its own, as an argument: "- name: %s"`, v))
		}
		return diag.List{d}
	}
	var errs diag.List
	var funs []string
	if _, f, dot := strings.Cut(k.mod, "."); dot {
		funs = append(funs, f)
	}
	for _, arg := range list.Items {
		switch arg := arg.(type) {
		case string:
			funs = append(funs, arg)
			if strings.Contains(strings.TrimSpace(arg), " ") {
				errs = append(errs, k.mistake("sls", `The function "%s" in state "%s" in SLS "%s" has whitespace, a function with whitespace is not supported, perhaps this is an argument that is missing a ":"`, arg, id, k.sls()))
			}
		case *value.Map:
			errs = append(errs, k.argument(arg)...)
		}
	}
	switch {
	case len(funs) == 0:
		d := k.mistake("sls", "No function declared in state '%s' in SLS '%s'", id, k.sls())
		errs = append(errs, d.Hinting(fmt.Sprintf("name the function with the module: %q, such as %q", k.mod+".FUNCTION", "file.managed")))
	case len(funs) > 1:
		errs = append(errs, k.mistake("sls", "Too many functions declared in state '%s' in SLS '%s'. Please choose one of the following: %s", id, k.sls(), strings.Join(funs, ", ")))
	}
	return errs
}

func (k check) argument(arg *value.Map) diag.List {
	var errs diag.List
	id := value.Str(k.id)
	at := func(d *diag.Diagnostic, container any, key any) {
		if src := k.h.sources[k.body.Str("__env__")+":"+k.sls()]; src != nil {
			if p := src.at(container, key); p.Line > 0 {
				d.Pos = p
			}
		}
		errs = append(errs, d)
	}
	name := firstKey(arg)
	list, isList := arg.At(name).(*value.List)
	if name == "names" && !isList {
		at(k.mistake("sls", "The 'names' argument in state '%s' in SLS '%s' needs to be formed as a list", id, k.sls()).Hinting(`write each name on a line of its own, after "- "`), arg, name)
	}
	if !requisites[name] {
		return errs
	}
	if !isList {
		at(k.mistake("requisite", "The %s statement in state '%s' in SLS '%s' needs to be formed as a list", name, id, k.sls()).Hinting(`write each one below it as "- state: name", such as "- pkg: nginx"`), arg, name)
	}
	for i, req := range items(arg.At(name)) {
		if s, ok := req.(string); ok {
			req = value.M("id", s)
		}
		m, ok := req.(*value.Map)
		if !ok || m.Len() != 1 {
			at(k.mistake("requisite", "Requisite declaration %s in state %s in SLS %s is not formed as a single key dictionary", value.Str(req), id, k.sls()), list, int64(i))
			continue
		}
		key, val := first(m)
		word := value.Str(key)
		if mod, _, dot := strings.Cut(word, "."); dot {
			d := k.mistake("requisite", "Invalid requisite type '%s' in state '%s', in SLS '%s'. Requisite types must not contain dots, did you mean '%s'?", word, id, k.sls(), mod)
			at(d, m, key)
		}
		if _, err := value.HashKey(val); err != nil {
			at(k.mistake("requisite", "Illegal requisite \"%s\" in SLS \"%s\", please check your syntax.\n", value.Str(val), k.sls()), m, key)
		}
	}
	if isList && arg.Len() != 1 {
		at(k.mistake("sls", "Multiple dictionaries defined in argument of state '%s' in SLS '%s'", id, k.sls()), arg, name)
	}
	return errs
}
