package pip

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// binary is how to start pip: for a virtual environment its python, for
// anything else what was named. Without a name it is the system's Python.
func binary(c *salt.Ctx, binEnv any) ([]string, error) {
	env := text(binEnv)
	if env == "" {
		for _, name := range []string{"python3", "python"} {
			if p := c.Sys.LookPath(name); p != "" {
				return []string{p, "-m", "pip"}, nil
			}
		}
		return nil, value.Errorf("CommandNotFoundError", "Could not find a `pip` binary")
	}
	if sys.IsDir(c.Sys, env) {
		if p := pythonIn(c, env); p != "" {
			return []string{filepath.Clean(p), "-m", "pip"}, nil
		}
		return nil, value.Errorf("CommandNotFoundError", "Could not find a pip binary in virtualenv %s", env)
	}
	switch {
	case c.Sys.Access(env, 1) != nil:
		return nil, value.Errorf("CommandNotFoundError", "Access denied to %s, could not find a pip binary", env)
	case !sys.IsFile(c.Sys, env):
		return nil, salt.CommandError("Could not find a pip binary within %s", env)
	case strings.Contains(filepath.Base(env), "python"):
		return []string{filepath.Clean(env), "-m", "pip"}, nil
	}
	return []string{filepath.Clean(env)}, nil
}

var pythonName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^python(\d+(\.\d+)?)?$`) })

// pythonIn finds the python of a directory: python, bin/python, then python3
// and the versioned names.
func pythonIn(c *salt.Ctx, dir string) string {
	runs := func(p string) bool { return sys.IsFile(c.Sys, p) && c.Sys.Access(p, 1) == nil }
	for _, p := range []string{"python", "bin/python", "Scripts/python"} {
		if p = filepath.Join(dir, p); runs(p) {
			return p
		}
	}
	entries, _ := c.Sys.ReadDir(filepath.Join(dir, "bin"))
	var found []string
	for _, e := range entries {
		if p := filepath.Join(dir, "bin", e.Name()); pythonName().MatchString(e.Name()) && runs(p) {
			found = append(found, p)
		}
	}
	if i := slices.Index(found, filepath.Join(dir, "bin/python3")); i >= 0 {
		return found[i]
	}
	if len(found) > 0 {
		return found[0]
	}
	return ""
}

// environment is what every call of pip gets: VIRTUAL_ENV where bin_env is a
// directory, then the caller's variables.
func environment(c *salt.Ctx, binEnv, vars any, virtualFirst bool) (*value.Map, error) {
	env := new(value.Map)
	virtual := func() {
		if p := text(binEnv); p != "" && sys.IsDir(c.Sys, p) {
			env.Set("VIRTUAL_ENV", p)
		}
	}
	if virtualFirst {
		virtual()
	}
	if value.Truth(vars) {
		m, ok := vars.(*value.Map)
		if !ok {
			return nil, salt.CommandError("env_vars %s is not a dictionary", value.Str(vars))
		}
		for k, v := range m.Items() {
			env.Set(k, value.Str(v))
		}
	}
	if !virtualFirst {
		virtual()
	}
	return env, nil
}

// run calls cmd.run_all.
func run(c *salt.Ctx, argv []string, env *value.Map, kw *value.Map) (*value.Map, error) {
	if env.Len() > 0 {
		all := new(value.Map)
		if m, ok := kw.At("env").(*value.Map); ok {
			all.Update(m)
		}
		all.Update(env)
		kw.Set("env", all)
	}
	v, err := c.CallKw("cmd.run_all", kw, value.Strings(argv))
	m, _ := v.(*value.Map)
	return m, err
}

// query runs pip for an answer; an exit code is an error with what it printed.
func query(c *salt.Ctx, argv []string, env *value.Map, kw *value.Map) (string, error) {
	ret, err := run(c.With(false), argv, env, kw)
	switch {
	case err != nil:
		return "", err
	case value.Truth(ret.At("retcode")):
		return "", salt.CommandError("%s", ret.Str("stderr"))
	}
	return ret.Str("stdout"), nil
}
