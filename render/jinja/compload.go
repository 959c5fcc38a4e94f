package jinja

import (
	"errors"
	"fmt"

	"pinch/value"
)

func (c *compiler) blockStmt(n *blockStmt, s *scope) exec {
	name, required := n.name, n.required
	var locals []local
	if n.scoped {
		locals = s.sym.locals()
	}
	off := n.at()
	return func(f *frame) error {
		if s.toplevel && f.child() {
			return nil
		}
		stack := f.cx.blocks[name]
		if required && len(stack) <= 1 {
			return Errorf("TemplateRuntimeError", "Required block %s not found", value.Quote(name))
		}
		cx := f.cx
		if locals != nil {
			cx = f.cx.derive(f.cx.t, f, locals)
			cx.blocks, cx.autoescape = f.cx.blocks, f.cx.autoescape
		}
		if err := stack[0].render(cx, f.out); err != nil {
			return f.called(err, off)
		}
		return nil
	}
}

func (c *compiler) extendsStmt(n *extendsStmt, s *scope) exec {
	if !s.toplevel {
		c.fail(n.at(), "TemplateAssertionError", "cannot use extend from a non top-level scope")
	}
	x := c.expr(n.template, s)
	return func(f *frame) error {
		if f.parent != nil {
			return Errorf("TemplateRuntimeError", "extended multiple times")
		}
		v, err := x(f)
		if err != nil {
			return err
		}
		t, err := f.template(v)
		if err != nil {
			return err
		}
		if f.cx.blocks == nil {
			f.cx.blocks = map[string][]*blockDef{}
		}
		for name, b := range t.blocks {
			f.cx.blocks[name] = append(f.cx.blocks[name], b)
		}
		f.parent = t
		return nil
	}
}

// template loads the template that an expression names.
func (f *frame) template(v any) (*Template, error) {
	switch v := v.(type) {
	case *Template:
		return v, nil
	case string:
		return f.st.load(v, f.fn.t.src.Name)
	case *Undefined:
		return nil, v.UndefinedError()
	}
	return nil, NotFound(value.Str(v))
}

// selectTemplate loads the first of several templates that there is.
func (f *frame) selectTemplate(v any) (*Template, error) {
	var names []any
	switch v := v.(type) {
	case *value.List:
		names = v.Items
	case value.Tuple:
		names = v
	default:
		return f.template(v)
	}
	var texts []string
	for _, name := range names {
		t, err := f.template(name)
		if err == nil || !isNotFound(err) {
			return t, err
		}
		texts = append(texts, value.Str(name))
	}
	if len(texts) == 0 {
		return nil, Errorf("TemplatesNotFound", "Tried to select from an empty list of templates.")
	}
	list := ""
	for i, s := range texts {
		if i > 0 {
			list += ", "
		}
		list += s
	}
	return nil, Errorf("TemplatesNotFound", "none of the templates given were found: %s", list)
}

func isNotFound(err error) bool {
	var e *Error
	if errors.As(err, &e) {
		return e.Class == "TemplateNotFound" || e.Class == "TemplatesNotFound"
	}
	var x *value.Exception
	return errors.As(err, &x) && (x.Class == "TemplateNotFound" || x.Class == "TemplatesNotFound")
}

func (c *compiler) include(n *includeStmt, s *scope) exec {
	x, locals, off := c.expr(n.template, s), s.sym.locals(), n.at()
	ct := c.t
	return func(f *frame) error {
		v, err := x(f)
		if err != nil {
			return err
		}
		t, err := f.selectTemplate(v)
		if err != nil {
			if n.ignoreMissing && isNotFound(err) {
				return nil
			}
			return f.called(err, off)
		}
		if n.withContext {
			err = t.run(f.cx.derive(t, f, locals), f.out)
		} else {
			var m *Module
			if m, err = f.st.defaultModule(t); err == nil {
				return f.out.text(ct, off, m.text)
			}
		}
		if err != nil {
			return f.called(err, off)
		}
		return nil
	}
}

// importer compiles the loading and running of an imported template.
func (c *compiler) importer(template node, withContext bool, off int32, s *scope) func(f *frame) (*Module, error) {
	x := c.expr(template, s)
	var locals []local
	if withContext {
		locals = s.sym.locals()
	}
	return func(f *frame) (*Module, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		t, err := f.template(v)
		if err != nil {
			return nil, f.called(err, off)
		}
		var m *Module
		if withContext {
			m, err = t.module(f.cx.derive(t, f, locals))
		} else {
			m, err = f.st.defaultModule(t)
		}
		if err != nil {
			return nil, f.called(err, off)
		}
		return m, nil
	}
}

// importTarget compiles the assignment of what an import brings: visible at
// the top level, not exported.
func (c *compiler) importTarget(name string, s *scope) assign {
	r, _ := s.sym.find(name)
	slot, top := r.slot, s.toplevel
	return func(f *frame, v any) error {
		f.slots[slot] = v
		if top {
			f.cx.set(name, v, false)
		}
		return nil
	}
}

func (c *compiler) importStmt(n *importStmt, s *scope) exec {
	load, set := c.importer(n.template, n.withContext, n.at(), s), c.importTarget(n.target, s)
	return func(f *frame) error {
		m, err := load(f)
		if err != nil {
			return err
		}
		return set(f, m)
	}
}

func (c *compiler) from(n *fromStmt, s *scope) exec {
	load := c.importer(n.template, n.withContext, n.at(), s)
	sets := make([]assign, len(n.names))
	for i, a := range n.aliases {
		sets[i] = c.importTarget(a, s)
	}
	t, off := c.t, n.at()
	return func(f *frame) error {
		m, err := load(f)
		if err != nil {
			return err
		}
		for i, name := range n.names {
			v, ok, _ := m.GetAttr(f.st, name)
			if !ok {
				v = f.st.Env.UndefHint(fmt.Sprintf("the template %s (imported on %s) does not export the requested name %s",
					value.Quote(m.t.src.Name), t.lineText(off), value.Quote(name)), name)
			}
			if err := sets[i](f, v); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *compiler) tag(n *tagStmt, s *scope) exec {
	tag, off := n.tag, n.at()
	args := make([]eval, len(tag.Args))
	for i, a := range tag.Args {
		args[i] = c.expr(a.n, s)
	}
	var load func(f *frame) (*Module, error)
	if tag.Import.n != nil {
		load = c.importer(tag.Import.n, tag.WithContext, off, s)
	}
	var body []stmt
	var enter []enterOp
	switch {
	case tag.Body != nil && tag.Print:
		body = c.body(tag.Body.nodes, s)
	case tag.Body != nil:
		inner := s.inner()
		inner.check = false
		eachNode(tag.Body.nodes, inner.sym.scan)
		enter = enterOps(inner.sym, nil)
		body = c.body(tag.Body.nodes, inner)
	}
	var set assign
	if tag.Target.n != nil {
		set = c.target(tag.Target.n, s)
	}
	return func(f *frame) error {
		call := &TagCall{State: f.st, Context: f.cx, Args: make([]any, len(args))}
		for i, x := range args {
			var err error
			if call.Args[i], err = x(f); err != nil {
				return err
			}
		}
		if tag.Start != nil {
			tag.Start(call)
		}
		if load != nil {
			m, err := load(f)
			if err != nil {
				return err
			}
			call.Text = m.text
		}
		switch {
		case tag.Body != nil && tag.Print:
			if err := f.run(body); err != nil {
				return err
			}
		case tag.Body != nil:
			f.enter(enter)
			var err error
			if call.Text, err = f.captured(body); err != nil {
				return err
			}
		}
		return f.finishTag(tag, call, set)
	}
}

func (f *frame) finishTag(tag *TagNode, call *TagCall, set assign) error {
	var v any = call.Text
	if tag.Run != nil {
		var err error
		if v, err = tag.Run(call); err != nil {
			return err
		}
	}
	if set != nil {
		return set(f, v)
	}
	return nil
}
