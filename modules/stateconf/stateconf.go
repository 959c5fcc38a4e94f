// Package stateconf holds the states through which an SLS tells the renderer
// of that name what it is to be known for; they do nothing themselves.
package stateconf

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's stateconf module.
var Module = salt.Module{
	Name:   "stateconf",
	States: func() salt.Funcs { return salt.Funcs{"set": salt.State(set), "context": salt.State(context)} },
}

type setArgs struct {
	Name   string     `py:"name"`     // the state's name, usually its ID
	Kwargs *value.Map `py:"**kwargs"` // names and values, which the renderer reads
}

// set gives names and values to the rest of the SLS, and to those that include it.
//
//	.params:
//	  stateconf.set:
//	    - port: 80
//	# --- end of state config ---
//	{{ params.port }}: test.nop
func set(*salt.Ctx, setArgs) salt.Result { return salt.Correct("") }

// context is set under its old name.
//
//	.params:
//	  stateconf.context:
//	    - port: 80
func context(*salt.Ctx, setArgs) salt.Result { return salt.Correct("") }
