// Package salt holds Salt's salt states, of which orchestrations are made:
// states, functions and runners of a master on its minions. Without a master
// they mean this machine. Its main variable is Module.
//
//	deploy:
//	  salt.state:
//	    - tgt: '*'
//	    - sls: web
//	warm up:
//	  salt.function:
//	    - name: cmd.run
//	    - tgt: '*'
//	    - arg: [curl -s localhost]
//	    - require: [salt: deploy]
package salt

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's salt state module.
var Module = salt.Module{
	Name: "salt",
	States: func() salt.Funcs {
		return salt.Funcs{
			"state":            salt.State(state),
			"function":         salt.State(function),
			"runner":           salt.State(runner),
			"parallel_runners": salt.State(parallelRunners),
			"wheel":            salt.State(wheel),
			"wait_for_event":   salt.State(waitForEvent),
		}
	},
}

// failures reads fail_minions: a list, or names joined by commas.
func failures(v any) (minions map[string]bool, warnings []string) {
	minions = map[string]bool{}
	switch v := v.(type) {
	case nil:
	case string:
		for _, m := range strings.Split(v, ",") {
			minions[strings.TrimSpace(m)] = true
		}
	case *value.List:
		for _, m := range v.Items {
			minions[value.Str(m)] = true
		}
	default:
		warnings = []string{"'fail_minions' needs to be a list or a comma separated string. Ignored."}
	}
	return minions, warnings
}

// jid puts the job's ID where Salt has it.
func jid(v any) *value.Map {
	if v == nil {
		return nil
	}
	return value.M("__jid__", v)
}
