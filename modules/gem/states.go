package gem

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type installedArgs struct {
	Name        string `py:"name"`               // the gem
	Ruby        any    `py:"ruby=None"`          // with rvm or rbenv: the ruby (and gemset) to use
	GemBin      any    `py:"gem_bin=None"`       // the gem command; ruby is not looked at then
	User        any    `py:"user=None"`          // the user to run gem as
	Version     any    `py:"version=None"`       // the version, or what it must satisfy: '~> 2.2', '>= 1.0, < 3'
	Rdoc        bool   `py:"rdoc=False"`         // make documentation for the web
	Ri          bool   `py:"ri=False"`           // make documentation for ri
	PreReleases bool   `py:"pre_releases=False"` // versions with letters count, too
	Proxy       any    `py:"proxy=None"`         // http://host:port
	Source      any    `py:"source=None"`        // the server to take the gem from
}

// installed makes sure that a gem is installed, in a version if one is named.
//
//	addressable:
//	  gem.installed:
//	    - user: rvm
//	    - ruby: jruby@jgemset
func installed(c *salt.Ctx, a installedArgs) salt.Result {
	w := at(a.Ruby, a.User, a.GemBin)
	if a.Ruby != nil && !hasRvm(c, w.runas) && !hasRbenv(c, w.runas) {
		c.Log.Warn("Use of argument ruby found, but neither rvm or rbenv is installed")
	}
	have, err := w.installed(c, a.Name)
	switch met, requires := satisfied(have, a.Version); {
	case err != nil:
		return salt.Raised(err)
	case met && requires:
		return salt.Correct("Installed Gem meets version requirements.")
	case met:
		return salt.Correct("Gem is already installed.")
	case c.Test:
		return salt.Would(nil, "The gem %s would have been installed", a.Name)
	}
	v, err := install(c, installArgs{Gems: a.Name, Ruby: a.Ruby, GemBin: a.GemBin, Runas: a.User, Version: a.Version, Rdoc: a.Rdoc, Ri: a.Ri,
		PreReleases: a.PreReleases, Proxy: a.Proxy, Source: a.Source})
	return ended(v, err, value.M(a.Name, "Installed"), "Gem was successfully installed", "Could not install gem.")
}

// installed are the versions of a gem that are there; all gems are asked for
// once a run.
func (w where) installed(c *salt.Ctx, name string) ([]string, error) {
	all, err := salt.Once(c.Run, listKey{w}, func() (*value.Map, error) {
		out, err := w.ask(c, "list")
		return parseList(out), err
	})
	var have []string
	if l := all.List(name); l != nil {
		for _, v := range l.Items {
			have = append(have, value.Str(v))
		}
	}
	return have, err
}

// satisfied reports whether one of the versions that gem lists is wanted, and
// whether a requirement was asked for and no plain version.
func satisfied(have []string, wanted any) (met, requires bool) {
	if wanted == nil || len(have) == 0 {
		return len(have) > 0, false
	}
	want := value.Str(wanted)
	requires = strings.ContainsAny(want, "<>=~")
	for _, v := range have {
		v = strings.TrimPrefix(v, "default: ")
		number, _, _ := strings.Cut(v, " ") // a platform may follow
		if v == want || number == want || requires && meets(number, want) {
			return true, requires
		}
	}
	return false, requires
}

type removedArgs struct {
	Name   string `py:"name"`         // the gem
	Ruby   any    `py:"ruby=None"`    // with rvm or rbenv: the ruby (and gemset) to use
	User   any    `py:"user=None"`    // the user to run gem as
	GemBin any    `py:"gem_bin=None"` // the gem command; ruby is not looked at then
}

// removed makes sure that no version of a gem is installed.
func removed(c *salt.Ctx, a removedArgs) salt.Result {
	have, err := at(a.Ruby, a.User, a.GemBin).installed(c, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case len(have) == 0:
		return salt.Correct("Gem is not installed.")
	case c.Test:
		return salt.Would(nil, "The gem %s would have been removed", a.Name)
	}
	v, err := uninstall(c, gemsArgs{Gems: a.Name, Ruby: a.Ruby, Runas: a.User, GemBin: a.GemBin})
	return ended(v, err, value.M(a.Name, "Removed"), "Gem was successfully removed.", "Could not remove gem.")
}
