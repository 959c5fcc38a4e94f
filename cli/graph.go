package cli

import (
	"context"
	"io"
)

// runGraph draws the states and their requisites.
func runGraph(p *program, ctx context.Context, r *request) int {
	l, err := p.look(ctx, r, "")
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
	case r.has("--svg"):
		text = l.Plan.SVG()
	case r.has("--mermaid"):
		text = l.Plan.Mermaid()
	}
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return exitGeneric
	}
	return 0
}
