package pyenv

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

type installArgs struct {
	Runas any `py:"runas=None"` // the user that pyenv belongs to; None: root
	Path  any `py:"path=None"`  // the folder; None: where the configuration says
}

// install clones pyenv from its repository, unless its folder is there.
func install(c *salt.Ctx, a installArgs) (bool, error) {
	path := a.path(c)
	if sys.IsDir(c.Sys, path) {
		return true, nil
	}
	return succeeds(c, a.Runas, "", "git", "clone", "https://github.com/pyenv/pyenv.git", path)
}

func (a installArgs) path(c *salt.Ctx) string {
	if value.Truth(a.Path) {
		return expand(c, value.Str(a.Path))
	}
	return root(c, a.Runas)
}

type updateArgs struct {
	Runas any `py:"runas=None"` // the user that pyenv belongs to; None: root
	Path  any `py:"path=None"`  // the folder; None: where the configuration says
}

// update pulls the newest pyenv; false if it is not there.
func update(c *salt.Ctx, a updateArgs) (bool, error) {
	path := installArgs(a).path(c)
	if !sys.IsDir(c.Sys, path) {
		return false, nil
	}
	return succeeds(c, a.Runas, path, "git", "pull")
}

func succeeds(c *salt.Ctx, runas any, dir string, argv ...string) (bool, error) {
	kw := value.M("runas", runas, "python_shell", false)
	if dir != "" {
		kw.Set("cwd", dir)
	}
	code, err := c.CallKw("cmd.retcode", kw, value.Strings(argv))
	return err == nil && value.Equal(code, int64(0)), err
}

type isInstalledArgs struct {
	Runas any `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// isInstalled reports whether pyenv is there.
func isInstalled(c *salt.Ctx, a isInstalledArgs) (bool, error) { return runnable(c, a.Runas), nil }

type installPythonArgs struct {
	Python string `py:"python"`     // the version, such as 3.12.4
	Runas  any    `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// installPython builds a version of Python and returns what the build said;
// False if it fails, and what was begun is removed.
func installPython(c *salt.Ctx, a installPythonArgs) (any, error) {
	var env []string
	if text := option(c, "build_env"); text != "" {
		words, err := py.ShellSplit(text)
		if err != nil {
			return nil, salt.InvocationError("pyenv.build_env: %s", err)
		}
		env = words
	}
	ret, err := pyenv(c, a.Runas, env, "install", bare(a.Python))
	if err != nil || ret == nil {
		return false, err
	}
	if value.Truth(ret.At("retcode")) {
		_, err := uninstallPython(c, uninstallPythonArgs(a))
		return false, err
	}
	_, err = rehash(c, rehashArgs{Runas: a.Runas})
	return ret.At("stderr"), err
}

type uninstallPythonArgs struct {
	Python string `py:"python"`     // the version, such as 3.12.4
	Runas  any    `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// uninstallPython removes a version of Python.
func uninstallPython(c *salt.Ctx, a uninstallPythonArgs) (bool, error) {
	_, err := pyenv(c, a.Runas, nil, "uninstall", "--force", bare(a.Python))
	return true, err
}

type versionsArgs struct {
	Runas any `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// versions returns the installed versions.
func versions(c *salt.Ctx, a versionsArgs) ([]string, error) {
	text, _, err := output(c.With(false), a.Runas, "versions", "--bare")
	return lines(text), err
}

func lines(text string) []string {
	out := []string{}
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

type defaultArgs struct {
	Python any `py:"python=None"` // the version to set; None: none
	Runas  any `py:"runas=None"`  // the user that pyenv belongs to; None: root
}

// default_ returns the version that is used when nothing is said, or sets it.
func default_(c *salt.Ctx, a defaultArgs) (any, error) {
	if value.Truth(a.Python) {
		_, _, err := output(c, a.Runas, "global", value.Str(a.Python))
		return true, err
	}
	text, _, err := output(c.With(false), a.Runas, "global")
	return strings.TrimSpace(text), err
}

type listArgs struct {
	Runas any `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// list returns the versions that can be installed.
func list(c *salt.Ctx, a listArgs) ([]string, error) {
	text, _, err := output(c.With(false), a.Runas, "install", "--list")
	out := []string{}
	for _, line := range lines(text) {
		if line != "Available versions:" {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out, err
}

type rehashArgs struct {
	Runas any `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// rehash makes the commands of all versions callable.
func rehash(c *salt.Ctx, a rehashArgs) (bool, error) {
	_, err := pyenv(c, a.Runas, nil, "rehash")
	return true, err
}

type doArgs struct {
	Cmdline any `py:"cmdline=None"` // the command
	Runas   any `py:"runas=None"`   // the user that pyenv belongs to; None: root
}

// do runs a command with pyenv's commands first in the path, and returns what
// it prints; False if it fails.
func do(c *salt.Ctx, a doArgs) (any, error) {
	line := "env PATH=" + shellQuote(root(c, a.Runas)) + "/shims:$PATH"
	for _, word := range strings.Fields(value.Str(a.Cmdline)) {
		line += " " + shellQuote(word)
	}
	v, err := c.CallKw("cmd.run_all", value.M("runas", a.Runas, "python_shell", true), line)
	ret, _ := v.(*value.Map)
	if err != nil || value.Truth(ret.At("retcode")) {
		return false, err
	}
	_, err = rehash(c, rehashArgs{Runas: a.Runas})
	return ret.At("stdout"), err
}

type doWithPythonArgs struct {
	Python  any `py:"python"`     // the version
	Cmdline any `py:"cmdline"`    // the command
	Runas   any `py:"runas=None"` // the user that pyenv belongs to; None: root
}

// doWithPython runs a command with one version of Python.
func doWithPython(c *salt.Ctx, a doWithPythonArgs) (any, error) {
	line := value.Str(a.Cmdline)
	if value.Truth(a.Python) {
		line = "PYENV_VERSION=" + value.Str(a.Python) + " " + line
	}
	return do(c, doArgs{Cmdline: line, Runas: a.Runas})
}
