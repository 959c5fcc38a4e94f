package jinja

import (
	"context"
	"sync"
	"sync/atomic"

	"pinch/value"
)

// A Template is a compiled template. It can be rendered by several goroutines
// at once.
type Template struct {
	env  *Env
	src  Source
	text string // normalized

	root       *function
	selfSlot   int // -1 when not used
	enter      []enterOp
	body       []stmt
	extends    bool
	blocks     map[string]*blockDef
	blockOrder []string

	lastLen, lastSegs atomic.Int32 // of the last render: how much room to make

	linesOnce  sync.Once
	lineStarts []int32
}

// Source is what the template was made of.
func (t *Template) Source() Source { return t.src }

func (t *Template) file() string {
	if t.src.File != "" {
		return t.src.File
	}
	return t.src.Name
}

// Render runs the template. It fails with an *Error, or with ctx's cause in
// one when ctx is done.
func (t *Template) Render(ctx context.Context, in Input) (*Output, error) {
	st := newState(ctx, t.env, in)
	w := newWriter(st, true)
	if n := int(t.lastLen.Load()); n > 0 {
		w.b.Grow(n + n/8)
		w.segs = make([]segment, 0, t.lastSegs.Load())
	}
	if err := t.run(st.rootContext(t, in.Vars), w); err != nil {
		return nil, asError(err)
	}
	w.b.WriteString(in.End)
	t.lastLen.Store(int32(w.b.Len()))
	t.lastSegs.Store(int32(len(w.segs)))
	return &Output{Text: w.b.String(), segs: w.segs, tmpls: w.tmpls}, nil
}

// Module runs the template as an import does and gives what it set.
func (t *Template) Module(ctx context.Context, in Input) (*Module, error) {
	st := newState(ctx, t.env, in)
	m, err := t.module(st.rootContext(t, in.Vars))
	if err != nil {
		return nil, asError(err)
	}
	return m, nil
}

// run runs the top level and then that of what it extends.
func (t *Template) run(cx *Context, out *writer) error {
	if err := cx.st.enter(); err != nil {
		return err
	}
	defer cx.st.leave()
	f := newFrame(t.root, nil, cx, out)
	if t.selfSlot >= 0 {
		f.slots[t.selfSlot] = selfRef{cx}
	}
	f.enter(t.enter)
	if err := f.run(t.body); err != nil {
		return err
	}
	if f.parent != nil {
		return f.parent.run(cx, out)
	}
	return nil
}

// A Module is a template that was run for its variables and macros.
type Module struct {
	t    *Template
	cx   *Context
	text string
}

func (t *Template) module(cx *Context) (*Module, error) {
	w := newWriter(cx.st, false)
	if err := t.run(cx, w); err != nil {
		return nil, err
	}
	return &Module{t, cx, w.b.String()}, nil
}

// Exports are the variables and macros that the template set at its top
// level, without those it imported and those that begin with an underscore.
func (m *Module) Exports() *value.Map {
	out := new(value.Map)
	for name, v := range m.cx.vars.Items() {
		if m.cx.exported[name] {
			out.Set(name, v)
		}
	}
	return out
}

// String is the text that the template wrote.
func (m *Module) String() string { return m.text }

// GetAttr gives an export.
func (m *Module) GetAttr(_ *State, name string) (any, bool, error) {
	if m.cx.exported[name] {
		return m.cx.vars.At(name), true, nil
	}
	if name == "__name__" {
		return m.t.src.Name, true, nil
	}
	return nil, false, nil
}

// TypeName is the Python class.
func (m *Module) TypeName() string { return "jinja2.environment.TemplateModule" }

// Repr is how it is printed inside containers.
func (m *Module) Repr() string { return "<TemplateModule " + value.Quote(m.t.src.Name) + ">" }

// load finds and compiles another template.
func (s *State) load(name, from string) (*Template, error) {
	if s.Env.Loader == nil {
		return nil, NotFound(name)
	}
	src, err := s.Env.Loader.Load(s, name, from)
	if err != nil {
		return nil, err
	}
	return s.Env.Template(src)
}

// defaultModule runs a template that is imported without context, once.
func (s *State) defaultModule(t *Template) (*Module, error) {
	if m, ok := s.modules[t]; ok {
		return m, nil
	}
	m, err := t.module(s.rootContext(t, nil))
	if err != nil {
		return nil, err
	}
	if s.modules == nil {
		s.modules = map[*Template]*Module{}
	}
	s.modules[t] = m
	return m, nil
}
