package apply

import (
	"pinch/matcher"
	"pinch/value"
)

// TopMatches are the SLS files that a top file gives this minion, with those
// of the master_tops functions.
func (p *Compiler) TopMatches(top *value.Map) (Matches, error) {
	t := &topMatch{p: p, m: matcher.Minion{ID: p.c.Opts.Str("id"), Grains: p.c.Grains, Pillar: p.c.Pillar, Nodegroups: p.c.Opts.Map("nodegroups"), Custom: p.c.Matcher()}}
	for k, v := range top.All() {
		env := value.Str(k)
		if p.Env != "" && env != p.Env {
			continue
		}
		body, ok := v.(*value.Map)
		if !ok {
			return nil, value.Errorf("AttributeError", "'%s' object has no attribute 'items'", value.TypeName(v))
		}
		for target, what := range body.All() {
			if err := t.target(env, target, what); err != nil {
				return nil, err
			}
		}
	}
	if err := p.masterTops(t); err != nil {
		return nil, err
	}
	return t.out, nil
}

type topMatch struct {
	p   *Compiler
	m   matcher.Minion
	out Matches
}

func (t *topMatch) add(env string, sls ...any) {
	i := t.out.index(env)
	if i < 0 {
		i = len(t.out)
		t.out = append(t.out, Match{Env: env})
	}
	t.out[i].SLS = append(t.out[i].SLS, sls...)
}

func (t *topMatch) target(env string, target, what any) error {
	if s, ok := what.(string); ok {
		what = value.L(s)
	}
	ok, err := t.m.ConfirmTop(target, what)
	if err != nil || !ok {
		return err
	}
	t.add(env)
	for _, it := range items(what) {
		switch it := it.(type) {
		case string:
			t.add(env, it)
		case *value.Map:
			m := it.Shallow()
			if sub, ok := m.Pop("subfilter"); ok {
				s, _ := sub.(*value.Map)
				for tgt, data := range s.All() {
					if err := t.target(env, tgt, data); err != nil {
						return err
					}
				}
			}
			// What is left and last names another environment.
			keys := m.Keys()
			if len(keys) == 0 {
				continue
			}
			other := value.Str(keys[len(keys)-1])
			if sls, _ := m.GetKey(keys[len(keys)-1]); t.p.hasEnv(other) {
				t.add(other, sls)
			}
		case nil, bool, int64, float64:
			return value.Errorf("TypeError", "argument of type '%s' is not iterable", value.TypeName(it))
		}
	}
	return nil
}

// Map is the matches as state.show_top shows them.
func (m Matches) Map() *value.Map {
	out := new(value.Map)
	for _, x := range m {
		out.Set(x.Env, value.L(x.SLS...))
	}
	return out
}
