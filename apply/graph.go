package apply

import (
	"fmt"
	"slices"
	"strings"

	"pinch/value"
)

// A graph is what depends on what. Nodes are chunks; besides, each chunk that
// a prereq names has a node for its test run, and chunks that are run in one
// go (aggregation) share a node.
type graph struct {
	nodes []*node
	tags  map[string]int32
	edges []edge
	pairs map[uint64]int32 // from<<32|to → edge

	refs   map[refKey][]int32
	byKind map[string][]string // module → IDs and names, in order, for globs
	bySLS  map[string][]int32
	sls    []string // keys of bySLS in order
}

type refKey struct{ state, name string }

type node struct {
	id    string
	chunk *Chunk
	in    []int32 // edges
	out   []int32

	test    int32   // the node of its test run, -1
	members []int32 // of an aggregate
	agg     int32   // the aggregate it is in, -1
	counted bool    // its order is worked out
}

// An edge is one or more requisites of to on from; kinds are packed four bits
// each, the first lowest, plus one.
type edge struct {
	from, to int32
	kinds    uint64
}

func (e *edge) each(yield func(Kind) bool) {
	for k := e.kinds; k != 0; k >>= 4 {
		if !yield(Kind(k&15 - 1)) {
			return
		}
	}
}

func newGraph(n int) *graph {
	return &graph{
		nodes: make([]*node, 0, n), tags: make(map[string]int32, n), pairs: map[uint64]int32{},
		refs: make(map[refKey][]int32, 2*n), byKind: map[string][]string{}, bySLS: map[string][]int32{},
	}
}

func (g *graph) addNode(id string, ch *Chunk) int32 {
	n := int32(len(g.nodes))
	g.nodes = append(g.nodes, &node{id: id, chunk: ch, test: -1, agg: -1})
	g.tags[id] = n
	return n
}

// add puts a chunk into the graph and its indexes; one of the same tag
// replaces the chunk.
func (g *graph) add(ch *Chunk) {
	n, ok := g.tags[ch.Tag]
	if ok {
		g.nodes[n].chunk = ch
	} else {
		n = g.addNode(ch.Tag, ch)
	}
	name := ch.Name
	if _, str := ch.Low.At("name").(string); !str {
		name = ""
	}
	for _, k := range [...]refKey{{ch.State, name}, {ch.State, ch.ID}, {"id", ch.ID}, {"id", name}} {
		g.addRef(k, n)
	}
	if ch.SLS != "" {
		g.addSLS(ch.SLS, n)
	}
	for _, s := range items(ch.Low.At("__sls_included_from__")) {
		g.addSLS(value.Str(s), n)
	}
}

func (g *graph) addRef(k refKey, n int32) {
	l, ok := g.refs[k]
	if !ok {
		g.byKind[k.state] = append(g.byKind[k.state], k.name)
	}
	if len(l) == 0 || l[len(l)-1] != n {
		g.refs[k] = append(l, n)
	}
}

func (g *graph) addSLS(sls string, n int32) {
	l, ok := g.bySLS[sls]
	if !ok {
		g.sls = append(g.sls, sls)
	}
	if len(l) == 0 || l[len(l)-1] != n {
		g.bySLS[sls] = append(l, n)
	}
}

// link says that to has a requisite of kind k on from.
func (g *graph) link(from, to int32, k Kind) {
	key := uint64(from)<<32 | uint64(to)
	i, ok := g.pairs[key]
	if !ok {
		i = int32(len(g.edges))
		g.edges = append(g.edges, edge{from: from, to: to})
		g.pairs[key] = i
		g.nodes[from].out = append(g.nodes[from].out, i)
		g.nodes[to].in = append(g.nodes[to].in, i)
	}
	e := &g.edges[i]
	shift := 0
	for have := range e.each {
		if have == k {
			return
		}
		shift += 4
	}
	e.kinds |= uint64(k+1) << shift
}

// addRequisites links a chunk to all that its requisites name. It returns
// Salt's text for the first that names nothing, and the reference itself.
func (g *graph) addRequisites(ch *Chunk, disabled []string) (string, any, Kind) {
	for _, k := range linked {
		for _, r := range items(ch.Low.At(k.String())) {
			if slices.Contains(disabled, k.String()) {
				break
			}
			mod, v := "id", r
			if m, ok := r.(*value.Map); ok {
				key, val := first(m)
				mod, v = value.Str(key), val
				mod, _, _ = strings.Cut(mod, ".")
			}
			if v == nil {
				continue
			}
			name, ok := v.(string)
			if !ok {
				return fmt.Sprintf("Requisite [%s: %s] in state [%s] in SLS [%s] must have a string as the value", k, mod, ch.Name, none(ch.SLS)), r, k
			}
			if !g.require(ch, k, mod, name) {
				return fmt.Sprintf("Referenced state does not exist for requisite [%s: (%s: %s)] in state [%s] in SLS [%s]", k, mod, name, ch.Name, none(ch.SLS)), r, k
			}
		}
	}
	return "", nil, 0
}

func none(s string) string { return or(s, "None") }

func isPattern(s string) bool { return strings.ContainsAny(s, "*?[]") }

// require links a chunk to what one reference names, and reports whether
// there is such a thing.
func (g *graph) require(ch *Chunk, k Kind, mod, name string) bool {
	me := g.tags[ch.Tag]
	test := ch.prereq
	switch {
	case mod == "sls" && isPattern(name):
		for _, s := range g.sls {
			if value.Fnmatch(s, name) {
				g.linkAll(me, test, k, g.bySLS[s])
			}
		}
		return true
	case mod == "sls":
		g.linkAll(me, test, k, g.bySLS[name])
		return len(g.bySLS[name]) > 0
	case isPattern(name):
		found := false
		for _, n := range g.byKind[mod] {
			if value.Fnmatch(n, name) {
				found = true
				g.linkAll(me, test, k, g.refs[refKey{mod, n}])
			}
		}
		return found
	}
	l := g.refs[refKey{mod, name}]
	g.linkAll(me, test, k, l)
	return len(l) > 0
}

func (g *graph) linkAll(me int32, test bool, k Kind, targets []int32) {
	for _, t := range targets {
		if k == Prereq {
			g.prereq(me, t)
			continue
		}
		if n := g.nodes[me].test; test && n >= 0 {
			g.link(t, n, k)
		}
		g.link(t, me, k)
	}
}
