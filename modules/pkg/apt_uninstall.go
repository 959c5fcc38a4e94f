package pkg

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"pinch/value"
)

// uninstall removes packages; purge takes their configuration too, also of
// those that were removed before.
func (a apt) uninstall(action string, in uninstallArgs) (*value.Map, error) {
	params, _, err := targets(a.c, a, value.Str(orEmpty(in.Name)), in.Pkgs, nil, "base", true, nil)
	if err != nil || params.Len() == 0 {
		return new(value.Map), err
	}
	before, err := a.list()
	if err != nil {
		return nil, err
	}
	names := matched(before.current(), params)
	if action == "purge" {
		names = append(names, matched(before.removed, params)...)
	}
	if len(names) == 0 {
		return new(value.Map), nil
	}
	out, err := a.run(command{argv: append([]string{"apt-get", "-q", "-y", action}, names...), env: in.Kwargs.At("env")})
	if err != nil {
		return nil, err
	}
	a.forget()
	after, err := a.list()
	if err != nil {
		return nil, err
	}
	ret := difference(joined(before.current()), joined(after.current()))
	if action == "purge" {
		ret = value.M("removed", difference(joined(before.removed), joined(after.removed)), "installed", ret)
	}
	if out.code != 0 && out.stderr != "" {
		return nil, &problem{"Problem encountered removing package(s)", value.M("errors", value.L(out.stderr), "changes", ret)}
	}
	return ret, nil
}

// matched are the packages that are wanted by name or by a glob.
func matched(have, wanted *value.Map) []string {
	var plain, globbed []string
	for want := range wanted.Items() {
		if !strings.Contains(want, "*") {
			if have.Has(want) {
				plain = append(plain, want)
			}
			continue
		}
		for name := range have.Items() {
			if value.Fnmatch(name, want) {
				globbed = append(globbed, name)
			}
		}
	}
	for _, n := range globbed {
		if !slices.Contains(plain, n) {
			plain = append(plain, n)
		}
	}
	return plain
}

func (a apt) autoremove(listOnly, purge bool) (any, error) {
	argv := []string{"apt-get", "--assume-yes"}
	if listOnly {
		argv[1] = "--assume-no"
	}
	if purge {
		argv = append(argv, "--purge")
	}
	before, err := a.list()
	if err != nil {
		return nil, err
	}
	out, err := a.run(command{argv: append(argv, "autoremove"), query: listOnly})
	if err != nil {
		return nil, err
	}
	if listOnly {
		return value.Strings(parseRemoved(out.stdout)), nil
	}
	a.forget()
	after, err := a.list()
	if err != nil {
		return nil, err
	}
	return difference(joined(before.current()), joined(after.current())), nil
}

// parseRemoved reads which packages apt-get says it would remove.
func parseRemoved(text string) []string {
	names := []string{}
	found := false
	for line := range strings.Lines(text) {
		switch {
		case found && strings.HasPrefix(line, " "):
			names = append(names, strings.Fields(line)...)
		case found:
			found = false
		case strings.Contains(line, "The following packages will be REMOVED:"):
			found = true
		}
	}
	slices.Sort(names)
	return names
}

var confLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^Conf ([^ ]+) \(([^ ]+)`) })

func (a apt) upgrades(distUpgrade bool, fromrepo string) (*value.Map, error) {
	argv := []string{"apt-get", "--just-print", "upgrade"}
	if distUpgrade {
		argv[2] = "dist-upgrade"
	}
	if fromrepo != "" {
		argv = append(argv, "-o", "APT::Default-Release="+fromrepo)
	}
	out, err := a.run(command{argv: argv, query: true})
	if err != nil {
		return nil, err
	}
	if out.code != 0 {
		msg := "Failed to get upgrades"
		for _, s := range []string{out.stderr, out.stdout} {
			if s != "" {
				msg += ": " + s
				break
			}
		}
		return nil, &value.Exception{Class: "CommandExecutionError", Msg: msg}
	}
	return parseUpgrades(out.stdout), nil
}

// parseUpgrades reads what apt-get --just-print would configure.
func parseUpgrades(text string) *value.Map {
	ret := new(value.Map)
	for _, m := range confLine().FindAllStringSubmatch(text, -1) {
		ret.Set(m[1], m[2])
	}
	return ret
}

func (a apt) upgrade(in upgradeArgs) (*value.Map, error) {
	kw := in.Kwargs
	if isTrue(in.Refresh) {
		if _, err := a.refresh(refreshOptions{cacheValid: kw.At("cache_valid_time")}); err != nil {
			return nil, err
		}
	}
	before, err := a.list()
	if err != nil {
		return nil, err
	}
	argv := append([]string{"apt-get", "-q", "-y"}, dpkgOptions(kw)...)
	for _, o := range []struct {
		on     bool
		option string
	}{
		{kw.Truth("force_yes"), "--force-yes"},
		{kw.Truth("skip_verify"), "--allow-unauthenticated"},
		{kw.Truth("download_only") || kw.Truth("downloadonly"), "--download-only"},
		{kw.Truth("allow_downgrades"), "--allow-downgrades"},
		{in.DistUpgrade, "dist-upgrade"},
		{!in.DistUpgrade, "upgrade"},
	} {
		if o.on {
			argv = append(argv, o.option)
		}
	}
	out, err := a.run(command{argv: argv})
	if err != nil {
		return nil, err
	}
	a.forget()
	after, err := a.list()
	if err != nil {
		return nil, err
	}
	ret := difference(joined(before.current()), joined(after.current()))
	if out.code != 0 {
		result := value.M("pid", int64(0), "retcode", int64(out.code), "stdout", out.stdout, "stderr", out.stderr)
		return nil, &problem{"Problem encountered upgrading packages", value.M("changes", ret, "result", result)}
	}
	return ret, nil
}
