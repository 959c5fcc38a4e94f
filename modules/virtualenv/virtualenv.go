// Package virtualenv holds Salt's virtualenv module: Python environments, made
// with virtualenv or Python's own venv. Its main variable is Module.
//
//	/opt/venv:
//	  virtualenv.managed:
//	    - requirements: salt://app/requirements.txt
package virtualenv

import (
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's virtualenv module.
var Module = salt.Module{
	Name: "virtualenv",
	States: func() salt.Funcs {
		return salt.Funcs{
			"manage":  salt.State(manage).Named("managed"),
			"managed": salt.State(managed),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"create":                salt.Exec(create),
			"get_distribution_path": salt.Exec(getDistributionPath),
			"get_resource_content":  salt.Exec(getResourceContent),
			"get_resource_path":     salt.Exec(getResourcePath),
			"get_site_packages":     salt.Exec(getSitePackages),
			"virtualenv_ver":        salt.Exec(virtualenvVer),
		}
	},
}

// text is a value as text, "" for None.
func text(v any) string {
	if v == nil {
		return ""
	}
	return value.Str(v)
}

// runAll calls cmd.run_all without a shell.
func runAll(c *salt.Ctx, argv []string, user any, more *value.Map) (*value.Map, error) {
	kw := more.Shallow()
	kw.Set("runas", user)
	kw.Set("python_shell", false)
	v, err := c.CallKw("cmd.run_all", kw, value.Strings(argv))
	m, _ := v.(*value.Map)
	return m, err
}

// python is the interpreter of an environment.
func python(c *salt.Ctx, venv string) (string, error) {
	bin := filepath.Join(venv, "bin/python")
	if !sys.Exists(c.Sys, bin) {
		return "", salt.CommandError("Path '%s' does not appear to be a virtualenv: '%s' not found.", venv, bin)
	}
	return bin, nil
}
