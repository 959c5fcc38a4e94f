package apply

import (
	"fmt"

	"pinch/value"
)

// mayAggregate reports whether a chunk may be run together with others of its
// module: the option state_aggregate (true, or a list of modules) or the
// state's own aggregate says so, and the module can do it.
func (p *Compiler) mayAggregate(ch *Chunk, opt any) bool {
	if own, ok := ch.Low.Get("aggregate"); ok {
		opt = own
	}
	allowed := false
	switch o := opt.(type) {
	case bool:
		allowed = o
	case *value.List, value.Tuple:
		for _, it := range items(o) {
			allowed = allowed || value.Equal(it, ch.State)
		}
	case *value.Map:
		allowed = o.Has(ch.State)
	}
	if !allowed {
		return false
	}
	k := p.lookup(ch.State, ch.Fun)
	return k.err == nil && k.mod.Aggregate != nil
}

// A group are chunks of one module with no path between them.
type group struct {
	members []int32
	node    int32 // of the aggregate, -1 while there is one member
}

// The aggregator finds the groups while the nodes come in order.
type aggregator struct {
	g      *graph
	groups map[string][]*group
}

const maxGroup = 500

func (a *aggregator) add(n int32) {
	g := a.g
	mod := g.nodes[n].chunk.State
	for i, gr := range a.groups[mod] {
		if len(gr.members) >= maxGroup {
			continue
		}
		from := gr.node
		if from < 0 {
			from = gr.members[0]
		}
		if g.reaches(from, n) {
			continue
		}
		if gr.node < 0 {
			gr.node = g.addNode(fmt.Sprintf("__aggregate_%s_%d__", mod, i), nil)
			g.copyEdges(gr.members[0], gr.node)
			g.nodes[gr.members[0]].agg = gr.node
		}
		g.copyEdges(n, gr.node)
		g.nodes[n].agg = gr.node
		gr.members = append(gr.members, n)
		g.nodes[gr.node].members = gr.members
		return
	}
	a.groups[mod] = append(a.groups[mod], &group{members: []int32{n}, node: -1})
}

func (g *graph) copyEdges(from, to int32) {
	for _, i := range g.nodes[from].in {
		src := g.edges[i].from
		for k := range g.edges[i].each {
			g.link(src, to, k)
		}
	}
	for _, i := range g.nodes[from].out {
		dst := g.edges[i].to
		for k := range g.edges[i].each {
			g.link(to, dst, k)
		}
	}
}

// reaches reports whether there is a path.
func (g *graph) reaches(from, to int32) bool {
	if len(g.nodes[to].in) == 0 || len(g.nodes[from].out) == 0 {
		return from == to
	}
	seen := map[int32]bool{}
	stack := []int32{from}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n == to {
			return true
		}
		if seen[n] {
			continue
		}
		seen[n] = true
		for _, i := range g.nodes[n].out {
			stack = append(stack, g.edges[i].to)
		}
	}
	return false
}

// together are the chunks that are run in one go with ch, itself among them.
func (g *graph) together(ch *Chunk) []*Chunk {
	n, ok := g.tags[ch.Tag]
	if !ok || g.nodes[n].agg < 0 {
		return nil
	}
	var out []*Chunk
	for _, m := range g.nodes[g.nodes[n].agg].members {
		out = append(out, g.nodes[m].chunk)
	}
	return out
}

// widen lets the module add to a chunk, whose turn it is, what later chunks of
// its group ask for (mod_aggregate).
func (r *runner) widen(ch *Chunk) {
	if !ch.aggregate || ch.Low.Truth("__agg__") {
		return
	}
	chunks := r.g.together(ch)
	if len(chunks) == 0 {
		return
	}
	k := r.p.lookup(ch.State, ch.Fun)
	if k.err != nil || k.mod.Aggregate == nil {
		return
	}
	lows := make([]*value.Map, len(chunks))
	for i, c := range chunks {
		lows[i] = c.Low
	}
	ch.Low.Set("__agg__", true)
	if low := k.mod.Aggregate(r.ctx(ch), ch.Low, lows, r.running); low != nil {
		ch.Low = low
	}
}
