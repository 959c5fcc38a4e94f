package apply

import (
	"fmt"
	"strings"
)

// An Edge is one requisite: To has one of Kind on From.
type Edge struct {
	From, To *Chunk
	Kind     Kind
}

// Edges are the requisites of a plan. The test run of a prereq is its chunk,
// and the edge back that a prereq makes is left out.
func (pl *Plan) Edges() []Edge {
	var out []Edge
	g := pl.graph
	for _, n := range g.nodes {
		if n.chunk == nil || strings.HasSuffix(n.id, testSuffix) {
			continue
		}
		for _, i := range n.in {
			e := &g.edges[i]
			from := g.nodes[e.from].chunk
			if from == nil {
				continue
			}
			for k := range e.each {
				if k == Require && !n.chunk.Low.Has("require") && !n.chunk.Low.Has("require_any") {
					continue
				}
				out = append(out, Edge{from, n.chunk, k})
			}
		}
	}
	return out
}

// numbered gives each chunk of a plan its place in the run.
func (pl *Plan) numbered() ([]*Chunk, map[*Chunk]int) {
	at := map[*Chunk]int{}
	var chunks []*Chunk
	for _, ch := range pl.Chunks {
		if _, ok := at[ch]; !ok {
			at[ch] = len(chunks)
			chunks = append(chunks, ch)
		}
	}
	return chunks, at
}

// Mermaid is the graph as a Mermaid flow chart.
func (pl *Plan) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	chunks, at := pl.numbered()
	quote := strings.NewReplacer(`"`, "#quot;", "\n", " ")
	for i, ch := range chunks {
		fmt.Fprintf(&b, "  s%d[\"%s.%s<br/>%s\"]\n", i, ch.State, ch.Fun, quote.Replace(ch.label()))
	}
	for _, e := range pl.Edges() {
		fmt.Fprintf(&b, "  s%d -->|%s| s%d\n", at[e.From], e.Kind, at[e.To])
	}
	return b.String()
}

// label is the ID, and the name where that is another.
func (ch *Chunk) label() string {
	if ch.Name == ch.ID {
		return ch.ID
	}
	return ch.ID + " (" + ch.Name + ")"
}
