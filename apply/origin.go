package apply

import (
	"slices"

	"pinch/diag"
	"pinch/matcher"
	"pinch/value"
)

// An Origin tells where an ID comes from.
type Origin struct {
	ID, SLS, Env string
	Pos          diag.Pos   // where it is declared
	States       []string   // its functions, such as pkg.installed
	Text         []string   // the lines of its declaration, as they stand in the file
	Includes     []Step     // who includes the SLS, the nearest first
	Extends      []diag.Pos // the extend declarations that change it
}

// A Step is one include: which SLS has it, and where.
type Step struct {
	SLS string
	Pos diag.Pos
}

// An inclusion is one item of an include list.
type inclusion struct {
	at place
	i  int
}

// Origins finds the IDs whose ID or name is the given one, as they are before
// Prepare.
func (p *Compiler) Origins(h *High, name string) []Origin {
	var out []Origin
	for id, v := range h.IDs.All() {
		body, _ := v.(*value.Map)
		if body == nil || !value.Equal(id, name) && !hasName(body, name) {
			continue
		}
		o := Origin{ID: value.Str(id), SLS: body.Str("__sls__"), Env: body.Str("__env__"), States: functionsOf(body)}
		pos, src := h.place(id, body, "")
		o.Pos = pos
		if src != nil {
			o.Text = declaration(src.text, pos.Line)
		}
		o.Includes = p.includes(o.Env+":"+o.SLS, map[string]bool{})
		for _, e := range h.Extend {
			for k, x := range e.All() {
				if eb, _ := x.(*value.Map); value.Equal(k, id) {
					if src := p.sources[eb.Str("__env__")+":"+eb.Str("__sls__")]; src != nil {
						o.Extends = append(o.Extends, src.extendPos(eb))
					}
				}
			}
		}
		out = append(out, o)
	}
	return out
}

// extendPos is where the body of an extend declaration begins.
func (s *source) extendPos(body *value.Map) diag.Pos {
	for k := range body.All() {
		if p := s.at(body, k); p.Line > 0 {
			return p
		}
	}
	return diag.Pos{File: s.file}
}

func functionsOf(body *value.Map) []string {
	var out []string
	for state, args := range body.Items() {
		for _, a := range items(args) {
			if fun, ok := a.(string); ok && state[0] != '_' {
				out = append(out, state+"."+fun)
			}
		}
	}
	return out
}

// hasName reports whether a state of an ID has that name, or it among its names.
func hasName(body *value.Map, name string) bool {
	for _, args := range body.Items() {
		for _, a := range items(args) {
			m, _ := a.(*value.Map)
			if value.Equal(m.At("name"), name) || slices.ContainsFunc(items(m.At("names")), func(n any) bool { return value.Equal(n, name) }) {
				return true
			}
		}
	}
	return false
}

// declaration are the lines from one line on that are indented more than it.
func declaration(text string, line int) []string {
	lines := splitLines(text)
	if line < 1 || line > len(lines) {
		return nil
	}
	out := lines[line-1 : line]
	indent := indentOf(out[0])
	for _, l := range lines[line:] {
		if len(l) > indentOf(l) && indentOf(l) <= indent {
			break
		}
		out = append(out[:len(out):len(out)], l)
	}
	for len(out) > 1 && len(out[len(out)-1]) == indentOf(out[len(out)-1]) {
		out = out[:len(out)-1]
	}
	return out
}

// includes goes up from an SLS to the one that no other includes.
func (p *Compiler) includes(key string, seen map[string]bool) []Step {
	for _, in := range p.inclusions[key] {
		up := in.at.env + ":" + in.at.sls
		if seen[up] {
			continue
		}
		seen[up] = true
		step := Step{SLS: in.at.sls, Pos: in.at.src.at(in.at.list, int64(in.i))}
		return append([]Step{step}, p.includes(up, seen)...)
	}
	return nil
}

// A TopLine is one target of a top file.
type TopLine struct {
	Env, Target string
	Pos         diag.Pos
	Matches     bool // this minion
	SLS         []string
}

// TopLines are the targets of all top files that Top has rendered.
func (p *Compiler) TopLines() []TopLine {
	m := matcher.Minion{ID: p.c.Opts.Str("id"), Grains: p.c.Grains, Pillar: p.c.Pillar, Nodegroups: p.c.Opts.Map("nodegroups")}
	var out []TopLine
	for _, src := range p.topSources {
		for env, v := range src.root.All() {
			body, _ := v.(*value.Map)
			for target, what := range body.All() {
				l := TopLine{Env: value.Str(env), Target: value.Str(target), Pos: src.at(body, target)}
				if s, ok := what.(string); ok {
					what = value.L(s)
				}
				ok, err := m.ConfirmTop(target, what)
				l.Matches = ok && err == nil
				for _, it := range items(what) {
					if s, ok := it.(string); ok {
						l.SLS = append(l.SLS, p.expand(s, l.Env)...)
					}
				}
				out = append(out, l)
			}
		}
	}
	return out
}
