package jinja

import "pinch/value"

// A Context is what the code of one template sees beyond its own local
// variables: the variables it was given, globals, and what it set at its top
// level.
type Context struct {
	st         *State
	t          *Template
	vars       *value.Map      // set at top level
	exported   map[string]bool // names of vars that an import gets
	upper      []*value.Map    // what it was given and globals, nearest first
	blocks     map[string][]*blockDef
	autoescape bool
}

func (s *State) newContext(t *Template, upper ...*value.Map) *Context {
	cx := &Context{st: s, t: t, vars: new(value.Map), upper: upper, autoescape: s.Env.Autoescape}
	if len(t.blocks) > 0 {
		cx.blocks = make(map[string][]*blockDef, len(t.blocks))
		for name, b := range t.blocks {
			cx.blocks[name] = []*blockDef{b}
		}
	}
	return cx
}

// rootContext is that of a template which sees only globals and vars.
func (s *State) rootContext(t *Template, vars *value.Map) *Context {
	return s.newContext(t, vars, s.globals, s.Env.Globals)
}

// derive makes the context of code that sees all that this one sees now, and
// the locals of the place it is called from.
func (cx *Context) derive(t *Template, f *frame, locals []local) *Context {
	seen := cx.vars.Shallow()
	for _, l := range locals {
		if v := f.at(l.ref); v != missing {
			seen.Set(l.name, v)
		}
	}
	return cx.st.newContext(t, append([]*value.Map{seen}, cx.upper...)...)
}

// Template is the name of the template.
func (cx *Context) Template() string { return cx.t.src.Name }

// Lookup finds a variable that is not local to a block of the template.
func (cx *Context) Lookup(name string) (any, bool) {
	if v, ok := cx.vars.Get(name); ok {
		return v, true
	}
	for _, m := range cx.upper {
		if v, ok := m.Get(name); ok {
			return v, true
		}
	}
	return builtin(name)
}

// All collects every variable that Lookup finds.
func (cx *Context) All() *value.Map {
	all := new(value.Map)
	for _, name := range builtinNames {
		v, _ := builtin(name)
		all.Set(name, v)
	}
	for i := len(cx.upper) - 1; i >= 0; i-- {
		all.Update(cx.upper[i])
	}
	all.Update(cx.vars)
	return all
}

// set stores a top-level variable.
func (cx *Context) set(name string, v any, export bool) {
	cx.vars.Set(name, v)
	if name[0] == '_' {
		return
	}
	if cx.exported == nil {
		cx.exported = map[string]bool{}
	}
	cx.exported[name] = export
}
