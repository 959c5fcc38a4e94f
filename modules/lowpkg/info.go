package lowpkg

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pinch/deb"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func sorted(set map[string]bool) *value.List {
	return value.Strings(slices.Sorted(maps.Keys(set)))
}

// info gives what dpkg knows about packages, by name.
func info(c *salt.Ctx, a packagesArgs) (*value.Map, error) {
	failhard := true
	var bad []string
	for k, v := range a.Kwargs.Items() {
		switch {
		case k == "failhard":
			failhard = value.Truth(v)
		case !strings.HasPrefix(k, "__"):
			bad = append(bad, k+"="+value.Str(v))
		}
	}
	if len(bad) > 0 {
		return nil, salt.InvocationError("The following keyword arguments are not valid: %s", strings.Join(bad, ", "))
	}
	found, missing, err := find(c, a.Packages)
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	if missing != "" {
		if failhard {
			return nil, salt.CommandError("Error getting packages information: %s", missing)
		}
		c.Run.SetRetcode(1) // dpkg-query's
		return ret, nil
	}
	for _, p := range found {
		ret.Set(p.Name, describe(c, p))
	}
	return ret, nil
}

// letters are dpkg's short forms of what is wanted, what is, and what is wrong.
var letters = map[string]string{
	"install": "i", "hold": "h", "deinstall": "r", "purge": "p", "unknown": "u",
	"not-installed": "n", "config-files": "c", "half-installed": "H", "unpacked": "U", "half-configured": "F",
	"triggers-awaited": "W", "triggers-pending": "t", "installed": "i", "reinstreq": "R",
}

func describe(c *salt.Ctx, p *deb.Package) *value.Map {
	m := value.M("package", p.Name)
	put := func(key, v string) {
		if v != "" {
			m.Set(key, v)
		}
	}
	put("architecture", p.Arch)
	put("maintainer", p.Stanza.Field("Maintainer"))
	source, _, _ := strings.Cut(p.Stanza.Field("Source"), " ")
	if source == "" {
		source = p.Name
	}
	put("source", source)
	put("version", p.Version)
	for _, f := range []string{"Section", "Size", "MD5sum", "SHA1", "SHA256", "Origin", "Homepage"} {
		key := strings.ToLower(f)
		switch f {
		case "MD5sum":
			key = "MD5"
		case "SHA1", "SHA256":
			key = f
		}
		put(key, p.Stanza.Field(f))
	}
	put("status", letters[p.Want]+letters[p.State]+letters[p.Error])
	if i, err := c.Sys.Stat(listFile(c, p)); err == nil {
		put("install_date", i.ModTime().UTC().Format("2006-01-02T15:04:05Z"))
	}
	m.Set("description", p.Stanza.Field("Description")+"\n")
	put("license", license(c, p.Name))
	return m
}

// license are the names of the licenses in a package's copyright file.
func license(c *salt.Ctx, name string) string {
	b, err := c.Sys.ReadFile("/usr/share/doc/" + name + "/copyright")
	if err != nil {
		return ""
	}
	set := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		if l, ok := strings.CutPrefix(line, "License:"); ok {
			set[strings.TrimSpace(l)] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}

type binPkgInfoArgs struct {
	Path    string `py:"path"`           // the package file: a path or a URL
	Saltenv string `py:"saltenv='base'"` // the environment of a salt:// URL
}

// binPkgInfo gives name, version and architecture of a package file.
func binPkgInfo(c *salt.Ctx, a binPkgInfoArgs) (*value.Map, error) {
	path := a.Path
	switch {
	case strings.Contains(path, "://"):
		local, err := c.Files().Cache(c, path, a.Saltenv, salt.GetOptions{})
		if err != nil || local == "" {
			return nil, salt.CommandError("Unable to retrieve %s from saltenv '%s'", path, a.Saltenv)
		}
		path = local
	case !sys.Exists(c.Sys, path):
		return nil, salt.CommandError("%s does not exist on minion", path)
	case !filepath.IsAbs(path):
		return nil, salt.InvocationError("%s does not exist on minion", path)
	}
	f, err := c.Sys.Open(path)
	if err != nil {
		return nil, salt.CommandError("Unable to get info for %s: %s", path, err)
	}
	defer f.Close()
	st, err := deb.ReadControl(f)
	if err != nil {
		return nil, salt.CommandError("Unable to get info for %s: dpkg-deb: error: '%s' is %s", path, path, err)
	}
	name, arch, osarch := st.Field("Package"), st.Field("Architecture"), c.Grains.Str("osarch")
	if c.Grains.Str("cpuarch") == "x86_64" && arch != "all" && osarch == "amd64" && arch != osarch {
		name += ":" + arch
	}
	return value.M("name", name, "version", st.Field("Version"), "arch", arch), nil
}

type unpurgeArgs struct {
	Packages []any `py:"*packages"` // packages
}

// unpurge takes back that packages are to be purged.
func unpurge(c *salt.Ctx, a unpurgeArgs) (any, error) {
	if len(a.Packages) == 0 {
		return new(value.Map), nil
	}
	list := func() (*value.Map, error) {
		v, err := c.CallKw("pkg.list_pkgs", value.M("purge_desired", true))
		m, _ := v.(*value.Map)
		return m, err
	}
	old, err := list()
	if err != nil {
		return nil, err
	}
	var in strings.Builder
	for _, p := range a.Packages {
		in.WriteString(value.Str(p) + " install\n")
	}
	if _, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"dpkg", "--set-selections"}, Stdin: strings.NewReader(in.String())}); err != nil {
		return nil, err
	}
	c.Run.Forget(statusKey{})
	after, err := list()
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for name, v := range old.Items() {
		if !after.Has(name) {
			ret.Set(name, value.M("new", "", "old", v))
		}
	}
	return ret, nil
}
