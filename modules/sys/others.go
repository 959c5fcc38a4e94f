package sysmod

import (
	"pinch/salt"
	"pinch/value"
)

// renderers are Salt's own, with what they do.
func renderers() *value.Map {
	return value.M(
		"gpg", "decrypts the values that are PGP messages", "jinja", "renders Jinja templates to text",
		"json", "reads JSON", "mako", "renders Mako templates to text", "msgpack", "reads msgpack",
		"nacl", "decrypts values", "py", "runs a Python function that returns the data",
		"pyobjects", "runs Python that declares states as objects", "stateconf", "adds names and order to SLS files",
		"yaml", "reads YAML", "yamlex", "reads YAML with aggregation",
	)
}

// returners are Salt's own that work on a plain machine.
var returners = []string{"highstate", "local", "local_cache", "multi_returner", "rawfile_json", "salt_cache", "syslog"}

func matching(all, words []any) *value.List {
	out := new(value.List)
	for _, name := range all {
		ok := len(words) == 0
		for _, w := range words {
			ok = ok || value.Fnmatch(value.Str(name), value.Str(w))
		}
		if ok {
			out.Append(name)
		}
	}
	return out
}

// listRenderers lists the renderers.
func listRenderers(_ *salt.Ctx, a wordsArgs) (*value.List, error) {
	return matching(renderers().Keys(), a.Names), nil
}

// rendererDoc tells what renderers do.
func rendererDoc(_ *salt.Ctx, a wordsArgs) (*value.Map, error) {
	out, all := new(value.Map), renderers()
	for _, name := range matching(all.Keys(), a.Names).Items {
		out.Set(name.(string), all.At(name.(string)))
	}
	return out, nil
}

// listReturners lists the returners.
func listReturners(_ *salt.Ctx, a wordsArgs) (*value.List, error) {
	return matching(value.Strings(returners).Items, a.Names), nil
}

// listReturnerFunctions is empty: returners are no functions here.
func listReturnerFunctions(_ *salt.Ctx, _ listArgs) (*value.List, error) { return new(value.List), nil }

// returnerDoc is empty: returners are no functions here.
func returnerDoc(_ *salt.Ctx, _ wordsArgs) (*value.Map, error) { return new(value.Map), nil }

// listRunners is empty: runners belong to a master.
func listRunners(_ *salt.Ctx, _ wordsArgs) (*value.List, error) { return new(value.List), nil }

// listRunnerFunctions is empty: runners belong to a master.
func listRunnerFunctions(_ *salt.Ctx, _ listArgs) (*value.List, error) { return new(value.List), nil }

// runnerDoc is empty: runners belong to a master.
func runnerDoc(_ *salt.Ctx, _ wordsArgs) (*value.Map, error) { return new(value.Map), nil }
