// Package npm holds Salt's npm module: packages of Node.js. It drives the npm
// command. Its main variable is Module.
//
//	salt-call npm.install coffee-script@1.0.1
package npm

import (
	"errors"
	"os"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's npm module.
var Module = salt.Module{
	Name: "npm",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"cache_clean": salt.Exec(cacheClean),
			"cache_list":  salt.Exec(cacheList),
			"cache_path":  salt.Exec(cachePath),
			"install":     salt.Exec(install),
			"list":        salt.Exec(list).Named("list_"),
			"uninstall":   salt.Exec(uninstall),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if c.Sys.LookPath("npm") == "" {
			return errors.New("npm execution module could not be loaded because the npm binary could not be located")
		}
		return nil
	},
}

// run calls npm with words that reach it as they are.
func run(c *salt.Ctx, argv []string, cwd string, runas, env any, more *value.Map) (*value.Map, error) {
	vars := new(value.Map)
	switch e := env.(type) {
	case *value.Map:
		vars.Update(e)
	case *value.List:
		for _, it := range e.Items {
			if m, ok := it.(*value.Map); ok {
				vars.Update(m)
			}
		}
	}
	if value.Truth(runas) {
		if u, err := c.Sys.User(value.Str(runas)); err == nil && u.UID != 0 {
			vars.Set("SUDO_UID", int64(u.UID))
			vars.Set("SUDO_USER", "")
		}
	}
	kw := more.Shallow()
	kw.Update(value.M("python_shell", false, "runas", runas, "env", vars))
	if cwd != "" {
		kw.Set("cwd", cwd)
	}
	v, err := c.CallKw("cmd.run_all", kw, value.Strings(append([]string{"npm"}, argv...)))
	m, _ := v.(*value.Map)
	return m, err
}

func failed(ret *value.Map) bool { return value.Truth(ret.At("retcode")) }

func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

type installArgs struct {
	Pkg      any  `py:"pkg=None"`      // the package, as npm takes it: name, name@version, URL
	Pkgs     any  `py:"pkgs=None"`     // several packages
	Dir      any  `py:"dir=None"`      // install there; None is global
	Runas    any  `py:"runas=None"`    // the user to run npm as
	Registry any  `py:"registry=None"` // the registry's URL
	Env      any  `py:"env=None"`      // variables for npm
	DryRun   bool `py:"dry_run=False"` // only say what would be done
	Silent   bool `py:"silent=True"`   // without npm's chatter
}

// install installs a package, or what the package.json of a directory asks
// for, and returns what npm says about it.
//
//	salt-call npm.install coffee-script dir=/srv/app
func install(c *salt.Ctx, a installArgs) (any, error) {
	argv := []string{"install", "--json"}
	if a.Silent {
		argv = append(argv, "--silent")
	}
	cwd := text(a.Dir)
	if cwd == "" {
		cwd = os.TempDir()
		argv = append(argv, "--global")
	}
	if value.Truth(a.Registry) {
		argv = append(argv, "--registry="+text(a.Registry))
	}
	if a.DryRun {
		argv = append(argv, "--dry-run")
	}
	if value.Truth(a.Pkg) {
		argv = append(argv, text(a.Pkg))
	} else if l, ok := a.Pkgs.(*value.List); ok {
		for _, it := range l.Items {
			argv = append(argv, value.Str(it))
		}
	}
	ret, err := run(c, argv, cwd, a.Runas, a.Env, nil)
	switch {
	case err != nil:
		return nil, err
	case failed(ret):
		return nil, salt.CommandError("%s", ret.Str("stderr"))
	}
	out := ret.Str("stdout")
	if out == "" {
		out = ret.Str("stderr")
	}
	return findJSON(out), nil
}

// findJSON is the JSON document that a text ends in, or the text.
func findJSON(s string) any {
	lines := strings.SplitAfter(s, "\n")
	for i := range lines {
		if t := strings.TrimSpace(lines[i]); t != "" && (t[0] == '{' || t[0] == '[') {
			if v, err := value.ParseJSON(strings.Join(lines[i:], "")); err == nil {
				return v
			}
		}
	}
	return s
}

type uninstallArgs struct {
	Pkg   string `py:"pkg"`        // the package
	Dir   any    `py:"dir=None"`   // where it is installed; None is global
	Runas any    `py:"runas=None"` // the user to run npm as
	Env   any    `py:"env=None"`   // variables for npm
}

// uninstall removes a package and reports whether that worked.
func uninstall(c *salt.Ctx, a uninstallArgs) (bool, error) {
	argv := []string{"uninstall", a.Pkg}
	if !value.Truth(a.Dir) {
		argv = append(argv, "--global")
	}
	ret, err := run(c, argv, text(a.Dir), a.Runas, a.Env, nil)
	if err == nil && failed(ret) {
		c.Log.Error(ret.Str("stderr"))
	}
	return err == nil && !failed(ret), err
}

type listArgs struct {
	Pkg   any `py:"pkg=None"`   // only this package
	Dir   any `py:"dir=None"`   // where to look; None is global
	Runas any `py:"runas=None"` // the user to run npm as
	Env   any `py:"env=None"`   // variables for npm
	Depth any `py:"depth=None"` // how deep to follow dependencies
}

// quiet is for calls whose exit code is an answer.
func quiet() *value.Map { return value.M("ignore_retcode", true) }

// list returns the installed packages with what npm knows about them.
//
//	salt-call npm.list dir=/srv/app
func list(c *salt.Ctx, a listArgs) (any, error) {
	argv := []string{"list", "--json", "--silent"}
	if !value.Truth(a.Dir) {
		argv = append(argv, "--global")
	}
	switch d := a.Depth.(type) {
	case nil:
	case int64:
		argv = append(argv, "--depth="+value.Str(d))
	case float64:
		argv = append(argv, "--depth="+value.Str(int64(d)))
	default:
		return nil, salt.InvocationError("Error: depth %s must be a number", value.Str(d))
	}
	if value.Truth(a.Pkg) {
		argv = append(argv, text(a.Pkg))
	}
	ret, err := run(c.With(false), argv, text(a.Dir), a.Runas, a.Env, quiet())
	switch {
	case err != nil:
		return nil, err
	case failed(ret) && ret.Str("stderr") != "":
		return nil, salt.CommandError("%s", ret.Str("stderr"))
	}
	v, err := value.ParseJSON(ret.Str("stdout"))
	m, ok := v.(*value.Map)
	if err != nil || !ok {
		return nil, salt.CommandError("npm did not answer in JSON: %s", ret.Str("stdout"))
	}
	if d, ok := m.Get("dependencies"); ok {
		return d, nil
	}
	return new(value.Map), nil
}

type cacheCleanArgs struct {
	Path  any  `py:"path=None"`   // only this part of the cache
	Runas any  `py:"runas=None"`  // the user to run npm as
	Env   any  `py:"env=None"`    // variables for npm
	Force bool `py:"force=False"` // npm 5 and newer clean nothing without it
}

// cacheClean empties npm's cache and reports whether that worked.
//
//	salt-call npm.cache_clean force=True
func cacheClean(c *salt.Ctx, a cacheCleanArgs) (bool, error) {
	argv := []string{"cache", "clean"}
	if value.Truth(a.Path) {
		argv = append(argv, text(a.Path))
	}
	if a.Force {
		argv = append(argv, "--force")
	}
	ret, err := run(c, argv, "", a.Runas, a.Env, quiet())
	if err == nil && failed(ret) {
		c.Log.Error(ret.Str("stderr"))
	}
	return err == nil && !failed(ret), err
}

type cacheListArgs struct {
	Path  any `py:"path=None"`  // only this part of the cache
	Runas any `py:"runas=None"` // the user to run npm as
	Env   any `py:"env=None"`   // variables for npm
}

// cacheList returns what npm prints about its cache.
func cacheList(c *salt.Ctx, a cacheListArgs) (string, error) {
	argv := []string{"cache", "ls"}
	if value.Truth(a.Path) {
		argv = append(argv, text(a.Path))
	}
	ret, err := run(c.With(false), argv, "", a.Runas, a.Env, quiet())
	if err == nil && failed(ret) && ret.Str("stderr") != "" {
		return "", salt.CommandError("%s", ret.Str("stderr"))
	}
	return ret.Str("stdout"), err
}

type cachePathArgs struct {
	Runas any `py:"runas=None"` // the user to run npm as
	Env   any `py:"env=None"`   // variables for npm
}

// cachePath returns the directory of npm's cache.
func cachePath(c *salt.Ctx, a cachePathArgs) (string, error) {
	ret, err := run(c.With(false), []string{"config", "get", "cache"}, "", a.Runas, a.Env, quiet())
	if out := ret.Str("stdout"); out != "" || err != nil {
		return out, err
	}
	return ret.Str("stderr"), nil
}
