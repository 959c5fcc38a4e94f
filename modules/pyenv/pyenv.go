// Package pyenv holds Salt's pyenv module: versions of Python side by side,
// built by pyenv. Its main variable is Module.
//
//	3.12.4:
//	  pyenv.installed:
//	    - default: True
//
// pyenv lives in pyenv.root of the configuration, else in /usr/local/pyenv, for
// a user other than root in ~/.pyenv. pyenv.build_env are variables for builds.
package pyenv

import (
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// Module is Salt's pyenv module.
var Module = salt.Module{
	Name: "pyenv",
	States: func() salt.Funcs {
		return salt.Funcs{
			"installed":     salt.State(installed),
			"absent":        salt.State(absent),
			"install_pyenv": salt.State(installPyenv),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"default":          salt.Exec(default_),
			"do":               salt.Exec(do),
			"do_with_python":   salt.Exec(doWithPython),
			"install":          salt.Exec(install),
			"install_python":   salt.Exec(installPython),
			"is_installed":     query(salt.Exec(isInstalled)),
			"list":             query(salt.Exec(list)).Named("list_"),
			"rehash":           salt.Exec(rehash),
			"uninstall_python": salt.Exec(uninstallPython),
			"update":           salt.Exec(update),
			"versions":         query(salt.Exec(versions)),
		}
	},
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

func option(c *salt.Ctx, name string) string {
	v, err := c.Call("config.option", "pyenv."+name)
	if err != nil || !value.Truth(v) {
		return ""
	}
	return value.Str(v)
}

// root is where pyenv lives.
func root(c *salt.Ctx, runas any) string {
	path := option(c, "root")
	if path == "" {
		path = "/usr/local/pyenv"
		if runas != nil && runas != "root" {
			path = "~" + value.Str(runas) + "/.pyenv"
		}
	}
	return expand(c, path)
}

// expand puts a user's home in the place of a tilde.
func expand(c *salt.Ctx, path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok {
		return path
	}
	user, rest, _ := strings.Cut(rest, "/")
	home := os.Getenv("HOME")
	if user != "" {
		u, err := c.Sys.User(user)
		if err != nil {
			return path
		}
		home = u.Home
	}
	return strings.TrimSuffix(home+"/"+rest, "/")
}

func runnable(c *salt.Ctx, runas any) bool { return c.Sys.LookPath(root(c, runas)+"/bin/pyenv") != "" }

// pyenv runs pyenv; nil if it is not installed.
func pyenv(c *salt.Ctx, runas any, env []string, words ...string) (*value.Map, error) {
	if !runnable(c, runas) {
		return nil, nil
	}
	dir := root(c, runas)
	argv := append([]string{"env", "PYENV_ROOT=" + dir}, env...)
	argv = append(append(argv, dir+"/bin/pyenv"), words...)
	v, err := c.CallKw("cmd.run_all", value.M("runas", runas, "python_shell", false), value.Strings(argv))
	ret, _ := v.(*value.Map)
	return ret, err
}

// output is what pyenv prints; not ok when it fails or is not there.
func output(c *salt.Ctx, runas any, words ...string) (text string, ok bool, err error) {
	ret, err := pyenv(c, runas, nil, words...)
	if err != nil || ret == nil || value.Truth(ret.At("retcode")) {
		return "", false, err
	}
	return ret.Str("stdout"), true, nil
}

// bare is a version without the prefix that Salt allows.
func bare(python string) string { return strings.TrimPrefix(python, "python-") }

func shellQuote(s string) string { return py.ShellQuote(s) }
