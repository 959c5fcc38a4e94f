// Package rabbitmq_policy holds Salt's rabbitmq_policy states: the policies of
// a RabbitMQ server. Its main variable is Module.
//
//	HA:
//	  rabbitmq_policy.present:
//	    - pattern: '.*'
//	    - definition: '{"ha-mode": "all"}'
package rabbitmq_policy

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq_policy module.
var Module = salt.Module{
	Name:    "rabbitmq_policy",
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
	Virtual: salt.Needs("rabbitmqctl", "Command not found: rabbitmqctl"),
}

type presentArgs struct {
	Name       string `py:"name"`          // the policy
	Pattern    string `py:"pattern"`       // which queues and exchanges it is for
	Definition any    `py:"definition"`    // JSON, or a map
	Priority   any    `py:"priority=0"`    // of several policies the highest number wins
	Vhost      string `py:"vhost='/'"`     // the virtual host
	Runas      any    `py:"runas=None"`    // who runs the command; None: who runs pinch
	ApplyTo    any    `py:"apply_to=None"` // queues, exchanges or all
}

// parsed reads JSON; a map is one already.
func parsed(v any) (any, error) {
	text, ok := v.(string)
	if !ok || text == "" {
		return v, nil
	}
	return value.ParseJSON(text)
}

// differs says what of a policy is not as it should be.
func (a *presentArgs) differs(now *value.Map) (*value.List, error) {
	updates := value.L()
	if now.Str("pattern") != a.Pattern {
		updates.Append("Pattern")
	}
	is, err := parsed(now.At("definition"))
	if err != nil {
		return nil, err
	}
	want, err := parsed(a.Definition)
	if err != nil {
		return nil, salt.InvocationError("definition: %s", err)
	}
	if !value.Equal(is, want) {
		updates.Append("Definition")
	}
	if value.Truth(a.ApplyTo) && now.At("apply_to") != a.ApplyTo {
		updates.Append("Applyto")
	}
	if now.Str("priority") != value.Str(a.Priority) {
		updates.Append("Priority")
	}
	return updates, nil
}

// present makes sure that there is a policy.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	v, err := c.CallKw("rabbitmq.list_policies", value.M("vhost", a.Vhost, "runas", a.Runas))
	if err != nil {
		return salt.Raised(err)
	}
	all, _ := v.(*value.Map)
	now := all.Map(a.Vhost).Map(a.Name)
	changes, verb := value.M("old", new(value.Map), "new", a.Name), "created"
	if now.Len() > 0 {
		updates, err := a.differs(now)
		switch {
		case err != nil:
			return salt.Raised(err)
		case updates.Len() == 0:
			return salt.Correct("Policy %s %s is already present", a.Vhost, a.Name)
		}
		changes, verb = value.M("old", now, "new", updates), "updated"
	}
	if c.Test {
		return salt.Would(changes, "Policy %s %s is set to be %s", a.Vhost, a.Name, verb)
	}
	v, err = c.CallKw("rabbitmq.set_policy", value.M("priority", a.Priority, "runas", a.Runas, "apply_to", a.ApplyTo), a.Vhost, a.Name, a.Pattern, a.Definition)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	return salt.Changed(changes, "%s", m.Str("Set"))
}

type absentArgs struct {
	Name  string `py:"name"`       // the policy
	Vhost string `py:"vhost='/'"`  // the virtual host
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// absent makes sure that there is no such policy.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	v, err := c.CallKw("rabbitmq.policy_exists", value.M("runas", a.Runas), a.Vhost, a.Name)
	changes := value.M("new", "", "old", a.Name)
	switch {
	case err != nil && !strings.Contains(err.Error(), "Virtual host '"+a.Vhost+"' does not exist"):
		return salt.Raised(err)
	case !value.Truth(v):
		return salt.Correct("Policy '%s %s' is not present.", a.Vhost, a.Name)
	case c.Test:
		return salt.Would(changes, "Policy '%s %s' will be removed.", a.Vhost, a.Name)
	}
	if _, err := c.CallKw("rabbitmq.delete_policy", value.M("runas", a.Runas), a.Vhost, a.Name); err != nil {
		return salt.Raised(err)
	}
	return salt.Changed(changes, "Deleted")
}
