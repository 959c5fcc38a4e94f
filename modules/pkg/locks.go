package pkg

import (
	"slices"

	"pinch/salt"
	"pinch/value"
	"pinch/value/pyre"
)

// A lister can name the packages that are held, with their versions.
type lister interface {
	holds(pattern string, full bool, kw *value.Map) ([]string, error)
}

type listHoldsArgs struct {
	Pattern any        `py:"pattern=None"` // a regular expression for the name
	Full    bool       `py:"full=True"`    // with epoch and version, not only the name
	Root    any        `py:"root=None"`    // another root directory, for zypper
	Kwargs  *value.Map `py:"**kwargs"`     // Salt takes and ignores any other
}

// listHolds lists the packages that are held: NAME-EPOCH:VERSION.*.
func listHolds(c *salt.Ctx, a listHoldsArgs) (*value.List, error) {
	return holdsOf(c, "list_holds", a)
}

func holdsOf(c *salt.Ctx, fun string, a listHoldsArgs) (*value.List, error) {
	l, ok := managerOf(c).(lister)
	if !ok {
		return nil, &salt.LookupError{Name: "pkg." + fun}
	}
	all, err := l.holds(value.Str(orEmpty(a.Pattern)), a.Full, value.M("root", a.Root))
	return value.Strings(all), err
}

type lockedPackagesArgs struct {
	Pattern string `py:"pattern='[\\\\w+]+(?:[.-][^-]+)*'"` // a regular expression for the name
	Full    bool   `py:"full=True"`                         // with epoch and version, not only the name
}

// lockedPackages is list_holds for dnf.
func lockedPackages(c *salt.Ctx, a lockedPackagesArgs) (*value.List, error) {
	if _, ok := managerOf(c).(dnf); !ok {
		return nil, &salt.LookupError{Name: "pkg.get_locked_packages"}
	}
	return holdsOf(c, "get_locked_packages", listHoldsArgs{Pattern: a.Pattern, Full: a.Full})
}

// matchingHolds are the entries NAME-VERSION whose name matches a regular
// expression, matchingNames the names.
func matchingHolds(all []string, pattern string) ([]string, error) {
	return selecting(all, pattern, `-\S+`)
}

func matchingNames(all []string, pattern string) ([]string, error) {
	return selecting(all, pattern, "$")
}

func selecting(all []string, pattern, rest string) ([]string, error) {
	if pattern == "" {
		return all, nil
	}
	re, err := pyre.Compile("(?:"+pattern+")"+rest, 0)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return re.Match(s) == nil }), nil
}

type rootArgs struct {
	Root any `py:"root=None"` // another root directory
}

func zypperOf(c *salt.Ctx, fun string) (zypper, error) {
	if z, ok := managerOf(c).(zypper); ok {
		return z, nil
	}
	return zypper{}, &salt.LookupError{Name: "pkg." + fun}
}

// listLocks lists zypper's locks by name.
func listLocks(c *salt.Ctx, a rootArgs) (*value.Map, error) {
	z, err := zypperOf(c, "list_locks")
	if err != nil {
		return nil, err
	}
	return z.locks(value.M("root", a.Root)), nil
}

// cleanLocks removes zypper's locks that lock nothing.
func cleanLocks(c *salt.Ctx, a rootArgs) (*value.Map, error) {
	z, err := zypperOf(c, "clean_locks")
	if err != nil {
		return nil, err
	}
	return z.cleanLocks(value.M("root", a.Root))
}
