package apply

import (
	"container/heap"
	"math"
)

// An entry is a node that is ready to run.
type entry struct {
	min, own float64 // the smallest order of its dependants or its own, its own
	label    string
	id       string
	n        int32
}

type ready []entry

func (q ready) Len() int      { return len(q) }
func (q ready) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q ready) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	switch {
	case a.min != b.min:
		return a.min < b.min
	case a.own != b.own:
		return a.own < b.own
	case a.label != b.label:
		return a.label < b.label
	}
	return a.id < b.id
}
func (q *ready) Push(x any) { *q = append(*q, x.(entry)) }
func (q *ready) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// sort puts the chunks in the order in which they run: dependencies first,
// and among those that are ready the one of the smallest order. ok is false
// when there is a cycle. A chunk with a test run comes twice.
func (g *graph) sort(limit float64) (chunks []*Chunk, ok bool) {
	n := len(g.nodes)
	waits := make([]int32, n)
	for i := range g.edges {
		for range g.edges[i].each {
			waits[g.edges[i].to]++
		}
	}
	q := make(ready, 0, n)
	for i := range n {
		if waits[i] == 0 {
			q = append(q, g.entry(int32(i), limit))
		}
	}
	heap.Init(&q)
	groups := aggregator{g: g, groups: map[string][]*group{}}
	chunks = make([]*Chunk, 0, n)
	for len(q) > 0 {
		e := heap.Pop(&q).(entry)
		nd := g.nodes[e.n]
		chunks = append(chunks, nd.chunk)
		if nd.chunk.aggregate {
			groups.add(e.n)
		}
		for _, i := range nd.out {
			ed := &g.edges[i]
			if int(ed.to) >= n {
				continue // an aggregate: it is never run itself
			}
			for range ed.each {
				waits[ed.to]--
			}
			if waits[ed.to] == 0 {
				heap.Push(&q, g.entry(ed.to, limit))
			}
		}
	}
	return chunks, len(chunks) == n
}

// entry works out by what a node is sorted. It settles the chunk's order:
// first is 0, last and negative ones count from the end, names add fractions.
func (g *graph) entry(n int32, limit float64) entry {
	nd := g.nodes[n]
	ch := nd.chunk
	settle(ch, limit)
	o := ch.order
	changed := false
	if ch.nameOrder != 0 {
		o.v += float64(ch.nameOrder) / 10000.0
		o.frac = true
		ch.nameOrder = 0
		changed = true
	}
	if o.v < 0 {
		o.v += limit + 1000000
		changed = true
	}
	if changed {
		ch.setOrder(o)
	}
	least, weight := math.Inf(1), Kind(0)
	for _, i := range nd.out {
		ed := &g.edges[i]
		for k := range ed.each {
			if k < weight {
				continue
			}
			weight = k
			// One that has no order yet, with state_auto_order off, counts
			// for nothing before it is its turn.
			if to := g.nodes[ed.to].chunk; to != nil && (to.order.ok || to.Low.Has("order")) {
				settle(to, limit)
				least = min(least, to.order.v)
			}
		}
	}
	return entry{min: min(o.v, least), own: o.v, label: ch.State + ch.Name + ch.Fun, id: nd.id, n: n}
}

// settle gives a chunk whose order is a word, or missing, a number.
func settle(ch *Chunk, limit float64) {
	if ch.order.ok {
		return
	}
	o := number{limit, true, false}
	switch ch.Low.At("order") {
	case "last":
		o.v += 1000000
	case "first":
		o.v = 0
	}
	ch.setOrder(o)
}
