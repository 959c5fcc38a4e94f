package cli

import (
	"context"

	"pinch/value"
)

// runPlan is state.apply with test=True, printed as a plan. Its exit code tells
// whether there is something to do.
func runPlan(p *program, ctx context.Context, r *request) int {
	p.outputter, p.detailed = "plan", true
	r.words = append(r.words, "test=True")
	return runApply(p, ctx, r)
}

// detailedCode is the exit code of --detailed-exitcode: 0 when nothing changed
// or would change, 2 when something did, 1 when a state failed or the tree
// does not compile.
func detailedCode(data any, retcode int) int {
	m, ok := data.(*value.Map)
	if !ok || retcode != 0 {
		return exitGeneric
	}
	code := 0
	for _, v := range m.Items() {
		ret, _ := v.(*value.Map)
		switch {
		case ret == nil:
		case ret.At("result") == false:
			return exitGeneric
		case ret.At("result") == nil || ret.Truth("changes"):
			code = 2
		}
	}
	return code
}
