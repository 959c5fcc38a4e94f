// Package firewall holds Salt's firewall states: whether a connection through
// all firewalls on the way is possible. Its main variable is Module.
//
//	www.example.org:
//	  firewall.check:
//	    - port: 80
//	    - proto: tcp
package firewall

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's firewall module.
var Module = salt.Module{
	Name:   "firewall",
	States: func() salt.Funcs { return salt.Funcs{"check": salt.State(check)} },
}

type checkArgs struct {
	Name   string     `py:"name"`      // a name or an address
	Port   any        `py:"port=None"` // the port
	Kwargs *value.Map `py:"**kwargs"`  // more arguments of network.connect: proto, timeout, family
}

// check makes sure that a port can be connected to.
func check(c *salt.Ctx, a checkArgs) salt.Result {
	test := c.Test
	if v, ok := a.Kwargs.Get("test"); ok {
		test = value.Truth(v)
	}
	if test {
		return salt.Correct("The connection will be tested")
	}
	kw := a.Kwargs.Shallow()
	kw.Set("test", false)
	v, err := c.CallKw("network.connect", kw, a.Name, a.Port)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	if !m.Truth("result") {
		return salt.Failed("%s", m.Str("comment"))
	}
	return salt.Correct("%s", m.Str("comment"))
}
