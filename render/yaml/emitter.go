package yaml

import (
	"fmt"
	"unicode/utf8"

	"pinch/value"
)

// An emitter writes events as libyaml's does. Where it breaks lines depends on
// its state: the column, and whether it stands behind white space or in the
// indentation.
type emitter struct {
	o         DumpOptions
	b         []byte
	step      int
	width     int
	lineBreak string

	indent     int
	column     int
	flowLevel  int
	whitespace bool
	indention  bool
	openEnded  bool
	anchors    map[any]int
	written    map[any]bool
	stack      []pair // the pairs of the maps that are being written
}

// context is where a node stands.
type context uint8

const (
	inRoot context = iota
	inSequence
	inMapping
	inSimpleKey
)

func (e *emitter) document(v any) {
	e.whitespace, e.indention = true, true
	if e.o.Version != "" {
		e.indicator("%YAML", true, false, false)
		e.indicator(e.o.Version, true, false, false)
		e.writeIndent()
	}
	if e.o.ExplicitStart || e.o.Canonical || e.o.Version != "" {
		e.writeIndent()
		e.indicator("---", true, false, false)
		if e.o.Canonical {
			e.writeIndent()
		}
	}
	e.node(v, inRoot)
	e.writeIndent()
	if e.o.ExplicitEnd || e.openEnded {
		e.indicator("...", true, false, false)
		e.writeIndent()
	}
}

func (e *emitter) put(s string) {
	e.b = append(e.b, s...)
	e.column += len(s)
}

func (e *emitter) putByte(c byte) {
	e.b = append(e.b, c)
	e.column++
}

func (e *emitter) putBreak() {
	e.b = append(e.b, e.lineBreak...)
	e.column = 0
}

func (e *emitter) indicator(s string, needSpace, isSpace, isIndention bool) {
	if needSpace && !e.whitespace {
		e.putByte(' ')
	}
	e.put(s)
	e.whitespace = isSpace
	e.indention = e.indention && isIndention
}

func (e *emitter) writeIndent() {
	indent := max(e.indent, 0)
	if !e.indention || e.column > indent || e.column == indent && !e.whitespace {
		e.putBreak()
	}
	for e.column < indent {
		e.putByte(' ')
	}
	e.whitespace, e.indention = true, true
}

// deeper sets the indentation of a collection or scalar and returns the old.
func (e *emitter) deeper(flow, indentless bool) (old int) {
	old = e.indent
	switch {
	case e.indent < 0 && flow:
		e.indent = e.step
	case e.indent < 0:
		e.indent = 0
	case !indentless:
		e.indent += e.step
	}
	return old
}

func (e *emitter) node(v any, c context) {
	t, scalar := e.represent(v)
	if scalar {
		e.scalar(t, c)
		return
	}
	if e.anchors != nil && e.anchored(v, c) {
		return
	}
	switch v := v.(type) {
	case *value.List:
		e.sequence(v.Items, c)
	case value.Tuple:
		e.sequence(v, c)
	case *value.Map:
		if e.o.Canonical {
			e.tag(tagMap)
		}
		e.mapping(v)
	case *value.Set:
		e.tag(tagSet)
		e.mapping(v)
	}
}

// anchored writes the anchor of a shared container at its first place, and
// its alias, which is all, at the others.
func (e *emitter) anchored(v any, c context) (alias bool) {
	id := identity(v)
	if n := e.anchors[id]; id != nil && n > 0 {
		if e.written[id] {
			e.indicator(fmt.Sprintf("*id%03d", n), true, false, false)
			if c == inSimpleKey {
				e.putByte(' ')
			}
			return true
		}
		if e.written == nil {
			e.written = map[any]bool{}
		}
		e.written[id] = true
		e.indicator(fmt.Sprintf("&id%03d", n), true, false, false)
	}
	return false
}

// plainly reports that a value in a collection does not force block style.
func (e *emitter) plainly(v any) bool {
	switch v.(type) {
	case *value.List, *value.Map, *value.Set, value.Tuple, []byte:
		return false
	}
	return e.o.Style == 0
}

func (e *emitter) flows(best func() bool) bool {
	if e.flowLevel > 0 || e.o.Canonical {
		return true
	}
	switch e.o.Flow {
	case Flow:
		return true
	case Block:
		return false
	}
	return best()
}

func (e *emitter) sequence(items []any, c context) {
	if e.o.Canonical {
		e.tag(tagSeq)
	}
	flow := len(items) == 0 || e.flows(func() bool {
		for _, it := range items {
			if !e.plainly(it) {
				return false
			}
		}
		return true
	})
	if flow {
		e.flowSequence(items)
		return
	}
	inMap := c == inMapping || c == inSimpleKey
	old := e.deeper(false, inMap && !e.indention)
	for _, it := range items {
		e.writeIndent()
		e.indicator("-", true, false, true)
		e.node(it, inSequence)
	}
	e.indent = old
}

func (e *emitter) flowSequence(items []any) {
	e.indicator("[", true, true, false)
	old := e.deeper(true, false)
	e.flowLevel++
	for i, it := range items {
		if i > 0 {
			e.indicator(",", false, false, false)
		}
		if e.o.Canonical || e.column > e.width {
			e.writeIndent()
		}
		e.node(it, inSequence)
	}
	e.closeFlow("]", old, len(items) > 0)
}

func (e *emitter) closeFlow(end string, old int, any bool) {
	e.flowLevel--
	e.indent = old
	if e.o.Canonical && any {
		e.indicator(",", false, false, false)
		e.writeIndent()
	}
	e.indicator(end, false, false, false)
}

func (e *emitter) mapping(v any) {
	base := len(e.stack)
	e.pairsOf(e.pairs(v))
	e.stack = e.stack[:base]
}

func (e *emitter) pairsOf(pairs []pair) {
	flow := len(pairs) == 0 || e.flows(func() bool {
		for _, p := range pairs {
			if !e.plainly(p.key) || !e.plainly(p.val) {
				return false
			}
		}
		return true
	})
	if flow {
		e.flowMapping(pairs)
		return
	}
	old := e.deeper(false, false)
	for _, p := range pairs {
		e.writeIndent()
		if e.simpleKey(p.key) {
			e.node(p.key, inSimpleKey)
			e.indicator(":", false, false, false)
		} else {
			e.indicator("?", true, false, true)
			e.node(p.key, inMapping)
			e.writeIndent()
			e.indicator(":", true, false, true)
		}
		e.node(p.val, inMapping)
	}
	e.indent = old
}

func (e *emitter) flowMapping(pairs []pair) {
	e.indicator("{", true, true, false)
	old := e.deeper(true, false)
	e.flowLevel++
	for i, p := range pairs {
		if i > 0 {
			e.indicator(",", false, false, false)
		}
		if e.o.Canonical || e.column > e.width {
			e.writeIndent()
		}
		if !e.o.Canonical && e.simpleKey(p.key) {
			e.node(p.key, inSimpleKey)
			e.indicator(":", false, false, false)
		} else {
			e.indicator("?", true, false, false)
			e.node(p.key, inMapping)
			if e.o.Canonical || e.column > e.width {
				e.writeIndent()
			}
			e.indicator(":", true, false, false)
		}
		e.node(p.val, inMapping)
	}
	e.closeFlow("}", old, len(pairs) > 0)
}

// simpleKey reports that a key needs no "?": it is short and on one line.
func (e *emitter) simpleKey(k any) bool {
	n := 0
	if t, ok := e.represent(k); ok {
		for i := range len(t.s) {
			if t.s[i] == '\n' || t.s[i] == '\r' || t.s[i] >= 0xc2 && lineBreakAt(t.s[i:]) > 0 {
				return false
			}
		}
		n = len(t.s)
		if t.tag == tagBinary {
			n += len("!!binary")
		}
		return n <= 128
	}
	if id := identity(k); id != nil && e.written[id] {
		return true
	}
	l, _ := value.Len(k)
	return l == 0
}

func (e *emitter) tag(t tag) {
	if !e.whitespace {
		e.putByte(' ')
	}
	e.put("!!" + tagNames[t])
	e.whitespace, e.indention = false, false
}

func lineBreakAt(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch r {
	case '\n', '\r', 0x85, 0x2028, 0x2029:
		return n
	}
	return 0
}
