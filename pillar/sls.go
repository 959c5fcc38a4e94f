package pillar

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"pinch/diag"
	"pinch/value"
)

// states2data renders the SLS of the top data and merges them over the override.
func (p *compiler) states2data(top *value.Map) (*value.Map, error) {
	matches, err := p.matches(top)
	if err != nil {
		return nil, err
	}
	data := p.o.Override.Shallow()
	for _, env := range p.envOrder(matches) {
		mods := map[string]any{}
		for _, sls := range p.expand(matches.List(env), env) {
			state, err := p.pstate(sls, env, mods, new(value.Map))
			if err != nil {
				return nil, err
			}
			if state == nil {
				continue
			}
			m, ok := state.(*value.Map)
			if !ok {
				continue
			}
			data = p.merge(data, m)
		}
	}
	return data, nil
}

// envOrder are the matched environments, those of env_order first.
func (p *compiler) envOrder(matches *value.Map) []string {
	var envs []string
	if order := p.opts.List("env_order"); order != nil {
		for _, e := range order.Items {
			if s, ok := e.(string); ok && matches.Has(s) {
				envs = append(envs, s)
			}
		}
	}
	for env := range matches.Items() {
		if !slices.Contains(envs, env) {
			envs = append(envs, env)
		}
	}
	return envs
}

// expand replaces globs by the SLS that match them.
func (p *compiler) expand(list *value.List, env string) []string {
	avail, ok := p.avail[env]
	var out []string
	for _, it := range list.Items {
		if !ok {
			p.errors = append(p.errors, fmt.Sprintf("No matching pillar environment for environment '%s' found", env))
		}
		found := glob(avail, it.(string))
		if len(found) == 0 {
			found = []string{it.(string)}
		}
		out = append(out, found...)
	}
	return out
}

func glob(names []string, pattern string) []string {
	var out []string
	for _, n := range names {
		if value.Fnmatch(n, pattern) {
			out = append(out, n)
		}
	}
	return out
}

// pstate renders one SLS with what it includes; nil when there is nothing.
// mods has what was rendered before: an SLS is rendered once per environment.
func (p *compiler) pstate(sls, env string, mods map[string]any, defaults *value.Map) (any, error) {
	f, err := p.state(sls, env)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if f == nil {
		if slices.Contains(p.ignored[env], sls) {
			return nil, nil
		}
		if !value.Truth(p.roots.At(env)) {
			return nil, nil
		}
		p.errors = append(p.errors, fmt.Sprintf("Specified SLS '%s' in environment '%s' is not available on the salt master", sls, env))
		mods[sls] = nil
		return nil, nil
	}
	state, err := p.render(f, env, sls, defaults)
	if err != nil {
		msg := fmt.Sprintf("Rendering SLS '%s' failed, render error:\n%s", sls, err)
		var d *diag.Diagnostic
		if errors.As(err, &d) && p.c.Run != nil {
			p.c.Run.Report(d)
		}
		p.c.Log.Error(msg)
		if v, ok := p.opts.Get("pillar_safe_render_error"); !ok || value.Truth(v) {
			msg = fmt.Sprintf("Rendering SLS '%s' failed. Please see master log for details.", sls)
		}
		p.errors = append(p.errors, msg)
		state = nil
	}
	mods[sls] = state
	if !value.Truth(state) {
		return state, nil
	}
	m, ok := state.(*value.Map)
	if !ok {
		p.errors = append(p.errors, fmt.Sprintf("SLS '%s' does not render to a dictionary", sls))
		return state, nil
	}
	inc, ok := m.Get("include")
	if !ok {
		return m, nil
	}
	list, ok := inc.(*value.List)
	if !ok {
		p.errors = append(p.errors, fmt.Sprintf("Include Declaration in SLS '%s' is not formed as a list", sls))
		return m, nil
	}
	m.Pop("include")
	return p.include(m, list, sls, env, path.Base(f.Path) == "init.sls", mods, defaults)
}

// include merges what an SLS includes under it, or with
// pillar_includes_override_sls over it. defaults of one item hold for the
// later ones too, as in Salt.
func (p *compiler) include(own *value.Map, list *value.List, sls, env string, isInit bool, mods map[string]any, defaults *value.Map) (any, error) {
	over := p.opts.Truth("pillar_includes_override_sls")
	var under *value.Map
	for _, it := range list.Items {
		name, key, err := includeItem(it, &defaults)
		if err != nil {
			return nil, err
		}
		for _, n := range p.included(name, sls, env, isInit) {
			state, seen := mods[n]
			if !seen {
				if state, err = p.pstate(n, env, mods, defaults); err != nil {
					return nil, err
				}
			}
			if !value.Truth(state) {
				continue
			}
			m, ok := state.(*value.Map)
			for _, k := range slices.Backward(strings.Split(key, ":")) {
				if key != "" {
					m, ok = value.M(k, state), true
					state = m
				}
			}
			if !ok {
				return nil, value.Errorf("TypeError", "Cannot update using non-dict types in dictupdate.update()")
			}
			switch {
			case over:
				own = p.merge(own, m)
			case under == nil:
				under = m
			default:
				under = p.merge(under, m)
			}
		}
	}
	if under != nil {
		own = p.merge(under, own)
	}
	return own, nil
}

// includeItem reads "name" or {name: {defaults: …, key: …}}.
func includeItem(it any, defaults **value.Map) (name, key string, err error) {
	m, ok := it.(*value.Map)
	if !ok {
		if s, ok := it.(string); ok {
			return s, "", nil
		}
		return "", "", value.Errorf("AttributeError", "'%s' object has no attribute 'lstrip'", value.TypeName(it))
	}
	for k, v := range m.Items() {
		conf, ok := v.(*value.Map)
		if !ok {
			return "", "", value.Errorf("AttributeError", "'%s' object has no attribute 'get'", value.TypeName(v))
		}
		*defaults = conf.Map("defaults")
		if *defaults == nil {
			*defaults = new(value.Map)
		}
		return k, conf.Str("key"), nil
	}
	return "", "", value.Errorf("StopIteration", "")
}

// included are the SLS that an include names: relative to the SLS with a dot
// in front, with globs.
func (p *compiler) included(name, sls, env string, isInit bool) []string {
	avail, ok := p.avail[env]
	if !ok {
		p.errors = append(p.errors, fmt.Sprintf("No matching pillar environment for environment '%s' found", env))
		return []string{name}
	}
	found := glob(avail, strings.ReplaceAll(strings.TrimLeft(name, "."), "/", "."))
	if rest, relative := strings.CutPrefix(name, "."); relative {
		parts := strings.Split(sls, ".")
		if !isInit {
			parts = parts[:len(parts)-1]
		}
		name = strings.Join(append(slices.Clone(parts), rest), ".")
	}
	found = append(found, glob(avail, name)...)
	if len(found) == 0 {
		return []string{name}
	}
	return found
}
