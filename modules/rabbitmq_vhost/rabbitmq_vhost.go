// Package rabbitmq_vhost holds Salt's rabbitmq_vhost states: the virtual hosts
// of a RabbitMQ server. Its main variable is Module.
//
//	/staging:
//	  rabbitmq_vhost.present
package rabbitmq_vhost

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq_vhost module.
var Module = salt.Module{
	Name:    "rabbitmq_vhost",
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
	Virtual: salt.Needs("rabbitmqctl", "Command not found: rabbitmqctl"),
}

type vhostArgs struct {
	Name string `py:"name"` // the virtual host
}

// present makes sure that there is a virtual host.
func present(c *salt.Ctx, a vhostArgs) salt.Result {
	v, err := c.Call("rabbitmq.vhost_exists", a.Name)
	changes := value.M("old", "", "new", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(v):
		return salt.Correct("Virtual Host '%s' already exists.", a.Name)
	case c.Test:
		return salt.Would(changes, "Virtual Host '%s' will be created.", a.Name)
	}
	if v, err = c.Call("rabbitmq.add_vhost", a.Name); err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	return salt.Changed(changes, "%s", m.Str("Added"))
}

// absent makes sure that there is no such virtual host. What is in it is lost.
func absent(c *salt.Ctx, a vhostArgs) salt.Result {
	v, err := c.Call("rabbitmq.vhost_exists", a.Name)
	changes := value.M("new", "", "old", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(v):
		return salt.Correct("Virtual Host '%s' is not present.", a.Name)
	case c.Test:
		return salt.Would(changes, "Virtual Host '%s' will be removed.", a.Name)
	}
	if v, err = c.Call("rabbitmq.delete_vhost", a.Name); err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	return salt.Changed(changes, "%s", m.Str("Deleted"))
}
