package apply

import (
	"slices"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// A place is the SLS file that an include stands in.
type place struct {
	sls, env string
	init     bool
	src      *source
	list     *value.List // the include list itself
}

// takeIncludes takes the include declaration out of an SLS.
func takeIncludes(root *value.Map, sls string, src *source) (*value.List, diag.List) {
	v, ok := root.Get("include")
	if !ok {
		return nil, nil
	}
	l, ok := v.(*value.List)
	if !ok {
		return nil, diag.List{src.mistake("include", src.at(root, "include"), "Include Declaration in SLS %s is not formed as a list", sls)}
	}
	root.Pop("include")
	return l, nil
}

// include renders what an SLS includes and merges it.
func (p *Compiler) include(h *High, list *value.List, at place, matches Matches) diag.List {
	var errs diag.List
	at.list = list
	for i, it := range items(list) {
		env, sls := at.env, it
		if m, ok := it.(*value.Map); ok {
			// dict.popitem takes the last pair.
			for k, v := range m.All() {
				env, sls = value.Str(k), v
			}
		}
		errs = append(errs, p.includeOne(h, i, env, value.Str(sls), at, matches)...)
	}
	return errs
}

func (p *Compiler) includeOne(h *High, i int, env, sls string, at place, matches Matches) diag.List {
	// Positions cost a walk over the whole file: only mistakes pay for it.
	pos := func() diag.Pos { return at.src.at(at.list, int64(i)) }
	fail := func(format string, a ...any) diag.List {
		return diag.List{at.src.mistake("include", pos(), format, a...)}
	}
	anyEnv := env == "_xenv"
	if !anyEnv && !p.hasEnv(env) && !p.hasEnv("__env__") {
		l := fail("Nonexistent saltenv '%s' found in include of '%s' within SLS '%s:%s'", env, sls, at.env, at.sls)
		l[0].Hint = diag.DidYouMean(env, p.environments())
		return l
	}
	if strings.HasPrefix(sls, ".") {
		up := relative().FindStringSubmatch(sls)
		parts := strings.Split(at.sls, ".")
		if at.init {
			parts = append(parts, "init")
		}
		if up == nil {
			return fail("Badly formatted include %s found in include in SLS '%s:%s'", sls, at.env, at.sls)
		}
		if len(up[1]) > len(parts) {
			return fail("Attempted relative include of '%s' within SLS '%s:%s' goes beyond top level package ", sls, at.env, at.sls)
		}
		sls = strings.Join(append(slices.Clone(parts[:len(parts)-len(up[1])]), up[2]), ".")
	}
	resolved := p.resolve(env, sls, matches)
	if len(resolved) != 1 && !slices.Contains(resolved, at.env) {
		if len(resolved) > 1 {
			return fail("Ambiguous include: Specified SLS %s: %s is available on the salt master in multiple available saltenvs: %s", env, sls, strings.Join(resolved, ", "))
		}
		where := env
		if anyEnv {
			var all []string
			for _, m := range matches {
				all = append(all, m.Env)
			}
			where = strings.Join(all, ", ")
		}
		l := fail("Unknown include: Specified SLS %s: %s is not available on the salt master in saltenv(s): %s ", env, sls, where)
		l[0].Hint = diag.DidYouMean(sls, p.states(at.env))
		return l
	}
	from := at.env
	if len(resolved) == 1 {
		from = resolved[0]
	}
	var errs diag.List
	for _, target := range p.expand(sls, at.env) {
		if l, ok := p.hollow[at.sls]; ok {
			p.hollow[at.sls] = append(l, target)
		}
		key := from + ":" + target
		p.inclusions[key] = append(p.inclusions[key], inclusion{at, i})
		if p.done[key] {
			continue
		}
		state, err := p.renderSLS(target, from, matches)
		if state != nil {
			includedFrom(state, at.sls)
			errs = append(errs, merge(h, state)...)
		}
		for _, d := range err {
			if d.Pos.File == "" {
				d.Pos, d.Source = pos(), at.src.text
			} else if here := pos(); here.Line > 0 {
				d.Notes = append(d.Notes, diag.Note{Pos: here, Text: "included here"})
			}
		}
		errs = append(errs, err...)
	}
	return errs
}

// resolve finds the environments in which an include exists.
func (p *Compiler) resolve(env, sls string, matches Matches) []string {
	if env == "_xenv" {
		var out []string
		for _, m := range matches {
			if p.exists(sls, m.Env) {
				out = append(out, m.Env)
			}
		}
		return out
	}
	if matches.index(env) >= 0 || p.exists(sls, env) {
		return []string{env}
	}
	return nil
}

func (p *Compiler) exists(sls, env string) bool {
	return len(p.filter(sls, env)) > 0
}

// includedFrom notes in every ID who included it, for requisites on an SLS.
func includedFrom(h *High, sls string) {
	for id, body := range h.IDs.All() {
		b, ok := body.(*value.Map)
		if s, str := id.(string); !ok || str && strings.HasPrefix(s, "__") {
			continue
		}
		l := b.List("__sls_included_from__")
		if l == nil {
			l = new(value.List)
			b.Set("__sls_included_from__", l)
		}
		l.Append(sls)
	}
}
