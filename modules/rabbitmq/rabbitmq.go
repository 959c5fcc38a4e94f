// Package rabbitmq holds Salt's rabbitmq module: users, virtual hosts,
// policies, plugins and the cluster of a RabbitMQ server, by rabbitmqctl. Its
// main variable is Module.
//
//	salt-call rabbitmq.add_user rabbit_user password
package rabbitmq

import (
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq module.
var Module = salt.Module{
	Name: "rabbitmq",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add_user":               salt.Exec(addUser),
			"add_vhost":              salt.Exec(addVhost),
			"change_password":        salt.Exec(changePassword),
			"check_password":         salt.Exec(checkPassword),
			"clear_password":         salt.Exec(clearPassword),
			"cluster_status":         salt.Exec(clusterStatus),
			"delete_policy":          salt.Exec(deletePolicy),
			"delete_upstream":        salt.Exec(deleteUpstream),
			"delete_user":            salt.Exec(deleteUser),
			"delete_vhost":           salt.Exec(deleteVhost),
			"disable_plugin":         salt.Exec(disablePlugin),
			"enable_plugin":          salt.Exec(enablePlugin),
			"force_reset":            salt.Exec(forceReset),
			"join_cluster":           salt.Exec(joinCluster),
			"list_available_plugins": salt.Exec(listAvailablePlugins),
			"list_enabled_plugins":   salt.Exec(listEnabledPlugins),
			"list_permissions":       salt.Exec(listPermissions),
			"list_policies":          salt.Exec(listPolicies),
			"list_queues":            salt.Exec(listQueues),
			"list_queues_vhost":      salt.Exec(listQueuesVhost),
			"list_upstreams":         salt.Exec(listUpstreams),
			"list_user_permissions":  salt.Exec(listUserPermissions),
			"list_users":             salt.Exec(listUsers),
			"list_vhosts":            salt.Exec(listVhosts),
			"plugin_is_enabled":      salt.Exec(pluginIsEnabled),
			"policy_exists":          salt.Exec(policyExists),
			"reset":                  salt.Exec(reset),
			"set_permissions":        salt.Exec(setPermissions),
			"set_policy":             salt.Exec(setPolicy),
			"set_upstream":           salt.Exec(setUpstream),
			"set_user_tags":          salt.Exec(setUserTags),
			"start_app":              salt.Exec(startApp),
			"status":                 salt.Exec(status),
			"stop_app":               salt.Exec(stopApp),
			"upstream_exists":        salt.Exec(upstreamExists),
			"user_exists":            salt.Exec(userExists),
			"vhost_exists":           salt.Exec(vhostExists),
		}
	},
	Virtual: salt.Needs("rabbitmqctl", "Module rabbitmq: module only works when RabbitMQ is installed"),
}

// run runs a command as somebody; one that complains has failed.
func run(c *salt.Ctx, runas any, words ...string) (string, error) {
	kw := value.M("reset_system_locale", false)
	if runas != nil {
		kw.Set("runas", runas)
	}
	if strings.HasSuffix(words[1], "_password") || words[1] == "add_user" || words[1] == "authenticate_user" || words[1] == "eval" {
		kw.Set("output_loglevel", "quiet")
	}
	a, err := command.With(c, kw, words...)
	if err == nil && (a.Code != 0 || a.Err != "") {
		err = salt.CommandError("RabbitMQ command failed: %s", a.Err)
	}
	return a.Out, err
}

// ctl runs rabbitmqctl.
func ctl(c *salt.Ctx, runas any, words ...string) (string, error) {
	return run(c, runas, append([]string{"rabbitmqctl"}, words...)...)
}

// ask runs rabbitmqctl to look at something.
func ask(c *salt.Ctx, runas any, words ...string) (string, error) {
	return ctl(c.With(false), runas, words...)
}

// said is what functions return that changed something.
func said(msg string) func(out string, err error) (*value.Map, error) {
	return func(out string, err error) (*value.Map, error) { return value.M(msg, out), err }
}

// rows are the lines without what rabbitmqctl says around them.
func rows(out string) []string {
	var lines []string
	for line := range strings.SplitSeq(out, "\n") {
		listing := strings.HasPrefix(line, "Listing") && (strings.HasSuffix(line, "...") || !strings.Contains(line, "\t"))
		if line != "" && !listing && !strings.Contains(line, "...done") && !strings.HasPrefix(line, "WARNING:") {
			lines = append(lines, line)
		}
	}
	return lines
}

func words(out string) *value.List {
	l := value.L()
	for _, line := range rows(out) {
		for w := range strings.FieldsSeq(line) {
			l.Append(w)
		}
	}
	return l
}

// byFirst are the rows by their first column.
func byFirst(out string, rest func(string) *value.List) *value.Map {
	m := new(value.Map)
	for _, line := range rows(out) {
		if key, v, ok := strings.Cut(line, "\t"); ok {
			m.Set(key, rest(v))
		} else {
			m.Set(line, "")
		}
	}
	return m
}

type runasArgs struct {
	Runas any `py:"runas=None"` // who runs the command; None: who runs pinch
}

// status returns what rabbitmqctl says about the server.
func status(c *salt.Ctx, a runasArgs) (string, error) { return ask(c, a.Runas, "status") }

// clusterStatus returns what rabbitmqctl says about the cluster.
func clusterStatus(c *salt.Ctx, a runasArgs) (string, error) {
	return ask(c, a.Runas, "cluster_status")
}

// stopApp stops RabbitMQ, Erlang goes on.
func stopApp(c *salt.Ctx, a runasArgs) (string, error) { return ctl(c, a.Runas, "stop_app") }

// startApp starts RabbitMQ.
func startApp(c *salt.Ctx, a runasArgs) (string, error) { return ctl(c, a.Runas, "start_app") }

// reset makes the node a new one: all its data are lost.
func reset(c *salt.Ctx, a runasArgs) (string, error) { return ctl(c, a.Runas, "reset") }

// forceReset is reset that asks no other node of the cluster.
func forceReset(c *salt.Ctx, a runasArgs) (string, error) { return ctl(c, a.Runas, "force_reset") }

type joinArgs struct {
	Host    string `py:"host"`          // a node of the cluster
	User    string `py:"user='rabbit'"` // the first part of its name
	RAMNode any    `py:"ram_node=None"` // keep all in memory only
	Runas   any    `py:"runas=None"`    // who runs the command; None: who runs pinch
}

// joinCluster makes the node part of a cluster.
func joinCluster(c *salt.Ctx, a joinArgs) (*value.Map, error) {
	w := []string{"join_cluster"}
	if value.Truth(a.RAMNode) {
		w = append(w, "--ram")
	}
	if _, err := stopApp(c, runasArgs{a.Runas}); err != nil {
		return nil, err
	}
	out, err := ctl(c, a.Runas, append(w, a.User+"@"+a.Host)...)
	if _, err := startApp(c, runasArgs{a.Runas}); err != nil {
		return nil, err
	}
	return value.M("Join", out), err
}

type listQueuesArgs struct {
	Runas any   `py:"runas=None"` // who runs the command; None: who runs pinch
	Args  []any `py:"*args"`      // columns of rabbitmqctl(8)
}

func texts(args []any) []string {
	out := make([]string, len(args))
	for i, v := range args {
		out[i] = value.Str(v)
	}
	return out
}

func tabs(text string) *value.List { return value.Strings(strings.Split(text, "\t")) }

// listQueues returns the queues by their first column, the name.
func listQueues(c *salt.Ctx, a listQueuesArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, append([]string{"list_queues", "-q"}, texts(a.Args)...)...)
	return byFirst(out, tabs), err
}

type listQueuesVhostArgs struct {
	Vhost string `py:"vhost"`      // the virtual host
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
	Args  []any  `py:"*args"`      // columns of rabbitmqctl(8)
}

// listQueuesVhost returns the queues of a virtual host by their first column,
// the name.
func listQueuesVhost(c *salt.Ctx, a listQueuesVhostArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, append([]string{"list_queues", "-q", "-p", a.Vhost}, texts(a.Args)...)...)
	return byFirst(out, tabs), err
}
