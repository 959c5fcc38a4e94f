package sysmod

import (
	"slices"
	"strings"

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
func listReturners(c *salt.Ctx, a wordsArgs) (*value.List, error) {
	mods, _ := customOf(c, "returners")
	return matching(value.Strings(sorted(append(mods, returners...))).Items, a.Names), nil
}

// listReturnerFunctions lists the functions of custom returners; those of the
// others are no functions here.
func listReturnerFunctions(c *salt.Ctx, a listArgs) (*value.List, error) {
	_, funs := customOf(c, "returners")
	return ofModules(funs, a.Names), nil
}

// returnerDoc is empty: returners are no functions here.
func returnerDoc(_ *salt.Ctx, _ wordsArgs) (*value.Map, error) { return new(value.Map), nil }

// listRunners lists custom runners; all others belong to a master.
func listRunners(c *salt.Ctx, a wordsArgs) (*value.List, error) {
	mods, _ := customOf(c, "runners")
	return matching(value.Strings(mods).Items, a.Names), nil
}

// listRunnerFunctions lists the functions of custom runners; all others belong
// to a master.
func listRunnerFunctions(c *salt.Ctx, a listArgs) (*value.List, error) {
	_, funs := customOf(c, "runners")
	return ofModules(funs, a.Names), nil
}

// customOf are the custom modules of a kind that load, and their functions,
// both sorted.
func customOf(c *salt.Ctx, kind string) (mods, funs []string) {
	if c.Run == nil || c.Run.Custom == nil {
		return nil, nil
	}
	for _, m := range c.Run.Custom.All(c, kind) {
		if m.Virtual != nil && m.Virtual(c, kind) != nil {
			continue
		}
		mods = append(mods, m.Name)
		for fun := range m.Functions("exec") {
			funs = append(funs, m.Name+"."+fun)
		}
	}
	return sorted(mods), sorted(funs)
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// ofModules picks functions by the names of their modules, or by globs.
func ofModules(funs []string, words []any) *value.List {
	out := new(value.List)
	for _, fun := range funs {
		mod, _, _ := strings.Cut(fun, ".")
		if len(words) == 0 || slices.ContainsFunc(words, func(w any) bool { return w == any(mod) || value.Fnmatch(fun, value.Str(w)) }) {
			out.Append(fun)
		}
	}
	return out
}

// runnerDoc is empty: runners belong to a master.
func runnerDoc(_ *salt.Ctx, _ wordsArgs) (*value.Map, error) { return new(value.Map), nil }
