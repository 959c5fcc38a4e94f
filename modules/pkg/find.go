package pkg

import (
	"fmt"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// find works out what is to be done. An answer says that there is nothing to
// do, or that the arguments are wrong.
func (s *installation) find() (*salt.Result, error) {
	a := s.a
	if value.Truth(a.Pkgs) && value.Truth(a.Sources) {
		return answer(salt.Failed(`Only one of "pkgs" and "sources" is permitted.`))
	}
	l, err := s.m.list()
	if err != nil {
		return nil, err
	}
	current := l.current()
	if s.fromSources() {
		s.desired = packSources(s.c, s.m, a.Sources, a.Normalize)
	} else if s.desired, err = repack(s.c, s.m, a.Pkgs, false); err != nil {
		return nil, err
	}
	if s.desired.Len() == 0 {
		what := "pkgs"
		if s.fromSources() {
			what = "sources"
		}
		return answer(salt.Failed("Invalidly formatted '%s' parameter. See minion log.", what))
	}
	for name := range s.desired.Items() {
		if l.purgeDesired.Has(name) {
			s.unpurge = append(s.unpurge, name)
		}
	}
	if err := s.resolveLatest(current); err != nil {
		return nil, err
	}
	return s.compare(current)
}

func answer(r salt.Result) (*salt.Result, error) { return &r, nil }

// resolveLatest puts versions where "latest" is asked for.
func (s *installation) resolveLatest(current *value.Map) error {
	var names []string
	for name, v := range s.desired.Items() {
		if v == "latest" && !s.fromSources() {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	found, err := s.m.latest(names, latestOptions{refresh: s.refresh, fromrepo: value.Str(orEmpty(s.a.Fromrepo)), cacheValid: s.a.Kwargs.At("cache_valid_time"), options: s.a.Kwargs.At("options")})
	if err != nil {
		return err
	}
	s.refresh = false
	for name, v := range found.Items() {
		if !value.Truth(v) {
			v = nil
			if have := versions(current, name); len(have) > 0 {
				v = have[len(have)-1]
			}
		}
		s.desired.Set(name, v)
	}
	return nil
}

// compare sets what is wanted against what is there.
func (s *installation) compare(current *value.Map) (*salt.Result, error) {
	s.targets, s.reinstall = new(value.Map), new(value.Map)
	var problems []string
	specific := false
	for name, want := range s.desired.Items() {
		have := versions(current, name)
		if have == nil {
			have = versions(current, s.m.normalize(name))
		}
		if len(have) == 0 {
			s.targets.Set(name, want)
			continue
		}
		if s.a.Reinstall {
			s.reinstall.Set(name, want)
			continue
		}
		version := value.Str(orEmpty(want))
		if s.fromSources() {
			v, problem := s.sourceVersion(version)
			if problem != "" {
				problems = append(problems, problem)
				continue
			}
			version = v
		} else if version == "" {
			continue
		}
		specific = true
		allow := !s.fromSources() && value.Truth(s.a.AllowUpdates)
		if !fulfills(s.m, have, version, s.a.IgnoreEpoch, allow) {
			s.targets.Set(name, want)
		}
	}
	if len(problems) > 0 {
		return answer(salt.Failed("%s", strings.Join(problems, " ")))
	}
	if s.targets.Len() == 0 && s.reinstall.Len() == 0 && len(s.unpurge) == 0 {
		msg := "All specified packages are already installed"
		if specific && !s.fromSources() {
			msg += " and are at the desired version"
		}
		return answer(salt.Correct("%s", msg))
	}
	return nil, nil
}

// sourceVersion reads the version of a package file.
func (s *installation) sourceVersion(src string) (version, problem string) {
	path, err := src, error(nil)
	if protocol().MatchString(src) || !sys.Exists(s.c.Sys, src) {
		path, err = s.c.Files().Cache(s.c, src, s.c.Env, salt.GetOptions{NoVerify: s.a.Kwargs.Has("verify_ssl") && !s.a.Kwargs.Truth("verify_ssl")})
	}
	if err != nil || path == "" {
		if salt.IsUnfetched(err) {
			return "", fmt.Sprintf("Unable to cache %s: %s", src, err)
		}
		return "", fmt.Sprintf("Unable to cache %s: file not found", src)
	}
	b, err := binInfo(s.c, path)
	if err != nil {
		return "", err.Error()
	}
	return b.version, ""
}

// verify sorts the names of desired into those that are there as asked, and others.
func verify(m manager, desired, now *value.Map, ignoreEpoch any) (good, failed []string) {
	for name, want := range desired.Items() {
		lookup, _, _ := strings.Cut(name, "=")
		have := versions(now, lookup)
		if have == nil {
			have = versions(now, m.normalize(lookup))
		}
		if _, ok := m.(brew); ok && have == nil {
			have = versions(now, tapped(lookup))
		}
		v := value.Str(orEmpty(want))
		ok := len(have) > 0 && (v == "" || v == "latest" || strings.HasSuffix(v, "*") && strings.HasPrefix(have[0], v[:len(v)-1]) ||
			fulfills(m, have, v, ignoreEpoch, false))
		if ok {
			good = append(good, name)
		} else {
			failed = append(failed, name)
		}
	}
	return good, failed
}

func filter(names []string, keep func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !keep(n) })
}
