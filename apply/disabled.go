package apply

import (
	"fmt"

	"pinch/value"
)

// disabledBy is the pattern of state.disable that forbids a chunk, "" if none.
func disabledBy(ch *Chunk, pats *value.List) string {
	for _, p := range pats.Items {
		if pat, ok := p.(string); ok && value.Fnmatch(ch.State+"."+ch.Fun, pat) {
			return pat
		}
	}
	return ""
}

// refuse notes the result of the disabled chunks.
func (r *runner) refuse(pl *Plan) {
	for i, ch := range pl.disabled {
		m := value.M("changes", new(value.Map), "result", false, "comment",
			fmt.Sprintf(`The state function "%s.%s" is currently disabled by "%[3]s", to re-enable, run state.enable %[3]s.`, ch.State, ch.Fun, pl.why[i]),
			"__run_num__", r.number(), "__sls__", ch.Low.At("__sls__"), "__id__", ch.Low.At("__id__"), "name", ch.Low.At("name"))
		r.running.Set(ch.Tag, m)
	}
}
