package pip

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

type listUpgradesArgs struct {
	BinEnv any `py:"bin_env=None"` // a virtual environment, or a python or pip to run; None is the system's Python
	User   any `py:"user=None"`    // the user to run pip as
	Cwd    any `py:"cwd=None"`     // where to run pip
}

var (
	outdatedOld = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\S*)\s+\(.*Latest:\s+(.*)\)`) })
	outdated8   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\S*)\s+\(.*\)\s+-\s+Latest:\s+(.*)`) })
)

// listUpgrades returns the packages for which there is a newer version, and
// what it is.
//
//	salt-call pip.list_upgrades bin_env=/opt/venv
func listUpgrades(c *salt.Ctx, a listUpgradesArgs) (*value.Map, error) {
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	have, err := current(c, a.BinEnv, a.Cwd, a.User)
	if err != nil {
		return nil, err
	}
	argv = append(argv, "list", "--outdated", "--disable-pip-version-check")
	if !older(have, "9.0") {
		argv = append(argv, "--format=json")
	}
	env, err := environment(c, a.BinEnv, nil, true)
	if err != nil {
		return nil, err
	}
	stdout, err := query(c, argv, env, value.M("cwd", a.Cwd, "runas", a.User))
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	if older(have, "9.0.0") {
		form := outdated8()
		if older(have, "8.0.0") {
			form = outdatedOld()
		}
		for line := range strings.Lines(stdout) {
			if m := form.FindStringSubmatch(line); m != nil {
				out.Set(m[1], m[2])
			} else {
				c.Log.Error("Can't parse line " + value.Repr(strings.TrimSuffix(line, "\n")))
			}
		}
		return out, nil
	}
	pkgs, err := value.ParseJSON(stdout)
	l, ok := pkgs.(*value.List)
	if err != nil || !ok {
		return nil, salt.CommandError("Invalid JSON")
	}
	for _, it := range l.Items {
		if m, ok := it.(*value.Map); ok {
			out.Set(m.Str("name"), m.Str("latest_version")+" ["+m.Str("latest_filetype")+"]")
		}
	}
	return out, nil
}

type upgradeAvailableArgs struct {
	Pkg    string `py:"pkg"`          // the package
	BinEnv any    `py:"bin_env=None"` // a virtual environment, or a python or pip to run; None is the system's Python
	User   any    `py:"user=None"`    // the user to run pip as
	Cwd    any    `py:"cwd=None"`     // where to run pip
}

// upgradeAvailable reports whether there is a newer version of a package.
func upgradeAvailable(c *salt.Ctx, a upgradeAvailableArgs) (bool, error) {
	all, err := listUpgrades(c, listUpgradesArgs{a.BinEnv, a.User, a.Cwd})
	return all.Has(a.Pkg), err
}

type upgradeArgs struct {
	BinEnv any  `py:"bin_env=None"` // a virtual environment, or a python or pip to run; None is the system's Python
	User   any  `py:"user=None"`    // the user to run pip as
	Cwd    any  `py:"cwd=None"`     // where to run pip
	UseVt  bool `py:"use_vt=False"` // show the output as it comes
}

// upgrade upgrades all packages for which there is a newer version. It returns
// changes (old and new version by package), result and comment.
func upgrade(c *salt.Ctx, a upgradeArgs) (*value.Map, error) {
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	argv = append(argv, "install", "-U", "--disable-pip-version-check")
	where := listArgs{BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd}
	old, err := list(c, where)
	if err != nil {
		return nil, err
	}
	env, err := environment(c, a.BinEnv, nil, true)
	if err != nil {
		return nil, err
	}
	newer, err := listUpgrades(c, listUpgradesArgs{a.BinEnv, a.User, a.Cwd})
	if err != nil {
		return nil, err
	}
	good, comment := true, ""
	for name := range newer.Items() {
		ret, err := run(c, append(slices.Clone(argv), name), env, value.M("cwd", a.Cwd, "runas", a.User, "use_vt", a.UseVt))
		if err != nil {
			return nil, err
		}
		good = good && !value.Truth(ret.At("retcode"))
		comment += ret.Str("stderr")
	}
	forget(c, a.BinEnv)
	now, err := list(c, where)
	if err != nil {
		return nil, err
	}
	return value.M("changes", differing(old, now), "result", good, "comment", comment), nil
}

// differing are the old and new values of keys that differ; "" is absent.
func differing(old, now *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range now.Items() {
		if w, ok := old.Get(k); !ok {
			out.Set(k, value.M("old", "", "new", v))
		} else if !value.Equal(v, w) {
			out.Set(k, value.M("old", w, "new", v))
		}
	}
	for k, w := range old.Items() {
		if !now.Has(k) {
			out.Set(k, value.M("old", w, "new", ""))
		}
	}
	return out
}

type listAllVersionsArgs struct {
	Pkg           string `py:"pkg"`                  // the package
	BinEnv        any    `py:"bin_env=None"`         // a virtual environment, or a python or pip to run; None is the system's Python
	IncludeAlpha  bool   `py:"include_alpha=False"`  // alpha versions too
	IncludeBeta   bool   `py:"include_beta=False"`   // beta versions too
	IncludeRc     bool   `py:"include_rc=False"`     // release candidates too
	User          any    `py:"user=None"`            // the user to run pip as
	Cwd           any    `py:"cwd=None"`             // where to run pip
	IndexUrl      any    `py:"index_url=None"`       // the package index
	ExtraIndexUrl any    `py:"extra_index_url=None"` // one more package index
}

var (
	indexVersions  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*Available versions: (.*)`) })
	failedVersions = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s*Could not find a version.* \(from versions: (.*)\)`)
	})
)

// listAllVersions returns the versions of a package that there are, the oldest
// first; None if there are none.
//
//	salt-call pip.list_all_versions django
func listAllVersions(c *salt.Ctx, a listAllVersionsArgs) (any, error) {
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	argv = append(argv, "--disable-pip-version-check")
	have, err := current(c, a.BinEnv, a.Cwd, a.User)
	if err != nil {
		return nil, err
	}
	form := failedVersions()
	switch {
	case !older(have, "21.2"):
		form = indexVersions()
		argv = append(argv, "index", "versions", a.Pkg)
	case !older(have, "20.3"):
		argv = append(argv, "--use-deprecated=legacy-resolver", "install", a.Pkg+"==versions")
	default:
		argv = append(argv, "install", a.Pkg+"==versions")
	}
	for _, o := range []struct {
		opt string
		url any
	}{{"--index-url", a.IndexUrl}, {"--extra-index-url", a.ExtraIndexUrl}} {
		if value.Truth(o.url) {
			if !validURL(text(o.url)) {
				return nil, salt.CommandError("'%s' is not a valid URL", text(o.url))
			}
			argv = append(argv, o.opt, text(o.url))
		}
	}
	env, err := environment(c, a.BinEnv, nil, true)
	if err != nil {
		return nil, err
	}
	ret, err := run(c.With(false), argv, env, value.M("cwd", a.Cwd, "runas", a.User, "output_loglevel", "quiet", "redirect_stderr", true))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(ret.Str("stdout")) {
		m := form.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		var out []string
		for _, v := range strings.Split(m[1], ", ") {
			if v != "" && (a.IncludeAlpha || !strings.Contains(v, "a")) && (a.IncludeBeta || !strings.Contains(v, "b")) && (a.IncludeRc || !strings.Contains(v, "rc")) {
				out = append(out, v)
			}
		}
		slices.SortStableFunc(out, compareVersions)
		if len(out) > 0 {
			return value.Strings(out), nil
		}
		break
	}
	return nil, nil
}
