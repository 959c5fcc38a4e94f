package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pinch/cli/args"
	"pinch/diag"
)

// runApply is state.apply --local.
func runApply(p *program, ctx context.Context, r *request) int {
	if code := p.misspelt(r.words); code != 0 {
		return code
	}
	p.from, p.offline, p.showRendered = r.value("--from"), r.has("--offline"), r.has("--show-rendered")
	p.detailed = p.detailed || r.has("--detailed-exitcode")
	if r.has("--test") {
		r.words = append(r.words, "test=True")
	}
	r.words = joined(r.words)
	return p.saltCall(ctx, r.call("state.apply", "--local", "--retcode-passthrough"))
}

// misspelt refuses an argument that is nearly one which state.apply knows: it
// takes any name, and tset=True would change the machine.
func (p *program) misspelt(words []string) int {
	known := []string{"mods", "test", "pillar", "pillar_enc", "pillarenv", "saltenv", "exclude", "queue", "localconfig",
		"sync_mods", "state_events", "orchestration_jid", "mock", "whitelist", "cache", "cache_name", "concurrent", "terse"}
	for _, w := range words {
		name, _, ok := args.Named(w)
		if !ok || slices.Contains(known, name) || len(name) < 4 {
			continue
		}
		if near := diag.Nearest(name, known); near != "" {
			fmt.Fprintf(p.stderr, "error: %s= is no argument of state.apply\nhint: did you mean %s=?\n", name, near)
			return args.UsageCode
		}
	}
	return 0
}

// joined makes several SLS names one word, as state.apply takes them.
func joined(words []string) []string {
	var names, rest []string
	for _, w := range words {
		if _, _, ok := args.Named(w); ok {
			rest = append(rest, w)
			continue
		}
		names = append(names, w)
	}
	if len(names) > 0 {
		rest = append([]string{strings.Join(names, ",")}, rest...)
	}
	return rest
}
