// Package alias holds Salt's alias states: mail aliases. Its main variable is
// Module.
//
//	root:
//	  alias.present:
//	    - target: [admin@example.org, boss@example.org]
package alias

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's alias module.
var Module = salt.Module{
	Name: "alias",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
		}
	},
}

type presentArgs struct {
	Name   string `py:"name"`   // the alias
	Target any    `py:"target"` // an address, or a list of them
}

// present makes sure that an alias has these targets.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	has, err := c.Call("aliases.has_target", a.Name, a.Target)
	shown := value.Str(a.Target)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(has):
		return salt.Correct("Alias %s already present", a.Name)
	case c.Test:
		return salt.Would(nil, "Alias %s -> %s is set to be added", a.Name, shown)
	}
	done, err := c.Call("aliases.set_target", a.Name, a.Target)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(done):
		return salt.Failed("Failed to set alias %s -> %s", a.Name, shown)
	}
	return salt.Changed(value.M("alias", a.Name), "Set email alias %s -> %s", a.Name, shown)
}

type absentArgs struct {
	Name string `py:"name"` // the alias
}

// absent makes sure that there is no such alias.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	has, err := c.Call("aliases.get_target", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(has):
		return salt.Correct("Alias %s already absent", a.Name)
	case c.Test:
		return salt.Would(nil, "Alias %s is set to be removed", a.Name)
	}
	done, err := c.Call("aliases.rm_alias", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(done):
		return salt.Failed("Failed to remove alias %s", a.Name)
	}
	return salt.Changed(value.M("alias", a.Name), "Removed alias %s", a.Name)
}
