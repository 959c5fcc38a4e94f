package apply

import (
	"fmt"
	"slices"

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
	p.masterTops(t)
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

// masterTops adds what the functions of the option master_tops say. They are
// those of custom modules; a failing one is logged and skipped.
func (p *Compiler) masterTops(t *topMatch) {
	conf := p.c.Opts.Map("master_tops")
	if conf.Len() == 0 {
		return
	}
	for name := range conf.Items() {
		fun := "tops." + name
		if _, err := p.c.Registry().Exec(p.c, fun); err != nil {
			p.c.Log.Error(fmt.Sprintf("Top function %s failed with error %s for minion %s", name, err, p.c.Opts.Str("id")))
			continue
		}
		v, err := p.c.CallFunc(p.c, fun, nil, value.M("opts", p.c.Opts, "grains", p.c.Grains))
		if err != nil {
			p.c.Log.Error(fmt.Sprintf("Top function %s failed with error %s for minion %s", name, err, p.c.Opts.Str("id")))
			continue
		}
		m, _ := v.(*value.Map)
		for env, sls := range m.Items() {
			t.joinTops(env, items(sls), p.c.Opts.Truth("master_tops_first"))
		}
	}
}

func (t *topMatch) joinTops(env string, sls []any, firstly bool) {
	t.add(env)
	have := &t.out[t.out.index(env)]
	a, b := have.SLS, sls
	if firstly {
		a, b = b, a
	}
	joined := slices.Clone(a)
	for _, s := range b {
		if !slices.ContainsFunc(a, func(x any) bool { return value.Equal(x, s) }) {
			joined = append(joined, s)
		}
	}
	have.SLS = joined
}

// Map is the matches as state.show_top shows them.
func (m Matches) Map() *value.Map {
	out := new(value.Map)
	for _, x := range m {
		out.Set(x.Env, value.L(x.SLS...))
	}
	return out
}
