package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type removedArgs struct {
	Name        string     `py:"name"`              // the package; ignored where pkgs is given
	Version     any        `py:"version=None"`      // only if this version, or one that meets these conditions, is installed
	Pkgs        any        `py:"pkgs=None"`         // several packages: names, or maps of a name to a version
	Normalize   bool       `py:"normalize=True"`    // drop an architecture from names that goes without saying
	IgnoreEpoch any        `py:"ignore_epoch=None"` // compare versions without their epoch; None: where the wanted one has none
	Kwargs      *value.Map `py:"**kwargs"`          // env
}

// removed makes sure that packages are not installed. Their configuration
// stays, see pkg.purged.
func removed(c *salt.Ctx, a removedArgs) salt.Result { return uninstall(c, a, "remove") }

// purged makes sure that packages are not installed, and that nothing of their
// configuration is left.
func purged(c *salt.Ctx, a removedArgs) salt.Result { return uninstall(c, a, "purge") }

func uninstall(c *salt.Ctx, a removedArgs, action string) salt.Result {
	m := managerOf(c)
	params, _, err := targets(c, m, a.Name, a.Pkgs, nil, c.Env, a.Normalize, a.Version)
	if err != nil {
		return salt.Raised(err)
	}
	l, err := m.list()
	if err != nil {
		return salt.Failed("An error was encountered while %s package(s): %s", strings.TrimSuffix(action, "e")+"ing", err)
	}
	names, early, err := removable(c, m, a, l.current())
	switch {
	case err != nil:
		return salt.Raised(err)
	case early != nil && action == "remove":
		return *early
	}
	if action == "purge" {
		names = append(names, filter(keys(params), l.removed.Has)...)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return salt.Correct("None of the targeted packages are installed or partially installed")
	}
	if c.Test {
		changes := new(value.Map)
		for _, n := range names {
			changes.Set(n, value.M("new", action+"d", "old", ""))
		}
		return salt.Would(changes, "The following packages will be %sd: %s.", action, strings.Join(names, ", "))
	}
	kw := a.Kwargs.Shallow()
	kw.Set("version", a.Version)
	changes, err := m.uninstall(action, uninstallArgs{Name: a.Name, Pkgs: a.Pkgs, Kwargs: kw})
	if err != nil {
		return commandFailure("An error was encountered while "+strings.TrimSuffix(action, "e")+"ing package(s): ", err)
	}
	if l, err = m.list(); err != nil {
		return salt.Raised(err)
	}
	failed := filter(keys(params), l.current().Has)
	if action == "purge" {
		failed = append(failed, filter(keys(params), l.removed.Has)...)
	}
	if len(failed) > 0 {
		slices.Sort(failed)
		return salt.Result{Result: salt.False(), Changes: changes, Comment: "The following packages failed to " + action + ": " + strings.Join(failed, ", ") + "."}
	}
	absent := filter(sortedKeys(params), func(n string) bool { return !slices.Contains(names, n) })
	if len(absent) > 0 {
		return salt.Changed(changes, "The following packages were not installed: %s The following packages were %sd: %s.", strings.Join(absent, ", "), action, strings.Join(names, ", "))
	}
	return salt.Changed(changes, "All targeted packages were %sd.", action)
}

// removable are the packages that are there, in the version that is meant. An
// answer says that there are none, or that the arguments are wrong.
func removable(c *salt.Ctx, m manager, a removedArgs, current *value.Map) ([]string, *salt.Result, error) {
	want := new(value.Map)
	if value.Truth(a.Pkgs) {
		packed, err := repack(c, m, a.Pkgs, a.Normalize)
		if err != nil {
			return nil, nil, err
		}
		if want = packed; want.Len() == 0 {
			r := salt.Failed("Invalidly formatted pkgs parameter. See minion log.")
			return nil, &r, nil
		}
	} else {
		want.Set(m.normalize(a.Name), a.Version)
	}
	var names []string
	specific := false
	for name, v := range want.Items() {
		have := versions(current, name)
		switch {
		case len(have) == 0:
		case v == nil:
			names = append(names, name)
		default:
			specific = true
			if fulfills(m, have, value.Str(v), a.IgnoreEpoch, false) {
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		return names, nil, nil
	}
	msg := "All specified packages are already absent"
	if specific {
		msg = "All specified packages (matching specified versions) are already absent"
	}
	r := salt.Correct("%s", msg)
	return nil, &r, nil
}
