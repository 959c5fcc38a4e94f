package yaml

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	seqNode
	mapNode
)

func (k nodeKind) id() string { return [...]string{"scalar", "sequence", "mapping"}[k] }

// A tag is one of those that Salt can construct, or tagOther.
type tag uint8

const (
	tagStr tag = iota
	tagNull
	tagBool
	tagInt
	tagFloat
	tagTimestamp
	tagBinary
	tagMerge
	tagValue
	tagSeq
	tagMap
	tagSet
	tagOmap
	tagPairs
	tagUnicode
	tagOther
)

const tagPrefix = "tag:yaml.org,2002:"

var tagNames = [...]string{"str", "null", "bool", "int", "float", "timestamp", "binary", "merge", "value",
	"seq", "map", "set", "omap", "pairs", "python/unicode"}

// A node is one part of the document; nodes refer to each other by number.
// They hold no pointers, so that the many of a large text cost the garbage
// collector nothing.
type node struct {
	kind  nodeKind
	tag   tag
	plain bool // a scalar whose tag comes from its text
	own   bool // a scalar whose text is not a part of the document: scanner.texts[from]
	// A collection's nodes are parser.kids[from:to], a mapping has keys and
	// values in turn. A scalar's text is scanner.text[from:to].
	from, to int32
	at       mark
}

// A parser turns tokens into nodes. Its rules and complaints are libyaml's
// parser's and PyYAML's composer's.
type parser struct {
	scanner
	nodes   []node
	kids    []int32
	stack   []int32 // children of collections still open
	anchors map[string]int32
	handles map[string]string
	others  map[int32]string // the tags that are not known
	b       builder
	lists   int  // collections so far
	ordered bool // maps are OrderedDicts
}

func (p *parser) add(n node) int32 {
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

// tagOf is the full tag of a node.
func (p *parser) tagOf(i int32) string {
	n := &p.nodes[i]
	if n.tag == tagOther {
		return p.others[i]
	}
	t := n.tag
	if t == tagStr && n.plain && timestamp(p.textOf(n)) {
		t = tagTimestamp
	}
	return tagPrefix + tagNames[t]
}

// setTag gives node i an explicit tag.
func (p *parser) setTag(i int32, full string) {
	n := &p.nodes[i]
	n.plain = false
	n.tag = tagOther
	if len(full) > len(tagPrefix) && full[:len(tagPrefix)] == tagPrefix {
		for t, name := range tagNames {
			if full[len(tagPrefix):] == name {
				n.tag = tag(t)
				return
			}
		}
	}
	if p.others == nil {
		p.others = map[int32]string{}
	}
	p.others[i] = full
}

// textOf is the text of a scalar.
func (p *parser) textOf(n *node) string {
	if n.own {
		return p.texts[n.from]
	}
	return p.text[n.from:n.to]
}
