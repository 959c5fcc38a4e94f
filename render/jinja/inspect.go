package jinja

import (
	"pinch/diag"
)

// A Use is a name or function that a template uses.
type Use struct {
	Name string
	Pos  diag.Pos
}

// An Inspection is what a template uses and gives, as found without running it.
type Inspection struct {
	// Free are the names that are read and that nothing in the template sets;
	// those that are asked for with "is defined" or default are left out.
	Free []Use
	// Functions are those called as salt['mod.fun'] and salt.mod.fun; the ones
	// asked for with "in salt" or default are left out.
	Functions []Use
	// Missing are filters and tests that are not there, as "filter named 'x'".
	// Those in branches are no mistake to Jinja until they run.
	Missing []Use
	// Sets are the names that the template sets, imports or defines.
	Sets map[string]bool
	// Shares says that the template includes or imports another with context,
	// which may use and set names of its own.
	Shares bool
}

// Inspect compiles a template and looks through it. It fails with an *Error
// for what is wrong with it.
func (e *Env) Inspect(src Source) (*Inspection, error) {
	t, err := e.Template(src)
	if err != nil {
		return nil, err
	}
	nodes, at, perr := e.parse(t.text)
	if perr != nil {
		return nil, t.syntax(perr, at)
	}
	in := &inspector{t: t, out: &Inspection{Sets: map[string]bool{}}, safe: map[string]bool{}}
	for _, n := range nodes {
		walk(n, in.names)
	}
	for _, n := range nodes {
		walk(n, in.uses)
	}
	in.filterFree()
	return in.out, nil
}

type inspector struct {
	t    *Template
	out  *Inspection
	safe map[string]bool // names and functions that are asked for carefully
	free []Use
}

func (in *inspector) pos(at int32) diag.Pos { return in.t.pos(at) }

// names collects what the template sets, and what it asks for carefully.
func (in *inspector) names(n node) bool {
	switch n := n.(type) {
	case *nameExpr:
		if n.store {
			in.out.Sets[n.name] = true
		}
	case *macroStmt:
		in.out.Sets[n.name] = true
		for _, p := range n.params {
			in.out.Sets[p.name] = true
		}
	case *callStmt:
		for _, p := range n.params {
			in.out.Sets[p.name] = true
		}
	case *importStmt:
		in.out.Sets[n.target] = true
	case *includeStmt:
		in.out.Shares = true
	case *fromStmt:
		for i, name := range n.names {
			if a := n.aliases[i]; a != "" {
				name = a
			}
			in.out.Sets[name] = true
		}
	case *extendsStmt:
		in.out.Shares = true
	case *testExpr:
		if n.name == "defined" || n.name == "undefined" || n.name == "none" || n.name == "callable" {
			in.careful(n.x)
		}
		if c, ok := n.x.(*constExpr); ok && (n.name == "filter" || n.name == "test") {
			if name, ok := c.v.(string); ok {
				in.safe[n.name+" "+name] = true
			}
		}
	case *filterExpr:
		if n.name == "default" || n.name == "d" {
			in.careful(n.x)
		}
	case *compareExpr:
		in.compared(n)
	}
	return true
}

// compared notes 'mod.fun' in salt.
func (in *inspector) compared(n *compareExpr) {
	c, ok := n.first.(*constExpr)
	if !ok {
		return
	}
	if s, ok := c.v.(string); ok {
		for i := range n.ops {
			if x, ok := n.rest[i].(*nameExpr); ok && x.name == "salt" {
				in.safe["salt."+s] = true
			}
		}
	}
}

// careful notes the name or function that an expression begins with.
func (in *inspector) careful(n node) {
	if f := called(n); f != "" {
		in.safe["salt."+f] = true
	}
	for {
		switch x := n.(type) {
		case *nameExpr:
			in.safe[x.name] = true
			return
		case *attrExpr:
			n = x.x
		case *itemExpr:
			n = x.x
		case *callExpr:
			n = x.fn
		case *filterExpr:
			if x.x == nil {
				return
			}
			n = x.x
		default:
			return
		}
	}
}

// called is the name of salt['mod.fun'] or salt.mod.fun, "" for all else.
func called(n node) string {
	switch x := n.(type) {
	case *itemExpr:
		if name, ok := x.x.(*nameExpr); ok && name.name == "salt" {
			if c, ok := x.key.(*constExpr); ok {
				s, _ := c.v.(string)
				return s
			}
		}
	case *attrExpr:
		if inner, ok := x.x.(*attrExpr); ok {
			if name, ok := inner.x.(*nameExpr); ok && name.name == "salt" {
				return inner.name + "." + x.name
			}
		}
	}
	return ""
}

func (in *inspector) uses(n node) bool {
	switch n := n.(type) {
	case *nameExpr:
		if !n.store {
			in.free = append(in.free, Use{n.name, in.pos(n.at())})
		}
	case *filterExpr:
		in.missing("filter", n.name, n.at(), in.t.env.Filters[n.name] == nil)
	case *testExpr:
		in.missing("test", n.name, n.at(), in.t.env.Tests[n.name] == nil)
	case *callExpr:
		if f := called(n.fn); f != "" && !in.safe["salt."+f] {
			in.out.Functions = append(in.out.Functions, Use{f, in.pos(leftmost(n))})
		}
	}
	return true
}

// missing notes a filter or test that is not there and not asked for by
// 'x' is filter.
func (in *inspector) missing(kind, name string, at int32, bad bool) {
	if bad && !in.safe[kind+" "+name] {
		in.out.Missing = append(in.out.Missing, Use{kind + " named '" + name + "'", in.pos(at)})
	}
}

func (in *inspector) filterFree() {
	for _, u := range in.free {
		if !in.out.Sets[u.Name] && !in.safe[u.Name] {
			in.out.Free = append(in.out.Free, u)
		}
	}
}
