package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type uptodateArgs struct {
	Name    string     `py:"name"`          // any name
	Refresh any        `py:"refresh=False"` // refresh the lists of packages first: True or False
	Pkgs    any        `py:"pkgs=None"`     // only these packages count
	Kwargs  *value.Map `py:"**kwargs"`      // dist_upgrade, fromrepo, cache_valid_time, skip_verify, force_conf_new …
}

// uptodate upgrades the whole system.
func uptodate(c *salt.Ctx, a uptodateArgs) salt.Result {
	m := managerOf(c)
	refresh, ok := a.Refresh.(bool)
	if !ok {
		return salt.Failed("refresh must be either True or False")
	}
	expected, err := expectedUpgrades(c, m, refresh, a)
	if err != nil {
		return salt.Failed("%s", err)
	}
	if expected.Len() == 0 {
		return salt.Correct("System is already up-to-date")
	}
	if c.Test {
		return salt.Would(expected, "System update will be performed")
	}
	kw := a.Kwargs
	if _, ok := m.(apk); ok && a.Pkgs != nil {
		kw = kw.Shallow()
		kw.Set("pkgs", a.Pkgs)
	}
	changes, err := m.upgrade(upgradeArgs{Refresh: refresh, DistUpgrade: a.Kwargs.Truth("dist_upgrade"), Kwargs: kw})
	if err != nil {
		return commandFailure("An error was encountered while updating packages: ", err)
	}
	if _, ok := a.Pkgs.(*value.List); ok {
		if missing := filter(keys(expected), func(n string) bool { return !changes.Has(n) }); len(missing) > 0 {
			return salt.Result{Result: salt.False(), Changes: changes, Comment: "The following package(s) failed to update: " + strings.Join(missing, ", ")}
		}
	}
	return salt.Changed(changes, "Upgrade ran successfully")
}

func expectedUpgrades(c *salt.Ctx, m manager, refresh bool, a uptodateArgs) (*value.Map, error) {
	dist := true
	if v, ok := a.Kwargs.Get("dist_upgrade"); ok {
		dist = value.Truth(v)
	}
	if refresh {
		if _, err := m.refresh(refreshOptions{cacheValid: a.Kwargs.At("cache_valid_time")}); err != nil {
			return nil, err
		}
	}
	found, err := m.upgrades(dist, a.Kwargs.Str("fromrepo"))
	if err != nil {
		return nil, err
	}
	l, err := m.list()
	if err != nil {
		return nil, err
	}
	current := joined(l.current())
	only, limited := a.Pkgs.(*value.List)
	out := new(value.Map)
	for name, v := range found.Items() {
		if !limited || slices.ContainsFunc(only.Items, func(x any) bool { return value.Equal(x, name) }) {
			out.Set(name, value.M("new", v, "old", current.Str(name)))
		}
	}
	return out, nil
}

type patchInstalledArgs struct {
	Name         string     `py:"name"`              // the advisory
	AdvisoryIds  any        `py:"advisory_ids=None"` // several advisories
	Downloadonly any        `py:"downloadonly=None"` // only download what they need
	Kwargs       *value.Map `py:"**kwargs"`          // arguments of pkg.install
}

// patchInstalled makes sure that advisory patches are installed, for managers
// that have them. Apt has none.
func patchInstalled(*salt.Ctx, patchInstalledArgs) salt.Result {
	return salt.Failed("The pkg.patch_installed state is not available on this platform")
}

type patchDownloadedArgs struct {
	Name        string     `py:"name"`              // the advisory
	AdvisoryIds any        `py:"advisory_ids=None"` // several advisories
	Kwargs      *value.Map `py:"**kwargs"`          // arguments of pkg.install
}

// patchDownloaded makes sure that advisory patches are downloaded, for
// managers that have them. Apt has none.
func patchDownloaded(*salt.Ctx, patchDownloadedArgs) salt.Result {
	return salt.Failed("The pkg.patch_downloaded state is not available on this platform")
}
