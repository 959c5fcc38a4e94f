package rabbitmq

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// listVhosts returns the virtual hosts.
func listVhosts(c *salt.Ctx, a runasArgs) (*value.List, error) {
	out, err := ask(c, a.Runas, "list_vhosts", "-q")
	return words(out), err
}

// vhostExists reports whether there is a virtual host.
func vhostExists(c *salt.Ctx, a nameArgs) (bool, error) {
	l, err := listVhosts(c, runasArgs{a.Runas})
	return slices.Contains(l.Items, any(a.Name)), err
}

// addVhost makes a virtual host.
func addVhost(c *salt.Ctx, a vhostArgs) (*value.Map, error) {
	return said("Added")(ctl(c, a.Runas, "add_vhost", a.Vhost))
}

// deleteVhost removes a virtual host with all that is in it.
func deleteVhost(c *salt.Ctx, a vhostArgs) (*value.Map, error) {
	return said("Deleted")(ctl(c, a.Runas, "delete_vhost", a.Vhost))
}

type policiesArgs struct {
	Vhost string `py:"vhost='/'"`  // the virtual host
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// listPolicies returns the policies by virtual host and name: pattern,
// apply_to, definition and priority.
func listPolicies(c *salt.Ctx, a policiesArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, "list_policies", "-q", "-p", a.Vhost)
	if err != nil {
		return nil, err
	}
	v, err := c.Call("pkg.version", "rabbitmq-server")
	if err != nil {
		return nil, err
	}
	version, _, _ := strings.Cut(value.Str(v), "-")
	keys := []string{"pattern", "apply_to", "definition", "priority"}
	if version != "" && !atLeast(version, 3, 7) {
		keys = []string{"apply_to", "pattern", "definition", "priority"}
	}
	all := new(value.Map)
	for _, line := range rows(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) == 5 && keys[0] == "apply_to" {
			f = slices.Insert(f, 2, "")
		}
		if len(f) != 6 {
			continue
		}
		if all.Map(f[0]) == nil {
			all.Set(f[0], new(value.Map))
		}
		m := new(value.Map)
		for i, key := range keys {
			if f[i+2] != "" {
				m.Set(key, f[i+2])
			}
		}
		all.Map(f[0]).Set(f[1], m)
	}
	return all, nil
}

type setPolicyArgs struct {
	Vhost      string `py:"vhost"`         // the virtual host
	Name       string `py:"name"`          // the policy
	Pattern    string `py:"pattern"`       // which queues and exchanges it is for
	Definition any    `py:"definition"`    // a map, or JSON
	Priority   any    `py:"priority=None"` // of several policies the highest number wins
	Runas      any    `py:"runas=None"`    // who runs the command; None: who runs pinch
	ApplyTo    any    `py:"apply_to=None"` // queues, exchanges or all
}

// setPolicy makes or changes a policy.
func setPolicy(c *salt.Ctx, a setPolicyArgs) (*value.Map, error) {
	definition, ok := a.Definition.(string)
	if m, isMap := a.Definition.(*value.Map); isMap {
		var err error
		if definition, err = value.JSON(m, value.JSONOptions{}); err != nil {
			return nil, err
		}
	} else if !ok {
		return nil, salt.InvocationError("The 'definition' argument must be a dictionary or JSON string")
	}
	w := []string{"set_policy", "-p", a.Vhost}
	if value.Truth(a.Priority) {
		w = append(w, "--priority", value.Str(a.Priority))
	}
	if value.Truth(a.ApplyTo) {
		w = append(w, "--apply-to", value.Str(a.ApplyTo))
	}
	return said("Set")(ctl(c, a.Runas, append(w, a.Name, a.Pattern, definition)...))
}

type policyArgs struct {
	Vhost string `py:"vhost"`      // the virtual host
	Name  string `py:"name"`       // the policy
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// deletePolicy removes a policy.
func deletePolicy(c *salt.Ctx, a policyArgs) (*value.Map, error) {
	return said("Deleted")(ctl(c, a.Runas, "clear_policy", "-p", a.Vhost, a.Name))
}

// policyExists reports whether there is a policy.
func policyExists(c *salt.Ctx, a policyArgs) (bool, error) {
	all, err := listPolicies(c, policiesArgs{a.Vhost, a.Runas})
	return all.Map(a.Vhost).Has(a.Name), err
}

// plugins runs rabbitmq-plugins.
func plugins(c *salt.Ctx, runas any, w ...string) (string, error) {
	tool := "rabbitmq-plugins"
	if c.Sys.LookPath(tool) == "" {
		v, err := c.Call("pkg.version", "rabbitmq-server")
		if err != nil {
			return "", err
		}
		version, _, _ := strings.Cut(value.Str(v), "-")
		tool = "/usr/lib/rabbitmq/lib/rabbitmq_server-" + version + "/sbin/rabbitmq-plugins"
	}
	return run(c, runas, append([]string{tool}, w...)...)
}

// listAvailablePlugins returns the plugins that there are.
func listAvailablePlugins(c *salt.Ctx, a runasArgs) (*value.List, error) {
	out, err := plugins(c.With(false), a.Runas, "list", "-m")
	return words(out), err
}

// listEnabledPlugins returns the plugins that are enabled.
func listEnabledPlugins(c *salt.Ctx, a runasArgs) (*value.List, error) {
	out, err := plugins(c.With(false), a.Runas, "list", "-m", "-e")
	return words(out), err
}

// pluginIsEnabled reports whether a plugin is enabled.
func pluginIsEnabled(c *salt.Ctx, a nameArgs) (bool, error) {
	l, err := listEnabledPlugins(c, runasArgs{a.Runas})
	return slices.Contains(l.Items, any(a.Name)), err
}

// enablePlugin enables a plugin.
func enablePlugin(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return said("Enabled")(plugins(c, a.Runas, "enable", a.Name))
}

// disablePlugin disables a plugin.
func disablePlugin(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return said("Disabled")(plugins(c, a.Runas, "disable", a.Name))
}

// listUpstreams returns the upstreams of the federation: their settings as
// JSON.
func listUpstreams(c *salt.Ctx, a runasArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, "list_parameters", "-q")
	m := new(value.Map)
	for _, line := range rows(out) {
		if f := strings.Split(line, "\t"); len(f) == 3 {
			m.Set(f[1], f[2])
		}
	}
	return m, err
}

// upstreamExists reports whether there is an upstream.
func upstreamExists(c *salt.Ctx, a nameArgs) (bool, error) {
	m, err := listUpstreams(c, runasArgs{a.Runas})
	return m.Has(a.Name), err
}

type upstreamArgs struct {
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

// setUpstream makes or changes an upstream.
func setUpstream(c *salt.Ctx, a upstreamArgs) (bool, error) {
	m := new(value.Map)
	for _, p := range []struct {
		key string
		v   any
	}{
		{"uri", a.URI}, {"prefetch-count", a.PrefetchCount}, {"reconnect-delay", a.ReconnectDelay}, {"ack-mode", a.AckMode}, {"trust-user-id", a.TrustUserID},
		{"exchange", a.Exchange}, {"max-hops", a.MaxHops}, {"expires", a.Expires}, {"message-ttl", a.MessageTtl}, {"ha-policy", a.HaPolicy}, {"queue", a.Queue},
	} {
		if value.Truth(p.v) {
			m.Set(p.key, p.v)
		}
	}
	text, err := value.JSON(m, value.JSONOptions{})
	if err != nil {
		return false, err
	}
	_, err = ctl(c, a.Runas, "set_parameter", "federation-upstream", a.Name, text)
	return err == nil, err
}

// deleteUpstream removes an upstream.
func deleteUpstream(c *salt.Ctx, a nameArgs) (bool, error) {
	_, err := ctl(c, a.Runas, "clear_parameter", "federation-upstream", a.Name)
	return err == nil, err
}
