package pkg

import (
	"maps"
	"slices"
	"strings"

	"pinch/value"
)

func (a apt) latest(names []string, o latestOptions) (*value.Map, error) {
	ret := new(value.Map)
	for _, n := range names {
		ret.Set(n, "")
	}
	l, err := a.list()
	if err != nil {
		return nil, err
	}
	if o.refresh {
		if _, err := a.refresh(refreshOptions{cacheValid: o.cacheValid}); err != nil {
			return nil, err
		}
	}
	found, err := a.candidates(names, o.fromrepo)
	if err != nil {
		return nil, err
	}
	installed := l.current()
	for _, name := range names {
		all := []string{name}
		if _, ok := found[name]; !ok {
			// Nothing of this architecture: what there is of others stands for it.
			all = slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(n string) bool { return !strings.HasPrefix(n, name+":") })
		}
		for _, n := range all {
			candidate := found[n]
			have := versions(installed, n)
			if len(have) > 0 && !o.installed && slices.ContainsFunc(have, func(v string) bool { return matches(a, v, ">=", candidate, false) }) {
				candidate = ""
			}
			ret.Set(n, candidate)
		}
	}
	return ret, nil
}

// candidates asks apt-cache what would be installed. Names without a candidate
// have an empty version, unknown names are missing.
func (a apt) candidates(names []string, fromrepo string) (map[string]string, error) {
	argv := append([]string{"apt-cache", "-q", "policy"}, names...)
	if fromrepo != "" {
		argv = append(argv, "-o", "APT::Default-Release="+fromrepo)
	}
	out, err := a.run(command{argv: argv, query: true})
	if err != nil {
		return nil, err
	}
	return parsePolicy(out.stdout, names), nil
}

// parsePolicy reads the output of apt-cache policy.
func parsePolicy(text string, names []string) map[string]string {
	found := map[string]string{}
	var this string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutSuffix(line, ":"); ok && !strings.HasPrefix(line, "Version table") {
			short, _, _ := strings.Cut(head, ":")
			if slices.ContainsFunc(names, func(n string) bool {
				s, _, _ := strings.Cut(n, ":")
				return n == head || s == short
			}) {
				this = head
			}
			continue
		}
		if v, ok := strings.CutPrefix(line, "Candidate:"); ok {
			if v = strings.TrimSpace(v); strings.EqualFold(v, "(none)") {
				v = ""
			}
			found[this] = v
		}
	}
	return found
}

// available asks apt-cache for all versions of packages (NAME, NAME=VERSION),
// or of all there are.
func (a apt) available(specs []string) (*value.Map, error) {
	argv := []string{"apt-cache", "dump"}
	if len(specs) > 0 {
		argv = append([]string{"apt-cache", "show"}, specs...)
	}
	out, err := a.run(command{argv: argv, query: true})
	if err != nil {
		return nil, err
	}
	return parseVersions(out.stdout), nil
}

// parseVersions reads the versions of packages in the output of apt-cache show or dump.
func parseVersions(text string) *value.Map {
	ret := new(value.Map)
	name := ""
	for line := range strings.Lines(text) {
		if n, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "Package: "); ok && n != name {
			name = n
			continue
		}
		f := strings.SplitN(strings.TrimSpace(line), " ", 2)
		if f[0] != "Version:" || len(f) < 2 {
			continue
		}
		l := ret.List(name)
		if l == nil {
			l = value.L()
			ret.Set(name, l)
		}
		l.Append(strings.TrimSpace(f[1]))
	}
	return ret
}
