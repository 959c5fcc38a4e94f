// Package at holds Salt's at module: jobs that at(1) runs once, told apart by
// a tag. The queue is read from its folder where that can be read. Its main
// variable is Module.
//
//	rose:
//	  at.present:
//	    - job: 'echo "I love saltstack" > love'
//	    - timespec: '9:09 11/09/26'
//	    - tag: love
//	    - unique_tag: True
package at

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's at module.
var Module = salt.Module{
	Name: "at",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
			"watch":   salt.State(watch),
		}
	},
	Watch: salt.State(modWatch),
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"at":       salt.Exec(at),
			"atc":      salt.Exec(atc),
			"atq":      salt.Exec(atq),
			"atrm":     salt.Exec(atrm),
			"jobcheck": salt.Exec(jobcheck),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("at") != "":
			return nil
		case kind == "states":
			return errors.New("at module could not be loaded")
		}
		return errors.New("The at module could not be loaded: at command not found")
	},
}
