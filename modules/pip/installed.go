package pip

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/value"
)

type installedArgs struct {
	Name                   string     `py:"name"`                           // the package with its version, such as django >= 4.2
	Pkgs                   any        `py:"pkgs=None"`                      // the packages, a list or a text with commas
	PipBin                 any        `py:"pip_bin=None"`                   // the old name of bin_env
	Requirements           any        `py:"requirements=None"`              // requirements files, also salt://
	BinEnv                 any        `py:"bin_env=None"`                   // a virtual environment, or a python or pip to run; None is the system's Python
	UseWheel               bool       `py:"use_wheel=False"`                // prefer wheels, for pip 1.4 to 9
	NoUseWheel             bool       `py:"no_use_wheel=False"`             // no wheels, for pip 1.4 to 9
	Log                    any        `py:"log=None"`                       // a file for pip's log
	Proxy                  any        `py:"proxy=None"`                     // user:password@host:port; False overrides the minion's own proxy
	Timeout                any        `py:"timeout=None"`                   // seconds a connection may take
	Repo                   any        `py:"repo=None"`                      // ignored: Salt takes it and does nothing
	Editable               any        `py:"editable=None"`                  // packages to install in editable mode
	FindLinks              any        `py:"find_links=None"`                // where else to look for archives: URLs or paths
	IndexUrl               any        `py:"index_url=None"`                 // the package index
	ExtraIndexUrl          any        `py:"extra_index_url=None"`           // one more package index
	NoIndex                bool       `py:"no_index=False"`                 // ignore the index
	Mirrors                any        `py:"mirrors=None"`                   // mirrors of the index, for pip before 7
	Build                  any        `py:"build=None"`                     // where to build
	Target                 any        `py:"target=None"`                    // install into this directory
	Download               any        `py:"download=None"`                  // download into this directory only
	DownloadCache          any        `py:"download_cache=None"`            // where downloads are kept
	Source                 any        `py:"source=None"`                    // where editable packages are checked out
	Upgrade                bool       `py:"upgrade=False"`                  // take the newest versions
	ForceReinstall         bool       `py:"force_reinstall=False"`          // install again what is up to date
	IgnoreInstalled        bool       `py:"ignore_installed=False"`         // install over what is there
	ExistsAction           any        `py:"exists_action=None"`             // what to do when a path exists: s, i, w or b
	NoDeps                 bool       `py:"no_deps=False"`                  // without dependencies
	NoInstall              bool       `py:"no_install=False"`               // download and unpack only
	NoDownload             bool       `py:"no_download=False"`              // install only what was downloaded
	InstallOptions         any        `py:"install_options=None"`           // options for setup.py install
	GlobalOptions          any        `py:"global_options=None"`            // options for setup.py before install
	User                   any        `py:"user=None"`                      // the user to run pip as
	Cwd                    any        `py:"cwd=None"`                       // where to run it
	PreReleases            bool       `py:"pre_releases=False"`             // allow pre-releases
	Cert                   any        `py:"cert=None"`                      // a bundle of CA certificates
	AllowAllExternal       bool       `py:"allow_all_external=False"`       // allow external files, for old versions of pip
	AllowExternal          any        `py:"allow_external=None"`            // packages that may come from elsewhere, for old versions of pip
	AllowUnverified        any        `py:"allow_unverified=None"`          // packages that need no checksum, for old versions of pip
	ProcessDependencyLinks bool       `py:"process_dependency_links=False"` // follow dependency links, for old versions of pip
	EnvVars                any        `py:"env_vars=None"`                  // variables for pip's environment
	UseVt                  bool       `py:"use_vt=False"`                   // show the output as it comes
	TrustedHost            any        `py:"trusted_host=None"`              // a host that needs no valid certificate
	NoCacheDir             bool       `py:"no_cache_dir=False"`             // without cache
	CacheDir               any        `py:"cache_dir=None"`                 // where downloads are kept
	NoBinary               any        `py:"no_binary=None"`                 // packages to build from source
	ExtraArgs              any        `py:"extra_args=None"`                // further options: texts, or single-item mappings
	Kwargs                 *value.Map `py:"**kwargs"`                       // further arguments for cmd.run_all
}

// A target is a package that a state asks for.
type target struct {
	name string // as the state has it
	requirement
}

// installed makes sure that Python packages are installed, in the version
// asked for.
func installed(c *salt.Ctx, a installedArgs) salt.Result {
	if value.Truth(a.PipBin) && !value.Truth(a.BinEnv) {
		a.BinEnv = a.PipBin
	}
	pkgs := []string{a.Name}
	if value.Truth(a.Pkgs) {
		l, ok := a.Pkgs.(*value.List)
		if !ok {
			return salt.Failed("pkgs argument must be formatted as a list")
		}
		pkgs = nil
		for _, it := range l.Items {
			if m, ok := it.(*value.Map); ok && m.Len() > 0 {
				k := m.Keys()[0]
				v, _ := m.GetKey(k)
				it = value.Str(k) + " " + value.Str(v)
			}
			pkgs = append(pkgs, value.Str(it))
		}
	}
	r := a.reach(c, pkgs)
	if r.Extra == nil {
		r.Extra = new(value.Map)
	}
	r.Extra.Set("name", strings.Join(pkgs, ";"))
	return r
}

func (a installedArgs) reach(c *salt.Ctx, pkgs []string) salt.Result {
	have, err := current(c, a.BinEnv, nil, nil)
	var x *value.Exception
	bare := false
	switch {
	case err == nil:
	case c.Test && !value.Truth(a.BinEnv) && errors.As(err, &x) && x.Class == "CommandNotFoundError":
		bare = true // what brings pip has not run in a dry run; Salt's own Python has one always
	default:
		if errors.As(err, &x) && (x.Class == "CommandNotFoundError" || x.Class == "CommandExecutionError") {
			return salt.Failed("Error installing '%s': %s", a.Name, err)
		}
		return salt.Raised(err)
	}
	if why := unsupported(have, a.UseWheel, a.NoUseWheel, value.Truth(a.NoBinary)); why != "" {
		return salt.Failed("%s", why)
	}
	files := value.Truth(a.Requirements) || value.Truth(a.Editable)
	var targets []target
	if !files {
		var wrong []string
		for _, p := range pkgs {
			r, err := parseRequirement(c, p)
			if err != nil {
				wrong = append(wrong, err.Error())
			}
			targets = append(targets, target{p, r})
		}
		if len(wrong) > 0 {
			return salt.Failed("%s", strings.Join(wrong, "\n"))
		}
	}
	if u := text(a.User); u != "" {
		if _, err := c.Sys.User(u); err != nil {
			return salt.Failed("User %s does not exist", u)
		}
	}
	if files {
		if c.Test {
			return salt.Would(nil, "%s", a.said("Requirements file '%s' will be processed.", `Package will be installed in editable mode (i.e. setuptools "develop mode") from %s.`))
		}
		return a.fromFiles(c)
	}
	if bare && len(targets) > 0 {
		return salt.Would(nil, "%s", announce(targets, targets[0]))
	}
	return a.byName(c, targets)
}

// unsupported says which option the version of pip lacks, "" if none.
func unsupported(have string, useWheel, noUseWheel, noBinary bool) string {
	old := older(have, "1.4") || older("9.0.3", have)
	for _, o := range []struct {
		on   bool
		name string
	}{{useWheel, "use_wheel"}, {noUseWheel, "no_use_wheel"}} {
		if o.on && old {
			return fmt.Sprintf("The '%s' option is only supported in pip between 1.4 and 9.0.3. The version of pip detected was %s.", o.name, have)
		}
	}
	if noBinary && older(have, "7.0.0") {
		return fmt.Sprintf("The 'no_binary' option is only supported in pip 7.0.0 and newer. The version of pip detected was %s.", have)
	}
	return ""
}

// said is a comment on requirements files, on editable packages, or on both.
func (a installedArgs) said(requirements, editable string) string {
	var out []string
	if value.Truth(a.Requirements) {
		out = append(out, fmt.Sprintf(requirements, text(a.Requirements)))
	}
	if value.Truth(a.Editable) {
		out = append(out, fmt.Sprintf(editable, text(a.Editable)))
	}
	return strings.Join(out, " ")
}

// install calls pip.install with the arguments of the state.
func (a installedArgs) install(c *salt.Ctx, pkgs string) (*value.Map, error) {
	kw := a.Kwargs.Shallow()
	v, t := reflect.ValueOf(a), reflect.TypeFor[installedArgs]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("py"), "=")
		switch name {
		case "name", "pkgs", "pip_bin", "repo", "cache_dir", "**kwargs":
		default:
			kw.Set(name, v.Field(i).Interface())
		}
	}
	kw.Set("pkgs", pkgs)
	kw.Set("saltenv", c.Env)
	kw.Set("disable_version_check", true)
	ret, err := c.CallKw("pip.install", kw)
	m, _ := ret.(*value.Map)
	return m, err
}

// unchanged are the beginnings of lines that pip prints when it installs nothing.
var unchanged = []string{"Requirement already satisfied", "Requirement already up-to-date", "Requirement not upgraded", "Collecting", "Cloning", "Cleaning up...", "Looking in indexes"}

func (a installedArgs) fromFiles(c *salt.Ctx) salt.Result {
	ret, err := a.install(c, "")
	switch {
	case err != nil:
		return salt.Raised(err)
	case ret.Len() == 0:
		return salt.Failed("Could not install package")
	case ret.At("retcode") != int64(0):
		return salt.Failed("%s %s", a.said("Unable to process requirements file \"%s\"", "Unable to install from VCS checkout %s."), complaint(ret))
	}
	ch, requirements := new(value.Map), "Requirements were already installed.%.0s"
	if value.Truth(a.Requirements) {
		for _, line := range strings.Split(ret.Str("stdout"), "\n") {
			if !beginsWith(strings.TrimSpace(line), unchanged) {
				ch.Set("requirements", true)
				requirements = "Successfully processed requirements file %s."
			}
		}
	}
	if value.Truth(a.Editable) {
		ch.Set("editable", true)
	}
	return salt.Changed(ch, "%s", a.said(requirements, "Package successfully installed from VCS checkout %s."))
}

func beginsWith(line string, starts []string) bool {
	for _, s := range starts {
		if strings.HasPrefix(line, s) {
			return true
		}
	}
	return false
}

// complaint is what a failed pip said.
func complaint(ret *value.Map) string {
	if ret.Has("stdout") {
		return "Error: " + ret.Str("stdout") + " " + ret.Str("stderr")
	}
	return "Error: " + ret.Str("comment")
}

func (a installedArgs) byName(c *salt.Ctx, all []target) salt.Result {
	have, err := list(c, listArgs{BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd, EnvVars: a.EnvVars})
	if err != nil {
		c.Log.Warn("Pre-caching of PIP packages during states.pip.installed failed by exception from pip.list: " + err.Error())
	}
	var wanted []target
	var present []string
	for _, t := range all {
		if t.prefix != "" {
			why, err := a.present(c, t, have)
			if err != nil {
				return salt.Raised(err)
			}
			if why != "" {
				present = append(present, why)
				continue
			}
		}
		wanted = append(wanted, t)
		if c.Test {
			return salt.Would(nil, "%s", announce(all, t))
		}
	}
	if len(wanted) == 0 {
		last := "All specified packages are already installed"
		if a.Upgrade {
			last += " and up-to-date"
		}
		return salt.Correct("%s", strings.Join(append(present, last), "\n"))
	}
	return a.perform(c, wanted, present)
}

func announce(all []target, t target) string {
	if len(all) == 1 {
		return "Python package " + t.name + " is set to be installed"
	}
	msg := "Python package(s) set to be installed:"
	for _, t := range all {
		msg += "\n" + t.name
	}
	return msg
}

func (a installedArgs) perform(c *salt.Ctx, wanted []target, present []string) salt.Result {
	names := make([]string, len(wanted))
	for i, t := range wanted {
		names[i] = strings.ReplaceAll(t.name, ",", ";") // commas part packages
	}
	ret, err := a.install(c, strings.Join(names, ","))
	switch {
	case err != nil:
		return salt.Raised(err)
	case ret.Len() == 0:
		return salt.Failed("Could not install package")
	case ret.At("retcode") != int64(0):
		return salt.Failed("%s", strings.Join(append(present, "Failed to install packages: "+strings.Join(names, ", ")+". "+complaint(ret)), "\n"))
	}
	kept := satisfied(ret.Str("stdout"))
	ch := new(value.Map)
	var lost []string
	for i, t := range wanted {
		if t.prefix == "" {
			ch.Set(names[i]+"==???", "Installed")
			continue
		}
		now, err := list(c, listArgs{Prefix: t.prefix, BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd, EnvVars: a.EnvVars, Kwargs: a.Kwargs})
		if err != nil {
			return salt.Raised(err)
		}
		if now.Len() == 0 {
			lost = append(lost, fmt.Sprintf("There was no error installing package '%s' although it does not show when calling 'pip.freeze'.", t.name))
		} else if v, ok := now.Get(t.prefix); ok && !kept[t.prefix] {
			ch.Set(t.prefix+"=="+value.Str(v), "Installed")
		}
	}
	if len(lost) == 0 {
		lost = []string{"All packages were successfully installed"}
	}
	return salt.Changed(ch, "%s", strings.Join(append(present, strings.Join(lost, "\n")), "\n"))
}

var afterName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[=!<>~@]`) })

// satisfied are the packages that pip left as they were.
func satisfied(stdout string) map[string]bool {
	out := map[string]bool{}
	for _, line := range strings.Split(stdout, "\n") {
		for _, start := range []string{"Requirement already satisfied: ", "Requirement already up-to-date: "} {
			if rest, ok := strings.CutPrefix(line, start); ok && len(strings.Fields(rest)) > 0 {
				out[normalize(afterName().Split(strings.Fields(rest)[0], 2)[0])] = true
			}
		}
	}
	return out
}

// present says why a package needs no installation, "" if it does.
func (a installedArgs) present(c *salt.Ctx, t target, have *value.Map) (string, error) {
	if have.Len() == 0 {
		var err error
		if have, err = list(c, listArgs{Prefix: t.prefix, BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd, EnvVars: a.EnvVars, Kwargs: a.Kwargs}); err != nil {
			return "", err
		}
	}
	if a.IgnoreInstalled || a.ForceReinstall || !have.Has(t.prefix) {
		return "", nil
	}
	already := "Python package " + t.name + " was already installed"
	if !a.Upgrade {
		if fulfils(have.Str(t.prefix), t.clauses) {
			return already, nil
		}
		return "", nil
	}
	ask := listAllVersionsArgs{Pkg: t.prefix, BinEnv: a.BinEnv, User: a.User, Cwd: a.Cwd, IndexUrl: a.IndexUrl, ExtraIndexUrl: a.ExtraIndexUrl}
	for _, cl := range t.clauses {
		ask.IncludeAlpha = ask.IncludeAlpha || strings.Contains(cl.version, "a")
		ask.IncludeBeta = ask.IncludeBeta || strings.Contains(cl.version, "b")
		ask.IncludeRc = ask.IncludeRc || strings.Contains(cl.version, "rc")
	}
	v, err := listAllVersions(c, ask)
	if err != nil {
		return "", err
	}
	wanted := ""
	for _, version := range commas(v) {
		if len(t.clauses) == 0 || fulfils(version, t.clauses) {
			wanted = version
		}
	}
	switch {
	case wanted == "":
		return "Python package " + t.prefix + " was already installed and\nthe available upgrade doesn't fulfills the version requirements", nil
	case compareVersions(have.Str(t.prefix), wanted) == 0:
		return already, nil
	}
	return "", nil
}
