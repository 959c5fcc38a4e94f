package yaml

// flatten takes the "<<" keys out of a mapping and puts what they refer to
// before its own keys, but for those that it has itself.
func (p *parser) flatten(i int32) {
	const context = "while constructing a mapping"
	n := &p.nodes[i]
	kids := p.children(i)
	merges := false
	for k := 0; k < len(kids); k += 2 {
		switch t := &p.nodes[kids[k]].tag; *t {
		case tagMerge:
			merges = true
		case tagValue:
			*t = tagStr
		}
	}
	if !merges {
		return
	}
	var own, merge []int32
	for k := 0; k < len(kids); k += 2 {
		if p.nodes[kids[k]].tag != tagMerge {
			own = append(own, kids[k], kids[k+1])
			continue
		}
		// A mapping that merges itself sees what is left of it.
		p.setKids(i, append(append([]int32(nil), own...), kids[k+2:]...))
		v := kids[k+1]
		switch p.nodes[v].kind {
		case mapNode:
			p.flatten(v)
			merge = append(merge, p.children(v)...)
		case seqNode:
			var parts [][]int32
			for _, sub := range p.children(v) {
				if kind := p.nodes[sub].kind; kind != mapNode {
					p.bad(context, n.at, "expected a mapping for merging, but found "+kind.id(), sub)
				}
				p.flatten(sub)
				parts = append(parts, p.children(sub))
			}
			for j := len(parts) - 1; j >= 0; j-- {
				merge = append(merge, parts[j]...)
			}
		default:
			p.bad(context, n.at, "expected a mapping or list of mappings for merging, but found "+p.nodes[v].kind.id(), v)
		}
		if p.b.merged += len(merge); p.b.merged > maxMerged {
			p.bad(context, n.at, "found too many merged keys", v)
		}
	}
	p.setKids(i, p.mergeKids(own, merge))
}

// mergeKids puts those of merge first whose key is not among own's; keys are
// compared by what is written, not by value.
func (p *parser) mergeKids(own, merge []int32) []int32 {
	texts := map[string]bool{}
	var others []int32
	for k := 0; k < len(own); k += 2 {
		if n := &p.nodes[own[k]]; n.kind == scalarNode {
			texts[p.textOf(n)] = true
		} else {
			others = append(others, own[k])
		}
	}
	all := make([]int32, 0, len(own)+len(merge))
	for k := 0; k < len(merge); k += 2 {
		if n := &p.nodes[merge[k]]; n.kind == scalarNode && texts[p.textOf(n)] || n.kind != scalarNode && p.sameKids(others, merge[k]) {
			continue
		}
		all = append(all, merge[k], merge[k+1])
	}
	return append(all, own...)
}

func (p *parser) sameKids(others []int32, i int32) bool {
	kids := p.children(i)
	for _, o := range others {
		have := p.children(o)
		same := len(have) == len(kids) && (len(kids) == 0 || p.nodes[o].kind == p.nodes[i].kind)
		for k := 0; same && k < len(kids); k++ {
			same = kids[k] == have[k]
		}
		if same {
			return true
		}
	}
	return false
}

func (p *parser) setKids(i int32, kids []int32) {
	n := &p.nodes[i]
	n.from = int32(len(p.kids))
	p.kids = append(p.kids, kids...)
	n.to = int32(len(p.kids))
}
