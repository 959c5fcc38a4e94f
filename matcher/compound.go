package matcher

import (
	"strings"

	"pinch/value"
)

// compound reads an expression of targets, operators and parentheses, each a
// word of its own. Salt writes the answers of the matchers into a text and
// lets Python evaluate it; what Python would refuse is false.
func (m *Minion) compound(expr any) (bool, error) {
	var words []any
	switch e := expr.(type) {
	case string:
		for _, w := range strings.Fields(e) {
			words = append(words, w)
		}
	case *value.List:
		words = append(words, e.Items...)
	case value.Tuple:
		words = append(words, e...)
	default:
		return false, nil
	}
	tokens, ok, err := m.answers(words)
	if !ok || err != nil {
		return false, err
	}
	p := parser{tokens: tokens}
	n := p.or()
	if p.bad || p.i != len(tokens) {
		return false, nil
	}
	v, ok := n.eval()
	return v && ok, nil
}

// answers puts the answer of its matcher in the place of each target.
func (m *Minion) answers(words []any) (tokens []string, ok bool, err error) {
	for len(words) > 0 {
		word, str := words[0].(string)
		if !str {
			return nil, false, value.Errorf("TypeError", "expected string or bytes-like object, got '%s'", value.TypeName(words[0]))
		}
		words = words[1:]
		if isOperator(word) {
			if tokens, ok = addOperator(tokens, word); !ok {
				return nil, false, nil
			}
			continue
		}
		t := parseTarget(word)
		if t.engine == 'N' {
			var group []any
			for _, w := range expandNodegroup(t.pattern, m.Nodegroups, nil) {
				group = append(group, w)
			}
			words = append(group, words...)
			continue
		}
		kind := "glob"
		if t.engine != 0 {
			if kind, ok = engines[t.engine]; !ok {
				return nil, false, nil
			}
		}
		match, err := m.Match(kind, t.pattern, t.delimiter)
		if err != nil {
			return nil, false, err
		}
		if match {
			tokens = append(tokens, "True")
		} else {
			tokens = append(tokens, "False")
		}
	}
	return tokens, true, nil
}

func addOperator(tokens []string, word string) ([]string, bool) {
	if len(tokens) == 0 {
		return append(tokens, word), word == "(" || word == "not"
	}
	last := tokens[len(tokens)-1]
	if last == "(" && (word == "and" || word == "or") {
		return tokens, false
	}
	if word == "not" && last != "and" && last != "or" && last != "(" {
		tokens = append(tokens, "and")
	}
	return append(tokens, word), true
}

// A node is a part of the expression. Its value is only worked out where
// Python would do so, because a call of a truth value (two operands without
// an operator, the second in parentheses) fails only when it is reached.
type node struct {
	op          string // and, or, not, call, empty, True, False
	left, right *node
}

func (n *node) eval() (v, ok bool) {
	switch n.op {
	case "True":
		return true, true
	case "not":
		v, ok = n.left.eval()
		return !v, ok
	case "and", "or":
		v, ok = n.left.eval()
		if !ok || v == (n.op == "or") {
			return v, ok
		}
		return n.right.eval()
	case "call":
		return false, false
	}
	return false, true
}

type parser struct {
	tokens []string
	i      int
	bad    bool
}

func (p *parser) take(word string) bool {
	if p.i < len(p.tokens) && p.tokens[p.i] == word {
		p.i++
		return true
	}
	return false
}

func (p *parser) or() *node {
	n := p.and()
	for p.take("or") {
		n = &node{"or", n, p.and()}
	}
	return n
}

func (p *parser) and() *node {
	n := p.not()
	for p.take("and") {
		n = &node{"and", n, p.not()}
	}
	return n
}

func (p *parser) not() *node {
	if p.take("not") {
		return &node{op: "not", left: p.not()}
	}
	n := p.atom()
	for !p.bad && p.take("(") {
		p.inner()
		n = &node{op: "call"}
	}
	return n
}

func (p *parser) atom() *node {
	switch {
	case p.take("("):
		return p.inner()
	case p.take("True"):
		return &node{op: "True"}
	case p.take("False"):
		return &node{op: "False"}
	}
	p.bad = true
	return &node{}
}

// inner is what stands between parentheses, perhaps nothing.
func (p *parser) inner() *node {
	if p.take(")") {
		return &node{op: "empty"}
	}
	n := p.or()
	if !p.take(")") {
		p.bad = true
	}
	return n
}
