package jmespath

import (
	"fmt"

	"pinch/value"
)

// power is how strongly a token binds to what stands left of it; below
// projectionStop it ends a projection.
func power(kind string) int {
	switch kind {
	case "pipe":
		return 1
	case "or":
		return 2
	case "and":
		return 3
	case "eq", "gt", "lt", "gte", "lte", "ne":
		return 5
	case "flatten":
		return 9
	case "star":
		return 20
	case "filter":
		return 21
	case "dot":
		return 40
	case "not":
		return 45
	case "lbrace":
		return 50
	case "lbracket":
		return 55
	case "lparen":
		return 60
	}
	return 0
}

const projectionStop = 10

// parser is a Pratt parser that compiles as it goes. Errors travel as panics
// of *value.Exception up to parse.
type parser struct {
	expr   string
	tokens []token
	i      int
	depth  int
}

// part is a compiled part; name is set when it is a bare field, which may turn
// out to be a function's name.
type part struct {
	run  node
	name string
}

func (p *parser) parse() (run node, err error) {
	defer func() {
		if e := recover(); e != nil {
			x, ok := e.(*value.Exception)
			if !ok {
				panic(e)
			}
			run, err = nil, x
		}
	}()
	out := p.expression(0)
	if t := p.tokens[p.i]; t.kind != "eof" {
		panic(parseError(p.expr, t, "Unexpected token: %s", value.Str(t.val)))
	}
	return out.run, nil
}

func (p *parser) kind() string { return p.tokens[p.i].kind }

func (p *parser) match(kind string) {
	t := p.tokens[p.i]
	switch {
	case t.kind == kind:
		p.i++
	case t.kind == "eof":
		panic(incomplete(p.expr))
	default:
		panic(parseError(p.expr, t, "Expecting: %s, got: %s", kind, t.kind))
	}
}

func identity(v any) (any, error) { return v, nil }

func (p *parser) expression(binding int) part {
	if p.depth++; p.depth > 500 {
		panic(value.Errorf("RecursionError", "maximum recursion depth exceeded"))
	}
	defer func() { p.depth-- }()
	t := p.tokens[p.i]
	if t.kind != "eof" {
		p.i++
	}
	left := p.prefix(t)
	for binding < power(p.kind()) {
		t := p.tokens[p.i]
		p.i++
		left = p.infix(t, left)
	}
	return left
}

func (p *parser) prefix(t token) part {
	switch t.kind {
	case "literal":
		return part{run: func(any) (any, error) { return value.Copy(t.val), nil }}
	case "unquoted_identifier", "quoted_identifier":
		name := t.val.(string)
		if t.kind[0] == 'q' {
			if next := p.tokens[p.i]; next.kind == "lparen" {
				next.start = 0
				panic(parseError(p.expr, next, "Quoted identifier not allowed for function names."))
			}
			return part{run: field(name)}
		}
		return part{run: field(name), name: name}
	case "star":
		if p.kind() == "rbracket" {
			return part{run: valueProjection(identity, identity)}
		}
		return part{run: valueProjection(identity, p.projected(20))}
	case "filter":
		return p.filter(identity)
	case "lbrace":
		return part{run: p.hash()}
	case "lparen":
		e := p.expression(0)
		p.match("rparen")
		return part{run: e.run}
	case "flatten":
		return part{run: projection(flatten(identity), p.projected(9))}
	case "not":
		return part{run: not(p.expression(45).run)}
	case "lbracket":
		return p.bracket()
	case "current":
		return part{run: identity}
	case "expref":
		e := p.expression(0).run
		return part{run: func(any) (any, error) { return expref(e), nil }}
	case "eof":
		panic(incomplete(p.expr))
	}
	panic(parseError(p.expr, t, "invalid token"))
}

func (p *parser) infix(t token, left part) part {
	l := left.run
	switch t.kind {
	case "dot":
		if p.kind() != "star" {
			return part{run: chain(l, p.dotted(40))}
		}
		p.i++
		return part{run: valueProjection(l, p.projected(40))}
	case "pipe":
		return part{run: chain(l, p.expression(1).run)}
	case "or":
		return part{run: or(l, p.expression(2).run)}
	case "and":
		return part{run: and(l, p.expression(3).run)}
	case "eq", "ne", "lt", "lte", "gt", "gte":
		return part{run: compare(t.kind, l, p.expression(5).run)}
	case "lparen":
		return p.call(left)
	case "filter":
		return p.filter(l)
	case "flatten":
		return part{run: projection(flatten(l), p.projected(9))}
	case "lbracket":
		if k := p.kind(); k == "number" || k == "colon" {
			return p.index(l)
		}
		p.match("star")
		p.match("rbracket")
		return part{run: projection(l, p.projected(20))}
	}
	panic(parseError(p.expr, t, "invalid token"))
}

func (p *parser) bracket() part {
	switch k := p.kind(); {
	case k == "number" || k == "colon":
		return p.index(identity)
	case k == "star" && p.tokens[p.i+1].kind == "rbracket":
		p.i += 2
		return part{run: projection(identity, p.projected(20))}
	}
	return part{run: p.list()}
}

// index reads [n] or a slice, after the bracket.
func (p *parser) index(left node) part {
	t := p.tokens[p.i]
	if t.kind != "colon" && p.tokens[p.i+1].kind != "colon" {
		p.i++
		p.match("rbracket")
		return part{run: chain(left, at(t.val.(int64)))}
	}
	var ends [3]any
	n := 0
	for p.kind() != "rbracket" && n < 3 {
		t := p.tokens[p.i]
		switch t.kind {
		case "colon":
			if n++; n == 3 {
				panic(parseError(p.expr, t, "syntax error"))
			}
		case "number":
			ends[n] = t.val
		default:
			panic(parseError(p.expr, t, "syntax error"))
		}
		p.i++
	}
	p.match("rbracket")
	return part{run: projection(chain(left, slice(ends)), p.projected(20))}
}

func (p *parser) filter(left node) part {
	cond := p.expression(0).run
	p.match("rbracket")
	right := node(identity)
	if p.kind() != "flatten" {
		right = p.projected(21)
	}
	return part{run: filterProjection(left, right, cond)}
}

func (p *parser) list() node {
	var items []node
	for {
		items = append(items, p.expression(0).run)
		if p.kind() == "rbracket" {
			break
		}
		p.match("comma")
	}
	p.match("rbracket")
	return multiList(items)
}

func (p *parser) hash() node {
	var names []string
	var items []node
	for {
		t := p.tokens[p.i]
		if t.kind != "quoted_identifier" && t.kind != "unquoted_identifier" {
			if t.kind == "eof" {
				panic(incomplete(p.expr))
			}
			panic(parseError(p.expr, t, "Expecting: ['quoted_identifier', 'unquoted_identifier'], got: %s", t.kind))
		}
		p.i++
		p.match("colon")
		names = append(names, t.val.(string))
		items = append(items, p.expression(0).run)
		switch p.kind() {
		case "comma":
			p.i++
		case "rbrace":
			p.i++
			return multiHash(names, items)
		}
	}
}

func (p *parser) call(left part) part {
	if left.name == "" {
		t := token{"eof", "", 0}
		if p.i >= 2 {
			t = p.tokens[p.i-2]
		}
		panic(parseError(p.expr, t, "Invalid function name '%s'", value.Str(t.val)))
	}
	var args []node
	for p.kind() != "rparen" {
		args = append(args, p.expression(0).run)
		if p.kind() == "comma" {
			p.i++
		}
	}
	p.match("rparen")
	return part{run: function(left.name, args)}
}

// projected reads what is applied to each item of a projection.
func (p *parser) projected(binding int) node {
	switch t := p.tokens[p.i]; {
	case power(t.kind) < projectionStop:
		return identity
	case t.kind == "lbracket" || t.kind == "filter":
		return p.expression(binding).run
	case t.kind == "dot":
		p.i++
		return p.dotted(binding)
	default:
		panic(parseError(p.expr, t, "syntax error"))
	}
}

func (p *parser) dotted(binding int) node {
	switch t := p.tokens[p.i]; t.kind {
	case "quoted_identifier", "unquoted_identifier", "star":
		return p.expression(binding).run
	case "lbracket":
		p.i++
		return p.list()
	case "lbrace":
		p.i++
		return p.hash()
	default:
		panic(parseError(p.expr, t, "%s", fmt.Sprintf("Expecting: ['quoted_identifier', 'unquoted_identifier', 'lbracket', 'lbrace'], got: %s", t.kind)))
	}
}
