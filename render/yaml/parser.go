package yaml

// document reads the next document and returns its root; ok is false at the
// end of the stream. The first may begin without "---".
func (p *parser) document(first bool) (root int32, ok bool) {
	implicit := first
	if first {
		switch p.peek().typ {
		case tVersion, tTagDirective, tDocStart, tStreamEnd:
			implicit = false
		}
	}
	if implicit {
		return p.node(true, false), true
	}
	if _, ok := p.startDocument(first); !ok {
		return 0, false
	}
	switch t := p.peek(); t.typ {
	case tVersion, tTagDirective, tDocStart, tDocEnd, tStreamEnd:
		return p.empty(t.start), true
	}
	return p.node(true, false), true
}

// startDocument steps over what begins an explicit document and says where it
// was; ok is false at the end of the stream.
func (p *parser) startDocument(first bool) (at mark, ok bool) {
	for !first && p.peek().typ == tDocEnd {
		p.take()
	}
	t := p.peek()
	at = t.start
	if t.typ == tStreamEnd {
		return at, false
	}
	p.directives()
	if t := p.peek(); t.typ != tDocStart {
		p.parseError("", noMark, "did not find expected <document start>", t.start)
	}
	p.take()
	clear(p.anchors)
	return at, true
}

func (p *parser) directives() {
	p.handles = nil
	version := false
	for {
		t := p.peek()
		switch t.typ {
		case tVersion:
			if version {
				p.parseError("", noMark, "found duplicate %YAML directive", t.start)
			}
			if major, minor := p.texts[t.from], p.texts[t.to]; major != "1" || minor != "1" && minor != "2" {
				p.parseError("", noMark, "found incompatible YAML document", t.start)
			}
			version = true
		case tTagDirective:
			handle := p.texts[t.from]
			if _, dup := p.handles[handle]; dup {
				p.parseError("", noMark, "found duplicate %TAG directive", t.start)
			}
			if p.handles == nil {
				p.handles = map[string]string{}
			}
			p.handles[handle] = p.texts[t.to]
		default:
			return
		}
		p.take()
	}
}

func (p *parser) handle(h string) (string, bool) {
	if prefix, ok := p.handles[h]; ok {
		return prefix, true
	}
	switch h {
	case "!":
		return "!", true
	case "!!":
		return tagPrefix, true
	}
	return "", false
}

func (p *parser) parseError(context string, at mark, problem string, pm mark) {
	panic(p.fail("ParserError", context, at, problem, pm))
}

// empty adds the null that stands where nothing is written.
func (p *parser) empty(at mark) int32 { return p.add(node{tag: tagNull, plain: true, at: at}) }

// properties are what stands before a node: anchor and tag.
type properties struct {
	anchor string
	tag    string
	start  mark
	any    bool
}

func (p *parser) properties() properties {
	pr := properties{start: p.peek().start}
	handle, suffix, tagged := "", "", false
	var tagAt mark
	for {
		t := p.peek()
		if t.typ == tAnchor && pr.anchor == "" {
			pr.anchor = p.text[t.from:t.to]
		} else if t.typ == tTag && !tagged {
			handle, suffix, tagged, tagAt = p.texts[t.from], p.texts[t.to], true, t.start
		} else {
			break
		}
		pr.any = true
		p.take()
	}
	if tagged {
		pr.tag = suffix
		if handle != "" {
			prefix, ok := p.handle(handle)
			if !ok {
				p.parseError("while parsing a node", pr.start, "found undefined tag handle", tagAt)
			}
			pr.tag = prefix + suffix
		}
	}
	return pr
}

// node reads one node. block allows block collections; indentless allows the
// items of a sequence in the column of their key.
func (p *parser) node(block, indentless bool) int32 {
	t := p.peek()
	if t.typ == tAlias {
		i, ok := p.anchors[p.text[t.from:t.to]]
		if !ok {
			panic(p.fail("ComposerError", "", noMark, "found undefined alias", t.start))
		}
		p.take()
		return i
	}
	var pr properties
	if t.typ == tAnchor || t.typ == tTag {
		pr = p.properties()
		t = p.peek()
	} else {
		pr.start = t.start
	}
	switch {
	case t.typ == tScalar:
		return p.scalar(pr, t)
	case indentless && t.typ == tBlockEntry:
		return p.collect(seqNode, tagSeq, pr, p.indentlessItems)
	case t.typ == tFlowSeqStart:
		return p.collect(seqNode, tagSeq, pr, p.flowItems)
	case t.typ == tFlowMapStart:
		return p.collect(mapNode, tagMap, pr, p.flowPairs)
	case block && t.typ == tSeqStart:
		return p.collect(seqNode, tagSeq, pr, p.blockItems)
	case block && t.typ == tMapStart:
		return p.collect(mapNode, tagMap, pr, p.blockPairs)
	case pr.any:
		i := p.empty(pr.start)
		if pr.tag == "!" {
			p.nodes[i].tag, p.nodes[i].plain = tagStr, false
		} else if pr.tag != "" {
			p.setTag(i, pr.tag)
		}
		p.anchor(pr, i)
		return i
	}
	context := "while parsing a flow node"
	if block {
		context = "while parsing a block node"
	}
	e := p.fail("ParserError", context, pr.start, "did not find expected node content", t.start)
	panic(e)
}

func (p *parser) scalar(pr properties, t *token) int32 {
	n := node{at: pr.start, own: t.own, from: t.from, to: t.to}
	if pr.tag == "!" || t.plain && pr.tag == "" {
		n.plain = true
		n.tag = resolve(p.textOf(&n))
	}
	p.take()
	i := p.add(n)
	if pr.tag != "" && pr.tag != "!" {
		p.setTag(i, pr.tag)
	}
	if pr.anchor != "" {
		p.anchor(pr, i)
	}
	return i
}

func (p *parser) anchor(pr properties, i int32) {
	if pr.anchor == "" {
		return
	}
	if first, dup := p.anchors[pr.anchor]; dup {
		panic(p.fail("ComposerError", "found duplicate anchor; first occurrence", p.nodes[first].at, "second occurrence", pr.start))
	}
	if p.anchors == nil {
		p.anchors = map[string]int32{}
	}
	p.anchors[pr.anchor] = i
}

// collect reads a collection whose children items puts on the stack.
func (p *parser) collect(kind nodeKind, t tag, pr properties, items func(at mark)) int32 {
	i := p.add(node{kind: kind, tag: t, at: pr.start})
	if pr.tag != "" && pr.tag != "!" {
		p.setTag(i, pr.tag)
	}
	p.anchor(pr, i)
	p.lists++
	base := len(p.stack)
	items(p.peek().start)
	p.nodes[i].from = int32(len(p.kids))
	p.kids = append(p.kids, p.stack[base:]...)
	p.nodes[i].to = int32(len(p.kids))
	p.stack = p.stack[:base]
	return i
}

func (p *parser) child(i int32) { p.stack = append(p.stack, i) }
