// Package apache_module holds Salt's apache_module states: modules of the Apache web
// server that are enabled, on Debian and its like. Its main variable is Module.
//
//	cgi:
//	  apache_module.enabled
package apache_module

import (
	"errors"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's apache_module module.
var Module = salt.Module{
	Name:   "apache_module",
	States: func() salt.Funcs { return salt.Funcs{"disabled": salt.State(disabled), "enabled": salt.State(enabled)} },
	Virtual: func(c *salt.Ctx, _ string) error {
		if c.Sys.LookPath("a2enmod") == "" {
			return errors.New("apache module could not be loaded")
		}
		return nil
	},
}

type nameArgs struct {
	Name string `py:"name"` // the module
}

// become makes sure of one of both.
func (a nameArgs) become(c *salt.Ctx, on bool, fun, verb string, changes *value.Map) salt.Result {
	is, err := c.Call("apache.check_mod_enabled", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(is) == on:
		return salt.Correct("%s already %sd.", a.Name, verb)
	case c.Test:
		return salt.Would(changes, "Apache module %s is set to be %sd.", a.Name, verb)
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
		return salt.Failed("Failed to %s %s Apache module (%s)", verb, a.Name, status)
	}
	return salt.Failed("Failed to %s %s Apache module", verb, a.Name)
}

// enabled makes sure that a module is enabled.
func enabled(c *salt.Ctx, a nameArgs) salt.Result {
	return a.become(c, true, "a2enmod", "enable", value.M("old", nil, "new", a.Name))
}

// disabled makes sure that a module is not enabled.
func disabled(c *salt.Ctx, a nameArgs) salt.Result {
	return a.become(c, false, "a2dismod", "disable", value.M("old", a.Name, "new", nil))
}
