package yaml

// The readers of collections put children on the parser's stack. Their first
// token is still to be taken, but for indentlessItems.

func (p *parser) blockItems(at mark) {
	p.take()
	for {
		t := p.peek()
		switch t.typ {
		case tBlockEntry:
			end := t.end
			p.take()
			if t := p.peek(); t.typ == tBlockEntry || t.typ == tBlockEnd {
				p.child(p.empty(end))
			} else {
				p.child(p.node(true, false))
			}
		case tBlockEnd:
			p.take()
			return
		default:
			p.parseError("while parsing a block collection", at, "did not find expected '-' indicator", t.start)
		}
	}
}

func (p *parser) indentlessItems(mark) {
	for p.peek().typ == tBlockEntry {
		end := p.peek().end
		p.take()
		switch p.peek().typ {
		case tBlockEntry, tKey, tValue, tBlockEnd:
			p.child(p.empty(end))
		default:
			p.child(p.node(true, false))
		}
	}
}

func (p *parser) blockPairs(at mark) {
	p.take()
	for {
		t := p.peek()
		switch t.typ {
		case tKey:
			end := t.end
			p.take()
			p.child(p.blockPart(end))
		case tBlockEnd:
			p.take()
			return
		default:
			p.parseError("while parsing a block mapping", at, "did not find expected key", t.start)
		}
		t = p.peek()
		if t.typ != tValue {
			p.child(p.empty(t.start))
			continue
		}
		end := t.end
		p.take()
		p.child(p.blockPart(end))
	}
}

// blockPart reads the key or value that follows its indicator.
func (p *parser) blockPart(end mark) int32 {
	switch p.peek().typ {
	case tKey, tValue, tBlockEnd:
		return p.empty(end)
	}
	return p.node(true, true)
}

func (p *parser) flowItems(at mark) {
	p.take()
	for first := true; ; first = false {
		t := p.peek()
		if t.typ != tFlowSeqEnd && !first {
			if t.typ != tFlowEntry {
				p.parseError("while parsing a flow sequence", at, "did not find expected ',' or ']'", t.start)
			}
			p.take()
			t = p.peek()
		}
		switch t.typ {
		case tFlowSeqEnd:
			p.take()
			return
		case tKey:
			p.child(p.collect(mapNode, tagMap, properties{start: t.start}, p.flowSinglePair))
		default:
			p.child(p.node(false, false))
		}
	}
}

// flowSinglePair reads "key: value" as an item of a flow sequence.
func (p *parser) flowSinglePair(mark) {
	p.take()
	switch t := p.peek(); t.typ {
	case tValue, tFlowEntry, tFlowSeqEnd:
		p.child(p.empty(t.end))
		if t.typ != tFlowSeqEnd {
			p.take() // as libyaml does: the token after an empty key is lost
		}
	default:
		p.child(p.node(false, false))
	}
	t := p.peek()
	if t.typ == tValue {
		p.take()
		if t = p.peek(); t.typ != tFlowEntry && t.typ != tFlowSeqEnd {
			p.child(p.node(false, false))
			return
		}
	}
	p.child(p.empty(t.start))
}

func (p *parser) flowPairs(at mark) {
	p.take()
	for first := true; ; first = false {
		t := p.peek()
		if t.typ != tFlowMapEnd && !first {
			if t.typ != tFlowEntry {
				p.parseError("while parsing a flow mapping", at, "did not find expected ',' or '}'", t.start)
			}
			p.take()
			t = p.peek()
		}
		switch t.typ {
		case tFlowMapEnd:
			p.take()
			return
		case tKey:
			p.take()
			p.child(p.flowPart())
			p.flowValue()
		default:
			p.child(p.node(false, false))
			p.child(p.empty(p.peek().start))
		}
	}
}

// flowPart reads the key or value of a flow mapping.
func (p *parser) flowPart() int32 {
	switch t := p.peek(); t.typ {
	case tValue, tFlowEntry, tFlowMapEnd:
		return p.empty(t.start)
	}
	return p.node(false, false)
}

func (p *parser) flowValue() {
	t := p.peek()
	if t.typ != tValue {
		p.child(p.empty(t.start))
		return
	}
	p.take()
	if t = p.peek(); t.typ == tFlowEntry || t.typ == tFlowMapEnd {
		p.child(p.empty(t.start))
		return
	}
	p.child(p.node(false, false))
}
