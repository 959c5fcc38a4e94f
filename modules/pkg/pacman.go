package pkg

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// pacman is the manager of Arch Linux.
type pacman struct{ tool }

func (p pacman) normalize(name string) string { return name }

func (p pacman) list() (*listing, error) {
	return p.listed(func() (*value.Map, error) {
		out, err := p.run(true, "pacman", "-Q")
		m := new(value.Map)
		for line := range strings.Lines(out.stdout) {
			if f := strings.Fields(line); len(f) > 1 {
				addVersion(m, f[0], f[1])
			}
		}
		return m, err
	})
}

// pairs reads lines of a name and a version.
func pairs(text string) *value.Map {
	m := new(value.Map)
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 2 && !(strings.EqualFold(f[0], "downloading") && strings.Contains(strings.ToLower(f[1]), ".db")) {
			m.Set(f[0], f[1])
		}
	}
	return m
}

func (p pacman) latest(names []string, o latestOptions) (*value.Map, error) {
	if o.refresh {
		if _, err := p.refresh(refreshOptions{}); err != nil {
			return nil, err
		}
	}
	out, err := p.run(true, append([]string{"pacman", "-Sp", "--needed", "--print-format", "%n %v"}, names...)...)
	if err != nil {
		return nil, err
	}
	found, ret := pairs(out.stdout), new(value.Map)
	for _, name := range names {
		ret.Set(name, found.Str(name))
	}
	return ret, nil
}

func (p pacman) available(names []string) (*value.Map, error) {
	out, err := p.run(true, "pacman", "-Sl")
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		f := strings.Fields(line)
		if len(f) < 3 || len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return value.Fnmatch(f[1], n) }) {
			continue
		}
		have := append(versions(ret, f[1]), f[2])
		p.newestFirst(have)
		ret.Set(f[1], value.Strings(have))
	}
	return ret, nil
}

// refresh has pacman read the repositories: True for one that was fetched,
// False for one that is current.
func (p pacman) refresh(refreshOptions) (*value.Map, error) {
	clearRtag(p.c)
	out, err := p.run(true, "pacman", "-Sy")
	if err != nil {
		return nil, err
	}
	if out.code != 0 {
		return nil, salt.CommandError("Error refreshing package database: %s", out.stderr)
	}
	ret := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "::":
		case strings.Contains(line, "is up to date"):
			ret.Set(f[0], false)
		case strings.Contains(line, "downloading") && len(f) > 1:
			name, _, _ := strings.Cut(f[1], ".")
			ret.Set(name, true)
		}
	}
	return ret, nil
}

func (p pacman) install(in installArgs) (*value.Map, error) {
	kw := in.Kwargs
	params, kind, err := targets(p.c, p, value.Str(orEmpty(in.Name)), in.Pkgs, in.Sources, saltenv(kw), in.Normalize, kw.At("version"))
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	const title = "Problem encountered installing package(s)"
	argv := []string{"pacman", "-U", "--noprogressbar", "--noconfirm"}
	words := keys(params)
	if kind == fromRepository {
		argv = []string{"pacman", "-S"}
		var errs []string
		fetched := false
		if words, fetched, errs, err = p.words(params, isTrue(in.Refresh)); err != nil {
			return nil, err
		}
		if len(errs) > 0 {
			return nil, &problem{title, value.M("errors", value.Strings(errs), "changes", new(value.Map))}
		}
		if isTrue(in.Refresh) && !fetched {
			argv = append(argv, "-y")
		}
		if kw.At("sysupgrade") == true {
			argv = append(argv, "-u")
		}
		argv = append(argv, "--noprogressbar", "--noconfirm", "--needed")
		if in.Downloadonly {
			argv = append(argv, "--downloadonly")
		}
	}
	if root := kw.Str("root"); root != "" {
		words = append(words, "-r", root)
	}
	return altered(p, title, func() ([]string, error) {
		out, err := p.run(false, append(argv, words...)...)
		if err == nil && out.code != 0 && out.stderr != "" {
			return []string{out.stderr}, nil
		}
		return nil, err
	})
}

// words are packages as pacman takes them: NAME=VERSION, NAME>=VERSION. fetched
// says that the repositories were read for them.
func (p pacman) words(params *value.Map, refresh bool) (words []string, fetched bool, errs []string, err error) {
	for name, v := range params.Items() {
		if v == nil {
			words = append(words, name)
			continue
		}
		oper, version := splitComparison(value.Str(v))
		if oper == "" {
			oper = "="
		}
		if !strings.Contains(version, "*") {
			words = append(words, name+oper+version)
			continue
		}
		if oper != "=" {
			errs = append(errs, "Invalid wildcard for "+name+oper+version)
			continue
		}
		if refresh && !fetched {
			if _, err = p.refresh(refreshOptions{}); err != nil {
				return nil, false, nil, err
			}
			fetched = true
		}
		known, err := p.available([]string{name})
		if err != nil {
			return nil, false, nil, err
		}
		chosen, problem := choose(p, name, version, versions(known, name), false)
		if problem != "" {
			errs = append(errs, problem)
			continue
		}
		words = append(words, name+"="+chosen)
	}
	return words, fetched, errs, nil
}

// uninstall removes packages; purge takes what needs them, and what they alone
// needed, too.
func (p pacman) uninstall(action string, in uninstallArgs) (*value.Map, error) {
	params, _, err := targets(p.c, p, value.Str(orEmpty(in.Name)), in.Pkgs, nil, "base", true, nil)
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	l, err := p.list()
	if err != nil {
		return nil, err
	}
	names := filter(keys(params), func(n string) bool { return l.current().Has(n) })
	if len(names) == 0 {
		return new(value.Map), nil
	}
	option := "-R"
	if action == "purge" {
		option = "-Rsc"
	}
	return altered(p, "Problem encountered removing package(s)", func() ([]string, error) {
		out, err := p.run(false, append([]string{"pacman", option, "--noprogressbar", "--noconfirm"}, names...)...)
		if err == nil && out.code != 0 && out.stderr != "" {
			return []string{out.stderr}, nil
		}
		return nil, err
	})
}

func (p pacman) upgrades(bool, string) (*value.Map, error) {
	out, err := p.run(true, "pacman", "-S", "-p", "-u", "--print-format", "%n %v")
	if err != nil {
		return nil, err
	}
	if out.code != 0 {
		return nil, salt.CommandError("Error listing upgrades: %s", out.stderr+out.stdout)
	}
	return pairs(out.stdout), nil
}

func (p pacman) upgrade(in upgradeArgs) (*value.Map, error) {
	argv := []string{"pacman", "-Su", "--noprogressbar", "--noconfirm"}
	if isTrue(in.Refresh) {
		argv = append(argv, "-y")
	}
	if root := in.Kwargs.Str("root"); root != "" {
		argv = append(argv, "-r", root)
	}
	return upgraded(p, func() (output, error) { return p.run(false, argv...) })
}

// downloaded: pacman's cache is not looked at, as in Salt.
func (p pacman) downloaded(string) (*value.Map, error) { return new(value.Map), nil }

// groupPackages reads lines of a group and a package.
func (p pacman) groupPackages(words ...string) (*value.Map, error) {
	out, err := p.run(true, append([]string{"pacman"}, words...)...)
	if err != nil {
		return nil, err
	}
	m := new(value.Map)
	for line := range strings.Lines(out.stdout) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		if !m.Has(f[0]) {
			m.Set(f[0], value.L())
		}
		m.List(f[0]).Append(f[1])
	}
	return m, nil
}

func (p pacman) groups() (*value.Map, error) {
	all, err := p.groupPackages("-Sgg")
	if err != nil {
		return nil, err
	}
	have, err := p.groupPackages("-Qg")
	if err != nil {
		return nil, err
	}
	var whole, part []string
	for name := range have.Items() {
		if !all.Has(name) {
			p.c.Log.Error("Pacman reports group " + name + " installed, but it is not in the available list!")
			continue
		}
		if have.List(name).Len() == all.List(name).Len() {
			whole = append(whole, name)
		} else {
			part = append(part, name)
		}
		all.Pop(name)
	}
	slices.Sort(whole)
	slices.Sort(part)
	rest := keys(all)
	slices.Sort(rest)
	return value.M("installed", value.Strings(whole), "partially_installed", value.Strings(part), "available", value.Strings(rest)), nil
}

func (p pacman) group(name string, _ bool, _ *[]string, _ *value.Map) (*value.Map, error) {
	all, err := p.groupPackages("-Sgg", name)
	if err != nil {
		return nil, err
	}
	members := versions(all, name)
	slices.Sort(members)
	return value.M("mandatory", value.L(), "optional", value.L(), "default", value.Strings(slices.Compact(members)), "conditional", value.L()), nil
}
