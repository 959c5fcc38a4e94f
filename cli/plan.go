package cli

import (
	"context"

	"pinch/value"
)

// runPlan is state.apply with test=True, printed as a plan. Its exit code tells
// whether there is something to do.
func runPlan(p *program, ctx context.Context, argv []string) int {
	for _, a := range argv {
		if a == "--help" || a == "-h" {
			return p.help(verb("plan"))
		}
	}
	p.outputter, p.detailed = "plan", true
	return p.apply(ctx, append([]string{"test=True"}, argv...))
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
