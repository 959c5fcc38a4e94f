// Package rabbitmq_cluster holds Salt's rabbitmq_cluster states: the cluster
// that a RabbitMQ server is part of. Its main variable is Module.
//
//	rabbit@rabbit.example.com:
//	  rabbitmq_cluster.joined:
//	    - user: rabbit
//	    - host: rabbit.example.com
package rabbitmq_cluster

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq_cluster module.
var Module = salt.Module{
	Name:    "rabbitmq_cluster",
	States:  func() salt.Funcs { return salt.Funcs{"join": salt.State(join), "joined": salt.State(joined)} },
	Virtual: salt.Needs("rabbitmqctl", "Command not found: rabbitmqctl"),
}

type joinedArgs struct {
	Name    string `py:"name"`          // a name for the state
	Host    string `py:"host"`          // a node of the cluster
	User    string `py:"user='rabbit'"` // the first part of its name
	RAMNode any    `py:"ram_node=None"` // keep all in memory only
	Runas   any    `py:"runas='root'"`  // who runs the command
}

// joined makes sure that the server is in the cluster of another one.
func joined(c *salt.Ctx, a joinedArgs) salt.Result {
	v, err := c.Call("rabbitmq.cluster_status")
	node := a.User + "@" + a.Host
	changes := value.M("old", "", "new", node)
	switch {
	case err != nil:
		return salt.Raised(err)
	case strings.Contains(value.Str(v), node):
		return salt.Correct("Already in cluster")
	case c.Test:
		return salt.Would(changes, "Node is set to join cluster %s", node)
	}
	v, err = c.CallKw("rabbitmq.join_cluster", value.M("runas", a.Runas), a.Host, a.User, a.RAMNode)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	return salt.Changed(changes, "%s", m.Str("Join"))
}

// join is another name of joined.
func join(c *salt.Ctx, a joinedArgs) salt.Result { return joined(c, a) }
