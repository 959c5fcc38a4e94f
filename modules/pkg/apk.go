package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// apk is the manager of Alpine Linux.
type apk struct{ tool }

func (a apk) normalize(name string) string { return name }

// list reads apk's database, and asks apk where that does not lie as usual.
func (a apk) list() (*listing, error) {
	return a.listed(func() (*value.Map, error) {
		m := new(value.Map)
		if db, ok := a.database(); ok {
			for p := range apkRecords(db, false) {
				addVersion(m, p.name, p.version)
			}
			return m, nil
		}
		out, err := a.run(true, "apk", "info", "-v")
		for line := range strings.Lines(out.stdout) {
			if name, v, ok := apkSplit(strings.TrimSuffix(line, "\n")); ok {
				addVersion(m, name, v)
			}
		}
		return m, err
	})
}

// apkSplit takes NAME-VERSION-rRELEASE apart.
func apkSplit(text string) (name, version string, ok bool) {
	i := strings.LastIndexByte(text, '-')
	if i > 0 {
		i = strings.LastIndexByte(text[:i], '-')
	}
	if i <= 0 {
		return "", "", false
	}
	return text[:i], text[i+1:], true
}

// upgradable are the changes that apk announces, by package: lines such as
// "(1/2) Upgrading musl (1.2.3-r0 -> 1.2.3-r1)". Verb "" takes all.
func upgradable(text, verb string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(f) > 5 && (verb == "" || slices.Contains(f, verb)) {
			m.Set(f[2], strings.Trim(f[5], ")"))
		}
	}
	return m
}

// latest asks for upgrades first; what has none is searched, all at once.
func (a apk) latest(names []string, o latestOptions) (*value.Map, error) {
	l, err := a.list()
	if err != nil {
		return nil, err
	}
	if o.refresh {
		if err := a.update(); err != nil {
			return nil, err
		}
	}
	out, err := a.run(true, "apk", "upgrade", "-s")
	if err != nil {
		return nil, err
	}
	found, ret, rest := upgradable(out.stdout, ""), new(value.Map), []string(nil)
	for _, name := range names {
		ret.Set(name, found.Str(name))
		if found.Str(name) == "" {
			rest = append(rest, name)
		}
	}
	if len(rest) == 0 {
		return ret, nil
	}
	known, err := a.search(rest...)
	if err != nil {
		return nil, err
	}
	for _, name := range rest {
		vs := versions(known, name)
		newer := func(have string) bool { n, ok := a.compare(vs[0], have, false); return ok && n > 0 }
		if have := versions(l.current(), name); len(vs) > 0 && (len(have) == 0 || newer(have[len(have)-1])) {
			ret.Set(name, vs[0])
		}
	}
	return ret, nil
}

// search lists what repositories have, newest first.
func (a apk) search(words ...string) (*value.Map, error) {
	out, err := a.run(true, append([]string{"apk", "search"}, words...)...)
	m := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		name, v, ok := apkSplit(strings.TrimSuffix(line, "\n"))
		if ok && !slices.Contains(versions(m, name), v) {
			m.Set(name, value.Strings(a.sorted(append(versions(m, name), v))))
		}
	}
	return m, err
}

// sorted are versions, newest first.
func (a apk) sorted(vs []string) []string {
	slices.SortStableFunc(vs, func(x, y string) int { n, _ := a.compare(y, x, false); return n })
	return vs
}

// available are all versions there are of packages, NAME or NAME>=VERSION.
func (a apk) available(specs []string) (*value.Map, error) {
	names, conditions := splitSpecs(specs)
	known, err := a.search(append([]string{"-a"}, names...)...)
	if err != nil || len(specs) == 0 {
		return known, err
	}
	ret := new(value.Map)
	for _, name := range names {
		vs := filter(versions(known, name), func(v string) bool { return fulfills(a, []string{v}, conditions[name], nil, false) })
		if len(vs) > 0 {
			ret.Set(name, value.Strings(vs))
		}
	}
	return ret, nil
}

// update has apk read the repositories.
func (a apk) update() error {
	clearRtag(a.c)
	out, err := a.run(true, "apk", "update")
	if err == nil && out.code != 0 {
		return &problem{"Problem encountered installing package(s)", value.M("errors", value.L(strings.TrimSpace(out.stdout+"\n"+out.stderr)), "changes", false)}
	}
	return err
}

func (a apk) refresh(refreshOptions) (*value.Map, error) { return new(value.Map), a.update() }

// failures are what a command complained of when it failed.
func failures(out output, err error) ([]string, error) {
	if err == nil && out.code != 0 && out.stderr != "" {
		return []string{out.stderr}, nil
	}
	return nil, err
}

// install adds packages; apk itself says in which version: a wish for one does
// not reach it, as in Salt.
func (a apk) install(in installArgs) (*value.Map, error) {
	params, kind, err := targets(a.c, a, value.Str(orEmpty(in.Name)), in.Pkgs, in.Sources, saltenv(in.Kwargs), false, nil)
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	l, err := a.list()
	if err != nil {
		return nil, err
	}
	if isTrue(in.Refresh) {
		if err := a.update(); err != nil {
			return nil, err
		}
	}
	argv := []string{"apk", "add"}
	if slices.ContainsFunc(keys(params), l.current().Has) {
		argv = append(argv, "-u")
	}
	if kind == fromFile && in.SkipVerify {
		argv = append(argv, "--allow-untrusted")
	}
	return altered(a, "Problem encountered installing package(s)", func() ([]string, error) {
		return failures(a.run(false, append(argv, keys(params)...)...))
	})
}

// uninstall removes packages that are there: apk removes none when it does not
// know one of them.
func (a apk) uninstall(action string, in uninstallArgs) (*value.Map, error) {
	params, _, err := targets(a.c, a, value.Str(orEmpty(in.Name)), in.Pkgs, nil, "base", false, nil)
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	l, err := a.list()
	if err != nil {
		return nil, err
	}
	names := filter(keys(params), l.current().Has)
	if len(names) == 0 {
		return new(value.Map), nil
	}
	argv := []string{"apk", "del"}
	if action == "purge" || in.Kwargs.Truth("purge") {
		argv = append(argv, "--purge")
	}
	return altered(a, "Problem encountered removing package(s)", func() ([]string, error) {
		return failures(a.run(false, append(argv, names...)...))
	})
}

func (a apk) upgrades(bool, string) (*value.Map, error) {
	out, err := a.run(true, "apk", "upgrade", "-s")
	if err != nil {
		return nil, err
	}
	if out.code != 0 {
		return nil, salt.CommandError("%s", out.stderr+out.stdout)
	}
	return upgradable(out.stdout, "Upgrading"), nil
}

// raise upgrades all packages, or those that the keywords name and pkgs do. In
// Salt's module for apk the name is the first argument.
func (a apk) raise(in upgradeArgs) (changes *value.Map, out output, err error) {
	argv := []string{"apk", "upgrade"}
	name, pkgs := value.Str(orEmpty(in.Kwargs.At("name"))), in.Kwargs.At("pkgs")
	if first, ok := in.Refresh.(string); ok && !strings.EqualFold(first, "true") && !strings.EqualFold(first, "false") {
		name, in.Refresh = first, true
	}
	if name != "" || value.Truth(pkgs) {
		params, _, err := targets(a.c, a, name, pkgs, nil, "base", false, nil)
		if err != nil {
			return nil, out, err
		}
		argv = append([]string{"apk", "add", "-u"}, keys(params)...)
	}
	if isTrue(in.Refresh) {
		if err := a.update(); err != nil {
			return nil, out, err
		}
	}
	changes, err = across(a, func() error {
		r, err := a.c.Sys.Run(a.c, sys.Cmd{Argv: argv, Env: environ(nil), Merge: true})
		out = output{stdout: rstrip(r.Stdout), code: r.Code, pid: r.PID}
		return err
	})
	return changes, out, err
}

func (a apk) upgrade(in upgradeArgs) (*value.Map, error) {
	changes, out, err := a.raise(in)
	if err == nil && out.code != 0 {
		return nil, &problem{"Problem encountered upgrading packages", value.M("changes", changes, "result", ran(out))}
	}
	return changes, err
}

// report is pkg.upgrade's own answer with apk: the changes, and how it went.
func (a apk) report(in upgradeArgs) (*value.Map, error) {
	changes, out, err := a.raise(in)
	if err != nil {
		return nil, err
	}
	comment := ""
	if out.code != 0 {
		comment = out.stdout
	}
	return value.M("changes", changes, "result", out.code == 0, "comment", comment), nil
}

// downloaded: apk's cache is not looked at, as in Salt.
func (a apk) downloaded(string) (*value.Map, error) { return new(value.Map), nil }
