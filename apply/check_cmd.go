package apply

import (
	"slices"

	"pinch/value"
)

// checksItself reports whether the state evaluates check_cmd on its own.
func (r *runner) checksItself(ch *Chunk) bool {
	k := r.p.lookup(ch.State, ch.Fun)
	return k.err == nil && slices.Contains(k.mod.CheckCmd, ch.Fun)
}

// checkCmd lets commands decide whether a state succeeded: all must exit 0.
func (r *runner) checkCmd(ch *Chunk, ret *value.Map, v any) error {
	opts := value.M("ignore_retcode", true, "python_shell", true)
	if s, ok := r.c.Grains.Get("shell"); ok {
		opts.Set("shell", s)
	}
	result, comment := false, any(nil)
	for _, e := range entries(v) {
		code, err := r.c.CallFunc(r.looking(), "cmd.retcode", []any{e}, opts.Shallow())
		if err != nil {
			return err
		}
		if !value.Equal(code, int64(0)) {
			result, comment = false, "check_cmd determined the state failed"
			break
		}
		result, comment = true, "check_cmd determined the state succeeded"
	}
	ret.Set("result", result)
	ret.Set("__sls__", ch.Low.At("__sls__"))
	ret.Set("__id__", ch.Low.At("__id__"))
	ret.Set("name", ch.Low.At("name"))
	if comment != nil {
		ret.Set("comment", comment)
	}
	return nil
}
