// Package lowpkg holds Salt's lowpkg module: what dpkg itself knows, below the
// package manager. Its main variable is Module.
//
//	salt-call lowpkg.file_list bash
package lowpkg

import (
	"errors"
	"path"
	"strings"

	"pinch/deb"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's lowpkg module.
var Module = salt.Module{
	Name: "lowpkg",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"bin_pkg_info": query(salt.Exec(binPkgInfo)),
			"list_pkgs":    query(salt.Exec(listPkgs)),
			"file_list":    query(salt.Exec(fileList)),
			"file_dict":    query(salt.Exec(fileDict)),
			"info":         query(salt.Exec(info)),
			"unpurge":      salt.Exec(unpurge),
		}
	},
	Virtual: func(c *salt.Ctx, _ string) error {
		if c.Grains.Str("os_family") == "Debian" {
			return nil
		}
		return errors.New("The dpkg execution module cannot be loaded: only works on Debian family systems.")
	},
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

const admin = "/var/lib/dpkg"

type statusKey struct{}

// status is dpkg's database, read once a run.
func status(c *salt.Ctx) (*deb.Status, error) {
	return salt.Once(c.Run, statusKey{}, func() (*deb.Status, error) {
		b, err := c.Sys.ReadFile(admin + "/status")
		if err != nil {
			return nil, salt.CommandError("%s", err)
		}
		return deb.ParseStatus(b), nil
	})
}

// find are the packages of names or globs, all for none. Missing is dpkg's
// message about a name that it does not know.
func find(c *salt.Ctx, patterns []any) (found []*deb.Package, missing string, err error) {
	s, err := status(c)
	if err != nil {
		return nil, "", err
	}
	hit := make([]bool, len(patterns))
	for i := range s.Packages {
		p := &s.Packages[i]
		match := len(patterns) == 0
		for j, pattern := range patterns {
			name, arch, hasArch := strings.Cut(value.Str(pattern), ":")
			if value.Fnmatch(p.Name, name) && (!hasArch || arch == p.Arch) {
				match, hit[j] = true, true
			}
		}
		if match {
			found = append(found, p)
		}
	}
	for j, pattern := range patterns {
		if hit[j] {
			continue
		}
		// Dpkg knows packages too that others only mention.
		res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"dpkg-query", "-W", value.Str(pattern)}, Query: true})
		if err != nil {
			return nil, "", err
		}
		if res.Code != 0 {
			missing += string(res.Stderr)
		}
	}
	return found, strings.TrimRight(missing, "\n"), nil
}

type packagesArgs struct {
	Packages []any      `py:"*packages"` // packages, or globs; all there are without
	Kwargs   *value.Map `py:"**kwargs"`  // failhard for lowpkg.info; others are ignored
}

// listPkgs lists installed packages with their versions.
func listPkgs(c *salt.Ctx, a packagesArgs) (any, error) {
	found, missing, err := find(c, a.Packages)
	if err != nil || missing != "" {
		return failed(c, missing), err
	}
	ret := new(value.Map)
	for _, p := range found {
		if p.State == "installed" {
			ret.Set(p.Shown(c.Grains.Str("osarch")), p.Version)
		}
	}
	return ret, nil
}

// failed is the answer when dpkg-query would have failed: its exit code makes
// the call's, as that of any command does.
func failed(c *salt.Ctx, missing string) any {
	if missing == "" {
		return nil
	}
	c.Run.SetRetcode(1)
	c.Log.Error("Error:  " + missing)
	return "Error:  " + missing
}

// fileList lists the files of installed packages.
func fileList(c *salt.Ctx, a packagesArgs) (any, error) {
	found, missing, err := find(c, a.Packages)
	if err != nil || missing != "" {
		return failed(c, missing), err
	}
	set := map[string]bool{}
	for _, p := range found {
		if p.State == "installed" {
			files, err := files(c, p)
			if err != nil {
				return nil, err
			}
			for _, f := range files {
				set[f] = true
			}
		}
	}
	return value.M("errors", value.L(), "files", sorted(set)), nil
}

// fileDict lists the files of each installed package.
func fileDict(c *salt.Ctx, a packagesArgs) (any, error) {
	found, missing, err := find(c, a.Packages)
	if err != nil || missing != "" {
		return failed(c, missing), err
	}
	ret := new(value.Map)
	for _, p := range found {
		if p.State == "installed" {
			files, err := files(c, p)
			if err != nil {
				return nil, err
			}
			ret.Set(p.Shown(c.Grains.Str("osarch")), value.Strings(files))
		}
	}
	return value.M("errors", value.L(), "packages", ret), nil
}

// listFile is where dpkg keeps the names of a package's files.
func listFile(c *salt.Ctx, p *deb.Package) string {
	if p.SameArch {
		return path.Join(admin, "info", p.Name+":"+p.Arch+".list")
	}
	return path.Join(admin, "info", p.Name+".list")
}

// files is dpkg -L. Only where files are diverted dpkg itself is asked.
func files(c *salt.Ctx, p *deb.Package) ([]string, error) {
	b, err := c.Sys.ReadFile(listFile(c, p))
	if err != nil {
		return nil, err
	}
	list := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	diverted, err := diversions(c)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if diverted[f] {
			res, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"dpkg", "-L", p.Shown(c.Grains.Str("osarch"))}, Query: true})
			return strings.Split(strings.TrimRight(string(res.Stdout), "\n"), "\n"), err
		}
	}
	return list, nil
}

type diversionsKey struct{}

func diversions(c *salt.Ctx) (map[string]bool, error) {
	return salt.Once(c.Run, diversionsKey{}, func() (map[string]bool, error) {
		set := map[string]bool{}
		b, _ := c.Sys.ReadFile(admin + "/diversions")
		for line := range strings.Lines(string(b)) {
			set[strings.TrimRight(line, "\n")] = true
		}
		return set, nil
	})
}
