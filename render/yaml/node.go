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
type node struct {
	kind     nodeKind
	tag      tag
	plain    bool  // a scalar whose tag comes from its text
	from, to int32 // of a collection: its nodes in parser.kids, a mapping has keys and values in turn
	at       mark
	text     string // of a scalar
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
	keep    bool   // remember places
	made    []made // all containers, when places are kept
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
	if t == tagStr && n.plain && timestamp(n.text) {
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
