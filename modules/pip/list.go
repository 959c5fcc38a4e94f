package pip

import (
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

type versionArgs struct {
	BinEnv any `py:"bin_env=None"` // a virtual environment, or a python or pip to run; None is the system's Python
	Cwd    any `py:"cwd=None"`     // where to run pip
	User   any `py:"user=None"`    // the user to run pip as
}

type versionKey struct{ bin string }

var versionLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^pip (\S+)`) })

// version returns the version of pip, None when it cannot be told.
//
//	salt-call pip.version bin_env=/opt/venv
func version(c *salt.Ctx, a versionArgs) (any, error) {
	if s := readSite(c, a.BinEnv, a.User); s != nil {
		return s.pip, nil
	}
	return salt.Once(c.Run, versionKey{text(a.BinEnv)}, func() (any, error) {
		argv, err := binary(c, a.BinEnv)
		if err != nil {
			return nil, err
		}
		ret, err := run(c.With(false), append(argv, "--version"), nil, value.M("cwd", a.Cwd, "runas", a.User, "python_shell", false))
		switch {
		case err != nil:
			return nil, err
		case value.Truth(ret.At("retcode")):
			return nil, value.Errorf("CommandNotFoundError", "Could not find a `pip` binary")
		}
		if m := versionLine().FindStringSubmatch(ret.Str("stdout")); m != nil {
			return m[1], nil
		}
		return nil, nil
	})
}

// current is the version of pip as text.
func current(c *salt.Ctx, binEnv, cwd, user any) (string, error) {
	v, err := version(c, versionArgs{BinEnv: binEnv, Cwd: cwd, User: user})
	return text(v), err
}

// forget drops what is known of pip after a change.
func forget(c *salt.Ctx, binEnv any) { c.Run.Forget(versionKey{text(binEnv)}) }

type listArgs struct {
	Prefix  any        `py:"prefix=None"`   // only packages whose names begin so
	BinEnv  any        `py:"bin_env=None"`  // a virtual environment, or a python or pip to run; None is the system's Python
	User    any        `py:"user=None"`     // the user to run pip as
	Cwd     any        `py:"cwd=None"`      // where to run pip
	EnvVars any        `py:"env_vars=None"` // variables for pip's environment
	Kwargs  *value.Map `py:"**kwargs"`      // further arguments for cmd.run_all
}

// list returns the installed packages and their versions.
//
//	salt-call pip.list django bin_env=/opt/venv
func list(c *salt.Ctx, a listArgs) (*value.Map, error) {
	if s := readSite(c, a.BinEnv, a.User); s != nil && !value.Truth(a.EnvVars) {
		out := new(value.Map)
		for _, d := range s.dists {
			a.keep(out, d.name, d.version)
		}
		return out, nil
	}
	have, err := current(c, a.BinEnv, a.Cwd, a.User)
	if err != nil {
		return nil, err
	}
	if older(have, "9.0") {
		return listFreezeParse(c, a)
	}
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	env, err := environment(c, a.BinEnv, a.EnvVars, true)
	if err != nil {
		return nil, err
	}
	kw := value.M("cwd", a.Cwd, "runas", a.User, "python_shell", false)
	kw.Update(a.Kwargs)
	stdout, err := query(c, append(argv, "list", "--format=json", "--disable-pip-version-check"), env, kw)
	if err != nil {
		return nil, err
	}
	pkgs, err := value.ParseJSON(stdout)
	l, ok := pkgs.(*value.List)
	if err != nil || !ok {
		return nil, salt.CommandError("Invalid JSON")
	}
	out := new(value.Map)
	for _, it := range l.Items {
		if m, ok := it.(*value.Map); ok {
			a.keep(out, m.Str("name"), m.Str("version"))
		}
	}
	return out, nil
}

// keep puts a package into the answer if its name begins with the prefix.
func (a listArgs) keep(out *value.Map, name, version string) {
	if name = normalize(name); !value.Truth(a.Prefix) || strings.HasPrefix(name, normalize(text(a.Prefix))) {
		out.Set(name, version)
	}
}

// listFreezeParse returns the installed packages and their versions as pip
// freeze shows them: for editable ones the place they came from.
func listFreezeParse(c *salt.Ctx, a listArgs) (*value.Map, error) {
	out := new(value.Map)
	if !value.Truth(a.Prefix) || strings.HasPrefix("pip", normalize(text(a.Prefix))) {
		v, err := version(c, versionArgs{BinEnv: a.BinEnv, Cwd: a.Cwd})
		if err != nil {
			return nil, err
		}
		out.Set("pip", v)
	}
	lines, err := freeze(c, freezeArgs{BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd, EnvVars: a.EnvVars, Kwargs: a.Kwargs})
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "-f") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "-e hg+not trust") {
			continue
		}
		if strings.HasPrefix(line, "-e ") {
			line = line[3:]
			if version, name, ok := strings.Cut(line, "#egg="); ok {
				a.keep(out, name, version)
				continue
			}
		}
		sep := "=="
		if strings.Contains(line, "===") {
			sep = "==="
		}
		parts := strings.Split(line, sep)
		if len(parts) < 2 {
			c.Log.Error("Can't parse line '" + line + "'")
			continue
		}
		a.keep(out, parts[0], parts[1])
	}
	return out, nil
}

type freezeArgs struct {
	BinEnv  any        `py:"bin_env=None"`  // a virtual environment, or a python or pip to run; None is the system's Python
	User    any        `py:"user=None"`     // the user to run pip as
	Cwd     any        `py:"cwd=None"`      // where to run pip
	UseVt   bool       `py:"use_vt=False"`  // show the output as it comes
	EnvVars any        `py:"env_vars=None"` // variables for pip's environment
	Kwargs  *value.Map `py:"**kwargs"`      // further arguments for cmd.run_all
}

// freeze returns the installed packages as lines of a requirements file.
//
//	salt-call pip.freeze bin_env=/opt/venv
func freeze(c *salt.Ctx, a freezeArgs) ([]string, error) {
	if s := readSite(c, a.BinEnv, a.User); s != nil && !s.direct && !value.Truth(a.EnvVars) && !older(s.pip, "8.0.3") {
		out := make([]string, len(s.dists))
		for i, d := range s.dists {
			out[i] = d.name + "==" + d.version
		}
		return out, nil
	}
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	have, err := current(c, a.BinEnv, a.Cwd, nil)
	if err != nil {
		return nil, err
	}
	argv = append(argv, "freeze")
	if older(have, "8.0.3") {
		c.Log.Warn("The version of pip installed is " + have + ", which is older than 8.0.3. The packages pip, wheel, setuptools, and distribute will not be included in the output of pip.freeze")
	} else {
		argv = append(argv, "--all")
	}
	env, err := environment(c, a.BinEnv, a.EnvVars, true)
	if err != nil {
		return nil, err
	}
	kw := value.M("runas", a.User, "cwd", a.Cwd, "use_vt", a.UseVt, "python_shell", false)
	kw.Update(a.Kwargs)
	stdout, err := query(c, append(argv, "--disable-pip-version-check"), env, kw)
	if err != nil || stdout == "" {
		return []string{}, err
	}
	return strings.Split(strings.TrimSuffix(stdout, "\n"), "\n"), nil
}

type isInstalledArgs struct {
	Pkgname string `py:"pkgname"`      // the package
	BinEnv  any    `py:"bin_env=None"` // a virtual environment, or a python or pip to run; None is the system's Python
	User    any    `py:"user=None"`    // the user to run pip as
	Cwd     any    `py:"cwd=None"`     // where to run pip
}

// isInstalled reports whether a package is installed.
func isInstalled(c *salt.Ctx, a isInstalledArgs) (bool, error) {
	pkgs, err := list(c, listArgs{Prefix: a.Pkgname, BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd})
	for name := range pkgs.Items() {
		if strings.EqualFold(name, a.Pkgname) {
			return true, err
		}
	}
	return false, err
}
