package jinja

import (
	"slices"
	"strings"

	"pinch/value"
)

func (p *Parser) expression(cond bool) node {
	if cond {
		return p.condExpr()
	}
	return p.or()
}

func (p *Parser) condExpr() node {
	defer p.deeper()()
	o := off(p.tok.off)
	x := p.or()
	var links chain
	for p.skipName("if") {
		links.link(p)
		test := p.or()
		var no node
		if p.skipName("else") {
			no = p.condExpr()
		}
		x = &condExpr{o, test, x, no}
		o = off(p.tok.off)
	}
	return x
}

func (p *Parser) or() node {
	o := off(p.tok.off)
	x := p.and()
	var links chain
	for p.skipName("or") {
		links.link(p)
		x = &logicExpr{o, true, x, p.and()}
	}
	return x
}

func (p *Parser) and() node {
	o := off(p.tok.off)
	x := p.not()
	var links chain
	for p.skipName("and") {
		links.link(p)
		x = &logicExpr{o, false, x, p.not()}
	}
	return x
}

func (p *Parser) not() node {
	if p.isName("not") {
		defer p.deeper()()
		o := off(p.next().off)
		return &notExpr{o, p.not()}
	}
	return p.compare()
}

func (p *Parser) compare() node {
	first := p.sum()
	c := &compareExpr{off: off(first.at()), first: first}
	for {
		op := ""
		switch k := p.tok.kind; k {
		case tEq, tNe, tLt, tLtEq, tGt, tGtEq:
			op = k.String()
			p.next()
		case tName:
			if p.skipName("in") {
				op = "in"
			} else if p.isName("not") && p.look().kind == tName && p.look().text == "in" {
				op = "not in"
				p.next()
				p.next()
			}
		}
		if op == "" {
			break
		}
		c.ops, c.rest = append(c.ops, op), append(c.rest, p.sum())
	}
	if len(c.ops) == 0 {
		return first
	}
	return c
}

func (p *Parser) sum() node {
	x := p.concat()
	var links chain
	for p.tok.kind == tAdd || p.tok.kind == tSub {
		links.link(p)
		t := p.next()
		x = &binExpr{off(t.off), t.kind, x, p.concat()}
	}
	return x
}

func (p *Parser) concat() node {
	x := p.product()
	if p.tok.kind != tTilde {
		return x
	}
	c := &concatExpr{off(x.at()), []node{x}}
	for p.skip(tTilde) {
		c.items = append(c.items, p.product())
	}
	return c
}

func (p *Parser) product() node {
	x := p.power()
	var links chain
	for p.tok.kind == tMul || p.tok.kind == tDiv || p.tok.kind == tFloorDiv || p.tok.kind == tMod {
		links.link(p)
		t := p.next()
		x = &binExpr{off(t.off), t.kind, x, p.power()}
	}
	return x
}

func (p *Parser) power() node {
	x := p.unary(true)
	var links chain
	for p.tok.kind == tPow {
		links.link(p)
		t := p.next()
		x = &binExpr{off(t.off), tPow, x, p.unary(true)}
	}
	return x
}

func (p *Parser) unary(filters bool) node {
	var x node
	if t := p.tok; t.kind == tSub || t.kind == tAdd {
		defer p.deeper()()
		p.next()
		x = &unaryExpr{off(t.off), t.kind, p.unary(false)}
	} else {
		x = p.primary(false)
	}
	x = p.postfix(x)
	if filters {
		x = p.filters(x)
	}
	return x
}

func (p *Parser) primary(namespace bool) node {
	t := p.tok
	o := off(t.off)
	switch t.kind {
	case tName:
		p.next()
		switch t.text {
		case "true", "True":
			return &constExpr{o, true}
		case "false", "False":
			return &constExpr{o, false}
		case "none", "None":
			return &constExpr{o, nil}
		}
		if namespace && p.skip(tDot) {
			return &nsRef{o, t.text, p.expect(tName).text}
		}
		return &nameExpr{o, t.text, false}
	case tString:
		p.next()
		text := t.text
		if p.tok.kind == tString {
			var b strings.Builder
			b.WriteString(text)
			for p.tok.kind == tString {
				b.WriteString(p.next().text)
			}
			text = b.String()
		}
		return &constExpr{o, text}
	case tInteger, tFloat:
		p.next()
		return &constExpr{o, t.val}
	case tLParen:
		p.next()
		x := p.tuple(tupleOpts{cond: true, parens: true})
		p.expect(tRParen)
		return x
	case tLBracket:
		return p.list()
	case tLBrace:
		return p.dict()
	}
	p.fail(t.off, "unexpected %s", value.Quote(t.describe()))
	return nil
}

// tupleOpts say how a tuple may look.
type tupleOpts struct {
	simple    bool // only names and literals
	namespace bool // with simple: also namespace attributes
	cond      bool // inline if is allowed
	parens    bool // it stands in parentheses, so it may be empty
}

// tuple reads an expression, or several with commas between.
func (p *Parser) tuple(opts tupleOpts) node {
	defer p.deeper()()
	o := off(p.tok.off)
	var items []node
	isTuple := false
	for {
		if len(items) > 0 {
			p.expect(tComma)
		}
		if k := p.tok.kind; k == tVariableEnd || k == tBlockEnd || k == tRParen {
			break
		}
		if opts.simple {
			items = append(items, p.primary(opts.namespace))
		} else {
			items = append(items, p.expression(opts.cond))
		}
		if p.tok.kind != tComma {
			break
		}
		isTuple = true
	}
	if !isTuple {
		if len(items) > 0 {
			return items[0]
		}
		if !opts.parens {
			p.fail(p.tok.off, "Expected an expression, got %s", value.Quote(p.tok.describe()))
		}
	}
	return &tupleExpr{o, items}
}

func (p *Parser) list() node {
	n := &listExpr{off: off(p.next().off)}
	for p.tok.kind != tRBracket {
		if len(n.items) > 0 {
			p.expect(tComma)
		}
		if p.tok.kind == tRBracket {
			break
		}
		n.items = append(n.items, p.expression(true))
	}
	p.expect(tRBracket)
	return n
}

func (p *Parser) dict() node {
	n := &dictExpr{off: off(p.next().off)}
	for p.tok.kind != tRBrace {
		if len(n.keys) > 0 {
			p.expect(tComma)
		}
		if p.tok.kind == tRBrace {
			break
		}
		n.keys = append(n.keys, p.expression(true))
		p.expect(tColon)
		n.values = append(n.values, p.expression(true))
	}
	p.expect(tRBrace)
	return n
}

func (p *Parser) postfix(x node) node {
	var links chain
	for {
		links.link(p)
		switch p.tok.kind {
		case tDot, tLBracket:
			x = p.subscript(x)
		case tLParen:
			x = p.call(x)
		default:
			return x
		}
	}
}

func (p *Parser) filters(x node) node {
	var links chain
	for {
		links.link(p)
		switch {
		case p.tok.kind == tPipe:
			x = p.filter(x, false)
		case p.isName("is"):
			x = p.test(x)
		case p.tok.kind == tLParen:
			x = p.call(x)
		default:
			return x
		}
	}
}

func (p *Parser) subscript(x node) node {
	t := p.next()
	if t.kind == tDot {
		name := p.next()
		switch name.kind {
		case tName:
			return &attrExpr{off(t.off), x, name.text}
		case tInteger:
			return &itemExpr{off(t.off), x, &constExpr{off(name.off), name.val}}
		}
		p.fail(name.off, "expected name or number")
	}
	var items []node
	for p.tok.kind != tRBracket {
		if len(items) > 0 {
			p.expect(tComma)
		}
		items = append(items, p.subscribed())
	}
	p.next()
	if len(items) == 1 {
		return &itemExpr{off(t.off), x, items[0]}
	}
	return &itemExpr{off(t.off), x, &tupleExpr{off(t.off), items}}
}

func (p *Parser) subscribed() node {
	s := &sliceExpr{off: off(p.tok.off)}
	if !p.skip(tColon) {
		x := p.expression(true)
		if !p.skip(tColon) {
			return x
		}
		s.start = x
	}
	part := func() node {
		if k := p.tok.kind; k == tColon || k == tRBracket || k == tComma {
			return nil
		}
		return p.expression(true)
	}
	s.stop = part()
	if p.skip(tColon) {
		s.step = part()
	}
	return s
}

func (p *Parser) call(fn node) node {
	paren := p.tok.off
	return &callExpr{off(leftmost(fn)), paren, fn, p.callArgs()}
}

func (p *Parser) callArgs() (a callArgs) {
	open := p.expect(tLParen)
	ensure := func(ok bool) {
		if !ok {
			p.fail(open.off, "invalid syntax for function call expression")
		}
	}
	for comma := false; p.tok.kind != tRParen; comma = true {
		if comma {
			p.expect(tComma)
			if p.tok.kind == tRParen {
				break
			}
		}
		switch {
		case p.tok.kind == tMul:
			ensure(a.dynArgs == nil && a.dynKw == nil)
			p.next()
			a.dynArgs = p.expression(true)
		case p.tok.kind == tPow:
			ensure(a.dynKw == nil)
			p.next()
			a.dynKw = p.expression(true)
		case p.tok.kind == tName && p.look().kind == tAssign:
			ensure(a.dynKw == nil)
			if slices.Contains(a.kwNames, p.tok.text) {
				p.fail(p.tok.off, "keyword argument repeated: %s", p.tok.text)
			}
			a.kwNames = append(a.kwNames, p.next().text)
			p.next()
			a.kwValues = append(a.kwValues, p.expression(true))
		default:
			ensure(a.dynArgs == nil && a.dynKw == nil && len(a.kwNames) == 0)
			a.args = append(a.args, p.expression(true))
		}
	}
	p.expect(tRParen)
	return a
}

// dotted reads a name with dots in it, as filters and tests may have.
func (p *Parser) dotted() token {
	t := p.expect(tName)
	for p.skip(tDot) {
		t.text += "." + p.expect(tName).text
	}
	return t
}

// filter reads filters; with inline the first one has no bar.
func (p *Parser) filter(x node, inline bool) node {
	var links chain
	for p.tok.kind == tPipe || inline {
		links.link(p)
		if !inline {
			p.next()
		}
		inline = false
		t := p.dotted()
		f := &filterExpr{off: off(t.off), x: x, name: t.text}
		if p.tok.kind == tLParen {
			f.args = p.callArgs()
		}
		x = f
	}
	return x
}

func (p *Parser) test(x node) node {
	is := p.next()
	negated := p.skipName("not")
	t := &testExpr{off: off(is.off), x: x, name: p.dotted().text}
	switch k := p.tok.kind; k {
	case tLParen:
		t.args = p.callArgs()
	case tName, tString, tInteger, tFloat, tLBracket, tLBrace:
		if p.isWord("else", "or", "and") {
			break
		}
		if p.isName("is") {
			p.fail(p.tok.off, "You cannot chain multiple tests with is")
		}
		t.args.args = []node{p.postfix(p.primary(false))}
	}
	if negated {
		return &notExpr{off(is.off), t}
	}
	return t
}
