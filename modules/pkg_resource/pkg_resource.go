// Package pkg_resource holds Salt's pkg_resource module: what package managers
// of Salt have in common, for custom modules and templates. Its main variable
// is Module.
//
//	{% if salt['pkg_resource.version_compare'](v, '>=', '2.4') %}
package pkg_resource

import (
	"path/filepath"
	"strings"

	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// Module is Salt's pkg_resource module.
var Module = salt.Module{
	Name: "pkg_resource",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add_pkg":                  salt.Exec(addPkg),
			"check_extra_requirements": salt.Exec(checkExtraRequirements),
			"format_pkg_list":          salt.Exec(formatPkgList),
			"format_version":           salt.Exec(formatVersion),
			"pack_sources":             salt.Exec(packSources),
			"parse_targets":            salt.Exec(parseTargets),
			"sort_pkglist":             salt.Exec(sortPkglist),
			"stringify":                salt.Exec(stringify),
			"version":                  salt.Exec(version),
			"version_clean":            salt.Exec(versionClean),
			"version_compare":          salt.Exec(versionCompare),
		}
	},
}

// has says whether a function can be used here.
func has(c *salt.Ctx, fun string) bool {
	_, err := c.Registry().Exec(c, fun)
	return err == nil
}

// normalized is the name as the package manager writes it (nginx:amd64 is nginx).
func normalized(c *salt.Ctx, name string, normalize bool) (string, error) {
	if !normalize || !has(c, "pkg.normalize_name") {
		return name, nil
	}
	v, err := c.Call("pkg.normalize_name", name)
	return value.Str(v), err
}

type packSourcesArgs struct {
	Sources   any  `py:"sources"`        // a list of mappings of one package to its file or URL
	Normalize bool `py:"normalize=True"` // write the names as the package manager does
}

// packSources turns the argument sources of pkg.installed into a mapping of
// packages to files; an empty one when it is not as it should be.
func packSources(c *salt.Ctx, a packSourcesArgs) (*value.Map, error) {
	sources := a.Sources
	if s, ok := sources.(string); ok {
		v, err := yaml.Load("sources", s)
		if err != nil {
			c.Log.Error(err.Error())
			return new(value.Map), nil
		}
		sources = v
	}
	items, err := py.Items(sources)
	if err != nil {
		return nil, err
	}
	out := new(value.Map)
	for _, it := range items {
		m, ok := it.(*value.Map)
		if !ok || m.Len() != 1 {
			c.Log.Error("Invalid input: " + value.Repr(sources))
			c.Log.Error("Input must be a list of 1-element dicts")
			return new(value.Map), nil
		}
		for k, v := range m.All() {
			name, err := normalized(c, value.Str(k), a.Normalize)
			if err != nil {
				return nil, err
			}
			out.Set(name, v)
		}
	}
	return out, nil
}

// packPkgs turns the argument pkgs into a mapping of packages to versions
// (None for any); an empty one when it is not as it should be.
func packPkgs(c *salt.Ctx, pkgs any, normalize bool) (*value.Map, error) {
	out := new(value.Map)
	if s, ok := pkgs.(string); ok {
		v, err := yaml.Load("pkgs", s)
		if err != nil {
			c.Log.Error(err.Error())
			return out, nil
		}
		pkgs = v
	}
	l, ok := pkgs.(*value.List)
	if !ok {
		c.Log.Error("Invalid input for repack_dictlist, data passed is not a list (" + value.Str(pkgs) + ")")
		return out, nil
	}
	for _, it := range l.Items {
		key, ver := it, any(nil)
		switch it := it.(type) {
		case string, int64, float64, bool:
		case *value.Map:
			if it.Len() != 1 {
				c.Log.Error("Invalid input for repack_dictlist: key/value pairs must contain only one element (data passed: " + value.Repr(it) + ").")
				return new(value.Map), nil
			}
			for k, v := range it.All() {
				key, ver = k, v
			}
		default:
			c.Log.Error("Invalid input for repack_dictlist: element " + value.Repr(it) + " is not a string/dict/numeric value")
			return new(value.Map), nil
		}
		name, err := normalized(c, value.Str(key), normalize)
		if err != nil {
			return nil, err
		}
		if ver != nil {
			ver = value.Str(ver)
		}
		out.Set(name, ver)
	}
	if out.Len() != l.Len() {
		return nil, salt.InvocationError("You are passing a list of packages that contains duplicated packages names: %s. This cannot be processed. "+
			"In case you are targeting different versions of the same package, please target them individually", value.Repr(pkgs))
	}
	return out, nil
}

type parseTargetsArgs struct {
	Name      any        `py:"name=None"`      // one package, or several with commas between
	Pkgs      any        `py:"pkgs=None"`      // a list of packages, or of mappings of one to its version
	Sources   any        `py:"sources=None"`   // a list of mappings of a package to its file or URL
	Saltenv   string     `py:"saltenv='base'"` // where salt:// sources are
	Normalize bool       `py:"normalize=True"` // write the names as the package manager does
	Kwargs    *value.Map `py:"**kwargs"`       // version for name; advisory_ids
}

// parseTargets turns the arguments of a package function into what to install
// and its kind: repository (a mapping of packages to versions), file (a list
// of paths) or advisory.
func parseTargets(c *salt.Ctx, a parseTargetsArgs) (any, error) {
	nothing := value.Tuple{nil, nil}
	ver := a.Kwargs.At("version")
	ignored := func() {
		if ver != nil {
			c.Log.Warn("'version' argument will be ignored for multiple package targets")
		}
	}
	pkgs, sources := value.Truth(a.Pkgs), value.Truth(a.Sources) && c.Grains.At("os") != "MacOS"
	ids, advisory := a.Kwargs.Get("advisory_ids")
	switch {
	case pkgs && value.Truth(a.Sources):
		c.Log.Error(`Only one of "pkgs" and "sources" can be used.`)
	case advisory && pkgs:
		c.Log.Error(`Cannot use "advisory_ids" and "pkgs" at the same time`)
	case advisory && value.Truth(ids):
		return value.Tuple{ids, "advisory"}, nil
	case advisory:
		return value.Tuple{value.L(a.Name), "advisory"}, nil
	case pkgs:
		ignored()
		m, err := packPkgs(c, a.Pkgs, a.Normalize)
		if m.Len() == 0 || err != nil {
			return nothing, err
		}
		return value.Tuple{m, "repository"}, nil
	case sources:
		ignored()
		files, err := a.files(c)
		if files.Len() == 0 || err != nil {
			return nothing, err
		}
		return value.Tuple{files, "file"}, nil
	case value.Truth(a.Name):
		m := new(value.Map)
		for n := range strings.SplitSeq(value.Str(a.Name), ",") {
			name, err := normalized(c, n, a.Normalize)
			if err != nil {
				return nil, err
			}
			m.Set(name, ver)
		}
		return value.Tuple{m, "repository"}, nil
	default:
		c.Log.Error("No package sources provided")
	}
	return nothing, nil
}

// files are the sources as paths on this machine.
func (a parseTargetsArgs) files(c *salt.Ctx) (*value.List, error) {
	m, err := packSources(c, packSourcesArgs{Sources: a.Sources, Normalize: a.Normalize})
	if err != nil {
		return nil, err
	}
	files := value.L()
	for name, v := range m.Items() {
		src := value.Str(v)
		remote, err := c.Call("config.valid_fileproto", src)
		if err != nil {
			return nil, err
		}
		if !value.Truth(remote) {
			if !filepath.IsAbs(src) {
				return nil, salt.InvocationError("Path %s for package %s is either not absolute or an invalid protocol", src, name)
			}
			files.Append(src)
			continue
		}
		path, err := c.Call("cp.cache_file", src, a.Saltenv)
		if err != nil {
			return nil, err
		}
		if !value.Truth(path) {
			return nil, salt.CommandError("Unable to cache source %s for package %s", src, name)
		}
		files.Append(path)
	}
	return files, nil
}

type checkArgs struct {
	Pkgname string `py:"pkgname"` // the package
	Pkgver  any    `py:"pkgver"`  // what is asked of its version
}

// checkExtraRequirements says whether an installed package is as the package
// manager's own requirements want it. Most have none.
func checkExtraRequirements(c *salt.Ctx, a checkArgs) (any, error) {
	if value.Truth(a.Pkgver) && has(c, "pkg.check_extra_requirements") {
		return c.Call("pkg.check_extra_requirements", a.Pkgname, a.Pkgver)
	}
	return true, nil
}
