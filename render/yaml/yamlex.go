package yaml

import "pinch/value"

// LoadEx reads a document of yamlex, Salt's YAML whose keys may stand twice:
// what is tagged !aggregate is then joined, the last one counts for the rest,
// and a key tagged !reset drops what stood before. The marks are those of the
// containers that were tagged. It fails with an *Error.
func LoadEx(text string) (v any, marks value.Marks, err error) {
	p := newParser("", text)
	marks = value.Marks{}
	err = p.guard(text, func() {
		root, ok := p.document(true)
		if !ok {
			return
		}
		x := &exBuilder{p: p, marks: marks}
		p.b = builder{slab: p.b.slab, boxes: p.b.boxes}
		v = x.build(root)
	})
	return v, marks, err
}

type exBuilder struct {
	p     *parser
	marks value.Marks
	depth int
}

const (
	aggregateTag = "!aggregate"
	resetTag     = "!reset"
)

// build is the value of a node, whole.
func (x *exBuilder) build(i int32) any {
	switch x.p.tagOf(i) {
	case aggregateTag:
		return x.aggregated(x.plain(i))
	case resetTag:
		return x.plain(i)
	}
	return x.construct(i)
}

// plain is the value of a node as if it had no tag.
func (x *exBuilder) plain(i int32) any {
	n := &x.p.nodes[i]
	if n.tag == tagOther {
		switch n.kind {
		case mapNode:
			n.tag = tagMap
		case seqNode:
			n.tag = tagSeq
		default:
			n.tag, n.plain = resolve(x.p.textOf(n)), true
		}
		defer func(t string) { x.p.setTag(i, t) }(x.p.others[i])
	}
	return x.construct(i)
}

// aggregated marks a value; what is no container becomes a list of it.
func (x *exBuilder) aggregated(v any) any {
	switch c := v.(type) {
	case *value.Map, *value.List:
		x.marks[c] = true
		return v
	case nil:
		v = new(value.List)
	default:
		v = value.L(v)
	}
	x.marks[v] = true
	return v
}

// deepest bounds the nesting, and so the stack.
const deepest = 2000

func (x *exBuilder) construct(i int32) any {
	n := &x.p.nodes[i]
	if x.depth++; x.depth > deepest {
		x.p.bad("", noMark, "the document is nested too deeply", i)
	}
	defer func() { x.depth-- }()
	switch n.tag {
	case tagMap, tagOmap:
		m := new(value.Map)
		x.fill(m, i)
		return m
	case tagSeq:
		l := new(value.List)
		for _, k := range x.p.children(i) {
			l.Append(x.build(k))
		}
		return l
	case tagStr:
		return x.p.scalarText(i)
	case tagPairs, tagSet:
		x.p.bad("", noMark, "could not determine a constructor for the tag '"+x.p.tagOf(i)+"'", i)
	}
	return x.p.scalarValue(i)
}

func (x *exBuilder) fill(m *value.Map, i int32) {
	if kind := x.p.nodes[i].kind; kind != mapNode {
		x.p.bad("", noMark, "expected a mapping node, but found "+kind.id(), i)
	}
	x.p.flatten(i)
	kids := x.p.children(i)
	for k := 0; k+1 < len(kids); k += 2 {
		tagged := x.p.tagOf(kids[k])
		var key any
		if tagged == aggregateTag || tagged == resetTag {
			key = x.plain(kids[k])
		} else {
			key = x.construct(kids[k])
		}
		if _, err := value.HashKey(key); err != nil {
			x.p.bad("", noMark, "found unacceptable key", kids[k])
		}
		v := x.build(kids[k+1])
		if tagged == aggregateTag {
			v = x.aggregated(v)
		}
		if old, ok := m.GetKey(key); ok && tagged != resetTag {
			v = value.Aggregate(old, v, 0, x.marks)
		}
		m.SetKey(key, v)
	}
}
