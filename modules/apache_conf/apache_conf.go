// Package apache_conf holds Salt's apache_conf states: configurations of the Apache web
// server that are enabled, on Debian and its like. Its main variable is Module.
//
//	security:
//	  apache_conf.enabled
package apache_conf

import (
	"errors"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's apache_conf module.
var Module = salt.Module{
	Name:   "apache_conf",
	States: func() salt.Funcs { return salt.Funcs{"disabled": salt.State(disabled), "enabled": salt.State(enabled)} },
	Virtual: func(c *salt.Ctx, _ string) error {
		if c.Sys.LookPath("a2enconf") == "" {
			return errors.New("apache module could not be loaded")
		}
		return nil
	},
}

type nameArgs struct {
	Name string `py:"name"` // the configuration
}

// become makes sure of one of both.
func (a nameArgs) become(c *salt.Ctx, on bool, fun, verb string, changes *value.Map) salt.Result {
	is, err := c.Call("apache.check_conf_enabled", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(is) == on:
		return salt.Correct("%s already %sd.", a.Name, verb)
	case c.Test:
		return salt.Would(changes, "Apache conf %s is set to be %sd.", a.Name, verb)
	}
	v, err := c.Call("apache."+fun, a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	status, ok := m.At("Status").(string)
	switch {
	case ok && strings.Contains(status, verb+"d"):
		return salt.Changed(changes, "")
	case ok:
		return salt.Failed("Failed to %s %s Apache conf (%s)", verb, a.Name, status)
	}
	return salt.Failed("Failed to %s %s Apache conf", verb, a.Name)
}

// enabled makes sure that a configuration is enabled.
func enabled(c *salt.Ctx, a nameArgs) salt.Result {
	return a.become(c, true, "a2enconf", "enable", value.M("old", nil, "new", a.Name))
}

// disabled makes sure that a configuration is not enabled.
func disabled(c *salt.Ctx, a nameArgs) salt.Result {
	return a.become(c, false, "a2disconf", "disable", value.M("old", a.Name, "new", nil))
}
