// Package rabbitmq_plugin holds Salt's rabbitmq_plugin states: the plugins of a
// RabbitMQ server. Its main variable is Module.
//
//	rabbitmq_management:
//	  rabbitmq_plugin.enabled
package rabbitmq_plugin

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq_plugin module.
var Module = salt.Module{
	Name:    "rabbitmq_plugin",
	States:  func() salt.Funcs { return salt.Funcs{"disabled": salt.State(disabled), "enabled": salt.State(enabled)} },
	Virtual: salt.Needs("rabbitmqctl", "Command not found: rabbitmqctl"),
}

type pluginArgs struct {
	Name  string `py:"name"`       // the plugin
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

func (a pluginArgs) become(c *salt.Ctx, on bool, word, fun string, changes *value.Map) salt.Result {
	v, err := c.CallKw("rabbitmq.plugin_is_enabled", value.M("runas", a.Runas), a.Name)
	switch {
	case err != nil:
		return salt.Failed("Error: %s", err)
	case value.Truth(v) == on:
		return salt.Correct("Plugin '%s' is already %s.", a.Name, word)
	case c.Test:
		return salt.Would(changes, "Plugin '%s' is set to be %s.", a.Name, word)
	}
	if _, err := c.CallKw("rabbitmq."+fun, value.M("runas", a.Runas), a.Name); err != nil {
		return salt.Failed("Error: %s", err)
	}
	return salt.Changed(changes, "Plugin '%s' was %s.", a.Name, word)
}

// enabled makes sure that a plugin is enabled.
func enabled(c *salt.Ctx, a pluginArgs) salt.Result {
	return a.become(c, true, "enabled", "enable_plugin", value.M("old", "", "new", a.Name))
}

// disabled makes sure that a plugin is not enabled.
func disabled(c *salt.Ctx, a pluginArgs) salt.Result {
	return a.become(c, false, "disabled", "disable_plugin", value.M("old", a.Name, "new", ""))
}
