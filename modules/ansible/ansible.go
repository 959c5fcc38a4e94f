// Package ansible holds Salt's ansible module: modules and playbooks of
// Ansible, run by the machine's own ansible programs. Its main variable is
// Module.
//
//	web:
//	  ansible.playbooks:
//	    - name: web.yml
//	    - rundir: /srv/playbooks
package ansible

import (
	"errors"
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's ansible module.
var Module = salt.Module{
	Name: "ansible",
	Virtual: func(c *salt.Ctx, kind string) error {
		if kind == "states" {
			return nil
		}
		for _, exe := range []string{"ansible", "ansible-doc", "ansible-playbook"} {
			if c.Sys.LookPath(exe) == "" {
				return errors.New("The '" + exe + "' binary was not found.")
			}
		}
		return nil
	},
	States: func() salt.Funcs {
		return salt.Funcs{
			"call":      salt.State(callState),
			"playbooks": salt.State(playbooksState),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"call":               salt.Exec(call),
			"discover_playbooks": salt.Exec(discoverPlaybooks),
			"help":               salt.Exec(help),
			"list":               salt.Exec(list).Named("list_"),
			"playbooks":          salt.Exec(playbooks),
			"targets":            salt.Exec(targets),
		}
	},
}

// environment is ours without Ansible's warnings.
func environment() []string { return append(os.Environ(), "ANSIBLE_DEPRECATION_WARNINGS=0") }

// realName is the name that Ansible has for a module: Salt drops "ansible.".
func realName(module string) string {
	if strings.HasPrefix(module, "builtin.") {
		return "ansible." + module
	}
	return module
}

type callStateArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // name, and Ansible's modules with their arguments
}

// callState calls modules of Ansible. An argument is an item NAME: VALUE, or a
// bare one such as the command of shell.
//
//	say hello:
//	  ansible.call:
//	    - ping:
//	        - data: hello
func callState(c *salt.Ctx, a callStateArgs) salt.Result {
	r := salt.Correct("")
	for module, params := range a.Kwargs.Items() {
		if module == "name" || strings.HasPrefix(module, "__") {
			continue
		}
		if c.Test {
			r.Result, r.Comment = nil, strings.TrimPrefix(r.Comment+"\nModule \""+module+"\" would be called", "\n")
			continue
		}
		out, err := c.Registry().Exec(c, "ansible.call")
		var got any
		if err == nil {
			args, kw := split(params)
			got, err = out.Call(c, append([]any{module}, args...), kw)
		}
		if err != nil {
			got, r.Result = failure(module, err), salt.False()
		}
		r.Changes.Set(module, got)
	}
	return r
}

func failure(module string, err error) string {
	class, text := "CommandExecutionError", err.Error()
	var e *value.Exception
	var l *salt.LookupError
	switch {
	case errors.As(err, &l):
		class, text = "KeyError", "'ansible."+module+"'"
	case errors.As(err, &e):
		class, text = e.Class, e.Msg
	}
	return "Module \"" + module + "\" failed. Error message: (" + class + ") " + text
}

// split tells maps from bare items.
func split(params any) (args []any, kw *value.Map) {
	kw = new(value.Map)
	l, ok := params.(*value.List)
	if !ok {
		return nil, kw
	}
	for _, it := range l.Items {
		if m, ok := it.(*value.Map); ok {
			kw.Update(m)
		} else {
			args = append(args, it)
		}
	}
	return args, kw
}
