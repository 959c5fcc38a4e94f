package jinja

import (
	"slices"
	"strings"

	"pinch/value"
)

// maxNesting bounds how deep expressions and blocks may stand inside each
// other: the parser and what follows it recurse.
const (
	maxNesting = 400
	maxChain   = 10_000
)

// A Parser reads a template. Tags use its exported methods.
type Parser struct {
	env    *Env
	tokens []token
	i      int
	tok    token // the current one
	depth  int
	loops  int // for loops around, of the same function

	tags []string   // the open tags, innermost last
	open []int32    // where they begin
	ends [][]string // the closing words that are awaited, innermost last
}

// parse reads a normalized text. It fails with an *Error whose Pos has only
// an offset, in off.
func (e *Env) parse(src string) (body []node, off int32, err *Error) {
	p := &Parser{env: e, tokens: lex(src, e.Options.orDefault())}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case parseFailure:
			body, off, err = nil, r.off, r.err
		default:
			panic(r)
		}
	}()
	p.load()
	return p.statements(nil), 0, nil
}

// A parseFailure is what the parser panics with.
type parseFailure struct {
	off int32
	err *Error
}

func (p *Parser) fail(off int32, format string, a ...any) {
	panic(parseFailure{off, syntaxError(format, a...)})
}

// load makes token i the current one.
func (p *Parser) load() {
	p.tok = p.tokens[p.i]
	if p.tok.kind == tError {
		panic(parseFailure{p.tok.off, asError(p.tok.err)})
	}
}

func (p *Parser) next() token {
	t := p.tok
	if t.kind != tEOF {
		p.i++
		p.load()
	}
	return t
}

// look is the token after the current one.
func (p *Parser) look() token {
	t := p.tokens[min(p.i+1, len(p.tokens)-1)]
	if t.kind == tError {
		panic(parseFailure{t.off, asError(t.err)})
	}
	return t
}

func (p *Parser) isName(word string) bool { return p.tok.kind == tName && p.tok.text == word }

func (p *Parser) isWord(words ...string) bool {
	return p.tok.kind == tName && slices.Contains(words, p.tok.text)
}

func (p *Parser) skip(k kind) bool {
	if p.tok.kind == k {
		p.next()
		return true
	}
	return false
}

func (p *Parser) skipName(word string) bool {
	if p.isName(word) {
		p.next()
		return true
	}
	return false
}

func (p *Parser) expect(k kind) token {
	if p.tok.kind != k {
		p.failExpected(k.String())
	}
	return p.next()
}

func (p *Parser) expectName(word string) token {
	if !p.isName(word) {
		p.failExpected(word)
	}
	return p.next()
}

func (p *Parser) failExpected(what string) {
	if p.tok.kind == tEOF {
		p.fail(p.tok.off, "unexpected end of template, expected %s.", value.Quote(what))
	}
	p.fail(p.tok.off, "expected token %s, got %s", value.Quote(what), value.Quote(p.tok.describe()))
}

// deeper guards recursion; the caller defers the result.
func (p *Parser) deeper() func() {
	if p.depth++; p.depth > maxNesting {
		panic(parseFailure{p.tok.off, &Error{Class: "RecursionError", Message: "maximum recursion depth exceeded: the template is nested too deeply"}})
	}
	return func() { p.depth-- }
}

// A chain counts the links of operators, filters or attributes in a row: each
// one makes the tree deeper.
type chain int

func (c *chain) link(p *Parser) {
	if *c++; *c > maxChain {
		panic(parseFailure{p.tok.off, &Error{Class: "RecursionError", Message: "maximum recursion depth exceeded: the expression is too long"}})
	}
}

// failTag reports a wrong or missing tag (name "").
func (p *Parser) failTag(name string, off int32) {
	msg := "Unexpected end of template."
	if name != "" {
		msg = "Encountered unknown tag " + value.Quote(name) + "."
	}
	if len(p.ends) > 0 {
		quoted := make([]string, 0, 3)
		for _, w := range p.ends[len(p.ends)-1] {
			quoted = append(quoted, value.Quote(w))
		}
		looking := strings.Join(quoted, " or ")
		if name != "" && slices.ContainsFunc(p.ends, func(e []string) bool { return slices.Contains(e, name) }) {
			msg += " You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for " + looking + "."
		} else {
			msg += " Jinja was looking for the following tags: " + looking + "."
		}
	}
	if n := len(p.tags); n > 0 {
		msg += " The innermost block that needs to be closed is " + value.Quote(p.tags[n-1]) + "."
	}
	e := syntaxError("%s", msg)
	if n := len(p.open); n > 0 {
		e.opened = p.open[n-1] + 1
	}
	panic(parseFailure{off, e})
}

// statements reads template text and tags up to one of the closing words,
// which becomes the current token, or to the end of the template.
func (p *Parser) statements(ends []string) []node {
	var body, out []node
	flush := func() {
		if len(out) > 0 {
			body = append(body, &outputStmt{off(out[0].at()), out})
			out = nil
		}
	}
	for {
		switch t := p.tok; t.kind {
		case tData:
			out = append(out, &dataNode{off(t.off), t.text})
			p.next()
		case tVariableBegin:
			p.next()
			out = append(out, p.tuple(tupleOpts{cond: true}))
			p.expect(tVariableEnd)
		case tBlockBegin:
			flush()
			p.next()
			if ends != nil && p.isWord(ends...) {
				return body
			}
			body = append(body, p.statement())
			p.expect(tBlockEnd)
		default:
			flush()
			return body
		}
	}
}

// block reads what stands between a tag and one of its closing words.
func (p *Parser) block(ends ...string) []node {
	p.skip(tColon)
	p.expect(tBlockEnd)
	p.ends = append(p.ends, ends)
	body := p.statements(ends)
	if p.tok.kind == tEOF {
		p.failTag("", p.tok.off)
	}
	p.ends = p.ends[:len(p.ends)-1]
	return body
}

// blockTo is block, with the one closing word read too.
func (p *Parser) blockTo(end string) []node {
	body := p.block(end)
	p.next()
	return body
}

// Expect reads the given word, or fails.
func (p *Parser) Expect(word string) { p.expectName(word) }

// Skip reads the given word if it is the next one, and reports whether it was.
func (p *Parser) Skip(word string) bool { return p.skipName(word) }

// Expr reads an expression.
func (p *Parser) Expr() Expr { return Expr{p.expression(true)} }

// Target reads what can be assigned to: a name, a tuple of names or a
// namespace's attribute.
func (p *Parser) Target() Expr { return Expr{p.target(true)} }

// WithContext reads "with context" or "without context" if it is there.
func (p *Parser) WithContext(otherwise bool) bool { return p.importContext(otherwise) }

// Body reads what stands between the tag and the closing word, and that too.
func (p *Parser) Body(end string) *Body { return &Body{p.blockTo(end)} }

// Fail stops with a TemplateSyntaxError at the current place.
func (p *Parser) Fail(format string, a ...any) { p.fail(p.tok.off, format, a...) }
