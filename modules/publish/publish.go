// Package publish holds Salt's publish module: calls on other minions through
// the master. Without a connection to a master it answers what Salt does
// then: nothing was published. Its main variable is Module.
//
//	salt-call publish.publish 'web*' test.ping
package publish

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's publish module.
var Module = salt.Module{
	Name: "publish",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"full_data": salt.Exec(fullData),
			"publish":   salt.Exec(publish),
			"runner":    salt.Exec(runner),
		}
	},
}

type publishArgs struct {
	Tgt       string  `py:"tgt"`             // the minions
	Fun       string  `py:"fun"`             // the function
	Arg       any     `py:"arg=None"`        // its arguments
	TgtType   string  `py:"tgt_type='glob'"` // the kind of target
	Returner  string  `py:"returner=''"`     // the returner that gets the results, too
	Timeout   any     `py:"timeout=5"`       // seconds to wait
	ViaMaster *string `py:"via_master=None"` // the master of several to go through
}

// publish calls a function on other minions and returns their results by id.
func publish(c *salt.Ctx, a publishArgs) (any, error) {
	return spread(c, a.Tgt, a.Fun, a.Arg, a.TgtType, a.Returner, a.Timeout, "clean")
}

type fullDataArgs struct {
	Tgt      string `py:"tgt"`             // the minions
	Fun      string `py:"fun"`             // the function
	Arg      any    `py:"arg=None"`        // its arguments
	TgtType  string `py:"tgt_type='glob'"` // the kind of target
	Returner string `py:"returner=''"`     // the returner that gets the results, too
	Timeout  any    `py:"timeout=5"`       // seconds to wait
}

// fullData is publish with the whole returns instead of their results alone.
func fullData(c *salt.Ctx, a fullDataArgs) (any, error) {
	return spread(c, a.Tgt, a.Fun, a.Arg, a.TgtType, a.Returner, a.Timeout, "full")
}

func nothing(c *salt.Ctx) (any, error) {
	c.Log.Error("Cannot run publish commands without a connection to a salt master. No command sent.")
	return new(value.Map), nil
}

type runnerArgs struct {
	Fun     string `py:"fun"`       // the runner's function
	Arg     any    `py:"arg=None"`  // its arguments
	Timeout any    `py:"timeout=5"` // seconds to wait
}

// runner calls a runner on the master and returns its result.
func runner(c *salt.Ctx, a runnerArgs) (any, error) {
	if m := c.Run.Master; m != nil {
		return m.Request(c, "minion_runner", value.M("fun", a.Fun, "arg", words(a.Arg), "tmo", seconds(a.Timeout)))
	}
	return "No access to master. If using salt-call with --local, please remove.", nil
}
