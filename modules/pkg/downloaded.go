package pkg

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type downloadedArgs struct {
	Name        string     `py:"name"`              // the package; ignored where pkgs is given
	Version     any        `py:"version=None"`      // the version
	Pkgs        any        `py:"pkgs=None"`         // several packages: names, or maps of a name to a version
	Fromrepo    any        `py:"fromrepo=None"`     // the repository or release to download from
	IgnoreEpoch any        `py:"ignore_epoch=None"` // compare versions without their epoch; None: where the wanted one has none
	Kwargs      *value.Map `py:"**kwargs"`          // arguments of pkg.install
}

// downloaded makes sure that the files of packages are in the cache of the
// package manager, so that they can be installed later.
func downloaded(c *salt.Ctx, a downloadedArgs) salt.Result {
	m := managerOf(c)
	switch m.(type) {
	case apk, brew:
		return salt.Failed("The pkg.downloaded state is not available on this platform")
	}
	if l, ok := asList(a.Pkgs); ok && len(l) == 0 {
		return salt.Correct("No packages to download provided")
	}
	if a.Name != "" && !value.Truth(a.Pkgs) {
		a.Pkgs = value.L(a.Name)
		if value.Truth(a.Version) {
			a.Pkgs, a.Version = value.L(value.M(a.Name, a.Version)), nil
		}
	}
	have, err := m.downloaded("")
	if err != nil {
		return salt.Raised(err)
	}
	want, err := repack(c, m, a.Pkgs, true)
	if err != nil {
		return salt.Raised(err)
	}
	if want.Len() == 0 {
		return salt.Failed("Invalidly formatted pkgs parameter. See minion log.")
	}
	missing, specific := new(value.Map), false
	for name, v := range want.Items() {
		there := keys(have.Map(name))
		switch {
		case len(there) == 0:
			missing.Set(name, v)
		case value.Truth(v):
			specific = true
			if !fulfills(m, there, value.Str(v), a.IgnoreEpoch, false) {
				missing.Set(name, v)
			}
		}
	}
	if missing.Len() == 0 {
		msg := "All specified packages are already downloaded"
		if specific {
			msg = "All specified packages (matching specified versions) are already downloaded"
		}
		return salt.Correct("%s", msg)
	}
	names := strings.Join(keys(missing), ", ")
	if c.Test {
		return salt.Would(nil, "The following packages would be downloaded: %s", names)
	}
	kw := a.Kwargs.Shallow()
	kw.Pop("downloadonly")
	kw.Set("version", a.Version)
	changes, err := m.install(installArgs{Name: a.Name, Pkgs: a.Pkgs, Downloadonly: true, Fromrepo: a.Fromrepo, IgnoreEpoch: a.IgnoreEpoch, Normalize: true,
		Refresh: kw.At("refresh"), SkipVerify: kw.Truth("skip_verify"), Kwargs: kw})
	if err != nil {
		return commandFailure("An error was encountered while downloading package(s): ", err)
	}
	if have, err = m.downloaded(""); err != nil {
		return salt.Raised(err)
	}
	there := new(value.Map)
	for name := range have.Items() {
		there.Set(name, value.Strings(keys(have.Map(name))))
	}
	s := &installation{desired: missing}
	if _, failed := verify(m, missing, there, a.IgnoreEpoch); len(failed) > 0 {
		return salt.Result{Result: salt.False(), Changes: changes, Comment: "The following packages failed to download: " + s.askedAll(failed)}
	}
	r := salt.Changed(changes, "")
	if changes.Len() == 0 {
		r.Comment = "Packages downloaded: " + names
	}
	return r
}
