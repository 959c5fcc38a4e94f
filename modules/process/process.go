// Package process holds Salt's process states. Its main variable is Module.
//
//	kill-old-workers:
//	  process.absent:
//	    - name: worker --old
//	    - user: www-data
package process

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's process module.
var Module = salt.Module{
	Name:   "process",
	States: func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent)} },
}

type absentArgs struct {
	Name   string `py:"name"`        // a regular expression, looked for in the command line
	User   any    `py:"user=None"`   // only processes of this user
	Signal any    `py:"signal=None"` // the signal to send, by number; the default is SIGTERM
}

// absent sends a signal to all processes that match a pattern.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	if c.Test {
		v, err := c.CallKw("ps.pgrep", value.M("user", a.User), a.Name)
		if err != nil {
			return salt.Raised(err)
		}
		if l, ok := v.(*value.List); ok && l.Len() > 0 {
			return salt.Would(nil, "%d processes will be killed", l.Len())
		}
		return salt.Would(nil, "No matching processes running")
	}
	kw := value.M("user", a.User, "full", true)
	if value.Truth(a.Signal) {
		kw.Set("signal", a.Signal)
	}
	v, err := c.CallKw("ps.pkill", kw, a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	m, ok := v.(*value.Map)
	if !ok || m.Len() == 0 {
		return salt.Correct("No matching processes running")
	}
	return salt.Changed(m, "Killed %d processes", m.List("killed").Len())
}
