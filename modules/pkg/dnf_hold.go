package pkg

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// plugin is the package that can hold others.
func (d dnf) plugin() (string, error) {
	switch d.program() {
	case "dnf", "dnf5":
		major, _ := strconv.Atoi(strings.Split(value.Str(d.c.Grains.At("osrelease")), ".")[0])
		if strings.EqualFold(d.c.Grains.Str("os"), "fedora") && major < 26 {
			return "python3-dnf-plugins-extras-versionlock", nil
		}
		if major >= 8 {
			return "python3-dnf-plugin-versionlock", nil
		}
		return "python2-dnf-plugin-versionlock", nil
	case "tdnf":
		return "", salt.InvocationError("Cannot proceed, no versionlock for tdnf")
	}
	return "yum-plugin-versionlock", nil
}

// locks are the packages that are held, and the entries that hold them.
func (d dnf) locks() (names, entries []string, err error) {
	plugin, err := d.plugin()
	if err != nil {
		return nil, nil, err
	}
	l, err := d.list()
	if err != nil {
		return nil, nil, err
	}
	if !l.current().Has(plugin) {
		return nil, nil, salt.InvocationError("Cannot proceed, %s is not installed.", plugin)
	}
	out, err := d.run(true, d.program(), "versionlock", "list")
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(strings.TrimSpace(out.stdout + "\n" + out.stderr)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "Package name: "); ok { // dnf5
			names, entries = append(names, name), append(entries, name)
			continue
		}
		if name, ok := lockedName(line); ok {
			names, entries = append(names, name), append(entries, line)
		}
	}
	return names, entries, nil
}

// lockedName is the package in an entry: nginx-1:1.20-1.el9.*, or
// 1:nginx-1.20-1.el9.* of yum.
func lockedName(entry string) (string, bool) {
	if strings.ContainsAny(entry, " \t") {
		return "", false
	}
	if epoch, rest, ok := strings.Cut(entry, ":"); ok && strings.Trim(epoch, "0123456789") == "" {
		entry = rest
	}
	if i := strings.LastIndexByte(entry, '.'); i > 0 {
		entry = entry[:i]
	}
	for range 2 {
		i := strings.LastIndexByte(entry, '-')
		if i <= 0 {
			return "", false
		}
		entry = entry[:i]
	}
	return entry, true
}

// selections are the held packages, under hold.
func (d dnf) selections(string) (*value.Map, error) {
	names, _, err := d.locks()
	if err != nil {
		return nil, err
	}
	return value.M("hold", value.Strings(names)), nil
}

func (d dnf) hold(in holdArgs, on bool) (*value.Map, error) {
	names, entries, err := d.locks()
	if err != nil {
		return nil, err
	}
	switch {
	case !value.Truth(in.Name) && !value.Truth(in.Pkgs) && !value.Truth(in.Sources):
		return nil, salt.InvocationError("One of name, pkgs, or sources must be specified.")
	case value.Truth(in.Pkgs) && value.Truth(in.Sources):
		return nil, salt.InvocationError("Only one of pkgs or sources can be specified.")
	}
	wanted := []string{value.Str(orEmpty(in.Name))}
	if value.Truth(in.Pkgs) {
		wanted = firstKeys(in.Pkgs)
	} else if value.Truth(in.Sources) {
		wanted = firstKeys(in.Sources)
	}
	ret := new(value.Map)
	for _, name := range wanted {
		var held []string
		for i, n := range names {
			if n == name {
				held = append(held, map[bool]string{true: entries[i], false: n}[d.program() == "yum"])
			}
		}
		one, err := d.holdOne(name, held, on)
		if err != nil {
			return nil, err
		}
		ret.Set(name, one)
	}
	return ret, nil
}

func (d dnf) holdOne(name string, held []string, on bool) (*value.Map, error) {
	ret := value.M("name", name, "changes", new(value.Map), "result", false, "comment", "")
	argv := []string{d.program(), "versionlock", "add", name}
	will, did, bad, already, change := "to be held.", "is now being held.", "was unable to be held.", "is already set to be held.", value.M("new", "hold", "old", "")
	if !on {
		argv = append([]string{d.program(), "versionlock", "delete"}, slices.Compact(held)...)
		will, did, bad, already, change = "to be unheld.", "is no longer held.", "was unable to be unheld.", "is not being held.", value.M("new", "", "old", "hold")
	}
	tell := func(result any, text string) {
		ret.Set("result", result)
		ret.Set("comment", "Package "+name+" "+text)
	}
	switch {
	case (len(held) > 0) == on:
		tell(true, already)
	case d.c.Test:
		tell(nil, "is set "+will)
	default:
		out, err := d.run(false, argv...)
		if err != nil {
			return nil, err
		}
		if out.code != 0 {
			tell(false, bad)
			break
		}
		tell(true, did)
		ret.Set("changes", change)
	}
	return ret, nil
}

// free lifts the holds of packages that are to be changed, if that is wanted,
// and says which packages must stay. back holds them again.
func (d dnf) free(ws []wanted, update bool) (kept []string, back func() error, err error) {
	names, _, err := d.locks()
	back = func() error { return nil }
	if err != nil {
		return nil, back, nil // without the plugin there are no holds
	}
	lift := value.L()
	for _, w := range ws {
		switch {
		case !slices.Contains(names, w.name):
		case update:
			lift.Append(w.name)
		default:
			kept = append(kept, w.name)
		}
	}
	if lift.Len() == 0 {
		return kept, back, nil
	}
	if _, err := d.hold(holdArgs{Pkgs: lift}, false); err != nil {
		return nil, back, err
	}
	return kept, func() error {
		_, err := d.hold(holdArgs{Pkgs: lift}, true)
		return err
	}, nil
}

// holds are the entries of the plugin, or only the names that they hold.
func (d dnf) holds(pattern string, full bool, _ *value.Map) ([]string, error) {
	names, entries, err := d.locks()
	if err != nil {
		return nil, err
	}
	if !full {
		return matchingNames(names, pattern)
	}
	return matchingHolds(entries, pattern)
}
