package apply

import (
	"fmt"
	"slices"

	"pinch/value"
)

// mergeTops makes one top file of all by top_file_merging_strategy.
func (p *Compiler) mergeTops(tops []envTop) (*value.Map, error) {
	m := &topMerge{p: p, out: new(value.Map)}
	switch s := p.c.Opts.Str("top_file_merging_strategy"); s {
	case "same":
		return m.out, m.same(tops)
	case "merge_all":
		return m.out, m.all(tops)
	default:
		if s != "" && s != "merge" {
			p.c.Log.Warn(fmt.Sprintf("Invalid top_file_merging_strategy '%s', falling back to 'merge'", s))
		}
		return m.out, m.merge(tops)
	}
}

type topMerge struct {
	p   *Compiler
	out *value.Map
}

// sections are the environments that a top file speaks about.
func sections(top any) (*value.Map, error) {
	m, ok := top.(*value.Map)
	if !ok {
		return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(top))
	}
	return m, nil
}

// put takes over a section; targets that are there already are replaced.
func (m *topMerge) put(env, targets any) error {
	t, ok := targets.(*value.Map)
	if !ok {
		if items(targets) != nil || targets == nil || targets != "" {
			return value.Errorf("SaltRenderError", "Unable to render top file. No targets found.")
		}
		return nil
	}
	dst := m.section(env)
	for k, v := range t.All() {
		_ = dst.SetKey(k, v)
	}
	return nil
}

func (m *topMerge) section(env any) *value.Map {
	v, _ := m.out.GetKey(env)
	s, ok := v.(*value.Map)
	if !ok {
		s = new(value.Map)
		_ = m.out.SetKey(env, s)
	}
	return s
}

// each calls f for the sections of an environment's top files.
func each(t envTop, f func(env, targets any) error) error {
	for _, top := range t.tops {
		secs, err := sections(top)
		if err != nil {
			return err
		}
		for env, targets := range secs.All() {
			if env == "include" {
				continue
			}
			if err := f(env, targets); err != nil {
				return err
			}
		}
	}
	return nil
}

// merge: base's top file counts for all environments; another's counts for
// itself where base is silent.
func (m *topMerge) merge(tops []envTop) error {
	base := slices.IndexFunc(tops, func(t envTop) bool { return t.env == "base" })
	if base >= 0 {
		if err := each(tops[base], m.put); err != nil {
			return err
		}
	}
	for i, t := range tops {
		if i == base {
			continue
		}
		for _, top := range t.tops {
			secs, err := sections(top)
			if err != nil {
				return err
			}
			for env, targets := range secs.All() {
				if !value.Equal(env, t.env) || m.out.HasKey(env) {
					continue
				}
				if err := m.put(env, targets); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// same: each environment's own top file counts, or default_top's where it has none.
func (m *topMerge) same(tops []envTop) error {
	for _, t := range tops {
		own := func(env, targets any) error {
			if !value.Equal(env, t.env) {
				return nil
			}
			return m.put(env, targets)
		}
		if !empty(t) {
			if err := each(t, own); err != nil {
				return err
			}
			continue
		}
		def := m.p.c.Opts.Str("default_top")
		i := slices.IndexFunc(tops, func(t envTop) bool { return t.env == def })
		if i < 0 || empty(tops[i]) {
			m.p.c.Log.Error(fmt.Sprintf("The '%s' saltenv has no top file, and the fallback saltenv specified by default_top (%s) also has no top file", t.env, def))
			continue
		}
		if err := each(tops[i], own); err != nil {
			return err
		}
	}
	return nil
}

func empty(t envTop) bool {
	for _, top := range t.tops {
		if m, ok := top.(*value.Map); !ok || m.Len() > 0 {
			return false
		}
	}
	return true
}

// all: the sections of all top files are joined.
func (m *topMerge) all(tops []envTop) error {
	for _, t := range tops {
		err := each(t, func(env, targets any) error {
			ts, ok := targets.(*value.Map)
			if !ok {
				return m.put(env, targets)
			}
			dst := m.section(env)
			for tgt, list := range ts.All() {
				old, have := dst.GetKey(tgt)
				if !have {
					_ = dst.SetKey(tgt, list)
					continue
				}
				_ = dst.SetKey(tgt, joinTargets(old, list))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// joinTargets joins what two top files want for one target. The later match
// option wins.
func joinTargets(a, b any) *value.List {
	read := func(v any) (opt any, sls []any) {
		for _, it := range items(v) {
			switch it.(type) {
			case *value.Map:
				opt = it
			case string:
				sls = append(sls, it)
			}
		}
		return opt, sls
	}
	opt1, sls1 := read(a)
	opt2, sls2 := read(b)
	out := new(value.List)
	if opt2 == nil {
		opt2 = opt1
	}
	if opt2 != nil {
		out.Append(opt2)
	}
	out.Append(sls1...)
	for _, s := range sls2 {
		if !slices.Contains(out.Items, s) {
			out.Append(s)
		}
	}
	return out
}
