package apply

import (
	"fmt"
	"slices"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/saltclass"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// masterTops adds what the functions of the option master_tops say: the
// master's, or without a master those of custom modules and our own. A failing
// one of these is logged and skipped.
func (p *Compiler) masterTops(t *topMatch) error {
	if m := p.c.Run.Master; m != nil && p.c.Opts.Str("file_client") != "local" {
		return p.askTops(t, m)
	}
	conf := p.c.Opts.Map("master_tops")
	for name := range conf.Items() {
		v, err := p.topsOf(name, conf)
		if err != nil {
			p.c.Log.Error(fmt.Sprintf("Top function %s failed with error %s for minion %s", name, err, p.c.Opts.Str("id")))
			continue
		}
		m, _ := v.(*value.Map)
		for env, sls := range m.Items() {
			t.joinTops(env, items(sls), p.c.Opts.Truth("master_tops_first"))
		}
	}
	return nil
}

// askTops adds what the master's functions say; they see this minion's options
// and grains.
func (p *Compiler) askTops(t *topMatch, m salt.Master) error {
	opts := p.c.Opts.Shallow()
	opts.Set("grains", p.c.Grains)
	v, err := m.Request(p.c, "_master_tops", value.M("opts", opts))
	if err != nil {
		return fmt.Errorf("the master's master_tops: %w", err)
	}
	tops, _ := v.(*value.Map)
	for env, sls := range tops.Items() {
		t.joinTops(env, items(sls), opts.Truth("master_tops_first"))
	}
	return nil
}

// topsOf calls one function of master_tops.
func (p *Compiler) topsOf(name string, conf *value.Map) (any, error) {
	kw := value.M("opts", p.c.Opts, "grains", p.c.Grains)
	if cu := p.c.Run.Custom; cu != nil {
		file := name
		if !cu.Has(p.c, "tops", name) {
			file = cu.FileOf(p.c, "tops", name)
		}
		if file != "" {
			return cu.Call(p.c, "tops", file, "top", nil, kw)
		}
	}
	fun := "tops." + name
	_, err := p.c.Registry().Exec(p.c, fun)
	switch {
	case err == nil:
		return p.c.CallFunc(p.c, fun, nil, kw)
	case name == "ext_nodes":
		return p.extNodes(value.Str(conf.At(name)))
	case name == "saltclass":
		n, err := saltclass.Read(p.c, or(conf.Map(name).Str("path"), saltclass.DefaultPath), p.c.Opts.Str("id"), nil)
		if err != nil {
			return nil, err
		}
		return n.Top(), nil
	}
	return nil, err
}

// extNodes asks a command, with the minion's ID behind its own arguments, for
// YAML with classes and an environment.
func (p *Compiler) extNodes(command string) (*value.Map, error) {
	out := new(value.Map)
	argv, err := py.ShellSplit(command)
	if err != nil || len(argv) == 0 {
		return nil, fmt.Errorf("ext_nodes is no command: %q", command)
	}
	res, err := p.c.Sys.Run(p.c, sys.Cmd{Argv: append(argv, p.c.Opts.Str("id")), Query: true})
	if err != nil {
		return nil, err
	}
	if res.Code != 0 {
		return nil, fmt.Errorf("Command '%s' returned non-zero exit status %d.", command, res.Code)
	}
	v, err := yaml.Load("<ext_nodes>", string(res.Stdout))
	if err != nil {
		return nil, err
	}
	data, _ := v.(*value.Map)
	env := "base"
	if data.Has("environment") {
		env = data.Str("environment")
	}
	switch c := data.At("classes").(type) {
	case *value.Map:
		out.Set(env, value.L(c.Keys()...))
	case *value.List:
		out.Set(env, c)
	}
	return out, nil
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
