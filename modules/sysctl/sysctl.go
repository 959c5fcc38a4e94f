// Package sysctl holds Salt's sysctl module: the parameters of the running
// kernel, and the file that sets them at the next start. They are read and
// written below /proc/sys, so that no command is started. Its main variable is
// Module.
//
//	vm.swappiness:
//	  sysctl.present:
//	    - value: 20
package sysctl

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's sysctl module.
var Module = salt.Module{
	Name: "sysctl",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"assign":         salt.Exec(assign),
			"default_config": salt.Exec(defaultConfig),
			"get":            salt.Exec(get),
			"persist":        salt.Exec(persist),
			"show":           salt.Exec(show),
		}
	},
}

// defaultConfig returns the file where parameters are kept: systemd reads
// /etc/sysctl.d/*.conf only.
func defaultConfig(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	if sys.LExists(c.Sys, "/run/systemd/system") {
		return "/etc/sysctl.d/99-salt.conf", nil
	}
	return "/etc/sysctl.conf", nil
}

type showArgs struct {
	ConfigFile any `py:"config_file=False"` // read this file instead of the running kernel
}

// show returns all parameters and their values.
//
//	salt-call sysctl.show config_file=/etc/sysctl.d/99-salt.conf
func show(c *salt.Ctx, a showArgs) (any, error) {
	if !value.Truth(a.ConfigFile) {
		return all(c), nil
	}
	b, err := c.Sys.ReadFile(value.Str(a.ConfigFile))
	switch {
	case err == nil:
		return parse(string(b)), nil
	case !sys.Exists(c.Sys, value.Str(a.ConfigFile)):
		return value.L(), nil
	}
	c.Log.Error("Could not open sysctl file")
	return nil, nil
}

// parse reads sysctl.conf(5); a later line counts.
func parse(text string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		if key, val, ok := setting(line); ok {
			m.Set(key, val)
		}
	}
	return m
}

// setting splits a line of sysctl.conf(5).
func setting(line string) (key, val string, ok bool) {
	line = strings.TrimSpace(line)
	key, val, ok = strings.Cut(line, "=")
	return strings.TrimSpace(key), strings.TrimSpace(val), ok && !strings.HasPrefix(line, "#")
}
