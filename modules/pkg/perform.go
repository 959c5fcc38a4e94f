package pkg

import (
	"errors"
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// perform installs, holds, and says what came of it.
func (s *installation) perform() salt.Result {
	a := s.a
	pkgs, sources := a.Pkgs, a.Sources
	if value.Truth(pkgs) {
		l := value.L()
		for _, from := range []*value.Map{s.targets, s.reinstall} {
			for name, v := range from.Items() {
				l.Append(value.M(name, v))
			}
		}
		pkgs = l
	} else if l, ok := asList(sources); ok {
		kept := value.L()
		for _, from := range []*value.Map{s.targets, s.reinstall} {
			for _, it := range l {
				if m, ok := it.(*value.Map); ok && m.Len() > 0 && from.Has(value.Str(m.Keys()[0])) {
					kept.Append(it)
				}
			}
		}
		sources = kept
	}
	done := new(value.Map)
	if s.targets.Len() > 0 || s.reinstall.Len() > 0 {
		kw := a.Kwargs.Shallow()
		kw.Set("saltenv", s.c.Env)
		kw.Set("version", a.Version)
		kw.Set("split_arch", false)
		var err error
		done, err = s.m.install(installArgs{Refresh: s.refresh, Fromrepo: a.Fromrepo, SkipVerify: a.SkipVerify, Pkgs: pkgs, Sources: sources,
			Reinstall: s.reinstall.Len() > 0, Normalize: a.Normalize, IgnoreEpoch: a.IgnoreEpoch, Downloadonly: kw.Truth("downloadonly"), Debconf: kw.At("debconf"), Kwargs: kw})
		if err != nil {
			return commandFailure("An error was encountered while installing package(s): ", err)
		}
		s.changes.Update(done)
	}
	var holds *holds
	if on, ok := a.Kwargs.Get("hold"); ok {
		h, err := s.holdThese(holdArgs{Name: a.Name, Pkgs: s.desired}, value.Truth(on))
		if err != nil {
			s.comment = append(s.comment, err.Error())
			return salt.Result{Result: salt.False(), Changes: s.changes, Comment: strings.Join(s.comment, "\n")}
		}
		holds = h
	}
	if len(s.unpurge) > 0 {
		m, err := s.m.(interface {
			unpurge([]string) (*value.Map, error)
		}).unpurge(s.unpurge)
		if err != nil {
			return salt.Raised(err)
		}
		s.changes.Set("purge_desired", m)
	}
	return s.report(done, holds)
}

// commandFailure is the answer when the manager failed: with what it changed
// all the same.
func commandFailure(prefix string, err error) salt.Result {
	var p *problem
	switch {
	case errors.As(err, &p):
		return salt.Result{Result: salt.False(), Changes: p.changes(), Comment: p.withoutChanges()}
	case isCommandError(err):
		return salt.Failed("%s%s", prefix, err)
	}
	return salt.Raised(err)
}

// report looks at what is there now.
func (s *installation) report(done *value.Map, holds *holds) salt.Result {
	var modified, untouched, failed []string
	isTarget := func(n string) bool { return s.targets.Has(n) }
	rest := func(n string) bool { return !s.targets.Has(n) && !s.reinstall.Has(n) }
	if s.fromSources() {
		modified = filter(keys(s.changes), isTarget)
		untouched = filter(keys(s.desired), rest)
		failed = filter(keys(s.targets), func(n string) bool { return !s.changes.Has(n) })
	} else {
		l, err := s.m.list()
		if err != nil {
			return salt.Raised(err)
		}
		good, bad := verify(s.m, s.desired, l.current(), s.a.IgnoreEpoch)
		modified, untouched, failed = filter(good, isTarget), filter(good, rest), filter(bad, isTarget)
	}
	ok := true
	if len(modified) > 0 {
		if summary := s.askedAll(modified); len(summary) < 20 {
			s.say("The following packages were installed/updated: %s", summary)
		} else {
			s.say("%s installed/updated.", counted(len(modified)))
		}
	}
	if holds != nil {
		s.tellHolds(holds)
	}
	if len(untouched) > 20 {
		s.say("%s already installed", counted(len(untouched)))
	} else if len(untouched) > 0 {
		s.say("The following packages were already installed: %s", s.askedAll(untouched))
	}
	if holds != nil {
		for _, h := range holds.same {
			s.comment = append(s.comment, h.Str("comment"))
		}
	}
	if len(failed) > 0 {
		s.comment = append([]string{"The following packages failed to install/update: " + s.askedAll(failed)}, s.comment...)
		ok = false
	}
	if holds != nil {
		for _, h := range holds.failed {
			s.comment = append(s.comment, h.Str("comment"))
			ok = false
		}
	}
	var again, notAgain []string
	for name := range s.reinstall.Items() {
		if done.Has(name) {
			again = append(again, fmt.Sprintf("Package %s was reinstalled.", s.asked(name, s.desired)))
		} else {
			notAgain = append(notAgain, fmt.Sprintf("Reinstall was not successful for package %s.", s.asked(name, s.desired)))
			ok = false
		}
	}
	s.comment = append(append(s.comment, again...), notAgain...)
	r := salt.Changed(s.changes, "%s", strings.Join(s.comment, "\n"))
	if !ok {
		r.Result = salt.False()
	}
	return r
}

func counted(n int) string {
	if n > 1 {
		return fmt.Sprintf("%d targeted packages were", n)
	}
	return fmt.Sprintf("%d targeted package was", n)
}
