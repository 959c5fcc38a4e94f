package pkg

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type installArgs struct {
	Name         any        `py:"name=None"`          // the package, or several with commas between
	Refresh      any        `py:"refresh=False"`      // refresh the lists of packages first
	Fromrepo     any        `py:"fromrepo=None"`      // the repository or release to install from
	SkipVerify   bool       `py:"skip_verify=False"`  // take packages that are not signed
	Debconf      any        `py:"debconf=None"`       // a file with answers for debconf to set first
	Pkgs         any        `py:"pkgs=None"`          // several packages: names, or maps of a name to a version
	Sources      any        `py:"sources=None"`       // package files: a list of maps of a name to a URL or path
	Reinstall    bool       `py:"reinstall=False"`    // install again what is installed
	Downloadonly bool       `py:"downloadonly=False"` // only download
	IgnoreEpoch  any        `py:"ignore_epoch=False"` // compare versions without their epoch
	Normalize    bool       `py:"normalize=True"`     // drop an architecture from names that goes without saying
	Kwargs       *value.Map `py:"**kwargs"`           // version, only_upgrade, install_recommends, force_yes, force_conf_new, cache_valid_time, env …; taps and options of brew
}

// install installs packages, and returns old and new version of all that changed.
//
//	salt-call pkg.install nginx version=1.22.1-9
func install(c *salt.Ctx, a installArgs) (*value.Map, error) {
	a.Kwargs = plain(a.Kwargs)
	return managerOf(c).install(a)
}

// texts are arguments as texts.
func texts(args []any) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = value.Str(a)
	}
	return out
}

// plain drops the engine's own keywords.
func plain(kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if !strings.HasPrefix(k, "__") {
			out.Set(k, v)
		}
	}
	return out
}

type uninstallArgs struct {
	Name   any        `py:"name=None"` // the package, several with commas between, or a glob
	Pkgs   any        `py:"pkgs=None"` // several packages
	Kwargs *value.Map `py:"**kwargs"`  // env
}

// remove removes packages and keeps their configuration.
func remove(c *salt.Ctx, a uninstallArgs) (*value.Map, error) {
	return managerOf(c).uninstall("remove", a)
}

// purge removes packages and their configuration.
func purge(c *salt.Ctx, a uninstallArgs) (*value.Map, error) {
	return managerOf(c).uninstall("purge", a)
}

type autoremoveArgs struct {
	ListOnly bool `py:"list_only=False"` // only list what would be removed
	Purge    bool `py:"purge=False"`     // remove configuration too
}

// autoremove removes packages that nothing needs any more.
func autoremove(c *salt.Ctx, a autoremoveArgs) (any, error) {
	m, err := aptOf(c, "autoremove")
	if err != nil {
		return nil, err
	}
	return m.autoremove(a.ListOnly, a.Purge)
}

type upgradeArgs struct {
	Refresh     any        `py:"refresh=True"`       // refresh the lists of packages first
	DistUpgrade bool       `py:"dist_upgrade=False"` // also where packages have to be installed or removed for it
	Kwargs      *value.Map `py:"**kwargs"`           // force_yes, skip_verify, download_only, force_conf_new, allow_downgrades, cache_valid_time; with apk name and pkgs
}

// upgrade upgrades all packages.
func upgrade(c *salt.Ctx, a upgradeArgs) (*value.Map, error) {
	if m, ok := managerOf(c).(apk); ok {
		return m.report(a)
	}
	return managerOf(c).upgrade(a)
}

type listUpgradesArgs struct {
	Refresh     any        `py:"refresh=True"`      // refresh the lists of packages first
	DistUpgrade bool       `py:"dist_upgrade=True"` // also those that need others to be installed or removed
	Kwargs      *value.Map `py:"**kwargs"`          // fromrepo, cache_valid_time; with brew include_casks and options
}

// listUpgrades lists the packages that can be upgraded, with their new versions.
func listUpgrades(c *salt.Ctx, a listUpgradesArgs) (*value.Map, error) {
	m := managerOf(c)
	if isTrue(a.Refresh) {
		if _, err := m.refresh(refreshOptions{cacheValid: a.Kwargs.At("cache_valid_time")}); err != nil {
			return nil, err
		}
	}
	if b, ok := m.(brew); ok {
		return b.outdated(a.Kwargs)
	}
	return m.upgrades(a.DistUpgrade, a.Kwargs.Str("fromrepo"))
}

type namesArgs struct {
	Names  []any      `py:"*names"`   // packages
	Kwargs *value.Map `py:"**kwargs"` // refresh, show_installed, fromrepo, cache_valid_time; versions_as_list; options of brew
}

// latestVersion is the version that an installation or upgrade would bring, ""
// where there is nothing new; for several packages a mapping.
func latestVersion(c *salt.Ctx, a namesArgs) (any, error) {
	if a.Kwargs.Has("repo") {
		return nil, salt.InvocationError("The 'repo' argument is invalid, use 'fromrepo' instead")
	}
	if len(a.Names) == 0 {
		return "", nil
	}
	refresh := true
	if v, ok := a.Kwargs.Get("refresh"); ok {
		refresh = isTrue(v)
	}
	ret, err := managerOf(c).latest(texts(a.Names), latestOptions{refresh: refresh, installed: isTrue(a.Kwargs.At("show_installed")),
		fromrepo: a.Kwargs.Str("fromrepo"), cacheValid: a.Kwargs.At("cache_valid_time"), options: a.Kwargs.At("options")})
	if err != nil {
		return nil, err
	}
	if len(a.Names) == 1 {
		for _, v := range ret.Items() {
			if ret.Len() == 1 || v != "" {
				return v, nil
			}
		}
		return "", nil
	}
	return ret, nil
}

type upgradeAvailableArgs struct {
	Name   string     `py:"name"`     // the package
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// upgradeAvailable says whether there is a newer version of a package.
func upgradeAvailable(c *salt.Ctx, a upgradeAvailableArgs) (bool, error) {
	if _, ok := managerOf(c).(brew); ok {
		all, err := listUpgrades(c, upgradesArgs(a.Kwargs))
		return all.Has(a.Name), err
	}
	v, err := latestVersion(c, namesArgs{Names: []any{a.Name}})
	return v != "", err
}

// upgradesArgs are keywords of pkg.list_upgrades.
func upgradesArgs(kw *value.Map) listUpgradesArgs {
	refresh, ok := kw.Get("refresh")
	return listUpgradesArgs{Refresh: !ok || isTrue(refresh), Kwargs: kw}
}

// version is the installed version of a package, "" if it is not installed;
// for several packages, or a glob, a mapping.
func version(c *salt.Ctx, a namesArgs) (any, error) {
	l, err := managerOf(c).list()
	if err != nil {
		return nil, err
	}
	all := l.current()
	ret, globbed := new(value.Map), false
	put := func(name string) {
		v := versions(all, name)
		if isTrue(a.Kwargs.At("versions_as_list")) {
			ret.Set(name, value.Strings(v))
			return
		}
		ret.Set(name, strings.Join(v, ","))
	}
	for _, name := range texts(a.Names) {
		if !strings.Contains(name, "*") {
			put(name)
			continue
		}
		globbed = true
		for have := range all.Items() {
			if value.Fnmatch(have, name) {
				put(have)
			}
		}
	}
	if ret.Len() == 1 && !globbed {
		return ret.At(keys(ret)[0]), nil
	}
	return ret, nil
}

type listPkgsArgs struct {
	VersionsAsList any        `py:"versions_as_list=False"` // lists of versions instead of texts
	Removed        any        `py:"removed=False"`          // those that were removed and have configuration left
	PurgeDesired   any        `py:"purge_desired=False"`    // those that are installed and wanted to be purged
	Kwargs         *value.Map `py:"**kwargs"`               // use_context
}

// listPkgs lists the installed packages with their versions.
func listPkgs(c *salt.Ctx, a listPkgsArgs) (*value.Map, error) {
	m := managerOf(c)
	if v, ok := a.Kwargs.Get("use_context"); ok && !value.Truth(v) {
		m.forget()
	}
	l, err := m.list()
	if err != nil {
		return nil, err
	}
	list := l.current()
	switch {
	case isTrue(a.Removed):
		list = l.removed
	case isTrue(a.PurgeDesired):
		list = l.purgeDesired
	}
	if isTrue(a.VersionsAsList) {
		return value.Copy(list).(*value.Map), nil
	}
	return joined(list), nil
}

type versionCmpArgs struct {
	Pkg1        any        `py:"pkg1"`               // a version
	Pkg2        any        `py:"pkg2"`               // another
	IgnoreEpoch bool       `py:"ignore_epoch=False"` // compare without epochs
	Kwargs      *value.Map `py:"**kwargs"`           // Salt takes and ignores any other
}

// versionCmp compares two versions: -1, 0 or 1, None when one of them is none.
func versionCmp(c *salt.Ctx, a versionCmpArgs) (any, error) {
	n, ok := managerOf(c).compare(value.Str(a.Pkg1), value.Str(a.Pkg2), a.IgnoreEpoch)
	if !ok {
		return nil, nil
	}
	return int64(n), nil
}

type nameArgs struct {
	Name string `py:"name"` // the package
}

// normalizeName drops the machine's own architecture from a name.
func normalizeName(c *salt.Ctx, a nameArgs) (string, error) {
	return managerOf(c).normalize(a.Name), nil
}

// parseArch splits a name into name and architecture.
func parseArch(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	switch managerOf(c).(type) {
	case dnf, zypper:
		base, arch := splitArch(a.Name)
		if arch == "" {
			return value.M("name", base, "arch", nil), nil
		}
		return value.M("name", base, "arch", arch), nil
	}
	if i := strings.LastIndexByte(a.Name, ':'); i >= 0 {
		return value.M("name", a.Name[:i], "arch", a.Name[i+1:]), nil
	}
	return value.M("name", a.Name, "arch", nil), nil
}

type refreshDbArgs struct {
	CacheValidTime any        `py:"cache_valid_time=0"` // do nothing when the lists are younger than these seconds
	Failhard       any        `py:"failhard=False"`     // an index that cannot be fetched is an error
	Kwargs         *value.Map `py:"**kwargs"`           // timeout
}

// refreshDb refreshes the lists of packages: True for an index that was
// fetched, None for one that is current, False for one that failed.
func refreshDb(c *salt.Ctx, a refreshDbArgs) (any, error) {
	if d, ok := managerOf(c).(dnf); ok { // one answer for all repositories
		return d.refreshed(true, d.options(a.Kwargs, nil)...)
	}
	if u, ok := managerOf(c).(interface{ update() error }); ok {
		err := u.update()
		return err == nil, err
	}
	return managerOf(c).refresh(refreshOptions{cacheValid: a.CacheValidTime, failhard: isTrue(a.Failhard), timeout: a.Kwargs.At("timeout")})
}

type listRepoPkgsArgs struct {
	Args   []any      `py:"*args"`    // packages, such as NAME or NAME=VERSION; all there are without
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// listRepoPkgs lists the versions that repositories have, newest first.
func listRepoPkgs(c *salt.Ctx, a listRepoPkgsArgs) (*value.Map, error) {
	return managerOf(c).available(texts(a.Args))
}

type holdArgs struct {
	Name    any        `py:"name=None"`    // the package
	Pkgs    any        `py:"pkgs=None"`    // several packages
	Sources any        `py:"sources=None"` // packages as pkg.install has them in sources
	Kwargs  *value.Map `py:"**kwargs"`     // Salt takes and ignores any other
}

// holdExec makes upgrades leave packages alone.
func holdExec(c *salt.Ctx, a holdArgs) (*value.Map, error) {
	h, err := holderOf(c, "hold")
	if err != nil {
		return nil, err
	}
	return h.hold(a, true)
}

// unholdExec makes upgrades change packages again.
func unholdExec(c *salt.Ctx, a holdArgs) (*value.Map, error) {
	h, err := holderOf(c, "unhold")
	if err != nil {
		return nil, err
	}
	return h.hold(a, false)
}

type getSelectionsArgs struct {
	Pattern any `py:"pattern=None"` // a name or a glob
	State   any `py:"state=None"`   // only those of which this is wanted: install, hold, deinstall, purge
}

// getSelections lists packages by what is wanted of them.
func getSelections(c *salt.Ctx, a getSelectionsArgs) (*value.Map, error) {
	h, err := holderOf(c, "get_selections")
	if err != nil {
		return nil, err
	}
	all, err := h.selections(value.Str(orEmpty(a.Pattern)))
	if err != nil || !value.Truth(a.State) {
		return all, err
	}
	state := value.Str(a.State)
	l := all.List(state)
	if l == nil {
		l = value.L()
	}
	return value.M(state, l), nil
}

type listDownloadedArgs struct {
	Root   *string    `py:"root=None"` // the root of another system
	Kwargs *value.Map `py:"**kwargs"`  // Salt takes and ignores any other
}

// listDownloaded lists the package files in apt's cache.
func listDownloaded(c *salt.Ctx, a listDownloadedArgs) (*value.Map, error) {
	root := ""
	if a.Root != nil {
		root = *a.Root
	}
	return managerOf(c).downloaded(root)
}
