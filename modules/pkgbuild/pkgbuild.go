// Package pkgbuild holds Salt's pkgbuild states: packages built from sources,
// and repositories of packages. The work is that of an execution module
// pkgbuild (rpmbuild for .rpm files on other systems). Its main variable is
// Module.
//
//	libnacl:
//	  pkgbuild.built:
//	    - runas: builder
//	    - dest_dir: /srv/packages
//	    - spec: salt://pkg/libnacl.spec
//	    - sources: [salt://pkg/libnacl-1.3.tar.gz]
//	    - tgt: bookworm
//	    - results: python3-libnacl_1.3_all.deb
package pkgbuild

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's pkgbuild module.
var Module = salt.Module{
	Name: "pkgbuild",
	States: func() salt.Funcs {
		return salt.Funcs{
			"built": salt.State(built),
			"repo":  salt.State(repo),
		}
	},
}

type builtArgs struct {
	Name     string `py:"name"`                             // the name of the state, free to choose
	Runas    any    `py:"runas"`                            // the user who builds
	DestDir  string `py:"dest_dir"`                         // the folder for the packages
	Spec     any    `py:"spec"`                             // the spec file, or an archive of the debian folder
	Sources  any    `py:"sources"`                          // the sources
	Tgt      any    `py:"tgt"`                              // the system to build for
	Template any    `py:"template=None"`                    // render the spec file with this engine
	Deps     any    `py:"deps=None"`                        // packages that the build needs
	Env      any    `py:"env=None"`                         // environment variables
	Results  any    `py:"results=None"`                     // the files that the build makes: a list, or text with commas
	Force    any    `py:"force=False"`                      // build even what is there
	Saltenv  any    `py:"saltenv='base'"`                   // the environment of salt://
	LogDir   any    `py:"log_dir='/var/log/salt/pkgbuild'"` // the folder for the logs
}

// built makes sure that packages are in a folder, and builds them otherwise.
func built(c *salt.Ctx, a builtArgs) salt.Result {
	if !value.Truth(a.Results) {
		return salt.Failed("'results' argument is required")
	}
	results := texts(a.Results)
	needed := missing(c, a.DestDir, results)
	force := value.Truth(a.Force)
	switch _, isMap := a.Env.(*value.Map); {
	case !force && len(needed) == 0:
		return salt.Correct("All needed packages exist")
	case c.Test && force:
		return salt.Would(nil, "Packages will be force-built")
	case c.Test:
		return salt.Would(nil, "The following packages need to be built: %s", strings.Join(needed, ", "))
	case a.Env != nil && !isMap:
		return salt.Failed("Invalidly-formatted 'env' parameter. See documentation.")
	}
	v, err := c.Call(builder(c, results)+".build", a.Runas, a.Tgt, a.DestDir, a.Spec, a.Sources, a.Deps, a.Env, a.Template, a.Saltenv, a.LogDir)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Correct("All needed packages were built")
	if m, ok := v.(*value.Map); ok {
		r.Changes = m
	}
	if needed = missing(c, a.DestDir, results); len(needed) > 0 {
		r.Result, r.Comment = salt.False(), "The following packages were not built: "+strings.Join(needed, ", ")
	}
	return r
}

// builder is the execution module for files of such names.
func builder(c *salt.Ctx, names []string) string {
	if f := c.Grains.Str("os_family"); f != "RedHat" && f != "Suse" {
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, ".rpm") }) {
			return "rpmbuild"
		}
	}
	return "pkgbuild"
}

func texts(v any) []string {
	if l, ok := v.(*value.List); ok {
		out := make([]string, l.Len())
		for i, it := range l.Items {
			out[i] = value.Str(it)
		}
		return out
	}
	return strings.Split(value.Str(v), ",")
}

// missing are the files that are not in a folder, sorted.
func missing(c *salt.Ctx, dir string, results []string) []string {
	var out []string
	have := map[string]bool{}
	all, _ := c.Sys.ReadDir(dir)
	for _, e := range all {
		have[e.Name()] = true
	}
	for _, name := range results {
		if !have[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

type repoArgs struct {
	Name          string  `py:"name"`                          // the folder with the packages
	Keyid         any     `py:"keyid=None"`                    // the key that signs
	Env           any     `py:"env=None"`                      // environment variables
	UsePassphrase any     `py:"use_passphrase=False"`          // the key has a passphrase: gpg_passphrase of the pillar
	Gnupghome     any     `py:"gnupghome='/etc/salt/gpgkeys'"` // the folder of GnuPG
	Runas         any     `py:"runas='builder'"`               // the user who signs
	Timeout       float64 `py:"timeout=15.0"`                  // how long to wait for the question for the passphrase, in seconds
}

// repo makes a repository of the packages in a folder.
func repo(c *salt.Ctx, a repoArgs) salt.Result {
	switch _, isMap := a.Env.(*value.Map); {
	case c.Test:
		return salt.Would(nil, "Package repo metadata at %s will be refreshed", a.Name)
	case a.Env != nil && !isMap:
		return salt.Correct("Invalidly-formatted 'env' parameter. See documentation.")
	}
	all, err := c.Sys.ReadDir(a.Name)
	if err != nil {
		return salt.Raised(salt.OSError(err))
	}
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name()
	}
	v, err := c.Call(builder(c, names)+".make_repo", a.Name, a.Keyid, a.Env, a.UsePassphrase, a.Gnupghome, a.Runas, a.Timeout)
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	r := salt.Changed(value.M("refresh", true), "%s", strings.Trim(m.Str("stdout")+"\n"+m.Str("stderr"), "\n"))
	if value.Truth(m.At("retcode")) {
		r.Result, r.Changes = salt.False(), new(value.Map)
	}
	return r
}
