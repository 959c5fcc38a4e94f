package apply

import (
	"fmt"
	"slices"
	"strings"

	"pinch/value"
	"pinch/value/py"
)

// A graph is what depends on what. Nodes are chunks; besides, each chunk that
// a prereq names has a node for its test run, and chunks that are run in one
// go (aggregation) share a node.
type graph struct {
	nodes []*node
	tags  map[string]int32
	edges []edge
	pairs map[uint64]int32 // from<<32|to → edge

	// The indexes are made when a requisite first asks for them.
	refs   map[refKey][]int32
	byKind map[string][]string // module → IDs and names, in order, for globs
	byID   bool                // refs has the keys of module "id" too
	bySLS  map[string][]int32
	sls    []string            // keys of bySLS in order
	hollow map[string][]string // SLS without states of their own → what they include
	strict bool                // to require an SLS that leads to no state is a mistake
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
	}
}

func (g *graph) addNode(id string, ch *Chunk) int32 {
	n := int32(len(g.nodes))
	g.nodes = append(g.nodes, &node{id: id, chunk: ch, test: -1, agg: -1})
	g.tags[id] = n
	return n
}

// add puts a chunk into the graph; one of the same tag replaces the chunk.
func (g *graph) add(ch *Chunk) {
	if n, ok := g.tags[ch.Tag]; ok {
		g.nodes[n].chunk = ch
		return
	}
	g.addNode(ch.Tag, ch)
}

// chunkNodes calls f for the nodes that are chunks, and no test runs of such.
func (g *graph) chunkNodes(f func(n int32, ch *Chunk)) {
	for i, nd := range g.nodes {
		if nd.chunk != nil && nd.id == nd.chunk.Tag {
			f(int32(i), nd.chunk)
		}
	}
}

// find are the chunks of a module ("id" for any) that have an ID or name.
func (g *graph) find(mod, name string) []int32 {
	g.index(mod)
	return g.refs[refKey{mod, name}]
}

// words are all IDs and names of a module, in order.
func (g *graph) words(mod string) []string {
	g.index(mod)
	return g.byKind[mod]
}

func (g *graph) index(mod string) {
	if g.refs == nil {
		g.refs, g.byKind = make(map[refKey][]int32, len(g.nodes)), map[string][]string{}
		g.chunkNodes(func(n int32, ch *Chunk) { g.addRefs(ch.State, ch, n) })
		for k, l := range g.refs {
			g.refs[k] = g.setOrder(l)
		}
	}
	if mod == "id" && !g.byID {
		g.byID = true
		g.chunkNodes(func(n int32, ch *Chunk) { g.addRefs("id", ch, n) })
		for _, w := range g.byKind["id"] {
			k := refKey{"id", w}
			g.refs[k] = g.setOrder(g.refs[k])
		}
	}
}

// setOrder puts nodes in the order of a Python set of their tags: Salt keeps
// the targets of a name in one, and a run number may depend on it.
func (g *graph) setOrder(nodes []int32) []int32 {
	if len(nodes) < 2 {
		return nodes
	}
	tags := make([]string, len(nodes))
	for i, n := range nodes {
		tags[i] = g.nodes[n].id
	}
	for i, t := range py.SetOrder(tags) {
		nodes[i] = g.tags[t]
	}
	return nodes
}

func (g *graph) addRefs(mod string, ch *Chunk, n int32) {
	words := [2]string{ch.ID, ch.Name}
	for i, w := range words {
		if i == 1 && w == words[0] {
			break
		}
		k := refKey{mod, w}
		l, ok := g.refs[k]
		if !ok {
			g.byKind[mod] = append(g.byKind[mod], w)
		}
		g.refs[k] = append(l, n)
	}
}

// files are the SLS names, in order; inSLS gives the chunks of one.
func (g *graph) files() []string {
	g.indexSLS()
	return g.sls
}

func (g *graph) inSLS(sls string) []int32 {
	g.indexSLS()
	return g.bySLS[sls]
}

func (g *graph) indexSLS() {
	if g.bySLS != nil {
		return
	}
	g.bySLS = map[string][]int32{}
	g.chunkNodes(func(n int32, ch *Chunk) {
		if ch.SLS != "" {
			g.addSLS(ch.SLS, n)
		}
		for _, s := range items(ch.Low.At("__sls_included_from__")) {
			g.addSLS(value.Str(s), n)
		}
	})
	for _, s := range g.sls {
		g.bySLS[s] = g.setOrder(g.bySLS[s])
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
		for _, s := range g.files() {
			if value.Fnmatch(s, name) {
				g.linkAll(me, test, k, g.inSLS(s))
			}
		}
		return true
	case mod == "sls":
		l := g.inSLS(name)
		g.linkAll(me, test, k, l)
		return len(l) > 0 || g.linkHollow(me, test, k, name, map[string]bool{})
	case isPattern(name):
		found := false
		for _, n := range g.words(mod) {
			if value.Fnmatch(n, name) {
				found = true
				g.linkAll(me, test, k, g.find(mod, n))
			}
		}
		return found
	}
	l := g.find(mod, name)
	g.linkAll(me, test, k, l)
	return len(l) > 0
}

// linkHollow links a chunk to what an SLS includes that has no states itself,
// and reports whether it is such a one: requiring nothing is no mistake.
func (g *graph) linkHollow(me int32, test bool, k Kind, sls string, seen map[string]bool) bool {
	includes, ok := g.hollow[sls]
	seen[sls] = true
	found := false
	for _, s := range includes {
		if l := g.inSLS(s); len(l) > 0 {
			found = true
			g.linkAll(me, test, k, l)
		} else if !seen[s] {
			found = g.linkHollow(me, test, k, s, seen) || found
		}
	}
	return ok && (found || !g.strict)
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
