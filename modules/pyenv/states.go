package pyenv

import (
	"slices"

	"pinch/salt"
	"pinch/value"
)

// found says whether a version is there, and whether it is the default.
func found(c *salt.Ctx, python string, user any) (there, isDefault bool, err error) {
	all, err := versions(c, versionsArgs{Runas: user})
	if err != nil || !slices.Contains(all, python) {
		return false, false, err
	}
	now, err := default_(c, defaultArgs{Runas: user})
	return true, now == python, err
}

type installedArgs struct {
	Name    string `py:"name"`          // the version, such as 3.12.4; for install_pyenv any name
	Default bool   `py:"default=False"` // make it the default
	User    any    `py:"user=None"`     // the user that pyenv belongs to; None: root
}

// installed makes sure that a version of Python is there, and pyenv with it.
// It can be made the default.
func installed(c *salt.Ctx, a installedArgs) salt.Result {
	python := bare(a.Name)
	if c.Test {
		return salt.Would(nil, "python %s is set to be installed", python)
	}
	if !runnable(c, a.User) {
		done, err := install(c, installArgs{Runas: a.User})
		switch {
		case err != nil:
			return salt.Raised(err)
		case !done:
			return salt.Failed("pyenv failed to install")
		}
	}
	there, isDefault, err := found(c, python, a.User)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Correct("Requested python exists.")
	r.Extra = value.M("default", isDefault)
	if !there {
		done, err := installPython(c, installPythonArgs{Python: python, Runas: a.User})
		switch {
		case err != nil:
			return salt.Raised(err)
		case !value.Truth(done):
			return salt.Failed("Could not install python.")
		}
		r = salt.Changed(value.M(python, "Installed"), "Successfully installed python")
		r.Extra = value.M("default", a.Default)
	}
	if a.Default {
		if _, err := default_(c, defaultArgs{Python: python, Runas: a.User}); err != nil {
			return salt.Raised(err)
		}
	}
	return r
}

type absentArgs struct {
	Name string `py:"name"`      // the version, such as 3.12.4; for install_pyenv any name
	User any    `py:"user=None"` // the user that pyenv belongs to; None: root
}

// absent makes sure that a version of Python is not there. If it was the
// default, the system's becomes it.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	python := bare(a.Name)
	if c.Test {
		return salt.Would(nil, "python %s is set to be uninstalled", python)
	}
	if !runnable(c, a.User) {
		return salt.Correct("pyenv not installed, %s not either", python)
	}
	there, isDefault, err := found(c, python, a.User)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !there:
		return salt.Correct("python %s is already absent", python)
	case isDefault:
		if _, err := default_(c, defaultArgs{Python: "system", Runas: a.User}); err != nil {
			return salt.Raised(err)
		}
	}
	if _, err := uninstallPython(c, uninstallPythonArgs{Python: python, Runas: a.User}); err != nil {
		return salt.Raised(err)
	}
	r := salt.Changed(value.M(python, "Uninstalled"), "Successfully removed python")
	r.Extra = value.M("default", isDefault)
	return r
}

type installPyenvArgs struct {
	Name string `py:"name"`      // any name
	User any    `py:"user=None"` // the user that pyenv belongs to; None: root
}

// installPyenv makes sure that pyenv is there.
func installPyenv(c *salt.Ctx, a installPyenvArgs) salt.Result {
	switch {
	case runnable(c, a.User):
		return salt.Correct("pyenv is already installed")
	case c.Test:
		return salt.Would(nil, "pyenv is set to be installed")
	}
	done, err := install(c, installArgs{Runas: a.User})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("pyenv failed to install")
	}
	return salt.Correct("pyenv installed")
}
