package pkg_resource

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type versionArgs struct {
	Names  []any      `py:"*names"`   // the packages; * and ? stand for anything
	Kwargs *value.Map `py:"**kwargs"` // versions_as_list, and more for pkg.list_pkgs
}

// version returns the installed version of a package, "" if it is not
// installed; a mapping for several.
func version(c *salt.Ctx, a versionArgs) (any, error) {
	kw := new(value.Map)
	for k, v := range a.Kwargs.Items() {
		if !strings.HasPrefix(k, "__") {
			kw.Set(k, v)
		}
	}
	asList, _ := kw.Pop("versions_as_list")
	kw.Set("versions_as_list", true)
	out, glob := new(value.Map), false
	if len(a.Names) > 0 {
		v, err := c.CallKw("pkg.list_pkgs", kw)
		if err != nil {
			return nil, err
		}
		pkgs, _ := v.(*value.Map)
		for _, n := range a.Names {
			name := value.Str(n)
			if !strings.Contains(name, "*") {
				versions, ok := pkgs.Get(name)
				if !ok {
					versions = value.L()
				}
				out.Set(name, versions)
				continue
			}
			glob = true
			for p, versions := range pkgs.Items() {
				if value.Fnmatch(p, name) {
					out.Set(p, versions)
				}
			}
		}
	}
	if !truthy(asList) {
		if _, err := stringify(c, pkgsArgs{out}); err != nil {
			return nil, err
		}
	}
	if out.Len() == 1 && !glob {
		for _, v := range out.All() {
			return v, nil
		}
	}
	return out, nil
}

// truthy reads a value as Salt's is_true does: 1, true and True are.
func truthy(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.EqualFold(v, "true")
	case int64:
		return v > 0
	case float64:
		return v > 0
	}
	return value.Truth(v)
}

type addPkgArgs struct {
	Pkgs   any `py:"pkgs"`   // the mapping of packages to lists of versions
	Name   any `py:"name"`   // the package
	Pkgver any `py:"pkgver"` // its version
}

// addPkg adds a version of a package to a mapping of packages, in place.
func addPkg(_ *salt.Ctx, a addPkgArgs) (any, error) {
	m, ok := a.Pkgs.(*value.Map)
	if !ok {
		return nil, nil
	}
	v, _ := m.GetKey(a.Name)
	l, ok := v.(*value.List)
	if !ok {
		l = value.L()
		if err := m.SetKey(a.Name, l); err != nil {
			return nil, err
		}
	}
	l.Append(a.Pkgver)
	return nil, nil
}

type pkgsArgs struct {
	Pkgs any `py:"pkgs"` // the mapping of packages to lists of versions
}

// sortPkglist sorts the versions of all packages and drops those that are there
// twice, in place.
func sortPkglist(_ *salt.Ctx, a pkgsArgs) (any, error) {
	return nil, each(a.Pkgs, func(versions []string) any {
		slices.Sort(versions)
		return value.Strings(slices.Compact(versions))
	})
}

// stringify makes one text of the versions of each package, with commas
// between, in place.
func stringify(_ *salt.Ctx, a pkgsArgs) (any, error) {
	return nil, each(a.Pkgs, func(versions []string) any { return strings.Join(versions, ",") })
}

func each(pkgs any, do func([]string) any) error {
	m, ok := pkgs.(*value.Map)
	if !ok {
		return nil
	}
	for k, v := range m.All() {
		l, ok := v.(*value.List)
		if !ok {
			return value.Errorf("TypeError", "can only join an iterable")
		}
		versions := make([]string, l.Len())
		for i, it := range l.Items {
			versions[i] = value.Str(it)
		}
		if err := m.SetKey(k, do(versions)); err != nil {
			return err
		}
	}
	return nil
}

type versionCleanArgs struct {
	Verstr any `py:"verstr"` // the version
}

// versionClean returns a version without what the package manager adds to it.
func versionClean(c *salt.Ctx, a versionCleanArgs) (any, error) {
	if value.Truth(a.Verstr) && has(c, "pkg.version_clean") {
		return c.Call("pkg.version_clean", a.Verstr)
	}
	return a.Verstr, nil
}

type formatVersionArgs struct {
	Epoch   any `py:"epoch"`   // the epoch
	Version any `py:"version"` // the version
	Release any `py:"release"` // the release
}

// formatVersion joins the parts of a version: EPOCH:VERSION-RELEASE.
func formatVersion(_ *salt.Ctx, a formatVersionArgs) (string, error) {
	s := value.Str(a.Version)
	if value.Truth(a.Epoch) {
		s = value.Str(a.Epoch) + ":" + s
	}
	if value.Truth(a.Release) {
		s += "-" + value.Str(a.Release)
	}
	return s, nil
}

type formatPkgListArgs struct {
	Packages       *value.Map `py:"packages"`         // packages to lists of their attributes
	VersionsAsList bool       `py:"versions_as_list"` // lists instead of texts with commas
	Attr           any        `py:"attr"`             // the attributes to return instead of versions: a list, or all
}

// formatPkgList shows installed packages: their versions, or their attributes.
func formatPkgList(c *salt.Ctx, a formatPkgListArgs) (*value.Map, error) {
	if value.Truth(a.Attr) {
		return withAttributes(c, a.Packages, a.Attr)
	}
	out := new(value.Map)
	for name, v := range a.Packages.Items() {
		l, _ := v.(*value.List)
		versions := value.L()
		for _, it := range items(l) {
			m, _ := it.(*value.Map)
			s, _ := formatVersion(c, formatVersionArgs{m.At("epoch"), m.At("version"), m.At("release")})
			versions.Append(s)
		}
		out.Set(name, versions)
	}
	if !a.VersionsAsList {
		_, err := stringify(c, pkgsArgs{out})
		return out, err
	}
	return out, nil
}

func items(l *value.List) []any {
	if l == nil {
		return nil
	}
	return l.Items
}

// withAttributes keeps the wanted attributes of packages; a package of the
// architecture in its name loses that part of the name.
func withAttributes(c *salt.Ctx, packages *value.Map, attr any) (*value.Map, error) {
	known := []string{"epoch", "version", "release", "arch", "install_date", "install_date_time_t"}
	if l, ok := attr.(*value.List); ok && attr != "all" {
		known = slices.DeleteFunc(known, func(k string) bool {
			return k != "version" && k != "arch" && !slices.ContainsFunc(l.Items, func(x any) bool { return x == k })
		})
	}
	out := new(value.Map)
	for name, v := range packages.Items() {
		base, arch := name, any(nil)
		if has(c, "pkg.parse_arch") {
			p, err := c.Call("pkg.parse_arch", name)
			if err != nil {
				return nil, err
			}
			parts, _ := p.(*value.Map)
			base, arch = parts.Str("name"), parts.At("arch")
		}
		l, _ := v.(*value.List)
		to, versions := name, value.L()
		for _, it := range items(l) {
			all, _ := it.(*value.Map)
			m := new(value.Map)
			for _, k := range known {
				if x, ok := all.Get(k); ok {
					m.Set(k, x)
				}
			}
			versions.Append(m)
			if base != "" && value.Equal(m.At("arch"), arch) {
				to = base
			}
		}
		if old := out.List(to); old != nil {
			old.Append(versions.Items...)
		} else {
			out.Set(to, versions)
		}
	}
	return out, nil
}

type versionCompareArgs struct {
	Ver1        any    `py:"ver1"`               // a version
	Oper        string `py:"oper"`               // <, <=, ==, >=, > or !=
	Ver2        any    `py:"ver2"`               // another
	IgnoreEpoch bool   `py:"ignore_epoch=False"` // leave out what stands before a colon
}

// versionCompare compares two versions, part by part: numbers as numbers.
func versionCompare(c *salt.Ctx, a versionCompareArgs) (bool, error) {
	x, y := value.Str(a.Ver1), value.Str(a.Ver2)
	if a.IgnoreEpoch {
		x, y = x[strings.IndexByte(x, ':')+1:], y[strings.IndexByte(y, ':')+1:]
	}
	n := compare(split(x), split(y))
	switch a.Oper {
	case "<":
		return n < 0, nil
	case "<=":
		return n <= 0, nil
	case "==":
		return n == 0, nil
	case ">=":
		return n >= 0, nil
	case ">":
		return n > 0, nil
	case "!=":
		return n != 0, nil
	}
	c.Log.Error("Invalid operator '" + a.Oper + "' for version comparison")
	return false, nil
}

// split cuts a version into its numbers, words in small letters and what else
// there is between them; dots are dropped.
func split(s string) []string {
	kind := func(b byte) int {
		switch {
		case b >= '0' && b <= '9':
			return 1
		case b >= 'a' && b <= 'z':
			return 2
		case b == '.':
			return 3
		}
		return 0
	}
	var out []string
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && kind(s[j]) == kind(s[i]) {
			j++
		}
		if kind(s[i]) != 3 {
			out = append(out, s[i:j])
		}
		i = j
	}
	return out
}

// compare compares numbers by value when there are only such, else all parts as
// texts, numbers padded to eight digits.
func compare(x, y []string) int {
	number := func(s string) bool { return s[0] >= '0' && s[0] <= '9' }
	word := func(s string) bool { return !number(s) }
	if !slices.ContainsFunc(x, word) && !slices.ContainsFunc(y, word) {
		return slices.CompareFunc(x, y, func(a, b string) int {
			a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
			if len(a) != len(b) {
				return len(a) - len(b)
			}
			return strings.Compare(a, b)
		})
	}
	pad := func(parts []string) []string {
		out := slices.Clone(parts)
		for i, p := range out {
			if number(p) {
				p = strings.TrimLeft(p, "0")
				out[i] = strings.Repeat("0", max(0, 8-len(p))) + p
			}
		}
		return out
	}
	return slices.Compare(pad(x), pad(y))
}
