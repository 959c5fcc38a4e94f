// Package apply is the state compiler and runner: SLS files become high data,
// a list of passes rewrites it, the result is cut into low chunks, ordered by
// their requisites and run.
//
// The main type is Compiler; it renders (Render, Top), compiles (Low) and runs
// (Run). Each rewrite of the high data is a Pass in a file of its own.
//
//	p := apply.New(c)
//	high, errs := p.Render(apply.Matches{{Env: "base", SLS: []string{"web"}}})
//	ret, errs := p.Run(high, apply.RunOptions{})
package apply

import (
	"strings"

	"pinch/diag"
	"pinch/salt"
	"pinch/value"
)

// A Pass rewrites or checks the high data.
type Pass func(*High) diag.List

// A Compiler compiles the trees of one run. It is made anew for each call of a
// state function, and never used by two goroutines.
type Compiler struct {
	c *salt.Ctx

	// Env is the environment asked for (saltenv), "" when none was.
	Env string

	order    int64               // the next number of state_auto_order
	done     map[string]bool     // "env:sls" that were rendered
	avail    map[string][]string // SLS names by environment, listed when a glob asks
	envs     []string            // environments of the file server, nil until asked for
	sources  map[string]*source
	hollow   map[string][]string // SLS that have no states of their own → what they include
	disabled []string            // disabled_requisites

	inclusions map[string][]inclusion // by "env:sls" of what is included
	topSources []*source              // the top files
	topsFound  int                    // how many there are; -1 when one is broken

	funcs map[funcKey]*known
}

// New makes a compiler that works with c's options, grains and pillar.
func New(c *salt.Ctx) *Compiler {
	p := &Compiler{c: c, order: 10000, done: map[string]bool{}, avail: map[string][]string{}, sources: map[string]*source{}, hollow: map[string][]string{}, inclusions: map[string][]inclusion{}, funcs: map[funcKey]*known{}}
	p.Env = c.Opts.Str("saltenv")
	p.disabled = words(c.Opts.At("disabled_requisites"))
	return p
}

// words reads an option that is a string or a list of strings.
func words(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case *value.List:
		out := make([]string, len(v.Items))
		for i, it := range v.Items {
			out[i] = value.Str(it)
		}
		return out
	}
	return []string{value.Str(v)}
}

// Prepare runs the passes that come between rendering and the low chunks:
// extend and the checks of the structure, then the _in forms, use and exclude.
func (p *Compiler) Prepare(h *High) diag.List {
	errs := append(extend(false)(h), verify(h)...)
	if len(errs) > 0 {
		return errs
	}
	errs = requisiteIn(h)
	exclude(h)
	return errs
}

// PrepareAll is Prepare that goes on after mistakes, to report them all, as
// state.show_lowstate does.
func (p *Compiler) PrepareAll(h *High) diag.List {
	errs := append(extend(false)(h), verify(h)...)
	if !h.whole() {
		return errs
	}
	errs = append(errs, requisiteIn(h)...)
	exclude(h)
	return errs
}

// whole reports whether every state has a list of arguments, so that the
// passes behind verify can look into it.
func (h *High) whole() bool {
	for _, v := range h.IDs.All() {
		body, _ := v.(*value.Map)
		for k, run := range body.Items() {
			if run == nil && !strings.HasPrefix(k, "__") {
				return false
			}
		}
	}
	return true
}

// Verify checks the structure of high data and changes nothing.
func (p *Compiler) Verify(h *High) diag.List { return verify(h) }

// LowOf compiles high data the way state.sls_id does: without its extends.
// errs are the mistakes found so far.
func (p *Compiler) LowOf(h *High, errs diag.List) (*Plan, diag.List) {
	errs = append(errs, verify(h)...)
	errs = append(errs, requisiteIn(h)...)
	if len(errs) > 0 {
		return nil, errs
	}
	pl, errs := p.Low(h)
	if len(errs) == 0 {
		errs = p.checkArguments(pl)
	}
	return pl, errs
}

// Check compiles high data for its mistakes alone. What only fails a single
// state is reported (salt.Run.Report).
func (p *Compiler) Check(h *High) diag.List {
	if errs := p.PrepareAll(h); len(errs) > 0 || !h.whole() {
		return errs
	}
	pl, errs := p.Low(h)
	return append(errs, p.checkArguments(pl)...)
}

// Usage counts which SLS files of each environment are used by matches.
func (p *Compiler) Usage(matches Matches) *value.Map {
	out := new(value.Map)
	for _, env := range unique(append([]string{"base"}, p.environments()...)) {
		used, unused := new(value.List), new(value.List)
		var sls []any
		if i := matches.index(env); i >= 0 {
			sls = matches[i].SLS
		}
		for _, s := range p.states(env) {
			to := unused
			for _, x := range sls {
				if x == s {
					to = used
				}
			}
			to.Append(s)
		}
		out.Set(env, value.M("used", used, "unused", unused, "count_all", int64(used.Len()+unused.Len()), "count_used", int64(used.Len()), "count_unused", int64(unused.Len())))
	}
	return out
}
