// Package gem holds Salt's gem module: packages of Ruby, by the command gem, or
// by rvm or rbenv where they are installed. Its main variable is Module.
//
//	rack:
//	  gem.installed:
//	    - version: '~> 2.2'
//
// The states ask for the installed gems once a run.
package gem

import (
	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's gem module.
var Module = salt.Module{
	Name: "gem",
	States: func() salt.Funcs {
		return salt.Funcs{
			"installed":      salt.State(installed),
			"removed":        salt.State(removed),
			"sources_add":    salt.State(addedSource),
			"sources_remove": salt.State(removedSource),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"install":        salt.Exec(install),
			"list":           query(salt.Exec(list)),
			"list_upgrades":  query(salt.Exec(listUpgrades)),
			"sources_add":    salt.Exec(sourcesAdd),
			"sources_list":   query(salt.Exec(sourcesList)),
			"sources_remove": salt.Exec(sourcesRemove),
			"uninstall":      salt.Exec(uninstall),
			"update":         salt.Exec(update),
			"update_system":  salt.Exec(updateSystem),
			"version":        query(salt.Exec(version)),
		}
	},
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

// A where says which gem is meant: all of it is part of what is kept in a run.
type where struct {
	ruby, runas, bin string
}

func at(ruby, runas, bin any) where { return where{text(ruby), text(runas), text(bin)} }

func text(v any) string {
	if !value.Truth(v) {
		return ""
	}
	return value.Str(v)
}

// gem runs gem and returns its output; not ok when rvm or rbenv, which are
// asked first unless a command is given, say that it failed.
func (w where) gem(c *salt.Ctx, words ...string) (out string, ok bool, err error) {
	program := "gem"
	if w.bin != "" {
		program = w.bin
	}
	words = append([]string{program}, words...)
	if w.bin == "" {
		switch {
		case hasRvm(c, w.runas):
			return w.rvm(c, words)
		case hasRbenv(c, w.runas):
			return w.rbenv(c, words)
		}
	}
	a, err := command.With(c, w.as(), words...)
	if err == nil && a.Code != 0 {
		err = salt.CommandError("%s", a.Err)
	}
	return a.Out, err == nil, err
}

// ask runs gem to look at something, under test=True too; a manager that cannot
// run it is an error.
func (w where) ask(c *salt.Ctx, words ...string) (string, error) {
	out, ok, err := w.gem(c.With(false), words...)
	if err == nil && !ok {
		err = salt.CommandError("the version manager of Ruby cannot run gem %s", words[0])
	}
	return out, err
}

// as are the arguments of cmd.run_all.
func (w where) as() *value.Map {
	if w.runas == "" {
		return value.M("runas", nil)
	}
	return value.M("runas", w.runas)
}

// answer is what a function returns that changes something: gem's output, or
// False when a manager could not run it.
func answer(c *salt.Ctx, w where, words ...string) (any, error) {
	c.Run.Forget(listKey{w}, sourcesKey{w}, versionKey{w})
	out, ok, err := w.gem(c, words...)
	if err != nil {
		return nil, err
	}
	if !ok {
		return false, nil
	}
	return out, nil
}

type (
	listKey    struct{ where }
	sourcesKey struct{ where }
	versionKey struct{ where }
)
