package cli

import (
	"context"
	"io"
	"slices"
)

// runGraph draws the states and their requisites.
func runGraph(p *program, ctx context.Context, argv []string) int {
	if slices.Contains(argv, "--help") || slices.Contains(argv, "-h") {
		return p.help(verb("graph"))
	}
	words, svg := without(argv, "--svg")
	words, mermaid := without(words, "--mermaid")
	words, _ = without(words, "--dot")
	l, err := p.look(ctx, words, "")
	defer l.done()
	if err != nil {
		return p.exit(err)
	}
	if l.Plan == nil {
		p.tell(l)
		return exitGeneric
	}
	text := l.Plan.Dot() + "\n"
	switch {
	case svg:
		text = l.Plan.SVG()
	case mermaid:
		text = l.Plan.Mermaid()
	}
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return exitGeneric
	}
	return 0
}
