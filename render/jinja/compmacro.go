package jinja

// macroDef compiles a macro or the body of a call block.
func (c *compiler) macroDef(name string, at int32, sig signature, body []node, s *scope) *macroDef {
	d := &macroDef{fn: &function{t: c.t, up: s.fn}, name: name, off: at, caller: -1, kwargs: -1, varargs: -1}
	in := &scope{sym: newSymbols(s.sym, d.fn), fn: d.fn}
	explicit := -1
	special := map[string]bool{}
	for i, p := range sig.params {
		d.params = append(d.params, p.name)
		if p.name == "caller" {
			explicit = i
		}
		special[p.name] = true
		in.sym.scanParams(p)
	}
	d.explicitCaller = explicit >= 0
	free := undeclared(body, "caller", "kwargs", "varargs")
	if free["caller"] {
		if explicit >= 0 {
			if explicit < len(sig.params)-len(sig.defaults) {
				c.fail(at, "TemplateAssertionError", `When defining macros or call blocks the special "caller" argument must be omitted or be given a default.`)
			}
		} else {
			d.caller = in.sym.param("caller")
		}
	}
	if free["kwargs"] && !special["kwargs"] {
		d.kwargs = in.sym.param("kwargs")
	}
	if free["varargs"] && !special["varargs"] {
		d.varargs = in.sym.param("varargs")
	}
	eachNode(sig.defaults, in.sym.scan)
	eachNode(body, in.sym.scan)
	for _, p := range sig.params {
		d.slots = append(d.slots, in.sym.refs[p.name])
	}
	for _, x := range sig.defaults {
		d.defaults = append(d.defaults, c.expr(x, in))
	}
	d.enter = enterOps(in.sym, nil)
	d.body = c.body(body, in)
	return d
}

func (c *compiler) macroStmt(n *macroStmt, s *scope) exec {
	d := c.macroDef(n.name, n.at(), n.signature, n.body, s)
	set := c.target(&nameExpr{n.off, n.name, true}, s)
	return func(f *frame) error { return set(f, &Macro{d, f, f.cx}) }
}

func (c *compiler) callStmt(n *callStmt, s *scope) exec {
	d := c.macroDef("", n.at(), n.signature, n.body, s)
	fn, args := c.expr(n.call.fn, s), c.args(n.call.args, s)
	t, off := c.t, n.at()
	return func(f *frame) error {
		callee, err := fn(f)
		if err != nil {
			return err
		}
		a, kw, err := args.eval(f)
		if err != nil {
			return err
		}
		if kw == nil {
			kw = new(kwMap)
		}
		kw.Set("caller", &Macro{d, f, f.cx})
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
			return err
		}
		return f.out.text(t, off, text)
	}
}
