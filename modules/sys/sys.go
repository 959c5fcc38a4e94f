// Package sysmod holds Salt's sys module: what functions there are, what they
// take and what their manuals say. Its main variable is Module.
//
//	pinch sys.doc file.touch
package sysmod

import (
	"errors"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's sys module.
var Module = salt.Module{
	Name: "sys",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"argspec":                 salt.Exec(argspec),
			"doc":                     salt.Exec(doc),
			"list_functions":          salt.Exec(listFunctions),
			"list_modules":            salt.Exec(listModules),
			"list_renderers":          salt.Exec(listRenderers),
			"list_returner_functions": salt.Exec(listReturnerFunctions),
			"list_returners":          salt.Exec(listReturners),
			"list_runner_functions":   salt.Exec(listRunnerFunctions),
			"list_runners":            salt.Exec(listRunners),
			"list_state_functions":    salt.Exec(listStateFunctions),
			"list_state_modules":      salt.Exec(listStateModules),
			"reload_modules":          salt.Exec(reloadModules),
			"renderer_doc":            salt.Exec(rendererDoc),
			"returner_argspec":        salt.Exec(returnerArgspec),
			"returner_doc":            salt.Exec(returnerDoc),
			"runner_argspec":          salt.Exec(runnerArgspec),
			"runner_doc":              salt.Exec(runnerDoc),
			"state_argspec":           salt.Exec(stateArgspec),
			"state_doc":               salt.Exec(stateDoc),
			"state_schema":            salt.Exec(stateSchema),
		}
	},
	Outputter: map[string]string{},
}

// names are the functions of a kind that a set of words means: a module, a
// glob or a function each; without words all.
func names(c *salt.Ctx, kind string, words []any) []string {
	all := c.Registry().Names(c, kind)
	if len(words) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(fun string) bool {
		return !slices.ContainsFunc(words, func(w any) bool { return means(value.Str(w), fun) })
	})
}

func means(word, fun string) bool {
	if strings.ContainsAny(word, "*.") {
		return value.Fnmatch(fun, word)
	}
	return strings.HasPrefix(fun, word+".")
}

// modules are the first parts of names, where words are modules or globs.
func modules(c *salt.Ctx, kind string, words []any) *value.List {
	out := new(value.List)
	for _, fun := range c.Registry().Names(c, kind) {
		mod, _, _ := strings.Cut(fun, ".")
		ok := len(words) == 0 || slices.ContainsFunc(words, func(w any) bool {
			s := value.Str(w)
			return s == mod || strings.Contains(s, "*") && value.Fnmatch(fun, s)
		})
		if ok && (out.Len() == 0 || out.Items[out.Len()-1] != mod) {
			out.Append(mod)
		}
	}
	return out
}

type listArgs struct {
	Names  []any      `py:"*args"`    // modules, functions or globs; none: all
	Kwargs *value.Map `py:"**kwargs"` // ignored
}

type wordsArgs struct {
	Names []any `py:"*args"` // names or globs; none: all
}

// listFunctions lists execution functions.
func listFunctions(c *salt.Ctx, a listArgs) (*value.List, error) {
	return value.Strings(names(c, "exec", a.Names)), nil
}

// listStateFunctions lists state functions.
func listStateFunctions(c *salt.Ctx, a listArgs) (*value.List, error) {
	return value.Strings(names(c, "states", a.Names)), nil
}

// listModules lists the modules with execution functions.
func listModules(c *salt.Ctx, a wordsArgs) (*value.List, error) {
	return modules(c, "exec", a.Names), nil
}

// listStateModules lists the modules with states.
func listStateModules(c *salt.Ctx, a wordsArgs) (*value.List, error) {
	return modules(c, "states", a.Names), nil
}

// reloadModules does nothing: there is nothing that could be stale.
func reloadModules(_ *salt.Ctx, _ salt.NoArgs) (any, error) { return nil, nil }

// find is the function of a name.
func find(c *salt.Ctx, kind, name string) *salt.Func {
	if kind == "states" {
		f, _, _ := c.Registry().State(c, name)
		return f
	}
	f, err := c.Registry().Exec(c, name)
	var missing *salt.LookupError
	if errors.As(err, &missing) {
		return nil
	}
	return f
}
