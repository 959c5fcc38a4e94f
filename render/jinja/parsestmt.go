package jinja

import (
	"slices"

	"pinch/value"
)

// statement reads a tag; the current token is its first word.
func (p *Parser) statement() node {
	defer p.deeper()()
	t := p.tok
	if t.kind != tName {
		p.fail(t.off, "tag name expected")
	}
	p.tags, p.open = append(p.tags, t.text), append(p.open, t.off)
	tag := p.env.Tags[t.text]
	if tag == nil && !slices.Contains(builtinTags, t.text) {
		p.close()
		p.failTag(t.text, t.off)
	}
	p.next()
	n := p.builtin(t.text, off(t.off))
	if n == nil {
		parsed, err := tag(p)
		if err != nil {
			panic(parseFailure{t.off, asError(err)})
		}
		n = &tagStmt{off(t.off), parsed, t.text}
	}
	p.close()
	return n
}

// close takes the innermost open tag away.
func (p *Parser) close() {
	p.tags, p.open = p.tags[:len(p.tags)-1], p.open[:len(p.open)-1]
}

// builtinTags are the words that builtin knows.
var builtinTags = []string{"set", "if", "for", "macro", "call", "filter", "block", "extends", "include", "import", "from", "with",
	"autoescape", "do", "print", "break", "continue"}

func (p *Parser) builtin(word string, o off) node {
	switch word {
	case "set":
		return p.set(o)
	case "if":
		return p.ifTag(o)
	case "for":
		return p.forTag(o)
	case "macro":
		m := &macroStmt{off: o, name: p.nameTarget().name}
		m.signature = p.signature()
		m.body = p.function("endmacro")
		return m
	case "call":
		return p.callTag(o)
	case "filter":
		n := &filterStmt{off: o, filter: p.filter(nil, true)}
		n.body = p.blockTo("endfilter")
		return n
	case "block":
		return p.blockTag(o)
	case "extends":
		return &extendsStmt{o, p.expression(true)}
	case "include":
		n := &includeStmt{off: o, template: p.expression(true)}
		if p.isName("ignore") && p.look().kind == tName && p.look().text == "missing" {
			n.ignoreMissing = true
			p.next()
			p.next()
		}
		n.withContext = p.importContext(true)
		return n
	case "import":
		n := &importStmt{off: o, template: p.expression(true)}
		p.expectName("as")
		n.target = p.nameTarget().name
		n.withContext = p.importContext(false)
		return n
	case "from":
		return p.fromTag(o)
	case "with":
		return p.withTag(o)
	case "autoescape":
		n := &autoescapeStmt{off: o, value: p.expression(true)}
		n.body = p.blockTo("endautoescape")
		return n
	case "do":
		return &doStmt{o, p.tuple(tupleOpts{cond: true})}
	case "print":
		return p.printTag(o)
	case "break", "continue":
		if p.loops == 0 {
			if word == "continue" {
				p.fail(int32(o), "'continue' not properly in loop")
			}
			p.fail(int32(o), "'break' outside loop")
		}
		return &jumpStmt{o, word == "break"}
	}
	return nil
}

// function reads the body of a macro or call, where no outer loop can be left.
func (p *Parser) function(end string) []node {
	loops := p.loops
	p.loops = 0
	body := p.blockTo(end)
	p.loops = loops
	return body
}

func (p *Parser) printTag(o off) node {
	n := &outputStmt{off: o}
	for p.tok.kind != tBlockEnd {
		if len(n.items) > 0 {
			p.expect(tComma)
		}
		n.items = append(n.items, p.expression(true))
	}
	return n
}

func (p *Parser) set(o off) node {
	target := p.target(true)
	if p.skip(tAssign) {
		return &setStmt{o, target, p.tuple(tupleOpts{cond: true})}
	}
	filter := p.filter(nil, false)
	return &setBlock{o, target, filter, p.blockTo("endset")}
}

func (p *Parser) ifTag(o off) node {
	first := &ifStmt{off: o}
	for n := first; ; {
		n.test = p.tuple(tupleOpts{})
		n.body = p.block("elif", "else", "endif")
		word := p.next().text
		if word == "elif" {
			n = &ifStmt{off: off(p.tok.off)}
			first.elifs = append(first.elifs, n)
			continue
		}
		if word == "else" {
			first.els = p.blockTo("endif")
		}
		return first
	}
}

func (p *Parser) forTag(o off) node {
	n := &forStmt{off: o, target: p.target(false)}
	p.expectName("in")
	n.iter = p.tuple(tupleOpts{})
	if p.skipName("if") {
		n.test = p.expression(true)
	}
	n.recursive = p.skipName("recursive")
	p.loops++
	n.body = p.block("endfor", "else")
	p.loops--
	if p.next().text == "else" {
		n.els = p.blockTo("endfor")
	}
	return n
}

func (p *Parser) withTag(o off) node {
	n := &withStmt{off: o}
	for p.tok.kind != tBlockEnd {
		if len(n.targets) > 0 {
			p.expect(tComma)
		}
		n.targets = append(n.targets, p.target(false))
		p.expect(tAssign)
		n.values = append(n.values, p.expression(true))
	}
	n.body = p.blockTo("endwith")
	return n
}

func (p *Parser) signature() (s signature) {
	p.expect(tLParen)
	for p.tok.kind != tRParen {
		if len(s.params) > 0 {
			p.expect(tComma)
		}
		param := p.nameTarget()
		for _, other := range s.params {
			if other.name == param.name {
				p.fail(param.at(), "duplicate argument %s in function definition", value.Quote(param.name))
			}
		}
		if p.skip(tAssign) {
			s.defaults = append(s.defaults, p.expression(true))
		} else if len(s.defaults) > 0 {
			p.fail(p.tok.off, "non-default argument follows default argument")
		}
		s.params = append(s.params, param)
	}
	p.next()
	return s
}

func (p *Parser) callTag(o off) node {
	n := &callStmt{off: o}
	if p.tok.kind == tLParen {
		n.signature = p.signature()
	}
	call, ok := p.expression(true).(*callExpr)
	if !ok {
		p.fail(int32(o), "expected call")
	}
	n.call = call
	n.body = p.function("endcall")
	return n
}

func (p *Parser) blockTag(o off) node {
	n := &blockStmt{off: o, name: p.expect(tName).text}
	n.scoped = p.skipName("scoped")
	n.required = p.skipName("required")
	if p.tok.kind == tSub {
		p.fail(p.tok.off, "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.")
	}
	n.body = p.function("endblock")
	if n.required && !onlySpace(n.body) {
		p.fail(p.tok.off, "Required blocks can only contain comments or whitespace")
	}
	p.skipName(n.name)
	return n
}

func onlySpace(body []node) bool {
	for _, n := range body {
		out, ok := n.(*outputStmt)
		if !ok {
			return false
		}
		for _, it := range out.items {
			if d, ok := it.(*dataNode); !ok || trimRight(d.text) != "" {
				return false
			}
		}
	}
	return true
}

func (p *Parser) importContext(otherwise bool) bool {
	if p.isWord("with", "without") && p.look().kind == tName && p.look().text == "context" {
		with := p.next().text == "with"
		p.next()
		return with
	}
	return otherwise
}

func (p *Parser) fromTag(o off) node {
	n := &fromStmt{off: o, template: p.expression(true)}
	p.expectName("import")
	isContext := func() bool {
		return p.isWord("with", "without") && p.look().kind == tName && p.look().text == "context"
	}
	for {
		if len(n.names) > 0 {
			p.expect(tComma)
		}
		if p.tok.kind != tName {
			p.expect(tName)
		}
		if isContext() {
			break
		}
		t := p.nameTarget()
		if t.name[0] == '_' {
			panic(parseFailure{t.at(), &Error{Class: "TemplateAssertionError", Message: "names starting with an underline can not be imported"}})
		}
		alias := t.name
		if p.skipName("as") {
			alias = p.nameTarget().name
		}
		n.names, n.aliases = append(n.names, t.name), append(n.aliases, alias)
		if isContext() || p.tok.kind != tComma {
			break
		}
	}
	n.withContext = p.importContext(false)
	return n
}

// nameTarget reads a plain name to assign to.
func (p *Parser) nameTarget() *nameExpr {
	t := p.expect(tName)
	n := &nameExpr{off(t.off), t.text, true}
	p.assignable(n)
	return n
}

func (p *Parser) target(namespace bool) node {
	n := p.tuple(tupleOpts{simple: true, namespace: namespace})
	p.assignable(n)
	return n
}

// assignable makes n an assignment target, or fails.
func (p *Parser) assignable(n node) {
	switch n := n.(type) {
	case *nameExpr:
		n.store = true
		switch n.name {
		case "true", "false", "none", "True", "False", "None":
			p.fail(n.at(), "can't assign to 'name'")
		}
	case *nsRef:
	case *tupleExpr:
		for _, it := range n.items {
			if !canAssign(it) {
				p.fail(n.at(), "can't assign to 'tuple'")
			}
			p.assignable(it)
		}
	default:
		p.fail(n.at(), "can't assign to %s", value.Quote(nodeName(n)))
	}
}

func canAssign(n node) bool {
	switch n := n.(type) {
	case *nameExpr, *nsRef:
		return true
	case *tupleExpr:
		for _, it := range n.items {
			if !canAssign(it) {
				return false
			}
		}
		return true
	}
	return false
}

func nodeName(n node) string {
	switch n.(type) {
	case *constExpr:
		return "const"
	case *listExpr:
		return "list"
	case *dictExpr:
		return "dict"
	}
	return "expr"
}
