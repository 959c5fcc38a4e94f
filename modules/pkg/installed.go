package pkg

import (
	"errors"
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type installedArgs struct {
	Name            string     `py:"name"`                   // the package; ignored where pkgs or sources are given
	Version         any        `py:"version=None"`           // a version, a glob of versions, conditions such as ">=1.2,<2", or latest
	Refresh         any        `py:"refresh=None"`           // refresh the lists of packages before an installation; None: once a run
	Fromrepo        any        `py:"fromrepo=None"`          // the repository or release to install from
	SkipVerify      bool       `py:"skip_verify=False"`      // take packages that are not signed
	SkipSuggestions bool       `py:"skip_suggestions=False"` // do not look for packages with similar names, for managers that do
	Pkgs            any        `py:"pkgs=None"`              // several packages: names, or maps of a name to a version
	Sources         any        `py:"sources=None"`           // package files: a list of maps of a name to a URL or path
	AllowUpdates    any        `py:"allow_updates=False"`    // a newer version than the one that is asked for will do
	PkgVerify       any        `py:"pkg_verify=False"`       // compare the files of installed packages, for managers that can
	Normalize       bool       `py:"normalize=True"`         // drop an architecture from names that goes without saying
	IgnoreEpoch     any        `py:"ignore_epoch=None"`      // compare versions without their epoch; None: where the wanted one has none
	Reinstall       bool       `py:"reinstall=False"`        // install again what is installed
	UpdateHolds     bool       `py:"update_holds=False"`     // for managers that refuse to change packages that are held
	Kwargs          *value.Map `py:"**kwargs"`               // hold, install_recommends, only_upgrade, force_yes, force_conf_new, cache_valid_time, downloadonly, env …
}

// installed makes sure that packages are installed, in a version if one is given.
//
//	web:
//	  pkg.installed:
//	    - pkgs:
//	      - nginx: '>=1.22'
//	      - certbot
func installed(c *salt.Ctx, a installedArgs) salt.Result {
	if l, ok := asList(a.Pkgs); ok && len(l) == 0 {
		return salt.Correct("No packages to install provided")
	}
	if a.Name != "" && !value.Truth(a.Pkgs) && !value.Truth(a.Sources) {
		a.Pkgs = value.L(a.Name)
		if value.Truth(a.Version) {
			a.Pkgs, a.Version = value.L(value.M(a.Name, a.Version)), nil
		}
	}
	if _, ok := a.PkgVerify.(*value.List); ok || a.PkgVerify == true {
		return salt.Failed("pkg.verify not implemented")
	}
	s := &installation{c: c, m: managerOf(c), a: a, refresh: wantsRefresh(c, a.Refresh), changes: new(value.Map)}
	answer, err := s.find()
	switch {
	case err != nil:
		return s.failure(err)
	case answer != nil:
		return s.holdOnly(*answer)
	case c.Test:
		return s.announce()
	}
	return s.perform()
}

// An installation is one pkg.installed in progress.
type installation struct {
	c       *salt.Ctx
	m       manager
	a       installedArgs
	refresh bool

	desired   *value.Map // name → version; with sources name → source
	targets   *value.Map // those of desired that are to be installed
	reinstall *value.Map // those that are to be installed again
	unpurge   []string   // those that are there, but wanted to be purged

	comment []string
	changes *value.Map
}

func (s *installation) fromSources() bool { return value.Truth(s.a.Sources) }

// failure is the answer to an error before anything was done: the exception is
// the state's, unless it is a command's.
func (s *installation) failure(err error) salt.Result {
	if isCommandError(err) {
		return salt.Failed("%s", err)
	}
	return salt.Raised(err)
}

func isCommandError(err error) bool {
	var e *value.Exception
	return errors.As(err, &e) && e.Class == "CommandExecutionError"
}

// asked is a package with its version as comments show it.
func (s *installation) asked(name string, in *value.Map) string {
	v := value.Str(orEmpty(in.At(name)))
	switch {
	case s.fromSources():
		return name
	case v == "":
		return name
	case strings.ContainsAny(v[:1], "<>="):
		return name + v
	}
	return name + "=" + v
}

func (s *installation) askedAll(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = s.asked(n, s.desired)
	}
	return strings.Join(out, ", ")
}

// announce says what would happen.
func (s *installation) announce() salt.Result {
	if s.targets.Len() > 0 {
		if s.fromSources() {
			for n := range s.targets.Items() {
				s.changes.Set(n, value.M("new", "installed", "old", ""))
			}
		} else {
			m, err := installable(s.m, s.targets, new(value.Map), s.refresh)
			if err != nil {
				return salt.Raised(err)
			}
			s.changes.Update(m)
			for n := range s.targets.Items() {
				if m.Map(n).Str("new") == noVersion && !s.newRepositories() {
					s.c.Log.Error("package " + n + " was not found: no repository of this machine has it, to install it would fail")
				}
			}
		}
		s.say("The following packages would be installed/updated: %s", strings.Join(keys(s.targets), ", "))
	}
	if len(s.unpurge) > 0 {
		s.say("The following packages would have their selection status changed from 'purge' to 'install': %s", strings.Join(s.unpurge, ", "))
		for _, n := range s.unpurge {
			s.changes.Set(n, value.M("new", "installed", "old", ""))
		}
	}
	if s.reinstall.Len() > 0 {
		var names []string
		for n := range s.reinstall.Items() {
			n = s.asked(n, s.reinstall)
			names = append(names, n)
			s.changes.Set(n, value.M("new", "installed", "old", ""))
		}
		s.say("The following packages would be reinstalled: %s", strings.Join(names, ", "))
	}
	return salt.Would(s.changes, "%s", strings.Join(s.comment, "\n"))
}

// newRepositories reports whether this run would add repositories, of which no
// one knows what they have.
func (s *installation) newRepositories() bool {
	for tag, v := range s.c.Results().Items() {
		if ret, _ := v.(*value.Map); strings.HasPrefix(tag, "pkgrepo_|-") && ret.Truth("changes") {
			return true
		}
	}
	return false
}

func (s *installation) say(format string, a ...any) {
	s.comment = append(s.comment, fmt.Sprintf(format, a...))
}

// noVersion stands for the version of a package that no repository has.
const noVersion = "installed"

// installable are the changes that installing would bring: the versions that
// repositories have now.
func installable(m manager, targets, current *value.Map, refresh bool) (*value.Map, error) {
	var newest, explicit []string
	for name, v := range targets.Items() {
		switch s := value.Str(orEmpty(v)); {
		case s == "":
			newest = append(newest, name)
		case strings.ContainsAny(s[:1], "<>="):
			explicit = append(explicit, name+s)
		default:
			explicit = append(explicit, name+"="+s)
		}
	}
	will := new(value.Map)
	if len(newest) > 0 {
		m, err := m.latest(newest, latestOptions{refresh: refresh})
		if err != nil {
			return nil, err
		}
		will.Update(m)
	}
	if len(explicit) > 0 {
		found, err := m.available(explicit)
		if err != nil {
			return nil, err
		}
		for name := range found.Items() {
			if v := versions(found, name); len(v) > 0 {
				will.Set(name, v[0])
			}
		}
	}
	changes := new(value.Map)
	for name := range targets.Items() {
		v := will.Str(name)
		if v == "" {
			v = noVersion
		}
		changes.Set(name, value.M("new", v, "old", current.Str(name)))
	}
	return changes, nil
}
