package jinja

import (
	"pinch/value"
	"pinch/value/py"
)

type kwMap = value.Map

// stmt compiles a statement that is not output.
func (c *compiler) stmt(n node, s *scope) exec {
	switch n := n.(type) {
	case *ifStmt:
		return c.ifStmt(n, s)
	case *forStmt:
		return c.forStmt(n, s)
	case *setStmt:
		return c.setStmt(n, s)
	case *setBlock:
		return c.setBlock(n, s)
	case *macroStmt:
		return c.macroStmt(n, s)
	case *callStmt:
		return c.callStmt(n, s)
	case *withStmt:
		return c.withStmt(n, s)
	case *filterStmt:
		return c.filterStmt(n, s)
	case *autoescapeStmt:
		return c.autoescape(n, s)
	case *blockStmt:
		return c.blockStmt(n, s)
	case *extendsStmt:
		return c.extendsStmt(n, s)
	case *includeStmt:
		return c.include(n, s)
	case *importStmt:
		return c.importStmt(n, s)
	case *fromStmt:
		return c.from(n, s)
	case *tagStmt:
		return c.tag(n, s)
	case *doStmt:
		x := c.expr(n.x, s)
		return func(f *frame) error {
			_, err := x(f)
			return err
		}
	case *jumpStmt:
		if n.brk {
			return func(*frame) error { return errBreak }
		}
		return func(*frame) error { return errContinue }
	}
	panic("jinja: unknown statement")
}

// cond compiles a test for truth.
func (c *compiler) cond(n node, s *scope) func(f *frame) (bool, error) {
	x := c.expr(n, s)
	t, off := c.t, leftmost(n)
	return func(f *frame) (bool, error) {
		v, err := x(f)
		if err != nil {
			return false, err
		}
		if b, ok := v.(bool); ok {
			return b, nil
		}
		b, err := f.st.Truth(v)
		if err != nil {
			err = t.at(err, off)
		}
		return b, err
	}
}

func (c *compiler) ifStmt(n *ifStmt, s *scope) exec {
	s = s.inIf()
	type branch struct {
		test func(f *frame) (bool, error)
		body []stmt
		off  int32
	}
	branches := []branch{{c.cond(n.test, s), c.body(n.body, s), n.at()}}
	for _, e := range n.elifs {
		branches = append(branches, branch{c.cond(e.test, s), c.body(e.body, s), e.at()})
	}
	els := c.body(n.els, s)
	return func(f *frame) error {
		for i := range branches {
			b := &branches[i]
			ok, err := b.test(f)
			if err != nil {
				return f.reported(err, b.off)
			}
			if ok {
				return f.run(b.body)
			}
		}
		return f.run(els)
	}
}

func (c *compiler) forStmt(n *forStmt, s *scope) exec {
	d := &forDef{off: n.at(), loopSlot: -1}
	walk(n, func(n node) bool {
		if x, ok := n.(*nameExpr); ok && x.store && x.name == "loop" {
			c.fail(x.at(), "TemplateAssertionError", "Can't assign to special loop variable in for-loop target")
		}
		return true
	})
	d.iter = c.expr(n.iter, s)
	outer := s
	if n.recursive {
		d.fn = &function{t: c.t, up: s.fn}
		outer = &scope{sym: s.sym, fn: d.fn, check: s.check}
	}
	in := func() *scope {
		return &scope{sym: newSymbols(outer.sym, outer.fn), fn: outer.fn, check: outer.check}
	}
	loop := in()
	if n.recursive || undeclared(n.body, "loop")["loop"] || hasScopedBlock(n) {
		d.loopSlot = loop.sym.param("loop")
	}
	loop.sym.scanParams(n.target)
	eachNode(n.body, loop.sym.scan)
	d.enter = enterOps(loop.sym, &d.once)
	d.target = c.target(n.target, loop)
	d.body = c.body(n.body, loop)
	if n.test != nil {
		test := in()
		test.sym.scanParams(n.target)
		test.sym.scan(n.test)
		d.testEnter = enterOps(test.sym, nil)
		d.testTarget = c.target(n.target, test)
		d.test, d.testOff = c.expr(n.test, test), reported(n.test)
	}
	if len(n.els) > 0 {
		els := in()
		eachNode(n.els, els.sym.scan)
		d.elseEnter = enterOps(els.sym, nil)
		d.els = c.body(n.els, els)
	}
	if n.recursive {
		return d.runRecursive
	}
	return d.run
}

func hasScopedBlock(n node) bool {
	found := false
	walk(n, func(n node) bool {
		if b, ok := n.(*blockStmt); ok && b.scoped {
			found = true
		}
		return !found
	})
	return found
}

func (c *compiler) setStmt(n *setStmt, s *scope) exec {
	x, set := c.expr(n.value, s), c.target(n.target, s)
	check := c.nsCheck(n.target, s)
	return func(f *frame) error {
		if check != nil {
			if err := check(f); err != nil {
				return err
			}
		}
		v, err := x(f)
		if err != nil {
			return err
		}
		return set(f, v)
	}
}

// nsCheck fails before the value is worked out when a namespace that is
// assigned to is none; nil when there is none.
func (c *compiler) nsCheck(target node, s *scope) exec {
	var gets []eval
	walk(target, func(n node) bool {
		if r, ok := n.(*nsRef); ok {
			gets = append(gets, c.variable(r.name, s, false))
		}
		return true
	})
	if gets == nil {
		return nil
	}
	return func(f *frame) error {
		for _, get := range gets {
			v, _ := get(f)
			if _, ok := v.(*Namespace); !ok {
				return Errorf("TemplateRuntimeError", "cannot assign attribute on non-namespace object")
			}
		}
		return nil
	}
}

func (c *compiler) setBlock(n *setBlock, s *scope) exec {
	inner := s.inner()
	inner.check = false
	eachNode(n.body, inner.sym.scan)
	if n.filter != nil {
		inner.sym.scan(n.filter)
	}
	enter := enterOps(inner.sym, nil)
	body := c.body(n.body, inner)
	set := c.target(n.target, s)
	filter := c.blockFilter(n.filter, inner)
	return func(f *frame) error {
		f.enter(enter)
		text, err := f.captured(body)
		if err != nil {
			return err
		}
		v, err := filter(f, f.markup(text))
		if err != nil {
			return err
		}
		if str, ok := v.(string); ok {
			v = f.markup(str)
		}
		return set(f, v)
	}
}

// markup makes text safe when escaping is on.
func (f *frame) markup(text string) any {
	if f.cx.autoescape {
		return py.Markup(text)
	}
	return text
}

func (c *compiler) withStmt(n *withStmt, s *scope) exec {
	inner := s.inner()
	for _, t := range n.targets {
		inner.sym.scanParams(t)
	}
	eachNode(n.body, inner.sym.scan)
	enter := enterOps(inner.sym, nil)
	values, targets := make([]eval, len(n.values)), make([]assign, len(n.values))
	for i := range n.values {
		values[i], targets[i] = c.expr(n.values[i], s), c.target(n.targets[i], inner)
	}
	body := c.body(n.body, inner)
	return func(f *frame) error {
		f.enter(enter)
		for i, x := range values {
			v, err := x(f)
			if err != nil {
				return err
			}
			if err := targets[i](f, v); err != nil {
				return err
			}
		}
		return f.run(body)
	}
}

func (c *compiler) filterStmt(n *filterStmt, s *scope) exec {
	inner := s.inner()
	eachNode(n.body, inner.sym.scan)
	inner.sym.scan(n.filter)
	enter := enterOps(inner.sym, nil)
	body, filter := c.body(n.body, inner), c.blockFilter(n.filter, inner)
	t, off := c.t, n.at()
	return func(f *frame) error {
		f.enter(enter)
		text, err := f.captured(body)
		if err != nil {
			return err
		}
		v, err := filter(f, f.markup(text))
		if err != nil {
			return err
		}
		if text, err = f.text(v); err != nil {
			return err
		}
		return f.out.text(t, off, text)
	}
}

// blockFilter compiles filters over the text of a block; n may be nil.
func (c *compiler) blockFilter(n node, s *scope) func(f *frame, v any) (any, error) {
	if n == nil {
		return func(_ *frame, v any) (any, error) { return v, nil }
	}
	x := n.(*filterExpr)
	before := c.blockFilter(x.x, s)
	if x.x == nil {
		before = c.blockFilter(nil, s)
	}
	apply := c.apply(x.name, "filter", x.at(), x.args, s)
	return func(f *frame, v any) (any, error) {
		v, err := before(f, v)
		if err != nil {
			return nil, err
		}
		return apply(f, v)
	}
}

func (c *compiler) autoescape(n *autoescapeStmt, s *scope) exec {
	inner := s.inner()
	inner.sym.scan(n.value)
	eachNode(n.body, inner.sym.scan)
	enter := enterOps(inner.sym, nil)
	x, body := c.cond(n.value, inner), c.body(n.body, inner)
	return func(f *frame) error {
		f.enter(enter)
		on, err := x(f)
		if err != nil {
			return err
		}
		was := f.cx.autoescape
		f.cx.autoescape = on
		err = f.run(body)
		f.cx.autoescape = was
		return err
	}
}
