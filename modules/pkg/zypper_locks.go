package pkg

import (
	"encoding/xml"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

const zypperLocks = "/etc/zypp/locks"

// locks are zypper's locks by the name that they lock, each with type,
// match_type, case_sensitive and maybe version.
func (z zypper) locks(kw *value.Map) *value.Map {
	all := new(value.Map)
	b, err := z.c.Sys.ReadFile(rooted(zypperLocks, kw))
	if err != nil {
		return all
	}
	for block := range strings.SplitSeq(string(b), "\n\n") {
		lock := new(value.Map)
		for line := range strings.Lines(block) {
			if key, v, ok := strings.Cut(line, ":"); ok {
				lock.Set(strings.TrimSpace(key), strings.TrimSpace(v))
			}
		}
		if name, _ := lock.Pop("solvable_name"); value.Truth(name) {
			all.Set(value.Str(name), lock)
		}
	}
	return all
}

// lockedVersion is the version that a lock is limited to, "" for any.
func lockedVersion(lock *value.Map) string { return strings.TrimLeft(lock.Str("version"), "= ") }

// selections are the locked names, under hold.
func (z zypper) selections(string) (*value.Map, error) {
	all := z.locks(new(value.Map))
	for _, name := range keys(all) {
		if kind := all.Map(name).Str("type"); kind != "" && kind != "package" {
			all.Pop(name)
		}
	}
	return value.M("hold", value.Strings(keys(all))), nil
}

// heldVersion is the version that a package is held in; ok is false when it is
// not held.
func (z zypper) heldVersion(name string) (version string, ok bool) {
	lock := z.locks(new(value.Map)).Map(name)
	if lock == nil {
		return "", false
	}
	return lockedVersion(lock), true
}

// hold adds locks or takes them away, all of them in one call.
func (z zypper) hold(in holdArgs, on bool) (*value.Map, error) {
	if !value.Truth(in.Name) && !value.Truth(in.Pkgs) {
		return nil, salt.CommandError("Name or packages must be specified.")
	}
	targets := []any{in.Name}
	if l, ok := asList(in.Pkgs); ok && len(l) > 0 {
		targets = l
	}
	locks, ret, words := z.locks(plain(in.Kwargs)), new(value.Map), []string(nil)
	for _, t := range targets {
		name, v := entry(t)
		version := value.Str(orEmpty(v))
		changes, good, comment := new(value.Map), true, ""
		lock := locks.Map(name)
		switch {
		case on && lock == nil:
			words = append(words, pinned(name, version))
			changes, comment = value.M("new", "hold", "old", ""), "Package "+name+" is now being held."
		case on:
			comment = "Package " + name + " is already set to be held."
		case lock == nil:
			comment = "Package " + name + " was already unheld."
		case version != "" && version != lockedVersion(lock):
			good, comment = false, "Unable to unhold package "+name+" as it is held with the other version."
		default:
			words = append(words, pinned(name, lockedVersion(lock)))
			changes, comment = value.M("new", "", "old", "hold"), "Package "+name+" is no longer held."
		}
		ret.Set(name, value.M("name", name, "changes", changes, "result", good, "comment", comment))
	}
	if len(words) > 0 {
		verb := map[bool]string{true: "al", false: "rl"}[on]
		if _, err := z.must(false, z.in(plain(in.Kwargs), append([]string{verb}, words...)...)...); err != nil {
			return nil, err
		}
	}
	return ret, nil
}

func pinned(name, version string) string {
	if version == "" {
		return name
	}
	return name + "=" + version
}

// holds are the installed packages that locks cover, NAME-EPOCH:VERSION.*.
func (z zypper) holds(pattern string, full bool, kw *value.Map) ([]string, error) {
	l, err := z.list()
	if err != nil {
		return nil, err
	}
	var out []string
	for name, lock := range z.locks(kw).Items() {
		m := lock.(*value.Map)
		if kind := m.Str("type"); kind != "" && kind != "package" {
			continue
		}
		for pkg := range l.current().Items() {
			covered := value.Fnmatch(pkg, name)
			if m.Str("case_sensitive") == "off" {
				covered = value.Fnmatch(strings.ToLower(pkg), strings.ToLower(name))
			}
			if covered {
				out = append(out, heldEntries(pkg, versions(l.current(), pkg), full)...)
			}
		}
	}
	return matchingHolds(slices.Compact(out), pattern)
}

func heldEntries(name string, versions []string, full bool) []string {
	if !full {
		return []string{name}
	}
	var out []string
	for _, v := range versions {
		if !strings.Contains(v, ":") {
			v = "0:" + v
		}
		out = append(out, name+"-"+v+".*")
	}
	return out
}

// cleanLocks removes locks that lock nothing and says how many.
func (z zypper) cleanLocks(kw *value.Map) (*value.Map, error) {
	ret := value.M("removed", int64(0))
	if _, err := z.c.Sys.Stat(rooted(zypperLocks, kw)); err != nil {
		return ret, nil
	}
	out, err := z.must(false, z.in(kw, "--xmlout", "cl")...)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Messages []string `xml:"message"`
	}
	if err := xml.Unmarshal([]byte(out.stdout), &doc); err != nil {
		return nil, salt.CommandError("zypper: %s", err)
	}
	for _, m := range doc.Messages {
		if f := strings.Fields(strings.ToLower(m)); len(f) > 1 && strings.HasPrefix(f[0], "removed") {
			ret.Set("removed", f[1])
			break
		}
	}
	return ret, nil
}
