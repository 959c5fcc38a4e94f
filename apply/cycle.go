package apply

import (
	"fmt"
	"strings"
)

// A step is one edge of a cycle.
type step struct {
	from, to int32
	kind     Kind
}

// cycle finds a cycle by going down from each node in turn; nil if there is
// none.
func (g *graph) cycle() []step {
	const white, gray, black = 0, 1, 2
	color := make([]uint8, len(g.nodes))
	came := make([]step, len(g.nodes))
	var visit func(n int32) []step
	visit = func(n int32) []step {
		color[n] = gray
		for _, i := range g.nodes[n].out {
			e := &g.edges[i]
			for k := range e.each {
				switch color[e.to] {
				case gray:
					path := []step{{n, e.to, k}}
					for at := n; at != e.to; at = came[at].from {
						path = append([]step{came[at]}, path...)
					}
					return path
				case white:
					came[e.to] = step{n, e.to, k}
					if path := visit(e.to); path != nil {
						return path
					}
				}
			}
		}
		color[n] = black
		return nil
	}
	for n := range g.nodes {
		if color[n] == white {
			if path := visit(int32(n)); path != nil {
				return path
			}
		}
	}
	return nil
}

// dot writes the graph in the language of Graphviz.
func (g *graph) dot() string {
	lines := []string{"digraph G {"}
	for _, n := range g.nodes {
		switch ch := n.chunk; {
		case ch != nil:
			label := ch.State + "." + ch.Fun + `\n` + ch.ID
			if ch.Name != ch.ID {
				label += `\n(` + ch.Name + ")"
			}
			lines = append(lines, fmt.Sprintf(`  "%s" [label="%s"];`, n.id, label))
		default:
			mod := g.nodes[n.members[0]].chunk.State
			lines = append(lines, fmt.Sprintf(`  "%s" [label="Aggregate %s", shape=box];`, n.id, mod))
		}
	}
	for _, n := range g.nodes {
		for _, i := range n.out {
			e := &g.edges[i]
			for k := range e.each {
				lines = append(lines, fmt.Sprintf(`  "%s" -> "%s" [label="%s"];`, n.id, g.nodes[e.to].id, k))
			}
		}
	}
	return strings.Join(append(lines, "}"), "\n")
}
