// Package apachestate is what the states apache_conf, apache_module and
// apache_site have in common: parts of the Apache web server that Debian's
// commands switch on and off.
//
//	var part = apachestate.Part{Word: "conf", Check: "apache.check_conf_enabled", Enable: "apache.a2enconf", Disable: "apache.a2disconf"}
//	part.Become(c, "security", true)
package apachestate

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A Part is a kind of what can be switched: the word for it, and the functions
// of the execution module.
type Part struct{ Word, Check, Enable, Disable string }

// Virtual is that of a module whose command is missing.
func (p Part) Virtual(c *salt.Ctx, kind string) error {
	return salt.Needs(strings.TrimPrefix(p.Enable, "apache."), "apache module could not be loaded")(c, kind)
}

// Become makes sure that the part of that name is on, or off.
func (p Part) Become(c *salt.Ctx, name string, on bool) salt.Result {
	fun, verb, changes := p.Disable, "disable", value.M("old", name, "new", nil)
	if on {
		fun, verb, changes = p.Enable, "enable", value.M("old", nil, "new", name)
	}
	is, err := c.Call(p.Check, name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(is) == on:
		return salt.Correct("%s already %sd.", name, verb)
	case c.Test:
		return salt.Would(changes, "Apache %s %s is set to be %sd.", p.Word, name, verb)
	}
	v, err := c.Call(fun, name)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	status, ok := m.At("Status").(string)
	switch {
	case ok && strings.Contains(status, verb+"d"):
		return salt.Changed(changes, "")
	case ok:
		return salt.Failed("Failed to %s %s Apache %s (%s)", verb, name, p.Word, status)
	}
	return salt.Failed("Failed to %s %s Apache %s", verb, name, p.Word)
}
