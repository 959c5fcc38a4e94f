package pip

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type installArgs struct {
	Pkgs                   any        `py:"pkgs=None"`                      // the packages, a list or a text with commas
	Requirements           any        `py:"requirements=None"`              // requirements files, also salt://
	BinEnv                 any        `py:"bin_env=None"`                   // a virtual environment, or a python or pip to run; None is the system's Python
	UseWheel               bool       `py:"use_wheel=False"`                // prefer wheels, for pip 1.4 to 9
	NoUseWheel             bool       `py:"no_use_wheel=False"`             // no wheels, for pip 1.4 to 9
	Log                    any        `py:"log=None"`                       // a file for pip's log
	Proxy                  any        `py:"proxy=None"`                     // user:password@host:port; False overrides the minion's own proxy
	Timeout                any        `py:"timeout=None"`                   // seconds a connection may take
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
	GlobalOptions          any        `py:"global_options=None"`            // options for setup.py before install
	InstallOptions         any        `py:"install_options=None"`           // options for setup.py install
	User                   any        `py:"user=None"`                      // the user to run pip as
	Cwd                    any        `py:"cwd=None"`                       // where to run it
	PreReleases            bool       `py:"pre_releases=False"`             // allow pre-releases
	Cert                   any        `py:"cert=None"`                      // a bundle of CA certificates
	AllowAllExternal       bool       `py:"allow_all_external=False"`       // allow external files, for old versions of pip
	AllowExternal          any        `py:"allow_external=None"`            // packages that may come from elsewhere, for old versions of pip
	AllowUnverified        any        `py:"allow_unverified=None"`          // packages that need no checksum, for old versions of pip
	ProcessDependencyLinks bool       `py:"process_dependency_links=False"` // follow dependency links, for old versions of pip
	Saltenv                any        `py:"saltenv='base'"`                 // the environment of salt:// files
	EnvVars                any        `py:"env_vars=None"`                  // variables for pip's environment
	UseVt                  bool       `py:"use_vt=False"`                   // show the output as it comes
	TrustedHost            any        `py:"trusted_host=None"`              // a host that needs no valid certificate
	NoCacheDir             bool       `py:"no_cache_dir=False"`             // without cache
	ExtraArgs              any        `py:"extra_args=None"`                // further options: texts, or single-item mappings
	CacheDir               any        `py:"cache_dir=None"`                 // where downloads are kept
	NoBinary               any        `py:"no_binary=None"`                 // packages to build from source
	DisableVersionCheck    bool       `py:"disable_version_check=False"`    // don't ask for a newer pip
	Kwargs                 *value.Map `py:"**kwargs"`                       // further arguments for cmd.run_all
}

// install installs packages, by name or from requirements files, and returns
// what cmd.run_all does.
//
//	salt-call pip.install 'django>=4.2' bin_env=/opt/venv
func install(c *salt.Ctx, a installArgs) (*value.Map, error) {
	argv, err := binary(c, a.BinEnv)
	if err != nil {
		return nil, err
	}
	argv = append(argv, "install")
	f := &files{c: c, user: text(a.User), cwd: text(a.Cwd), saltenv: text(a.Saltenv)}
	defer f.done()
	reqs, err := f.arguments(a.Requirements)
	if err != nil {
		return instead(err)
	}
	have, err := current(c, a.BinEnv, a.Cwd, a.User)
	if err != nil {
		return nil, err
	}
	opts, err := a.options(c, have)
	if err != nil {
		return nil, err
	}
	argv = append(append(argv, reqs...), opts...)
	switch {
	case value.Truth(a.Pkgs):
		for _, p := range commas(a.Pkgs) {
			argv = append(argv, strings.ReplaceAll(p, ";", ","))
		}
	case !value.Truth(a.Requirements) && !value.Truth(a.Editable):
		return value.M("retcode", int64(0), "stdout", "No packages to install."), nil
	}
	last, err := a.trailing()
	if err != nil {
		return nil, err
	}
	env, err := environment(c, a.BinEnv, a.EnvVars, false)
	if err != nil {
		return nil, err
	}
	kw := value.M("saltenv", a.Saltenv, "use_vt", a.UseVt, "runas", a.User)
	kw.Update(a.Kwargs)
	if value.Truth(a.Cwd) {
		kw.Set("cwd", a.Cwd)
	}
	kw.Set("python_shell", false)
	defer forget(c, a.BinEnv)
	return run(c, append(argv, last...), env, kw)
}

// instead is the answer that stands for a call of pip.
func instead(err error) (*value.Map, error) {
	var m missing
	if errors.As(err, &m) {
		return m.ret, nil
	}
	return nil, err
}

// options are those before the packages.
func (a installArgs) options(c *salt.Ctx, have string) ([]string, error) {
	o := &options{c: c}
	for _, w := range []struct {
		on   bool
		name string
	}{{a.UseWheel, "--use-wheel"}, {a.NoUseWheel, "--no-use-wheel"}} {
		if w.on && (older(have, "1.4") || older("9.0.3", have)) {
			c.Log.Error("The " + w.name + " option is only supported in pip between 1.4 and 9.0.3. The version of pip detected is " + have + ". This option will be ignored.")
		} else {
			o.flag(w.on, w.name)
		}
	}
	if value.Truth(a.NoBinary) {
		if older(have, "7.0.0") {
			c.Log.Error("The --no-binary option is only supported in pip 7.0.0 and newer. The version of pip detected is " + have + ". This option will be ignored.")
		} else {
			o.with("--no-binary", strings.Join(commas(a.NoBinary), ","))
		}
	}
	if err := o.logFile(text(a.Log)); err != nil {
		return nil, err
	}
	o.proxy(a.Proxy)
	if err := o.timeout(a.Timeout); err != nil {
		return nil, err
	}
	if err := a.sources(o, have); err != nil {
		return nil, err
	}
	o.flag(a.DisableVersionCheck, "--disable-pip-version-check")
	o.with("--build", a.Build)
	o.with("--target", a.Target)
	o.with("--download", a.Download)
	cache := "--cache-dir"
	if older(have, "6.0") {
		cache = "--download-cache"
	}
	if value.Truth(a.DownloadCache) {
		o.with(cache, a.DownloadCache)
	} else {
		o.with(cache, a.CacheDir)
	}
	o.with("--source", a.Source)
	o.flag(a.Upgrade, "--upgrade")
	o.flag(a.ForceReinstall, "--force-reinstall")
	o.flag(a.IgnoreInstalled, "--ignore-installed")
	if value.Truth(a.ExistsAction) {
		if act := text(a.ExistsAction); !slices.Contains([]string{"s", "i", "w", "b"}, strings.ToLower(act)) {
			return nil, salt.CommandError("The exists_action pip option only supports the values s, i, w, and b. '%s' is not valid.", act)
		}
		o.with("--exists-action", a.ExistsAction)
	}
	o.flag(a.NoDeps, "--no-deps")
	o.flag(a.NoInstall, "--no-install")
	o.flag(a.NoDownload, "--no-download")
	o.flag(a.NoCacheDir, "--no-cache-dir")
	o.flag(a.PreReleases && !older(have, "1.4"), "--pre")
	o.with("--cert", a.Cert)
	o.each("--global-option", a.GlobalOptions)
	o.each("--install-option", a.InstallOptions)
	return o.argv, nil
}

// sources are the options that say where packages come from.
func (a installArgs) sources(o *options, have string) error {
	if value.Truth(a.FindLinks) {
		for _, link := range commas(a.FindLinks) {
			if !validURL(link) && !sys.Exists(o.c.Sys, link) {
				return salt.CommandError("'%s' is not a valid URL or path", link)
			}
			o.with("--find-links", link)
		}
	}
	if a.NoIndex && (value.Truth(a.IndexUrl) || value.Truth(a.ExtraIndexUrl)) {
		return salt.CommandError("'no_index' and ('index_url' or 'extra_index_url') are mutually exclusive.")
	}
	for _, u := range []struct {
		opt string
		url any
	}{{"--index-url", a.IndexUrl}, {"--extra-index-url", a.ExtraIndexUrl}} {
		if value.Truth(u.url) && !validURL(text(u.url)) {
			return salt.CommandError("'%s' is not a valid URL", text(u.url))
		}
		o.with(u.opt, u.url)
	}
	o.flag(a.NoIndex, "--no-index")
	if !value.Truth(a.Mirrors) {
		return nil
	}
	if !older(have, "7.0.0") {
		return salt.CommandError("pip >= 7.0.0 does not support mirror argument: use index_url and/or extra_index_url instead")
	}
	o.flag(true, "--use-mirrors")
	for _, m := range commas(a.Mirrors) {
		if !strings.HasPrefix(m, "http://") {
			return salt.CommandError("'%s' is not a valid URL", m)
		}
		o.with("--mirrors", m)
	}
	return nil
}

var eggOption = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:#|#.*?&)egg=([^&]*)`) })

// trailing are the options behind the packages.
func (a installArgs) trailing() ([]string, error) {
	o := new(options)
	if value.Truth(a.Editable) {
		for _, e := range commas(a.Editable) {
			if e != "." && !strings.HasPrefix(e, "file://") && !strings.HasPrefix(e, "/") {
				if m := eggOption().FindStringSubmatch(e); m == nil || m[1] == "" {
					return nil, salt.CommandError("You must specify an egg for this editable")
				}
			}
			o.with("--editable", e)
		}
	}
	o.flag(a.AllowAllExternal, "--allow-all-external")
	o.each("--allow-external", a.AllowExternal)
	o.each("--allow-unverified", a.AllowUnverified)
	o.flag(a.ProcessDependencyLinks, "--process-dependency-links")
	o.with("--trusted-host", a.TrustedHost)
	err := o.extra(a.ExtraArgs)
	return o.argv, err
}

// options builds pip's command line.
type options struct {
	c    *salt.Ctx
	argv []string
}

func (o *options) flag(on bool, name string) {
	if on {
		o.argv = append(o.argv, name)
	}
}

func (o *options) with(name string, v any) {
	if value.Truth(v) {
		o.argv = append(o.argv, name, value.Str(v))
	}
}

func (o *options) each(name string, v any) {
	if value.Truth(v) {
		for _, s := range commas(v) {
			o.argv = append(o.argv, name, s)
		}
	}
}

// proxy takes the minion's proxy where none is given; False is none.
func (o *options) proxy(v any) {
	opts := o.c.Opts
	switch {
	case value.Truth(v):
		o.with("--proxy", v)
	case v != false && opts.Truth("proxy_host") && opts.Truth("proxy_port"):
		at := opts.Str("proxy_host") + ":" + opts.Str("proxy_port")
		if opts.Truth("proxy_username") && opts.Truth("proxy_password") {
			at = opts.Str("proxy_username") + ":" + opts.Str("proxy_password") + "@" + at
		}
		o.with("--proxy", "http://"+at)
	}
}

func (o *options) timeout(v any) error {
	if !value.Truth(v) {
		return nil
	}
	_, fraction := v.(float64)
	if _, err := strconv.Atoi(strings.TrimSpace(value.Str(v))); err != nil || fraction {
		return value.Errorf("ValueError", "'%s' is not a valid timeout, must be an integer", value.Str(v))
	}
	o.with("--timeout", v)
	return nil
}

func (o *options) logFile(path string) error {
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	switch s := o.c.Sys; {
	case sys.IsDir(s, path):
		return fmt.Errorf("'%s' is a directory. Use --log path_to_file", path)
	case sys.Exists(s, path) && s.Access(path, 2) != nil:
		return fmt.Errorf("'%s' is not writeable", path)
	case sys.Exists(s, path):
	case !sys.Exists(s, dir):
		return fmt.Errorf("Trying to create '%s' but parent directory '%s' does not exist.", path, dir)
	case s.Access(dir, 2) != nil:
		return fmt.Errorf("Trying to create '%s' but parent directory '%s' is not writeable.", path, dir)
	}
	o.with("--log", path)
	return nil
}

// extra are options as the user wrote them; a mapping is an option with its value.
func (o *options) extra(v any) error {
	l, ok := v.(*value.List)
	if !ok {
		return nil
	}
	for _, it := range l.Items {
		m, ok := it.(*value.Map)
		if !ok {
			o.argv = append(o.argv, value.Str(it))
			continue
		}
		for k, x := range m.Items() {
			switch x.(type) {
			case *value.Map, *value.List:
				return value.Errorf("TypeError", "Too many levels in: %s", k)
			}
			o.argv = append(o.argv, k, value.Str(x))
		}
	}
	return nil
}

// validURL reports whether pip can download from there.
func validURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && slices.Contains([]string{"http", "https", "ftp", "file"}, u.Scheme)
}
