package state

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// disabledGrain holds the SLS names and patterns of state functions that may
// not run.
const disabledGrain = "state_runs_disabled"

// disabledSLS gives Salt's text for each SLS that may not run.
func disabledSLS(c *salt.Ctx, mods []string) []string {
	var out []string
	off := strs(c.Grains.At(disabledGrain))
	for _, sls := range mods {
		for _, pat := range off {
			if before, _, ok := strings.Cut(pat, ".*"); ok {
				before, _, _ = strings.Cut(before, ".")
				if strings.HasPrefix(sls, before+".") {
					out = append(out, fmt.Sprintf(`The state file "%s" is currently disabled by "%[2]s", to re-enable, run state.enable %[2]s.`, sls, pat))
				}
			} else if pat == sls {
				out = append(out, fmt.Sprintf(`The state file "%[1]s" is currently disabled, to re-enable, run state.enable %[1]s.`, pat))
			}
		}
	}
	return out
}

type statesArgs struct {
	States any `py:"states"` // SLS files, comma-separated or a list; "highstate"; patterns such as "file.*"
}

// disable forbids SLS files, state functions or the highstate to run.
//
//	pinch state.disable highstate
//	pinch state.disable highstate,test.succeed_without_changes
func disable(c *salt.Ctx, a statesArgs) (*value.Map, error) {
	return toggle(c, a.States, "disabled", func(off []string, name string) ([]string, bool) {
		for _, s := range off {
			if s == name {
				return off, false
			}
		}
		return append(off, name), true
	})
}

// enable lets run what state.disable forbade.
//
//	pinch state.enable highstate
func enable(c *salt.Ctx, a statesArgs) (*value.Map, error) {
	return toggle(c, a.States, "enabled", func(off []string, name string) ([]string, bool) {
		for i, s := range off {
			if s == name {
				return append(off[:i:i], off[i+1:]...), true
			}
		}
		return off, false
	})
}

func toggle(c *salt.Ctx, states any, word string, f func([]string, string) ([]string, bool)) (*value.Map, error) {
	off := strs(c.Grains.At(disabledGrain))
	var msg []string
	changed := false
	for _, name := range splitInput(states) {
		var did bool
		off, did = f(off, name)
		if did {
			changed = true
			msg = append(msg, "Info: "+name+" state "+word+".")
		} else {
			msg = append(msg, "Info: "+name+" state already "+word+".")
		}
	}
	if changed {
		if _, err := c.Call("grains.setval", disabledGrain, value.Strings(off)); err != nil {
			return nil, err
		}
		c.Grains.Set(disabledGrain, value.Strings(off))
	}
	return value.M("res", true, "msg", strings.Join(msg, "\n")), nil
}

// listDisabled shows what state.disable forbids.
//
//	pinch state.list_disabled
func listDisabled(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	if v, ok := c.Grains.Get(disabledGrain); ok {
		return v, nil
	}
	return "", nil
}
