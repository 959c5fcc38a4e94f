package pkg

import (
	"pinch/salt"
	"pinch/value"
)

// A manager is a package manager. Versions come as its own texts; maps that are
// changes have a map of old and new for each package.
//
// What only some managers can do is an interface of its own, such as holder.
type manager interface {
	// list are the packages that are installed, with their versions, sorted.
	list() (*listing, error)
	// forget drops what was read of the database, after a change.
	forget()
	// normalize drops an architecture from a name that goes without saying.
	normalize(name string) string
	// compare orders two versions; ok is false when one of them is none.
	compare(a, b string, ignoreEpoch bool) (n int, ok bool)
	// latest are the versions that an installation would bring, "" for a
	// package that is up to date or unknown.
	latest(names []string, o latestOptions) (*value.Map, error)
	// available are all versions that repositories have, by name, newest first.
	available(specs []string) (*value.Map, error)
	refresh(o refreshOptions) (*value.Map, error)
	install(a installArgs) (*value.Map, error)
	// uninstall removes or purges ("remove", "purge").
	uninstall(action string, a uninstallArgs) (*value.Map, error)
	upgrades(distUpgrade bool, fromrepo string) (*value.Map, error)
	upgrade(a upgradeArgs) (*value.Map, error)
	downloaded(root string) (*value.Map, error)
}

// A holder can keep packages from being changed.
type holder interface {
	selections(pattern string) (*value.Map, error)
	hold(a holdArgs, on bool) (*value.Map, error)
}

// latestOptions are the keyword arguments of pkg.latest_version.
type latestOptions struct {
	refresh, installed bool
	fromrepo           string
	cacheValid         any
	options            any // brew's
}

// refreshOptions are the arguments of pkg.refresh_db.
type refreshOptions struct {
	cacheValid any
	failhard   bool
	timeout    any
}

// A listing is the state of all packages: each a map from name to a list of
// versions.
type listing struct{ installed, removed, purgeDesired *value.Map }

// current are the packages that count as installed.
func (l *listing) current() *value.Map {
	m := l.purgeDesired.Shallow()
	m.Update(l.installed)
	return m
}

// versions are those of an installed package.
func versions(m *value.Map, name string) []string {
	l := m.List(name)
	if l == nil {
		return nil
	}
	out := make([]string, len(l.Items))
	for i, v := range l.Items {
		out[i] = value.Str(v)
	}
	return out
}

// managerOf is the package manager of the machine, or the one that the option
// providers names; nil if none is known.
func managerOf(c *salt.Ctx) manager {
	switch file := salt.Provider(c, "pkg"); file {
	case "", "pkg":
	case "aptpkg":
		return apt{c}
	case "yumpkg":
		return newDnf(c)
	case "zypperpkg":
		return newZypper(c)
	case "pacmanpkg":
		return pacman{tool{c}}
	case "apkpkg":
		return apk{tool{c}}
	default:
		salt.UnknownProvider(c, "pkg", file)
	}
	if c.Grains.Str("os") == "MacOS" {
		if b := (brew{tool{c}}); b.prefix() != "" {
			return b
		}
		return nil
	}
	switch c.Grains.Str("os_family") {
	case "Alpine":
		return apk{tool{c}}
	case "Debian":
		return apt{c}
	case "RedHat":
		if d := newDnf(c); d.program() != "" {
			return d
		}
	case "Suse":
		if c.Sys.LookPath("zypper") != "" {
			return newZypper(c)
		}
	case "Arch":
		return pacman{tool{c}}
	}
	return nil
}

// aptOf is apt, for functions that only it has.
func aptOf(c *salt.Ctx, fun string) (apt, error) {
	if a, ok := managerOf(c).(apt); ok {
		return a, nil
	}
	return apt{}, &salt.LookupError{Name: "pkg." + fun}
}

// holderOf is the manager, if it can hold packages.
func holderOf(c *salt.Ctx, fun string) (holder, error) {
	if h, ok := managerOf(c).(holder); ok {
		return h, nil
	}
	return nil, &salt.LookupError{Name: "pkg." + fun}
}
