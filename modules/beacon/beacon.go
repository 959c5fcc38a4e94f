// Package beacon holds Salt's states for the beacons of the daemon; the
// functions are those of module beacons. Its main variable is Module.
//
//	ps:
//	  beacon.present:
//	    - save: True
//	    - processes: {nginx: stopped}
package beacon

import (
	"fmt"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's state module beacon.
var Module = salt.Module{
	Name: "beacon",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present":  salt.State(present),
			"absent":   salt.State(absent),
			"enabled":  salt.State(enabled),
			"disabled": salt.State(disabled),
		}
	},
}

// call calls a function of module beacons.
func call(c *salt.Ctx, fun string, kw *value.Map, args ...any) (*value.Map, error) {
	v, err := c.CallFunc(c, "beacons."+fun, args, kw)
	if err != nil {
		return nil, err
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, fmt.Errorf("beacons.%s answered %s", fun, value.Repr(v))
	}
	return m, nil
}

// current are the configured beacons.
func current(c *salt.Ctx) (*value.Map, error) {
	return call(c, "list", value.M("return_yaml", false))
}
