package git

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type configSetStateArgs struct {
	Name           string     `py:"name"`                 // the name, such as user.email
	Value          any        `py:"value=None"`           // the value
	Multivar       any        `py:"multivar=None"`        // several values: a list, or a text with commas
	Repo           any        `py:"repo=None"`            // the checkout; not needed with global: True
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // global: the user's configuration
}

// configSetState makes sure that a name of git's configuration has a value, or
// exactly several.
//
//	user.email:
//	  git.config_set:
//	    - value: me@example.com
//	    - global: True
func configSetState(c *salt.Ctx, a configSetStateArgs) salt.Result {
	if a.Value != nil && a.Multivar != nil {
		return salt.Failed("Only one of 'value' and 'multivar' is permitted")
	}
	kw, err := only(a.Kwargs, "global")
	if err != nil {
		return salt.Failed("%s", err)
	}
	global := kw.Truth("global")
	if !global && !value.Truth(a.Repo) {
		return salt.Failed("Non-global config options require the 'repo' argument to be set")
	}
	if a.Value == nil && a.Multivar == nil {
		return salt.Raised(value.Errorf("UnboundLocalError", "cannot access local variable 'desired' where it is not associated with a value"))
	}
	want := value.Strings(texts(a.Multivar))
	shown := value.Repr(want)
	if a.Value != nil {
		want, shown = value.L(value.Str(a.Value)), "'"+value.Str(a.Value)+"'"
	}
	what := "'" + a.Name + "'"
	capital, small := what, what
	if global {
		capital, small = "Global key "+what, "global key "+what
	}
	now, err := configGet(c.With(false), configGetArgs{Key: a.Name, Cwd: a.Repo, User: a.User, IgnoreRetcode: true, OutputEncoding: a.OutputEncoding,
		Kwargs: value.M("all", true, "global", global)})
	if err != nil {
		return salt.Raised(err)
	}
	verb := "set to"
	if now == nil {
		verb = "added as"
	}
	switch {
	case value.Equal(now, want):
		return salt.Correct("%s is already set to %s", capital, shown)
	case c.Test:
		return salt.Would(value.M("old", now, "new", want), "%s would be %s %s", capital, verb, shown)
	}
	args := configSetArgs{Key: a.Name, Cwd: a.Repo, User: a.User, OutputEncoding: a.OutputEncoding, Kwargs: value.M("global", global)}
	if a.Value != nil {
		args.Value = value.Str(a.Value)
	} else {
		args.Multivar = want
	}
	after, err := configSet(c, args)
	switch {
	case err != nil && commandFailed(err):
		return salt.Failed("Failed to set %s to %s: %s", small, shown, plain(err))
	case err != nil:
		return salt.Raised(err)
	}
	r := salt.Correct("%s was %s %s", capital, verb, shown)
	if !value.Equal(now, after) {
		r.Changes.Set(a.Name, value.M("old", now, "new", after))
	}
	if !value.Equal(after, want) {
		r.Result, r.Comment = salt.False(), "Failed to set "+small+" to "+shown
	}
	return r
}

type configUnsetStateArgs struct {
	Name           string     `py:"name"`                 // the name, or a regular expression for names
	ValueRegex     any        `py:"value_regex=None"`     // only values that match
	Repo           any        `py:"repo=None"`            // the checkout; not needed with global: True
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // global: the user's configuration; all: all values
}

// configUnsetState makes sure that names of git's configuration are not set,
// or not to values that match.
func configUnsetState(c *salt.Ctx, a configUnsetStateArgs) salt.Result {
	kw, err := only(a.Kwargs, "global", "all")
	if err != nil {
		return salt.Failed("%s", err)
	}
	global := kw.Truth("global")
	if !global && !value.Truth(a.Repo) {
		return salt.Failed("Non-global config options require the 'repo' argument to be set")
	}
	key := "^" + strings.TrimRight(strings.TrimLeft(a.Name, "^"), "$") + "$"
	find := func(pattern any) (*value.Map, error) {
		return configGetRegexp(c.With(false), configGetRegexpArgs{Key: key, ValueRegex: pattern, Cwd: a.Repo, User: a.User, IgnoreRetcode: true,
			OutputEncoding: a.OutputEncoding, Kwargs: value.M("global", global)})
	}
	matches, err := find(a.ValueRegex)
	switch {
	case err != nil:
		return salt.Raised(err)
	case matches.Len() == 0:
		return salt.Correct("No matching keys are set")
	}
	if several := listed(matches, 2); len(several) > 0 && !kw.Truth("all") {
		why := "Multivar(s) matched by the key expression (set 'all' to True to force removal): "
		if a.ValueRegex != nil {
			why = "Multiple values are matched by value_regex for the following keys (set 'all' to True to force removal): "
		}
		return salt.Failed("%s", why+strings.Join(several, "; "))
	}
	if c.Test {
		return salt.Would(matches, "%d key(s) would have value(s) unset", matches.Len())
	}
	before, err := find(nil)
	if err != nil {
		return salt.Raised(err)
	}
	var failed []string
	for name := range matches.Items() {
		_, err := configUnset(c, configUnsetArgs{Key: name, ValueRegex: a.ValueRegex, Cwd: a.Repo, User: a.User, OutputEncoding: a.OutputEncoding,
			Kwargs: value.M("all", kw.Truth("all"), "global", global)})
		if err != nil {
			c.Log.Error("Failed to unset '" + name + "': " + plain(err))
			failed = append(failed, name)
		}
	}
	if len(failed) > 0 {
		return salt.Failed("Error(s) occurred unsetting values for the following keys (see the minion log for details): %s", strings.Join(failed, ", "))
	}
	after, err := find(nil)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Changed(lost(before, after), "Value(s) successfully unset")
	left, err := find(a.ValueRegex)
	if err != nil {
		return salt.Raised(err)
	}
	if left.Len() > 0 {
		r.Result, r.Comment = salt.False(), "Failed to unset value(s): "+strings.Join(listed(left, 1), "; ")
	}
	return r
}

// listed shows the names that have at least n values.
func listed(m *value.Map, n int) []string {
	var out []string
	for name := range m.Items() {
		if values := texts(m.List(name)); len(values) >= n {
			out = append(out, name+" ("+strings.Join(values, ", ")+")")
		}
	}
	return out
}

// lost are the values that are gone.
func lost(before, after *value.Map) *value.Map {
	out := new(value.Map)
	for name := range before.Items() {
		gone := value.L()
		still := texts(after.At(name))
		for _, v := range before.List(name).Items {
			if len(without([]string{value.Str(v)}, 0, still...)) > 0 {
				gone.Append(v)
			}
		}
		if gone.Len() > 0 {
			out.Set(name, gone)
		}
	}
	return out
}
