package virtualenv

import (
	"fmt"
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type managedArgs struct {
	Name                   string     `py:"name"`                           // the virtual environment's path
	VenvBin                any        `py:"venv_bin=None"`                  // the virtualenv command, a python, or venv for python's own module
	Requirements           any        `py:"requirements=None"`              // requirements files, also salt://
	SystemSitePackages     bool       `py:"system_site_packages=False"`     // see the system's packages
	Distribute             bool       `py:"distribute=False"`               // install setuptools, for old versions of virtualenv
	UseWheel               bool       `py:"use_wheel=False"`                // prefer wheels, for pip 1.4 to 9
	Clear                  bool       `py:"clear=False"`                    // empty it first
	Python                 any        `py:"python=None"`                    // the python the environment is for
	ExtraSearchDir         any        `py:"extra_search_dir=None"`          // where virtualenv looks for packages
	NeverDownload          any        `py:"never_download=None"`            // download nothing
	Prompt                 any        `py:"prompt=None"`                    // the shell's prompt
	User                   any        `py:"user=None"`                      // the user to run as
	Cwd                    any        `py:"cwd=None"`                       // where to run it
	IndexUrl               any        `py:"index_url=None"`                 // the package index
	ExtraIndexUrl          any        `py:"extra_index_url=None"`           // one more package index
	PreReleases            bool       `py:"pre_releases=False"`             // allow pre-releases
	NoDeps                 bool       `py:"no_deps=False"`                  // without dependencies
	PipDownload            any        `py:"pip_download=None"`              // download into this directory only
	PipDownloadCache       any        `py:"pip_download_cache=None"`        // where downloads are kept
	PipExistsAction        any        `py:"pip_exists_action=None"`         // what to do when a path exists: s, i, w or b
	PipIgnoreInstalled     bool       `py:"pip_ignore_installed=False"`     // install over what is there
	Proxy                  any        `py:"proxy=None"`                     // user:password@host:port; False overrides the minion's own proxy
	UseVt                  bool       `py:"use_vt=False"`                   // show the output as it comes
	EnvVars                any        `py:"env_vars=None"`                  // variables for pip's environment
	NoUseWheel             bool       `py:"no_use_wheel=False"`             // no wheels, for pip 1.4 to 9
	PipUpgrade             bool       `py:"pip_upgrade=False"`              // take the newest versions
	PipPkgs                any        `py:"pip_pkgs=None"`                  // packages to install
	PipNoCacheDir          bool       `py:"pip_no_cache_dir=False"`         // without cache
	PipCacheDir            any        `py:"pip_cache_dir=None"`             // where downloads are kept
	ProcessDependencyLinks bool       `py:"process_dependency_links=False"` // follow dependency links, for old versions of pip
	NoBinary               any        `py:"no_binary=None"`                 // packages to build from source
	Kwargs                 *value.Map `py:"**kwargs"`                       // further arguments for cmd.run_all
}

// manage is the same as virtualenv.managed.
func manage(c *salt.Ctx, a managedArgs) salt.Result { return managed(c, a) }

// managed makes sure that a virtual environment exists, with the packages of a
// requirements file or a list.
func managed(c *salt.Ctx, a managedArgs) salt.Result {
	py := filepath.Join(a.Name, "bin/python")
	exists := sys.Exists(c.Sys, py)
	if req, ok := a.Requirements.(string); ok && strings.HasPrefix(req, "salt://") {
		local, err := c.Files().Cache(c, req, c.Env, salt.GetOptions{})
		if err != nil {
			return salt.Failed("pip requirements file '%s' not found", req)
		}
		a.Requirements = local
	}
	ch := new(value.Map)
	if exists && a.Clear {
		old, err := a.freeze(c, nil)
		if err != nil {
			return salt.Raised(err)
		}
		ch.Set("cleared_packages", value.Strings(old))
		ch.Set("old", a.version(c))
	}
	switch {
	case c.Test && exists && a.Clear:
		return salt.Would(ch, "Virtualenv %s is set to be cleared", a.Name)
	case c.Test && exists:
		return salt.Correct("Virtualenv %s is already created", a.Name)
	case c.Test:
		return salt.Would(nil, "Virtualenv %s is set to be created", a.Name)
	}
	r := salt.Changed(ch, "virtualenv exists")
	if !exists || a.Clear {
		if r = a.make(c, ch); !r.OK() {
			return r
		}
	}
	if why, err := a.unsupported(c); err != nil {
		return salt.Raised(err)
	} else if why != "" {
		r.Result, r.Comment = salt.False(), why
		return r
	}
	if value.Truth(a.Requirements) || value.Truth(a.PipPkgs) {
		return a.populate(c, r)
	}
	return r
}

// make creates or clears the environment.
func (a managedArgs) make(c *salt.Ctx, ch *value.Map) salt.Result {
	kw := a.Kwargs.Shallow()
	kw.Update(value.M("venv_bin", a.VenvBin, "system_site_packages", a.SystemSitePackages, "distribute", a.Distribute, "clear", a.Clear, "python", a.Python,
		"extra_search_dir", a.ExtraSearchDir, "never_download", a.NeverDownload, "prompt", a.Prompt, "user", a.User, "use_vt", a.UseVt))
	v, err := c.CallKw("virtualenv.create", kw, a.Name)
	ret, _ := v.(*value.Map)
	switch {
	case isClass(err, "CommandNotFoundError"):
		return salt.Failed("Failed to create virtualenv: %s", err)
	case err != nil:
		return salt.Raised(err)
	case value.Truth(ret.At("retcode")):
		return salt.Result{Result: salt.False(), Changes: ch, Comment: ret.Str("stdout") + ret.Str("stderr")}
	}
	ch.Set("new", a.version(c))
	if a.Clear {
		return salt.Changed(ch, "Cleared existing virtualenv")
	}
	return salt.Changed(ch, "Created new virtualenv")
}

func isClass(err error, class string) bool {
	x, ok := err.(*value.Exception)
	return ok && x.Class == class
}

// version is what python -V prints to stderr: nothing since Python 3.4.
func (a managedArgs) version(c *salt.Ctx) string {
	v, err := c.With(false).Call("cmd.run_stderr", filepath.Join(a.Name, "bin/python")+" -V")
	if err != nil {
		return ""
	}
	return strings.Trim(text(v), "\n")
}

func (a managedArgs) freeze(c *salt.Ctx, more *value.Map) ([]string, error) {
	kw := more.Shallow()
	kw.Set("bin_env", a.Name)
	v, err := c.CallKw("pip.freeze", kw)
	l, ok := v.(*value.List)
	if err != nil || !ok {
		return nil, err
	}
	out := make([]string, l.Len())
	for i, it := range l.Items {
		out[i] = value.Str(it)
	}
	return out, nil
}

// unsupported says which option the environment's pip lacks, "" if none.
func (a managedArgs) unsupported(c *salt.Ctx) (string, error) {
	for _, o := range []struct {
		on                any
		name, least, most string
	}{{a.UseWheel, "use_wheel", "1.4", "9.0.3"}, {a.NoUseWheel, "no_use_wheel", "1.4", "9.0.3"}, {a.NoBinary, "no_binary", "7.0.0", ""}} {
		if !value.Truth(o.on) {
			continue
		}
		v, err := c.CallKw("pip.version", value.M("bin_env", a.Name))
		if err != nil {
			return "", err
		}
		have := text(v)
		switch {
		case o.most == "" && order(have, o.least) < 0:
			return fmt.Sprintf("The '%s' option is only supported in pip %s and newer. The version of pip detected was %s.", o.name, o.least, have), nil
		case o.most != "" && (order(have, o.least) < 0 || order(have, o.most) > 0):
			return fmt.Sprintf("The '%s' option is only supported in pip between %s and %s. The version of pip detected was %s.", o.name, o.least, o.most, have), nil
		}
	}
	return "", nil
}

// order compares versions of pip, which are numbers with dots.
func order(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		var m, n int
		if i < len(x) {
			fmt.Sscan(x[i], &m)
		}
		if i < len(y) {
			fmt.Sscan(y[i], &n)
		}
		if m != n {
			return m - n
		}
	}
	return 0
}

// populate installs packages and says what became of them.
func (a managedArgs) populate(c *salt.Ctx, r salt.Result) salt.Result {
	before, err := a.freeze(c, value.M("user", a.User, "use_vt", a.UseVt))
	if err != nil {
		r.Result, r.Comment = salt.False(), err.Error()
		return r
	}
	switch req := a.Requirements.(type) {
	case nil:
	case string, *value.List:
		first, _, _ := strings.Cut(text(req), ",")
		if l, ok := req.(*value.List); ok && l.Len() > 0 {
			first = value.Str(l.Items[0])
		}
		if abs, err := filepath.Abs(first); err == nil && abs != first {
			a.Cwd = filepath.Dir(abs)
		}
	default:
		return salt.Raised(value.Errorf("TypeError", "pip requirements must be either a string or a list"))
	}
	kw := a.Kwargs.Shallow()
	kw.Update(value.M("pkgs", a.PipPkgs, "requirements", a.Requirements, "process_dependency_links", a.ProcessDependencyLinks, "bin_env", a.Name,
		"use_wheel", a.UseWheel, "no_use_wheel", a.NoUseWheel, "no_binary", a.NoBinary, "user", a.User, "cwd", a.Cwd, "index_url", a.IndexUrl,
		"extra_index_url", a.ExtraIndexUrl, "download", a.PipDownload, "download_cache", a.PipDownloadCache, "pre_releases", a.PreReleases,
		"exists_action", a.PipExistsAction, "ignore_installed", a.PipIgnoreInstalled, "upgrade", a.PipUpgrade, "no_deps", a.NoDeps, "proxy", a.Proxy,
		"use_vt", a.UseVt, "env_vars", a.EnvVars, "no_cache_dir", a.PipNoCacheDir, "cache_dir", a.PipCacheDir))
	v, err := c.CallKw("pip.install", kw)
	if err != nil {
		return salt.Raised(err)
	}
	ret, _ := v.(*value.Map)
	if ret.At("retcode") != int64(0) {
		r.Result = salt.False()
		r.Comment = fmt.Sprintf("%s\n%s\n%s", r.Comment, ret.Str("stdout"), ret.Str("stderr"))
		if !ret.Has("retcode") {
			r.Comment = ret.Str("comment")
		}
	}
	after, err := a.freeze(c, nil)
	if err != nil {
		return salt.Raised(err)
	}
	fresh, gone := without(after, before), without(before, after)
	if len(fresh)+len(gone) > 0 {
		r.Changes.Set("packages", value.M("new", orNothing(fresh), "old", orNothing(gone)))
	}
	return r
}

// without are the lines of a that b lacks.
func without(a, b []string) (out []string) {
	have := map[string]bool{}
	for _, s := range b {
		have[s] = true
	}
	for _, s := range a {
		if !have[s] {
			out = append(out, s)
		}
	}
	return out
}

func orNothing(lines []string) any {
	if len(lines) == 0 {
		return ""
	}
	return value.Strings(lines)
}
