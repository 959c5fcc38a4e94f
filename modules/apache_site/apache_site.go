// Package apache_site holds Salt's apache_site states: sites of the Apache web
// server that are enabled, on Debian and its like. Its main variable is Module.
//
//	default:
//	  apache_site.enabled
package apache_site

import (
	"pinch/apachestate"
	"pinch/salt"
)

var part = apachestate.Part{Word: "site", Check: "apache.check_site_enabled", Enable: "apache.a2ensite", Disable: "apache.a2dissite"}

// Module is Salt's apache_site module.
var Module = salt.Module{
	Name:    "apache_site",
	States:  func() salt.Funcs { return salt.Funcs{"disabled": salt.State(disabled), "enabled": salt.State(enabled)} },
	Virtual: part.Virtual,
}

type nameArgs struct {
	Name string `py:"name"` // the site
}

// enabled makes sure that a site is enabled.
func enabled(c *salt.Ctx, a nameArgs) salt.Result { return part.Become(c, a.Name, true) }

// disabled makes sure that a site is not enabled.
func disabled(c *salt.Ctx, a nameArgs) salt.Result { return part.Become(c, a.Name, false) }
