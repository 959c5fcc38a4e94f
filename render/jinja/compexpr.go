package jinja

import (
	"pinch/value"
	"pinch/value/py"
)

// expr compiles an expression.
func (c *compiler) expr(n node, s *scope) eval {
	switch n := n.(type) {
	case *constExpr:
		v := n.v
		return func(*frame) (any, error) { return v, nil }
	case *nameExpr:
		return c.variable(n.name, s, true)
	case *attrExpr:
		return c.attr(n, s)
	case *itemExpr:
		return c.item(n, s)
	case *callExpr:
		return c.call(n, s)
	case *filterExpr:
		x, apply := c.expr(n.x, s), c.apply(n.name, "filter", n.at(), n.args, s)
		return func(f *frame) (any, error) {
			v, err := x(f)
			if err != nil {
				return nil, err
			}
			return apply(f, v)
		}
	case *testExpr:
		return c.test(n, s)
	case *tupleExpr:
		items := c.exprs(n.items, s)
		return func(f *frame) (any, error) {
			vals, err := evalAll(f, items)
			return value.Tuple(vals), err
		}
	case *listExpr:
		items := c.exprs(n.items, s)
		return func(f *frame) (any, error) {
			vals, err := evalAll(f, items)
			return &value.List{Items: vals}, err
		}
	case *dictExpr:
		return c.dict(n, s)
	case *concatExpr:
		items := c.exprs(n.items, s)
		t, off := c.t, n.at()
		return func(f *frame) (any, error) {
			var room [4]any
			vals := room[:0]
			for _, x := range items {
				v, err := x(f)
				if err != nil {
					return nil, err
				}
				vals = append(vals, v)
			}
			v, err := f.concat(vals)
			if err != nil {
				return nil, t.at(err, off)
			}
			return v, nil
		}
	}
	return c.operator(n, s)
}

func (c *compiler) exprs(nodes []node, s *scope) []eval {
	out := make([]eval, len(nodes))
	for i, n := range nodes {
		out[i] = c.expr(n, s)
	}
	return out
}

func evalAll(f *frame, items []eval) ([]any, error) {
	vals := make([]any, len(items))
	for i, x := range items {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		vals[i] = v
	}
	return vals, nil
}

// variable compiles the reading of a name. Without undef a name that is not
// there is the value missing.
func (c *compiler) variable(name string, s *scope, undef bool) eval {
	r, ok := s.sym.find(name)
	if !ok { // a name that no scan saw: only tags can make one
		return func(f *frame) (any, error) {
			if v, ok := f.cx.Lookup(name); ok || !undef {
				return v, nil
			}
			return f.st.Env.Undef(name), nil
		}
	}
	slot := r.slot
	get := func(f *frame) any { return f.slots[slot] }
	switch hops := s.fn.hops(r.fn); hops {
	case 0:
		return func(f *frame) (any, error) {
			v := f.slots[slot]
			if _, no := v.(*missingType); no && undef {
				return f.st.Env.Undef(name), nil
			}
			return v, nil
		}
	case 1:
		get = func(f *frame) any { return f.up.slots[slot] }
	default:
		get = func(f *frame) any {
			for range hops {
				f = f.up
			}
			return f.slots[slot]
		}
	}
	return func(f *frame) (any, error) {
		v := get(f)
		if _, no := v.(*missingType); no && undef {
			return f.st.Env.Undef(name), nil
		}
		return v, nil
	}
}

func (c *compiler) attr(n *attrExpr, s *scope) eval {
	x, name := c.expr(n.x, s), n.name
	t, off := c.t, n.at()
	return func(f *frame) (any, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		if v, err = f.st.GetAttr(v, name); err != nil {
			return nil, t.at(err, off)
		}
		return v, nil
	}
}

func (c *compiler) item(n *itemExpr, s *scope) eval {
	x := c.expr(n.x, s)
	t, off := c.t, n.at()
	if sl, ok := n.key.(*sliceExpr); ok {
		return c.slice(x, sl, off, s)
	}
	if tup, ok := n.key.(*tupleExpr); ok {
		for _, it := range tup.items {
			if _, ok := it.(*sliceExpr); ok { // Python's own types take no such key
				return func(f *frame) (any, error) {
					v, err := x(f)
					if err != nil {
						return nil, err
					}
					return f.st.UndefAttr(v, value.Tuple{"slice"}), nil
				}
			}
		}
	}
	key := c.expr(n.key, s)
	return func(f *frame) (any, error) {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		k, err := key(f)
		if err != nil {
			return nil, err
		}
		if v, err = f.st.GetItem(v, k); err != nil {
			return nil, t.at(err, off)
		}
		return v, nil
	}
}

func (c *compiler) slice(x eval, n *sliceExpr, off int32, s *scope) eval {
	t := c.t
	none := func(*frame) (any, error) { return nil, nil }
	part := func(n node) eval {
		if n == nil {
			return none
		}
		return c.expr(n, s)
	}
	parts := []eval{x, part(n.start), part(n.stop), part(n.step)}
	return func(f *frame) (any, error) {
		v, err := evalAll(f, parts)
		if err != nil {
			return nil, err
		}
		out, err := slice(v)
		if err != nil {
			return nil, t.at(err, off)
		}
		return out, nil
	}
}

// slice is v[0][v[1]:v[2]:v[3]].
func slice(v []any) (any, error) {
	if u, ok := v[0].(*Undefined); ok {
		if u.Policy == Chainable {
			return u, nil
		}
		return nil, u.UndefinedError()
	}
	for _, x := range v[1:] {
		if _, ok := x.(*Undefined); ok {
			return nil, Errorf("TypeError", "slice indices must be integers or None or have an __index__ method")
		}
	}
	return py.Slice(v[0], v[1], v[2], v[3])
}

func (c *compiler) dict(n *dictExpr, s *scope) eval {
	keys, values := c.exprs(n.keys, s), c.exprs(n.values, s)
	t, offs := c.t, make([]int32, len(n.keys))
	for i, k := range n.keys {
		offs[i] = leftmost(k)
	}
	return func(f *frame) (any, error) {
		m := value.NewMap(len(keys))
		for i := range keys {
			k, err := keys[i](f)
			if err != nil {
				return nil, err
			}
			v, err := values[i](f)
			if err != nil {
				return nil, err
			}
			if u, ok := k.(*Undefined); ok {
				if err := u.StrictErr(); err != nil {
					return nil, t.at(err, offs[i])
				}
			}
			if err := m.SetKey(plain(k), v); err != nil {
				return nil, t.at(err, offs[i])
			}
		}
		return m, nil
	}
}

// operator compiles what has operators.
func (c *compiler) operator(n node, s *scope) eval {
	switch n := n.(type) {
	case *binExpr:
		a, b, op := c.expr(n.a, s), c.expr(n.b, s), n.op
		t, off := c.t, n.at()
		return func(f *frame) (any, error) {
			x, err := a(f)
			if err != nil {
				return nil, err
			}
			y, err := b(f)
			if err != nil {
				return nil, err
			}
			v, err := f.st.binary(op, x, y)
			if err != nil {
				return nil, t.at(err, off)
			}
			return v, nil
		}
	case *unaryExpr:
		x, off, t := c.expr(n.x, s), n.at(), c.t
		op := py.Neg
		if n.op == tAdd {
			op = py.Pos
		}
		return func(f *frame) (any, error) {
			v, err := x(f)
			if err != nil {
				return nil, err
			}
			if v, err = op(v); err != nil {
				return nil, t.at(err, off)
			}
			return v, nil
		}
	case *notExpr:
		x := c.cond(n.x, s)
		return func(f *frame) (any, error) {
			b, err := x(f)
			return !b, err
		}
	case *logicExpr:
		return c.logic(n, s)
	case *condExpr:
		return c.condExpr(n, s)
	case *compareExpr:
		return c.compare(n, s)
	}
	panic("jinja: unknown expression")
}

func (c *compiler) logic(n *logicExpr, s *scope) eval {
	a, b, or := c.expr(n.a, s), c.expr(n.b, s), n.or
	t, off := c.t, leftmost(n.a)
	return func(f *frame) (any, error) {
		v, err := a(f)
		if err != nil {
			return nil, err
		}
		yes, err := f.st.Truth(v)
		if err != nil {
			return nil, t.at(err, off)
		}
		if yes == or {
			return v, nil
		}
		return b(f)
	}
}

// noElse is the value of an inline if without else; it is lenient under
// every policy.
func (c *compiler) noElse(n *condExpr) eval {
	t, off := c.t, leftmost(n)
	return func(*frame) (any, error) {
		return &Undefined{Hint: "the inline if-expression on " + t.lineText(off) + " evaluated to false and no else section was defined."}, nil
	}
}

func (c *compiler) condExpr(n *condExpr, s *scope) eval {
	s = s.inIf()
	test, yes := c.cond(n.test, s), c.expr(n.yes, s)
	no := c.noElse(n)
	if n.no != nil {
		no = c.expr(n.no, s)
	}
	return func(f *frame) (any, error) {
		b, err := test(f)
		if err != nil {
			return nil, err
		}
		if b {
			return yes(f)
		}
		return no(f)
	}
}

func (c *compiler) compare(n *compareExpr, s *scope) eval {
	first, rest, ops := c.expr(n.first, s), c.exprs(n.rest, s), n.ops
	t, offs := c.t, make([]int32, len(n.rest))
	for i, r := range n.rest {
		offs[i] = leftmost(n.first)
		if ops[i] == "in" || ops[i] == "not in" {
			offs[i] = leftmost(r)
		}
	}
	return func(f *frame) (any, error) {
		x, err := first(f)
		if err != nil {
			return nil, err
		}
		for i, op := range ops {
			y, err := rest[i](f)
			if err != nil {
				return nil, err
			}
			ok, err := f.st.compare(op, x, y)
			if err != nil {
				return nil, t.at(err, offs[i])
			}
			if !ok {
				return false, nil
			}
			x = y
		}
		return true, nil
	}
}
