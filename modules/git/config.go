package git

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// scope are the options that choose a configuration file.
func scope(cwd any, global bool) ([]string, error) {
	switch {
	case global:
		return []string{"--global"}, nil
	case cwd == nil:
		return nil, salt.InvocationError("'cwd' argument required unless global=True")
	}
	return []string{"--local"}, nil
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

type configGetArgs struct {
	Key            string     `py:"key"`                  // the name, such as user.email
	Cwd            any        `py:"cwd=None"`             // the checkout; not needed with global=True
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // all: return all values; global: the user's configuration
}

// configGet returns a value of git's configuration, None when it is not set.
func configGet(c *salt.Ctx, a configGetArgs) (any, error) {
	kw, err := only(a.Kwargs, "all", "global")
	if err != nil {
		return nil, err
	}
	where, err := scope(a.Cwd, kw.Truth("global"))
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{"git", "config"}, where...), "--get-all", a.Key)
	ret, err := newJob(c, a).try(c, argv, nil)
	if err != nil || ret.At("retcode") == int64(1) {
		return nil, err
	}
	values := splitLines(ret.Str("stdout"))
	switch {
	case kw.Truth("all"):
		return value.Strings(values), nil
	case len(values) == 0:
		return "", nil
	}
	return values[len(values)-1], nil
}

type configGetRegexpArgs struct {
	Key            string     `py:"key"`                  // the name, such as user.email
	ValueRegex     any        `py:"value_regex=None"`     // only values that match
	Cwd            any        `py:"cwd=None"`             // the checkout; not needed with global=True
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // global: the user's configuration
}

// configGetRegexp returns all values whose names match a regular expression.
func configGetRegexp(c *salt.Ctx, a configGetRegexpArgs) (*value.Map, error) {
	kw, err := only(a.Kwargs, "global")
	if err != nil {
		return nil, err
	}
	where, err := scope(a.Cwd, kw.Truth("global"))
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{"git", "config"}, where...), "--get-regexp", a.Key)
	if a.ValueRegex != nil {
		argv = append(argv, value.Str(a.ValueRegex))
	}
	ret, err := newJob(c, a).try(c, argv, nil)
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for _, line := range splitLines(ret.Str("stdout")) {
		name, v, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		if !out.Has(name) {
			out.Set(name, value.L())
		}
		out.List(name).Append(v)
	}
	return out, nil
}

// configGetRegex is another name of git.config_get_regexp.
func configGetRegex(c *salt.Ctx, a configGetRegexpArgs) (*value.Map, error) {
	return configGetRegexp(c, configGetRegexpArgs(a))
}

type configSetArgs struct {
	Key            string     `py:"key"`                  // the name, such as user.email
	Value          any        `py:"value=None"`           // the value
	Multivar       any        `py:"multivar=None"`        // several values: a list, or a text with commas
	Cwd            any        `py:"cwd=None"`             // the checkout; not needed with global=True
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // add: keep the values that are set; global: the user's configuration
}

// configSet sets one or several values of git's configuration and returns all
// that are set then.
//
//	salt-call git.config_set user.email me@example.com global=True
func configSet(c *salt.Ctx, a configSetArgs) (any, error) {
	kw, err := only(a.Kwargs, "add", "global")
	if err != nil {
		return nil, err
	}
	global := kw.Truth("global")
	if _, err := scope(a.Cwd, global); err != nil {
		return nil, err
	}
	if a.Value != nil && a.Multivar != nil {
		return nil, salt.InvocationError("Only one of 'value' and 'multivar' is permitted")
	}
	base := []string{"git", "config"}
	if global {
		base = append(base, "--global")
	}
	values := texts(a.Multivar)
	if a.Value != nil {
		values = []string{value.Str(a.Value)}
	}
	j := newJob(c, a)
	for i, v := range values {
		option := "--replace-all"
		if i > 0 || a.Value != nil && kw.Truth("add") {
			option = "--add"
		}
		if _, err := j.all(c, append(append([]string(nil), base...), option, a.Key, v)); err != nil {
			return nil, err
		}
	}
	return configGet(c, configGetArgs{Key: a.Key, Cwd: a.Cwd, User: a.User, IgnoreRetcode: a.IgnoreRetcode,
		OutputEncoding: a.OutputEncoding, Kwargs: value.M("all", true, "global", global)})
}

type configUnsetArgs struct {
	Key            string     `py:"key"`                  // the name, such as user.email
	ValueRegex     any        `py:"value_regex=None"`     // only values that match
	Cwd            any        `py:"cwd=None"`             // the checkout; not needed with global=True
	User           any        `py:"user=None"`            // the user to run git as
	Password       any        `py:"password=None"`        // for Windows only, ignored here
	IgnoreRetcode  bool       `py:"ignore_retcode=False"` // a failure is not logged
	OutputEncoding any        `py:"output_encoding=None"` // how git's output is encoded; None is UTF-8
	Kwargs         *value.Map `py:"**kwargs"`             // all: all values; global: the user's configuration
}

// configUnset takes values out of git's configuration.
func configUnset(c *salt.Ctx, a configUnsetArgs) (bool, error) {
	kw, err := only(a.Kwargs, "all", "global")
	if err != nil {
		return false, err
	}
	where, err := scope(a.Cwd, kw.Truth("global"))
	if err != nil {
		return false, err
	}
	option := "--unset"
	if kw.Truth("all") {
		option = "--unset-all"
	}
	argv := append(append([]string{"git", "config", option}, where...), a.Key)
	if a.ValueRegex != nil {
		argv = append(argv, value.Str(a.ValueRegex))
	}
	ret, err := newJob(c, a).try(c, argv, nil)
	if err != nil {
		return false, err
	}
	switch code, _ := ret.At("retcode").(int64); code {
	case 0:
		return true, nil
	case 1:
		return false, salt.CommandError("Section or key is invalid")
	case 5:
		return false, a.unsetFailed(c, kw.Truth("global"))
	case 6:
		return false, salt.CommandError("The value_regex is invalid")
	}
	msg := "Failed to unset key '" + a.Key + "', git config returned exit code " + ret.Str("retcode")
	if s := ret.Str("stderr"); s != "" {
		msg += "; " + s
	}
	return false, salt.CommandError("%s", msg)
}

// unsetFailed says why git unset nothing: no value, or more than one.
func (a *configUnsetArgs) unsetFailed(c *salt.Ctx, global bool) error {
	now, err := configGet(c, configGetArgs{Key: a.Key, Cwd: a.Cwd, User: a.User, IgnoreRetcode: a.IgnoreRetcode, Kwargs: value.M("global", global)})
	if err != nil {
		return err
	}
	if now == nil {
		return salt.CommandError("Key '%s' does not exist", a.Key)
	}
	msg := "Multiple values exist for key '" + a.Key + "'"
	if a.ValueRegex != nil {
		msg += " and value_regex matches multiple values"
	}
	return salt.CommandError("%s", msg)
}
