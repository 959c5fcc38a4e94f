package state

import (
	"pinch/apply"
	"pinch/salt"
	"pinch/value"
)

type orchestrateArgs struct {
	Mods      any    `py:"mods"`           // the SLS files
	SaltEnv   string `py:"saltenv='base'"` // their environment
	Test      any    `py:"test=None"`      // change nothing, tell what would change
	Exclude   any    `py:"exclude=None"`   // SLS files or IDs to leave out
	Pillar    any    `py:"pillar=None"`    // values on top of the pillar
	Pillarenv any    `py:"pillarenv=None"` // the environment of the pillar
}

// orchestrate applies SLS files as a master's orchestrate runner does, on this
// machine.
//
//	pinch state.orchestrate orch.deploy
func orchestrate(c *salt.Ctx, a orchestrateArgs) (any, error) {
	if _, ok := a.Pillar.(*value.Map); a.Pillar != nil && !ok {
		return nil, salt.InvocationError("Pillar data must be formatted as a dictionary")
	}
	kw := value.M("saltenv", a.SaltEnv)
	if a.Pillar != nil {
		kw.Set("pillar", a.Pillar)
	}
	if a.Pillarenv != nil {
		kw.Set("pillarenv", a.Pillarenv)
	}
	ret, err := slsExec(c, slsArgs{Mods: a.Mods, Test: a.Test, Exclude: a.Exclude, Kwargs: kw})
	if err != nil {
		return nil, err
	}
	code := int64(1)
	if m, ok := ret.(*value.Map); ok && apply.Succeeded(m, nil) {
		code = 0
	}
	return value.M("data", value.M(c.Opts.Str("id"), ret), "outputter", "highstate", "retcode", code), nil
}
