package jinja

import (
	"pinch/value"
	"pinch/value/py"
)

// argList are the compiled arguments of a call.
type argList struct {
	args     []eval
	kwNames  []string
	kwValues []eval
	dynArgs  eval
	dynKw    eval
	lead     int // places to leave free in front
}

func (c *compiler) args(a callArgs, s *scope) *argList {
	l := &argList{args: c.exprs(a.args, s), kwNames: a.kwNames, kwValues: c.exprs(a.kwValues, s)}
	if a.dynArgs != nil {
		l.dynArgs = c.expr(a.dynArgs, s)
	}
	if a.dynKw != nil {
		l.dynKw = c.expr(a.dynKw, s)
	}
	return l
}

func (l *argList) none() bool {
	return len(l.args) == 0 && l.kwNames == nil && l.dynArgs == nil && l.dynKw == nil
}

// A soleCall is a call with one argument, in one piece of memory.
type soleCall struct {
	Call
	arg [1]any
}

// eval works out the arguments; lead of them are left nil in front.
func (l *argList) eval(f *frame) ([]any, *value.Map, error) {
	args := make([]any, l.lead+len(l.args))
	for i, x := range l.args {
		v, err := x(f)
		if err != nil {
			return nil, nil, err
		}
		args[l.lead+i] = v
	}
	if l.kwNames == nil && l.dynArgs == nil && l.dynKw == nil {
		return args, nil, nil
	}
	return l.more(f, args)
}

func (l *argList) more(f *frame, args []any) ([]any, *value.Map, error) {
	if l.dynArgs != nil {
		v, err := l.dynArgs(f)
		if err != nil {
			return nil, nil, err
		}
		if _, undef := v.(*Undefined); !undef && !py.CanIterate(v) {
			return nil, nil, Errorf("TypeError", "Value after * must be an iterable, not %s", TypeName(v))
		}
		items, err := f.st.Items(v)
		if err != nil {
			return nil, nil, err
		}
		args = append(args, items...)
	}
	kw := value.NewMap(len(l.kwNames))
	for i, x := range l.kwValues {
		v, err := x(f)
		if err != nil {
			return nil, nil, err
		}
		kw.Set(l.kwNames[i], v)
	}
	if l.dynKw == nil {
		return args, kw, nil
	}
	v, err := l.dynKw(f)
	if err != nil {
		return nil, nil, err
	}
	if u, ok := v.(*Undefined); ok {
		return nil, nil, u.UndefinedError()
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, nil, Errorf("TypeError", "argument after ** must be a mapping, not %s", TypeName(v))
	}
	for k, v := range m.All() {
		name, ok := k.(string)
		if !ok {
			return nil, nil, Errorf("TypeError", "keywords must be strings")
		}
		if kw.Has(name) {
			return nil, nil, Errorf("TypeError", "got multiple values for keyword argument %s", value.Quote(name))
		}
		kw.Set(name, v)
	}
	return args, kw, nil
}

func (c *compiler) call(n *callExpr, s *scope) eval {
	if a, ok := n.fn.(*attrExpr); ok {
		return c.methodCall(n, a, s)
	}
	fn, args := c.expr(n.fn, s), c.args(n.args, s)
	off, t := n.at(), c.t
	return func(f *frame) (any, error) {
		callee, err := fn(f)
		if err != nil {
			return nil, err
		}
		a, kw, err := args.eval(f)
		if err != nil {
			return nil, t.at(err, off)
		}
		return f.call(callee, a, kw, off)
	}
}

// methodCall compiles x.name(…), which finds methods of plain values first.
func (c *compiler) methodCall(n *callExpr, a *attrExpr, s *scope) eval {
	x, name, args := c.expr(a.x, s), a.name, c.args(n.args, s)
	t, off, attrOff := c.t, n.at(), a.at()
	return func(f *frame) (any, error) {
		recv, err := x(f)
		if err != nil {
			return nil, err
		}
		var method py.Func
		switch recv.(type) {
		case *value.Map, *value.List, string:
			method, _ = f.st.method(recv, name)
		}
		var callee any
		if method == nil {
			if callee, err = f.st.GetAttr(recv, name); err != nil {
				return nil, t.at(err, attrOff)
			}
		}
		a, kw, err := args.eval(f)
		if err != nil {
			return nil, t.at(err, off)
		}
		if method == nil {
			return f.call(callee, a, kw, off)
		}
		if err = f.st.Step(); err == nil {
			var v any
			if v, err = method(a, kw); err == nil {
				return v, nil
			}
		}
		return nil, t.at(err, attrOff)
	}
}

// call calls a value and gives errors the place of the call.
func (f *frame) call(callee any, args []any, kw *value.Map, off int32) (any, error) {
	v, err := f.st.Call(callee, &Call{Context: f.cx, Args: args, Kwargs: kw})
	if err != nil {
		return nil, f.called(err, off)
	}
	return v, nil
}

// apply compiles a filter or test over a value.
func (c *compiler) apply(name, kind string, off int32, a callArgs, s *scope) func(f *frame, v any) (any, error) {
	table := c.env.Filters
	if kind == "test" {
		table = c.env.Tests
	}
	fn := table[name]
	if fn == nil && !s.soft {
		c.fail(off, "TemplateAssertionError", "No "+kind+" named "+value.Quote(name)+".")
	}
	args := c.args(a, s)
	t := c.t
	if fn != nil && args.none() {
		return func(f *frame, v any) (any, error) {
			call := &soleCall{Call: Call{State: f.st, Context: f.cx, Name: name}, arg: [1]any{v}}
			call.Args = call.arg[:]
			out, err := fn(&call.Call)
			if err != nil {
				return nil, f.called(err, off)
			}
			return out, nil
		}
	}
	args.lead = 1
	return func(f *frame, v any) (any, error) {
		if fn == nil {
			return nil, t.at(Errorf("TemplateRuntimeError", "No %s named %s found.", kind, value.Quote(name)), off)
		}
		vals, kw, err := args.eval(f)
		if err != nil {
			return nil, t.at(err, off)
		}
		vals[0] = v
		out, err := fn(&Call{State: f.st, Context: f.cx, Name: name, Args: vals, Kwargs: kw})
		if err != nil {
			return nil, f.called(err, off)
		}
		return out, nil
	}
}

func (c *compiler) test(n *testExpr, s *scope) eval {
	x := c.expr(n.x, s)
	switch n.name {
	case "defined", "undefined", "none":
		if len(n.args.args) == 0 && c.env.Tests[n.name] == nil {
			return simpleTest(n.name, x)
		}
	}
	apply := c.apply(n.name, "test", n.at(), n.args, s)
	return func(f *frame) (any, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		return apply(f, v)
	}
}

// simpleTest is a test that the language itself knows: what everything else
// about undefined values rests on.
func simpleTest(name string, x eval) eval {
	return func(f *frame) (any, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		_, undef := v.(*Undefined)
		switch name {
		case "defined":
			return !undef, nil
		case "undefined":
			return undef, nil
		}
		return v == nil, nil
	}
}
