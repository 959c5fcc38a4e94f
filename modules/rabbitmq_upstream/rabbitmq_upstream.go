// Package rabbitmq_upstream holds Salt's rabbitmq_upstream states: the servers
// that a RabbitMQ server takes messages from. Its main variable is Module.
//
//	rabbit-upstream:
//	  rabbitmq_upstream.present:
//	    - uri: amqp://my_user:my_password@rabbitmq.example.com
//	    - trust_user_id: True
//	    - ack_mode: on-confirm
//	    - max_hops: 1
package rabbitmq_upstream

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq_upstream module.
var Module = salt.Module{
	Name:    "rabbitmq_upstream",
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
	Virtual: salt.Needs("rabbitmqctl", "rabbitmq module could not be loaded"),
}

type presentArgs struct {
	Name           string `py:"name"`                 // the upstream
	URI            any    `py:"uri"`                  // its address, or a list of them
	PrefetchCount  any    `py:"prefetch_count=None"`  // how many messages may be on their way
	ReconnectDelay any    `py:"reconnect_delay=None"` // seconds until it is tried again
	AckMode        any    `py:"ack_mode=None"`        // on-confirm, on-publish or no-ack
	TrustUserID    any    `py:"trust_user_id=None"`   // believe who the other side says sent a message
	Exchange       any    `py:"exchange=None"`        // the exchange there
	MaxHops        any    `py:"max_hops=None"`        // how often a message may go on
	Expires        any    `py:"expires=None"`         // milliseconds until a queue there goes
	MessageTtl     any    `py:"message_ttl=None"`     // milliseconds until a message there goes
	HaPolicy       any    `py:"ha_policy=None"`       // how a queue there is mirrored
	Queue          any    `py:"queue=None"`           // the queue there
	Runas          any    `py:"runas=None"`           // who runs the command; None: who runs pinch
}

// config are the settings as the server has them, and as the function takes
// them.
func (a *presentArgs) config() (server, arguments *value.Map) {
	server, arguments = new(value.Map), value.M("runas", a.Runas)
	for _, p := range []struct {
		server, argument string
		v                any
	}{
		{"uri", "uri", a.URI}, {"prefetch-count", "prefetch_count", a.PrefetchCount}, {"reconnect-delay", "reconnect_delay", a.ReconnectDelay}, {"ack-mode", "ack_mode", a.AckMode},
		{"trust-user-id", "trust_user_id", a.TrustUserID}, {"exchange", "exchange", a.Exchange}, {"max-hops", "max_hops", a.MaxHops}, {"expires", "expires", a.Expires},
		{"message-ttl", "message_ttl", a.MessageTtl}, {"ha-policy", "ha_policy", a.HaPolicy}, {"queue", "queue", a.Queue},
	} {
		if value.Truth(p.v) {
			server.Set(p.server, p.v)
			arguments.Set(p.argument, p.v)
		}
	}
	return server, arguments
}

// diff has what is only in one of two maps, or differs, under old and new.
func diff(old, now *value.Map) *value.Map {
	out := new(value.Map)
	side := func(name string, a, b *value.Map) {
		m := new(value.Map)
		for key, v := range a.Items() {
			if other, ok := b.Get(key); !ok || !value.Equal(v, other) {
				m.Set(key, v)
			}
		}
		if m.Len() > 0 {
			out.Set(name, m)
		}
	}
	side("old", old, now)
	side("new", now, old)
	return out
}

// present makes sure that there is an upstream with these settings.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	v, err := c.CallKw("rabbitmq.list_upstreams", value.M("runas", a.Runas))
	if err != nil {
		return salt.Failed("Error: %s", err)
	}
	all, _ := v.(*value.Map)
	want, kw := a.config()
	action, changes := "create", value.M("old", nil, "new", want)
	if all.Has(a.Name) {
		v, err := value.ParseJSON(all.Str(a.Name))
		if err != nil {
			return salt.Raised(err)
		}
		now, _ := v.(*value.Map)
		if action, changes = "update", diff(now, want); changes.Len() == 0 {
			return salt.Correct(`Upstream "%s" already present as specified.`, a.Name)
		}
	}
	if c.Test {
		return salt.Would(nil, `Upstream "%s" would have been %sd.`, a.Name, action)
	}
	if _, err := c.CallKw("rabbitmq.set_upstream", kw, a.Name); err != nil {
		return salt.Failed("Error trying to %s upstream: %s", action, err)
	}
	return salt.Changed(changes, `Upstream "%s" %sd.`, a.Name, action)
}

type absentArgs struct {
	Name  string `py:"name"`       // the upstream
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// absent makes sure that there is no such upstream.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	v, err := c.CallKw("rabbitmq.upstream_exists", value.M("runas", a.Runas), a.Name)
	switch {
	case err != nil:
		return salt.Failed("Error: %s", err)
	case !value.Truth(v):
		return salt.Correct(`The upstream "%s" is already absent.`, a.Name)
	case c.Test:
		return salt.Would(nil, `Upstream "%s" would have been deleted.`, a.Name)
	}
	if _, err := c.CallKw("rabbitmq.delete_upstream", value.M("runas", a.Runas), a.Name); err != nil {
		return salt.Failed("Error: %s", err)
	}
	return salt.Changed(value.M("old", a.Name, "new", nil), `Upstream "%s" has been deleted.`, a.Name)
}
