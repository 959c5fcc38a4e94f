// Package pillar compiles a minion's pillar: the top file of each pillar
// environment, the SLS it names with their includes, external pillars, and
// the values given on the command line.
//
//	data, err := pillar.Compile(c, pillar.Options{Files: files, ID: "web1"})
//
// What Salt puts under the key _errors is there too; an error is returned only
// where Salt itself gives up.
package pillar

import (
	"slices"
	"strings"

	"pinch/matcher"
	"pinch/salt"
	"pinch/value"
)

// Options are what a compilation is given besides the minion's configuration.
type Options struct {
	Files    salt.Files // the trees of pillar_roots
	ID       string
	Env      string     // pillarenv, "" for all
	SaltEnv  string     // saltenv of the run
	Override *value.Map // pillar= of the call
	// External are further ext_pillar interfaces by name.
	External map[string]func(c *salt.Ctx, args []any, kw *value.Map) (any, error)
	// NoExternal leaves the external pillars out.
	NoExternal bool
}

type compiler struct {
	c        *salt.Ctx
	o        Options
	opts     *value.Map
	strategy string
	renderer string
	lists    bool // pillar_merge_lists
	avail    map[string][]string
	ignored  map[string][]string // ignore_missing: SLS by environment
	roots    *value.Map          // pillar_roots, with __env__ in its place
	marks    value.Marks
	errors   []string
}

// Compile makes the pillar. The grains and options are those of c; the
// templates see no pillar, or with ext_pillar_first the external one.
func Compile(c *salt.Ctx, o Options) (*value.Map, error) {
	if o.Override == nil {
		o.Override = new(value.Map)
	}
	if o.Env == "" && c.Opts.Truth("pillarenv_from_saltenv") {
		o.Env = o.SaltEnv
	}
	run := *c
	run.Pillar = new(value.Map)
	p := &compiler{
		c: &run, o: o, opts: c.Opts,
		strategy: str(c.Opts.At("pillar_source_merging_strategy"), "smart"),
		renderer: str(c.Opts.At("renderer"), "jinja|yaml"),
		lists:    c.Opts.Truth("pillar_merge_lists"),
		avail:    map[string][]string{},
		ignored:  map[string][]string{},
		marks:    value.Marks{},
		roots:    roots(c.Opts.Map("pillar_roots"), o),
	}
	return p.compile()
}

// roots are pillar_roots with the entry __env__ standing for the environment
// that is asked for, unless that has one of its own.
func roots(conf *value.Map, o Options) *value.Map {
	dirs, ok := conf.Get("__env__")
	if !ok {
		return conf
	}
	out := conf.Shallow()
	out.Pop("__env__")
	env := o.Env
	if env == "" {
		env = o.SaltEnv
	}
	if env == "" {
		env = "base"
	}
	if !out.Has(env) {
		out.Set(env, dirs)
	}
	return out
}

func str(v any, def string) string {
	if s, ok := v.(string); ok && s != "" {
		return s
	}
	return def
}

func (p *compiler) merge(a, b *value.Map) *value.Map {
	return value.MergeMarked(a, b, p.strategy, p.renderer, p.lists, p.marks)
}

func (p *compiler) compile() (*value.Map, error) {
	for _, env := range p.envs() {
		names, err := p.states(env)
		if err != nil {
			return nil, err
		}
		p.avail[env] = names
	}
	top, topErrors, err := p.top()
	if err != nil {
		return nil, err
	}
	var data *value.Map
	if p.opts.Truth("ext_pillar_first") && !p.o.NoExternal {
		ext, err := p.external(p.o.Override)
		if err != nil {
			return nil, err
		}
		p.c.Pillar = ext
		if data, err = p.states2data(top); err != nil {
			return nil, err
		}
		data = p.merge(ext, data)
	} else {
		if data, err = p.states2data(top); err != nil {
			return nil, err
		}
		if !p.o.NoExternal {
			if data, err = p.external(data); err != nil {
				return nil, err
			}
		}
	}
	p.errors = append(p.errors, topErrors...)
	if p.opts.Truth("pillar_opts") {
		data.Set("master", p.masterOpts())
	}
	if len(p.errors) > 0 {
		for _, e := range p.errors {
			p.c.Log.Error("Pillar render error: " + strings.TrimSuffix(e, " Please see master log for details."))
		}
		data.Set("_errors", value.Strings(p.errors))
	}
	if p.o.Override.Len() > 0 {
		data = p.merge(data, p.o.Override)
	}
	if errs := p.decrypt(data); len(errs) > 0 {
		all := data.List("_errors")
		if all == nil {
			all = new(value.List)
			data.Set("_errors", all)
		}
		for _, e := range errs {
			all.Append(e)
		}
	}
	p.hide(data)
	if p.strategy == "list" {
		// Salt keeps the keys of what it merges into, which is empty.
		return new(value.Map), nil
	}
	return data, nil
}

// masterOpts are the options as pillar_opts shows them under "master".
func (p *compiler) masterOpts() *value.Map {
	m := p.opts.Shallow()
	for _, k := range []string{"pillar", "__context__", "functions", "matchers", "rend"} {
		m.Pop(k)
	}
	m.Set("saltversion", p.c.Grains.At("saltversion"))
	return m
}

// envs are base and the environments of pillar_roots, in their order.
func (p *compiler) envs() []string {
	envs := []string{"base"}
	for env := range p.roots.Items() {
		if !slices.Contains(envs, env) {
			envs = append(envs, env)
		}
	}
	return envs
}

// matches are the SLS that the top data has for this minion, by environment in order.
func (p *compiler) matches(top *value.Map) (*value.Map, error) {
	m := matcher.Minion{ID: p.o.ID, Grains: p.c.Grains, Pillar: p.c.Pillar, Nodegroups: p.opts.Map("nodegroups")}
	out := new(value.Map)
	for env, body := range top.Items() {
		if p.o.Env != "" && env != p.o.Env {
			continue
		}
		for tgt, data := range body.(*value.Map).Items() {
			ok, err := m.ConfirmTop(tgt, data)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			list := out.List(env)
			if list == nil {
				list = new(value.List)
				out.Set(env, list)
			}
			for _, it := range data.(*value.List).Items {
				if s, ok := it.(string); ok && !slices.Contains(list.Items, any(s)) {
					list.Append(s)
				}
			}
		}
	}
	return out, nil
}
