// Package apache_conf holds Salt's apache_conf states: configurations of the Apache web
// server that are enabled, on Debian and its like. Its main variable is Module.
//
//	security:
//	  apache_conf.enabled
package apache_conf

import (
	"pinch/apachestate"
	"pinch/salt"
)

var part = apachestate.Part{Word: "conf", Check: "apache.check_conf_enabled", Enable: "apache.a2enconf", Disable: "apache.a2disconf"}

// Module is Salt's apache_conf module.
var Module = salt.Module{
	Name:    "apache_conf",
	States:  func() salt.Funcs { return salt.Funcs{"disabled": salt.State(disabled), "enabled": salt.State(enabled)} },
	Virtual: part.Virtual,
}

type nameArgs struct {
	Name string `py:"name"` // the configuration
}

// enabled makes sure that a configuration is enabled.
func enabled(c *salt.Ctx, a nameArgs) salt.Result { return part.Become(c, a.Name, true) }

// disabled makes sure that a configuration is not enabled.
func disabled(c *salt.Ctx, a nameArgs) salt.Result { return part.Become(c, a.Name, false) }
