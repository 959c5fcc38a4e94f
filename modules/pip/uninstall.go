package pip

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type uninstallArgs struct {
	Pkgs         any  `py:"pkgs=None"`         // the packages, a list or a text with commas
	Requirements any  `py:"requirements=None"` // requirements files, also salt://
	BinEnv       any  `py:"bin_env=None"`      // a virtual environment, or a python or pip to run; None is the system's Python
	Log          any  `py:"log=None"`          // a file for pip's log
	Proxy        any  `py:"proxy=None"`        // user:password@host:port; False overrides the minion's own proxy
	Timeout      any  `py:"timeout=None"`      // seconds a connection may take
	User         any  `py:"user=None"`         // the user to run pip as
	Cwd          any  `py:"cwd=None"`          // where to run it
	Saltenv      any  `py:"saltenv='base'"`    // the environment of salt:// files
	UseVt        bool `py:"use_vt=False"`      // show the output as it comes
	ExtraArgs    any  `py:"extra_args=None"`   // further options: texts, or single-item mappings
}

// uninstall removes packages, by name or by requirements files, and returns
// what cmd.run_all does.
//
//	salt-call pip.uninstall django bin_env=/opt/venv
func uninstall(c *salt.Ctx, a uninstallArgs) (*value.Map, error) {
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	f := &files{c: c, user: text(a.User), cwd: text(a.Cwd), saltenv: text(a.Saltenv)}
	defer f.done()
	reqs, err := f.arguments(a.Requirements)
	if err != nil {
		return instead(err)
	}
	o := &options{c: c}
	o.with("--log", a.Log)
	o.proxy(a.Proxy)
	if err := o.timeout(a.Timeout); err != nil {
		return nil, err
	}
	if value.Truth(a.Pkgs) {
		o.argv = append(o.argv, named(c, commas(a.Pkgs), reqs)...)
	}
	if err := o.extra(a.ExtraArgs); err != nil {
		return nil, err
	}
	env, err := environment(c, a.BinEnv, nil, true)
	if err != nil {
		return nil, err
	}
	defer forget(c, a.BinEnv)
	kw := value.M("python_shell", false, "runas", a.User, "cwd", a.Cwd, "saltenv", a.Saltenv, "use_vt", a.UseVt)
	return run(c, append(append(append(argv, "uninstall", "-y"), reqs...), o.argv...), env, kw)
}

// named are the packages that the requirements files don't name already.
func named(c *salt.Ctx, pkgs, reqs []string) []string {
	for i := 1; i < len(reqs); i += 2 {
		b, _ := c.Sys.ReadFile(reqs[i])
		for line := range strings.Lines(string(b)) {
			if name, _, ok := strings.Cut(line, "=="); ok {
				pkgs = slices.DeleteFunc(pkgs, func(p string) bool { return p == name })
			}
		}
	}
	return pkgs
}
