package yaml

import (
	"strings"

	"pinch/value"
)

// maxMerged bounds the keys that "<<" may bring into one document.
const maxMerged = 1 << 20

// made is a container and the node it was made of.
type made struct {
	value any
	node  int32
}

// A builder makes the values of one document. As in PyYAML containers are made
// empty and filled later, first come first served: that is the order in which
// the first of several mistakes is found.
type builder struct {
	slab   value.Slab
	shared map[int32]any // values of nodes with an anchor
	queue  []made
	merged int
	boxes  [256]any
}

// construct makes the value of a node.
func (p *parser) construct(root int32) any {
	p.b = builder{slab: p.b.slab, queue: make([]made, 0, p.lists), boxes: p.b.boxes}
	if len(p.anchors) > 0 {
		p.b.shared = make(map[int32]any, len(p.anchors))
		for _, i := range p.anchors {
			p.b.shared[i] = nil
		}
	}
	v := p.build(root)
	for i := 0; i < len(p.b.queue); i++ {
		p.fill(p.b.queue[i])
	}
	return v
}

func (p *parser) children(i int32) []int32 { n := &p.nodes[i]; return p.kids[n.from:n.to] }

// build is the value of a node, still empty when it is a container.
func (p *parser) build(i int32) any {
	if p.b.shared != nil {
		if v, shared := p.b.shared[i]; shared && v != nil {
			return v
		}
	}
	n := &p.nodes[i]
	var v any
	switch n.tag {
	case tagStr:
		if n.kind == scalarNode {
			v = p.box(p.textOf(n))
		} else {
			v = p.scalarText(i)
		}
	case tagMap, tagOmap:
		m := p.b.slab.Map(p.size(n) / 2)
		if p.ordered {
			m.Order()
		}
		v = p.later(m, i)
	case tagSeq:
		v = p.later(p.b.slab.List(p.size(n)), i)
	case tagPairs:
		v = p.later(new(value.List), i)
	case tagSet:
		v = p.later(new(value.Set), i)
	default:
		v = p.scalarValue(i)
	}
	if p.b.shared != nil {
		if _, shared := p.b.shared[i]; shared {
			p.b.shared[i] = v
		}
	}
	return v
}

// size is the number of nodes in a collection.
func (p *parser) size(n *node) int {
	if n.kind == scalarNode {
		return 0 // its tag lies
	}
	return int(n.to - n.from)
}

// box makes a string a value; short texts that come again share one box.
func (p *parser) box(s string) any {
	if len(s) == 0 || len(s) > 24 {
		return s
	}
	h := (uint(len(s))*31 + uint(s[0])*7 + uint(s[len(s)-1])*13 + uint(s[len(s)/2])*101) % uint(len(p.b.boxes))
	if t, ok := p.b.boxes[h].(string); ok && t == s {
		return p.b.boxes[h]
	}
	v := any(s)
	p.b.boxes[h] = v
	return v
}

func (p *parser) later(v any, i int32) any {
	p.b.queue = append(p.b.queue, made{v, i})
	return v
}

func (p *parser) bad(context string, at mark, problem string, i int32) {
	panic(p.fail("ConstructorError", context, at, problem, p.nodes[i].at))
}

// fill puts its contents into a container that build made.
func (p *parser) fill(m made) {
	n := &p.nodes[m.node]
	switch c := m.value.(type) {
	case *value.List:
		if n.tag == tagPairs {
			p.fillPairs(c, m.node)
			return
		}
		if n.kind != seqNode {
			p.bad("", noMark, "expected a sequence node, but found "+n.kind.id(), m.node)
		}
		for _, k := range p.children(m.node) {
			c.Items = append(c.Items, p.build(k))
		}
	case *value.Map:
		p.fillMap(c, m.node)
	case *value.Set:
		keys := new(value.Map)
		p.fillMap(keys, m.node)
		for k := range keys.All() {
			c.Add(k)
		}
	}
}

func (p *parser) fillMap(m *value.Map, i int32) {
	const context = "while constructing a mapping"
	n := &p.nodes[i]
	if n.kind != mapNode {
		p.bad("", noMark, "expected a mapping node, but found "+n.kind.id(), i)
	}
	p.flatten(i)
	kids := p.children(i)
	for k := 0; k+1 < len(kids); k += 2 {
		key := p.build(kids[k])
		switch key.(type) {
		case *value.List, *value.Map, *value.Set:
			p.bad(context, n.at, "found unacceptable key "+p.reprKids(kids[k]), kids[k])
		}
		v := p.build(kids[k+1])
		before := m.Len()
		m.SetKey(key, v)
		if m.Len() == before {
			p.bad(context, n.at, "found conflicting ID '"+value.Str(key)+"'", kids[k])
		}
	}
}

func (p *parser) fillPairs(l *value.List, i int32) {
	const context = "while constructing pairs"
	n := &p.nodes[i]
	if n.kind != seqNode {
		p.bad(context, n.at, "expected a sequence, but found "+n.kind.id(), i)
	}
	for _, k := range p.children(i) {
		if kind := p.nodes[k].kind; kind != mapNode {
			p.bad(context, n.at, "expected a mapping of length 1, but found "+kind.id(), k)
		}
		kids := p.children(k)
		if len(kids) != 2 {
			p.bad(context, n.at, "expected a single mapping item, but found "+value.Str(int64(len(kids)/2))+" items", k)
		}
		key := p.build(kids[0])
		l.Append(value.Tuple{key, p.build(kids[1])})
	}
}

// reprKids is Python's repr of the value of a key that is a collection.
func (p *parser) reprKids(i int32) string {
	n := &p.nodes[i]
	if n.kind == scalarNode {
		return p.textOf(n)
	}
	var b strings.Builder
	p.writeKids(&b, i, 0)
	return b.String()
}

func (p *parser) writeKids(b *strings.Builder, i int32, depth int) {
	b.WriteByte('[')
	kids := p.children(i)
	isMap := p.nodes[i].kind == mapNode
	for k, kid := range kids {
		if k > 0 {
			b.WriteString(", ")
		}
		if isMap && k%2 == 0 {
			b.WriteByte('(')
		}
		p.writeNode(b, kid, depth+1)
		if isMap && k%2 == 1 {
			b.WriteByte(')')
		}
	}
	b.WriteByte(']')
}

func (p *parser) writeNode(b *strings.Builder, i int32, depth int) {
	if depth > 100 || b.Len() > 1<<20 {
		b.WriteString("...")
		return
	}
	n := &p.nodes[i]
	b.WriteString([...]string{"ScalarNode", "SequenceNode", "MappingNode"}[n.kind])
	b.WriteString("(tag=")
	value.QuoteTo(b, p.tagOf(i))
	b.WriteString(", value=")
	if n.kind == scalarNode {
		value.QuoteTo(b, p.textOf(n))
	} else {
		p.writeKids(b, i, depth)
	}
	b.WriteByte(')')
}
