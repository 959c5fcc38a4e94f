package pkg

import (
	"path"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// selections are the names of packages by what is wanted of them, for a name,
// a glob, or all (""); dpkg --get-selections.
func (a apt) selections(pattern string) (*value.Map, error) {
	s, err := a.status()
	if err != nil {
		return nil, err
	}
	native := a.c.Grains.Str("osarch")
	ret := new(value.Map)
	for i := range s.Packages {
		p := &s.Packages[i]
		if pattern != "" && !selected(p.Name, p.Arch, native, pattern) {
			continue
		}
		l := ret.List(p.Want)
		if l == nil {
			l = value.L()
			ret.Set(p.Want, l)
		}
		l.Append(p.Shown(native))
	}
	return ret, nil
}

// selected says whether dpkg means a package by a pattern. Without an
// architecture a name means the machine's own packages and those for all, a
// glob those of any.
func selected(name, arch, native, pattern string) bool {
	want, of, ok := strings.Cut(pattern, ":")
	if ok {
		return value.Fnmatch(name, want) && (of == "any" || value.Fnmatch(arch, of))
	}
	return value.Fnmatch(name, want)
}

func (a apt) held() ([]string, error) {
	all, err := a.selections("")
	return versions(all, "hold"), err
}

// hold holds packages, or lifts holds, and tells for each what became of it.
func (a apt) hold(in holdArgs, on bool) (*value.Map, error) {
	given := value.Truth(in.Pkgs)
	switch {
	case !value.Truth(in.Name) && !given && !value.Truth(in.Sources):
		return nil, salt.InvocationError("One of name, pkgs, or sources must be specified.")
	case given && value.Truth(in.Sources):
		return nil, salt.InvocationError("Only one of pkgs or sources can be specified.")
	}
	var names []string
	switch {
	case given:
		names = firstKeys(in.Pkgs)
	case value.Truth(in.Sources):
		names = firstKeys(in.Sources)
	default:
		names = []string{value.Str(in.Name)}
	}
	ret := new(value.Map)
	for _, name := range names {
		one, err := a.holdOne(name, on)
		if err != nil {
			return nil, err
		}
		ret.Set(name, one)
	}
	return ret, nil
}

func firstKeys(list any) []string {
	l, _ := asList(list)
	var names []string
	for _, it := range l {
		if m, ok := it.(*value.Map); ok && m.Len() > 0 {
			names = append(names, value.Str(m.Keys()[0]))
		} else {
			names = append(names, value.Str(it))
		}
	}
	return names
}

func (a apt) holdOne(name string, on bool) (*value.Map, error) {
	ret := value.M("name", name, "changes", new(value.Map), "result", false, "comment", "")
	sel, err := a.selections(name)
	if err != nil {
		return nil, err
	}
	if !on && sel.Len() == 0 {
		ret.Set("comment", "Package "+name+" does not have a state.")
		return ret, nil
	}
	word, want, done, already := "not to be held", "install", "is no longer being held.", "is already set not to be held."
	if on {
		word, want, done, already = "to be held", "hold", "is now being held.", "is already set to be held."
	}
	held := sel.List("hold").Len() > 0
	switch {
	case held == on:
		ret.Set("result", true)
		ret.Set("comment", "Package "+name+" "+already)
	case a.c.Test:
		ret.Set("result", nil)
		ret.Set("comment", "Package "+name+" is set "+word+".")
	default:
		changed, err := a.setSelections(value.M(want, value.L(name)), false)
		if err != nil {
			return nil, err
		}
		change := changed.At(name)
		if change == nil {
			return nil, value.Errorf("KeyError", "%s", value.Quote(name))
		}
		ret.Set("changes", change)
		ret.Set("result", true)
		ret.Set("comment", "Package "+name+" "+done)
	}
	return ret, nil
}

// setSelections says what is wanted of packages: a map from install, hold,
// deinstall or purge to names.
func (a apt) setSelections(selection *value.Map, clear bool) (*value.Map, error) {
	var bad []string
	for state := range selection.Items() {
		if !strings.Contains(" install hold deinstall purge ", " "+state+" ") {
			bad = append(bad, state)
		}
	}
	if len(bad) > 0 {
		return nil, salt.InvocationError("Invalid state(s): %s", strings.Join(bad, ", "))
	}
	if clear && !a.c.Test {
		out, err := a.run(command{argv: []string{"dpkg", "--clear-selections"}})
		if err != nil {
			return nil, err
		}
		a.forget()
		if out.code != 0 {
			return nil, salt.CommandError("Running dpkg --clear-selections failed: %s", out.stderr)
		}
	}
	all, err := a.selections("")
	if err != nil {
		return nil, err
	}
	is := map[string]any{}
	for state := range all.Items() {
		for _, name := range versions(all, state) {
			is[name] = state
		}
	}
	ret := new(value.Map)
	for state := range selection.Items() {
		for _, name := range versions(selection, state) {
			if is[name] == state || a.c.Test {
				continue
			}
			out, err := a.run(command{argv: []string{"dpkg", "--set-selections"}, stdin: name + " " + state})
			if err != nil {
				return nil, err
			}
			a.forget()
			if out.code != 0 {
				a.c.Log.Error("failed to set state " + state + " for package " + name)
				continue
			}
			ret.Set(name, value.M("old", is[name], "new", state))
		}
	}
	return ret, nil
}

// unpurge takes back that packages are to be purged (lowpkg.unpurge).
func (a apt) unpurge(names []string) (*value.Map, error) {
	before, err := a.list()
	if err != nil {
		return nil, err
	}
	var in strings.Builder
	for _, n := range names {
		in.WriteString(n + " install\n")
	}
	if _, err := a.run(command{argv: []string{"dpkg", "--set-selections"}, stdin: in.String()}); err != nil {
		return nil, err
	}
	a.forget()
	after, err := a.list()
	if err != nil {
		return nil, err
	}
	return difference(joined(before.purgeDesired), joined(after.purgeDesired)), nil
}

// downloaded are the package files in apt's cache: name → version → facts.
func (a apt) downloaded(root string) (*value.Map, error) {
	ret := new(value.Map)
	return ret, a.cached(path.Join("/", root, "/var/cache/apt"), ret)
}

func (a apt) cached(dir string, ret *value.Map) error {
	entries, _ := a.c.Sys.ReadDir(dir)
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if e.IsDir() {
			if err := a.cached(p, ret); err != nil {
				return err
			}
			continue
		}
		if !strings.HasSuffix(p, ".deb") {
			continue
		}
		b, err := binInfo(a.c, p)
		if err != nil {
			return err
		}
		i, err := a.c.Sys.Stat(p)
		if err != nil {
			return err
		}
		made := changed(i)
		m := ret.Map(b.name)
		if m == nil {
			m = new(value.Map)
			ret.Set(b.name, m)
		}
		m.Set(b.version, value.M("path", p, "size", i.Size(), "creation_date_time_t", made.Unix(), "creation_date_time", made.UTC().Format("2006-01-02T15:04:05")))
	}
	return nil
}
