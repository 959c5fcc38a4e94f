package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pinch/value"
)

// runCheck looks for mistakes in the tree.
func runCheck(p *program, ctx context.Context, r *request) int {
	if r.has("--all") {
		return p.checkAll(ctx, r)
	}
	l, err := p.look(ctx, r, "")
	defer l.done()
	if err != nil {
		return p.exit(err)
	}
	if n := p.tell(l); n > 0 {
		fmt.Fprintf(p.stdout, "%s found\n", count(n, "mistake"))
		return exitGeneric
	}
	fmt.Fprintf(p.stdout, "%s, no mistake found\n", count(len(l.Plan.Chunks), "state"))
	return 0
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// checkAll checks every SLS of the tree for itself.
func (p *program) checkAll(ctx context.Context, r *request) int {
	first, err := p.look(ctx, r, "")
	defer first.done()
	if first == nil {
		return p.exit(err)
	}
	c := first.run.Ctx(ctx)
	env := c.Env
	files, err := c.Files().List(c, env, "")
	if err != nil {
		return p.exit(err)
	}
	bad, checked := 0, 0
	for _, f := range files {
		sls, ok := strings.CutSuffix(f, ".sls")
		if !ok || sls == "top" {
			continue
		}
		sls = strings.ReplaceAll(strings.TrimSuffix(sls, "/init"), "/", ".")
		checked++
		one := *r
		one.words = append(slices.Clone(r.words), sls)
		l, err := p.look(ctx, &one, "")
		if err != nil {
			fmt.Fprintf(p.stderr, "%s: %v\n", sls, err)
			bad++
		} else if p.tell(l) > 0 {
			bad++
		}
		l.done()
	}
	fmt.Fprintf(p.stdout, "%s SLS files checked, %s with mistakes\n", value.Str(int64(checked)), value.Str(int64(bad)))
	if bad > 0 {
		return exitGeneric
	}
	return 0
}
