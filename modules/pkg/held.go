package pkg

import (
	"cmp"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type heldArgs struct {
	Name    string     `py:"name"`          // the package; ignored where pkgs is given
	Version any        `py:"version=None"`  // the version to hold, for managers that hold versions
	Pkgs    any        `py:"pkgs=None"`     // several packages: names, or maps of a name to a version
	Replace bool       `py:"replace=False"` // no other package may be held
	Kwargs  *value.Map `py:"**kwargs"`      // Salt takes and ignores any other
}

// held makes sure that packages are held: that no upgrade changes them.
func held(c *salt.Ctx, a heldArgs) salt.Result {
	if l, ok := asList(a.Pkgs); ok && len(l) == 0 && !a.Replace {
		return salt.Correct("No packages to be held provided")
	}
	if a.Name != "" && a.Pkgs == nil {
		a.Pkgs = value.L(a.Name)
		if value.Truth(a.Version) {
			a.Pkgs = value.L(value.M(a.Name, a.Version))
		}
	}
	h, locks, bad := locked(c)
	if bad != nil {
		return *bad
	}
	var wanted, comments []string
	changes, good := new(value.Map), true
	pkgs, _ := asList(a.Pkgs)
	for _, it := range pkgs {
		name, version := entry(it)
		wanted = append(wanted, name)
		locked := slices.Contains(locks, name)
		stale := locked && heldOtherwise(h, name, version)
		switch {
		case locked && !stale:
		case c.Test && stale:
			comments = append(comments, "The following package's hold rule would be updated: "+name+shownVersion(version))
		case c.Test:
			comments = append(comments, "The following package would be held: "+name+shownVersion(version))
		default:
			freed := false
			if stale {
				ret, err := h.hold(holdArgs{Name: a.Name, Pkgs: value.L(name)}, false)
				if err != nil {
					return salt.Raised(err)
				}
				freed = ret.Map(name).Truth("result")
			}
			ret, err := h.hold(holdArgs{Name: a.Name, Pkgs: value.L(it)}, true)
			if err != nil {
				return salt.Raised(err)
			}
			switch ok := ret.Map(name).Truth("result"); {
			case ok && freed:
				comments = append(comments, "Package "+name+" was updated with hold rule")
			case ok:
				comments = append(comments, "Package "+name+" is now being held")
			default:
				comments, good = append(comments, "Package "+name+" was not held"), false
			}
			changes.Update(ret)
		}
	}
	if a.Replace {
		for _, name := range locks {
			if slices.Contains(wanted, name) {
				continue
			}
			if c.Test {
				comments = append(comments, "The following package would be unheld: "+name)
				continue
			}
			comment, ok, err := release(h, a.Name, name, changes)
			if err != nil {
				return salt.Raised(err)
			}
			comments, good = append(comments, comment), good && ok
		}
	}
	return told(changes, comments, good)
}

// lockOf is the version that a package is held in; "" for managers that hold
// no versions.
func lockOf(h holder, name string) string {
	z, ok := h.(zypper)
	if !ok {
		return ""
	}
	version, _ := z.heldVersion(name)
	return version
}

// heldOtherwise reports whether a package is held in another version than the
// wanted one, by a manager that holds versions.
func heldOtherwise(h holder, name string, version any) bool {
	z, ok := h.(zypper)
	if !ok {
		return false
	}
	have, ok := z.heldVersion(name)
	return ok && have != value.Str(orEmpty(version))
}

func shownVersion(v any) string {
	if !value.Truth(v) {
		return ""
	}
	return " (version = " + value.Str(v) + ")"
}

// entry is a package of a list, with its version if it has one.
func entry(it any) (name string, version any) {
	if m, ok := it.(*value.Map); ok && m.Len() > 0 {
		k := m.Keys()[0]
		version, _ = m.GetKey(k)
		return value.Str(k), version
	}
	return value.Str(it), nil
}

// locked are the packages that are held now.
func locked(c *salt.Ctx) (holder, []string, *salt.Result) {
	h, ok := managerOf(c).(holder)
	if !ok {
		r := salt.Failed("No any function to get the list of held packages available.\nCheck if the package manager supports package locking.")
		return nil, nil, &r
	}
	all, err := h.selections("")
	if err != nil {
		r := salt.Raised(err)
		return nil, nil, &r
	}
	return h, versions(all, "hold"), nil
}

func release(h holder, id, name string, changes *value.Map) (comment string, ok bool, err error) {
	ret, err := h.hold(holdArgs{Name: id, Pkgs: value.L(name)}, false)
	if err != nil {
		return "", false, err
	}
	changes.Update(ret)
	return ret.Map(name).Str("comment"), ret.Map(name).Truth("result"), nil
}

func told(changes *value.Map, comments []string, good bool) salt.Result {
	text := strings.Join(comments, "\n")
	if text == "" && changes.Len() == 0 {
		text = "No changes made"
	}
	r := salt.Changed(changes, "%s", text)
	if !good {
		r.Result = salt.False()
	}
	return r
}

type unheldArgs struct {
	Name    string     `py:"name"`         // the package; ignored where pkgs is given
	Version any        `py:"version=None"` // the version that is held, for managers that hold versions
	Pkgs    any        `py:"pkgs=None"`    // several packages: names, or maps of a name to a version
	All     bool       `py:"all=False"`    // no package may be held
	Kwargs  *value.Map `py:"**kwargs"`     // Salt takes and ignores any other
}

// unheld makes sure that packages are not held.
func unheld(c *salt.Ctx, a unheldArgs) salt.Result {
	if l, ok := asList(a.Pkgs); ok && len(l) == 0 && !a.All {
		return salt.Correct("No packages to be unheld provided")
	}
	if a.Name != "" && a.Pkgs == nil {
		a.Pkgs = value.L(value.M(a.Name, a.Version))
	}
	h, locks, bad := locked(c)
	if bad != nil {
		return *bad
	}
	wanted := map[string]any{}
	pkgs, _ := asList(a.Pkgs)
	for _, it := range pkgs {
		name, version := entry(it)
		wanted[name] = version
	}
	var comments []string
	changes, good := new(value.Map), true
	for _, name := range locks {
		version, asked := wanted[name]
		lock := lockOf(h, name)
		if !a.All && (!asked || lock != "" && lock != value.Str(orEmpty(version))) {
			continue
		}
		if c.Test {
			text := "The following package would be unheld: " + name
			if value.Truth(version) {
				text += " (version = " + cmp.Or(lock, "None") + ")"
			}
			comments = append(comments, text)
			continue
		}
		comment, ok, err := release(h, a.Name, name, changes)
		if err != nil {
			return salt.Raised(err)
		}
		comments, good = append(comments, comment), good && ok
	}
	return told(changes, comments, good)
}
