package jinja

import (
	"cmp"
	"slices"
)

// A compiler turns the parsed template into closures over slots.
type compiler struct {
	env *Env
	t   *Template
}

// A scope is where statements are compiled.
type scope struct {
	sym      *symbols
	fn       *function
	toplevel bool // what is set is exported
	soft     bool // inside an if: unknown filters fail only when they are used
	check    bool // prints nothing when the template extends another (include, call and filter do, as in Jinja)
}

func (s *scope) inner() *scope {
	return &scope{sym: newSymbols(s.sym, s.fn), fn: s.fn, check: s.check}
}

func (s *scope) inIf() *scope {
	c := *s
	c.soft = true
	return &c
}

// compile parses and compiles a text.
func (e *Env) compile(src Source) (t *Template, err error) {
	t = &Template{env: e, src: src, blocks: map[string]*blockDef{}, selfSlot: -1}
	t.text = normalize(src.Text, e.KeepTrailingNewline)
	body, at, perr := e.parse(t.text)
	if perr != nil {
		return nil, t.syntax(perr, at)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case parseFailure:
			t, err = nil, t.syntax(r.err, r.off)
		default:
			panic(r)
		}
	}()
	c := &compiler{env: e, t: t}
	c.template(body)
	return t, nil
}

// syntax completes a syntax error.
func (t *Template) syntax(e *Error, off int32) error {
	t.at(e, off)
	e.Reported = e.Pos
	e.Reported.Col = 0
	if e.opened > 0 {
		e.Opened = t.pos(e.opened - 1)
	}
	return e
}

func (c *compiler) fail(off int32, class, msg string) {
	panic(parseFailure{off, &Error{Class: class, Message: msg}})
}

func (c *compiler) template(body []node) {
	t := c.t
	var blocks []*blockStmt
	seen := map[string]bool{}
	for _, n := range body {
		walk(n, func(n node) bool {
			switch n := n.(type) {
			case *extendsStmt:
				t.extends = true
			case *blockStmt:
				if seen[n.name] {
					c.fail(n.at(), "TemplateAssertionError", "block '"+n.name+"' defined twice")
				}
				seen[n.name] = true
				blocks = append(blocks, n)
			}
			return true
		})
	}
	t.root = &function{t: t}
	s := &scope{sym: newSymbols(nil, t.root), fn: t.root, toplevel: true, check: t.extends}
	if undeclared(body, "self")["self"] {
		t.selfSlot = s.sym.param("self")
	}
	eachNode(body, s.sym.scan)
	t.enter = enterOps(s.sym, nil)
	t.body = c.body(body, s)
	for _, b := range blocks {
		t.blocks[b.name] = c.block(b)
		t.blockOrder = append(t.blockOrder, b.name)
	}
}

func (c *compiler) block(n *blockStmt) *blockDef {
	b := &blockDef{fn: &function{t: c.t, block: true}, name: n.name, off: n.at(), selfSlot: -1, superSlot: -1}
	s := &scope{sym: newSymbols(nil, b.fn), fn: b.fn}
	free := undeclared(n.body, "self", "super")
	if free["self"] {
		b.selfSlot = s.sym.param("self")
	}
	if free["super"] {
		b.superSlot = s.sym.param("super")
	}
	eachNode(n.body, s.sym.scan)
	b.enter = enterOps(s.sym, nil)
	b.body = c.body(n.body, s)
	return b
}

// enterOps lists what sets the slots of a scope when it is entered. With
// constant, what cannot change from turn to turn of a loop goes there.
func enterOps(s *symbols, constant *[]enterOp) []enterOp {
	slots := make([]int, 0, len(s.loads))
	for slot := range s.loads {
		slots = append(slots, slot)
	}
	slices.Sort(slots)
	stored := map[int]bool{}
	for name := range s.stores {
		stored[s.refs[name]] = true
	}
	var ops []enterOp
	for _, slot := range slots {
		l := s.loads[slot]
		switch {
		case l.kind == loadParam:
		case constant != nil && !stored[slot]:
			*constant = append(*constant, enterOp{load: l, slot: slot})
		default:
			ops = append(ops, enterOp{load: l, slot: slot})
		}
	}
	return ops
}

func (c *compiler) body(nodes []node, s *scope) []stmt {
	var out []stmt
	for _, n := range nodes {
		if o, ok := n.(*outputStmt); ok {
			out = c.output(out, o, s)
			continue
		}
		if run := c.stmt(n, s); run != nil {
			out = append(out, stmt{run, n.at()})
		}
	}
	return out
}

// output compiles each printed part as a statement of its own, because each
// has its own line in tracebacks.
func (c *compiler) output(out []stmt, n *outputStmt, s *scope) []stmt {
	t := c.t
	for _, it := range n.items {
		var run exec
		if d, ok := it.(*dataNode); ok {
			off, text := d.at(), d.text
			run = func(f *frame) error { return f.out.data(t, off, text) }
		} else {
			run = c.print(it, s)
		}
		if s.check {
			write := run
			run = func(f *frame) error {
				if f.child() {
					return nil
				}
				return write(f)
			}
		}
		out = append(out, stmt{run, reported(it)})
	}
	return out
}

// A streamer writes its text straight to the output when it is called in a print.
type streamer interface {
	stream(out *writer, args []any, kw *kwMap) error
}

func (c *compiler) print(n node, s *scope) exec {
	switch n := n.(type) {
	case *callExpr:
		return c.printCall(n, s)
	case *condExpr:
		return c.printCond(n, s)
	}
	return c.printValue(c.expr(n, s), leftmost(n))
}

func (c *compiler) printValue(x eval, off int32) exec {
	t := c.t
	return func(f *frame) error {
		v, err := x(f)
		if err != nil {
			return err
		}
		if n, ok := v.(int64); ok {
			return f.out.number(t, off, n)
		}
		text, err := f.text(v)
		if err != nil {
			return t.at(err, off)
		}
		return f.out.text(t, off, text)
	}
}

// printCond prints one of two expressions.
func (c *compiler) printCond(n *condExpr, s *scope) exec {
	s = s.inIf()
	test, yes := c.cond(n.test, s), c.print(n.yes, s)
	no := c.printValue(c.noElse(n), leftmost(n))
	if n.no != nil {
		no = c.print(n.no, s)
	}
	return func(f *frame) error {
		b, err := test(f)
		if err != nil {
			return err
		}
		if b {
			return yes(f)
		}
		return no(f)
	}
}

// printCall writes what macros and the like give without making a string of
// it, so that its lines keep their place.
func (c *compiler) printCall(n *callExpr, s *scope) exec {
	t, off := c.t, n.at()
	fn, args := c.expr(n.fn, s), c.args(n.args, s)
	return func(f *frame) error {
		callee, err := fn(f)
		if err != nil {
			return err
		}
		a, kw, err := args.eval(f)
		if err != nil {
			return t.at(err, off)
		}
		if m, ok := callee.(streamer); ok {
			if err := m.stream(f.out, a, kw); err != nil {
				return f.called(err, off)
			}
			return nil
		}
		v, err := f.call(callee, a, kw, off)
		if err != nil {
			return err
		}
		text, err := f.text(v)
		if err != nil {
			return t.at(err, off)
		}
		return f.out.text(t, off, text)
	}
}

// target compiles what is assigned to.
func (c *compiler) target(n node, s *scope) assign {
	switch n := n.(type) {
	case *nameExpr:
		r, _ := s.sym.find(n.name)
		slot := r.slot
		if s.toplevel {
			name := n.name
			return func(f *frame, v any) error {
				f.slots[slot] = v
				f.cx.set(name, v, true)
				return nil
			}
		}
		return func(f *frame, v any) error {
			f.slots[slot] = v
			return nil
		}
	case *nsRef:
		return c.nsTarget(n, s)
	}
	items := n.(*tupleExpr).items
	targets := make([]assign, len(items))
	for i, it := range items {
		targets[i] = c.target(it, s)
	}
	return func(f *frame, v any) error {
		vals, err := f.st.unpack(v, len(targets))
		if err != nil {
			return err
		}
		if len(vals) == 2 { // the list may be changed by an assignment
			a, b := vals[0], vals[1]
			return cmp.Or(targets[0](f, a), targets[1](f, b))
		}
		for i, set := range targets {
			if err := set(f, vals[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *compiler) nsTarget(n *nsRef, s *scope) assign {
	get := c.variable(n.name, s, false)
	attr := n.attr
	return func(f *frame, v any) error {
		x, _ := get(f)
		ns, ok := x.(*Namespace)
		if !ok {
			return Errorf("TemplateRuntimeError", "cannot assign attribute on non-namespace object")
		}
		ns.attrs.Set(attr, v)
		return nil
	}
}
