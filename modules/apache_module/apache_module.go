// Package apache_module holds Salt's apache_module states: modules of the Apache web
// server that are enabled, on Debian and its like. Its main variable is Module.
//
//	cgi:
//	  apache_module.enabled
package apache_module

import (
	"pinch/apachestate"
	"pinch/salt"
)

var part = apachestate.Part{Word: "module", Check: "apache.check_mod_enabled", Enable: "apache.a2enmod", Disable: "apache.a2dismod"}

// Module is Salt's apache_module module.
var Module = salt.Module{
	Name:    "apache_module",
	States:  func() salt.Funcs { return salt.Funcs{"disabled": salt.State(disabled), "enabled": salt.State(enabled)} },
	Virtual: part.Virtual,
}

type nameArgs struct {
	Name string `py:"name"` // the module
}

// enabled makes sure that a module is enabled.
func enabled(c *salt.Ctx, a nameArgs) salt.Result { return part.Become(c, a.Name, true) }

// disabled makes sure that a module is not enabled.
func disabled(c *salt.Ctx, a nameArgs) salt.Result { return part.Become(c, a.Name, false) }
