// Package docker_network holds Salt's docker_network states, which Salt 3008
// leaves to an extension: networks of a Docker daemon. Its main variable is
// Module.
//
//	front:
//	  docker_network.present:
//	    - subnet: 10.0.20.0/24
//	    - gateway: 10.0.20.1
//
// Whether a network is as it should be is found out as Salt does it: another
// one is made of the same arguments, but for its addresses, the daemon's
// descriptions of both are compared, and it goes away again.
//
// The arguments of a network, a map of which may be a list of KEY=VALUE:
//
//	driver, scope                        text
//	driver_opts (driver_opt, options)    a map
//	labels                               a map, or names without values
//	check_duplicate, internal, attachable, ingress, enable_ipv6 (ipv6)     True or False
//	ipam_driver, ipam_opts               the driver of addresses, and its options
//	subnet, iprange (ip_range), gateway, aux_addresses (aux_address)       one pool
//	ipam_pools                           a list of maps of these: an IPv4 pool and an IPv6 one
//	ipam                                 the API's IPAM, instead of all of these
//
// One that nothing takes is an error.
package docker_network

import (
	"errors"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's docker_network module.
var Module = salt.Module{
	Name:    "docker_network",
	Aliases: []string{"moby_network"},
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
}

// isCommandError reports whether Salt would have caught the error: what the
// daemon refuses is a CommandExecutionError, a bug is not.
func isCommandError(err error) bool {
	var x *value.Exception
	return errors.As(err, &x) && x.Class == "CommandExecutionError"
}

// inspect returns what the daemon says of a network, nil when there is none.
func inspect(c *salt.Ctx, name string) (*value.Map, error) {
	v, err := c.Call("docker.inspect_network", name)
	if isCommandError(err) && strings.Contains(err.Error(), "404") {
		return nil, nil
	}
	m, _ := v.(*value.Map)
	return m, err
}

// broken is the result of a question that the daemon refused.
func broken(err error) salt.Result {
	if isCommandError(err) {
		return salt.Failed("%s", err)
	}
	return salt.Raised(err)
}

type absentArgs struct {
	Name string `py:"name"` // the network
}

// absent makes sure that there is no network of this name. Containers are
// disconnected first.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	net, err := inspect(c, a.Name)
	switch {
	case err != nil:
		return broken(err)
	case net == nil:
		return salt.Correct("Network '%s' already absent", a.Name)
	case c.Test:
		return salt.Would(nil, "Network '%s' will be removed", a.Name)
	}
	return remove(c, net)
}

// remove disconnects all containers of a network and removes it.
func remove(c *salt.Ctx, net *value.Map) salt.Result {
	name := net.Str("Name")
	changes, off, wrong := new(value.Map), value.L(), []string(nil)
	for id := range net.Map("Containers").Items() {
		shown := id
		if v, err := c.Call("docker.inspect_container", id); err == nil {
			m, _ := v.(*value.Map)
			shown = strings.TrimLeft(m.Str("Name"), "/")
		} else if !isCommandError(err) {
			return salt.Raised(err)
		}
		_, err := c.Call("docker.disconnect_container_from_network", id, name)
		switch {
		case err == nil:
			off.Append(shown)
			changes.Set("disconnected", off)
		case isCommandError(err):
			wrong = append(wrong, "Failed to disconnect container '"+shown+"' : "+err.Error())
		default:
			return salt.Raised(err)
		}
	}
	var r salt.Result
	if len(wrong) > 0 {
		r = salt.Failed("%s", strings.Join(wrong, "\n"))
	} else if _, err := c.Call("docker.remove_network", name); err == nil {
		changes.Set("removed", true)
		r = salt.Correct("Removed network '%s'", name)
	} else if isCommandError(err) {
		r = salt.Failed("Failed to remove network: %s", err)
	} else {
		return salt.Raised(err)
	}
	r.Changes = changes
	return r
}
