package service

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// unitFiles are the names of the unit files on the disk.
func (d systemd) unitFiles(root string) map[string]bool {
	names := map[string]bool{}
	for _, dir := range unitDirs {
		dir = filepath.Join("/", root, dir)
		// A directory that is a link leads to another of the list.
		if _, err := d.c.Sys.Readlink(dir); err == nil {
			continue
		}
		entries, _ := d.c.Sys.ReadDir(dir)
		for _, e := range entries {
			if name, ok := serviceName(e.Name()); ok {
				names[name] = true
			}
		}
	}
	return names
}

func (d systemd) all(root string) ([]string, error) {
	names := d.unitFiles(root)
	for _, s := range scriptNames(d.c, root) {
		names[s] = true
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// scripts are the init scripts without a unit file.
func (d systemd) scripts(root string) ([]string, error) {
	all := scriptNames(d.c, root)
	if len(all) == 0 {
		return nil, nil
	}
	units := d.unitFiles(root)
	return slices.DeleteFunc(all, func(s string) bool { return units[s] }), nil
}

// inState lists the services whose unit file is in a state.
func (d systemd) inState(state, root string) (map[string]bool, error) {
	names := map[string]bool{}
	add := func(full, is string) {
		if name, ok := serviceName(full); ok && is == state {
			names[name] = true
		}
	}
	if root != "" || !booted(d.c) {
		res, err := d.systemctl(true, root, "--full", "--no-legend", "--no-pager", "list-unit-files")
		for line := range strings.Lines(string(res.Stdout)) {
			if f := strings.Fields(line); len(f) > 1 {
				add(f[0], f[1])
			}
		}
		return names, err
	}
	files, err := d.units().ListUnitFiles(d.c)
	for _, f := range files {
		add(filepath.Base(f.Path), f.State)
	}
	return names, err
}

func (d systemd) listEnabled(root string) ([]string, error) {
	return d.withScripts("enabled", root, true)
}

func (d systemd) listDisabled(root string) ([]string, error) {
	return d.withScripts("disabled", root, false)
}

func (d systemd) withScripts(state, root string, on bool) ([]string, error) {
	names, err := d.inState(state, root)
	if err != nil {
		return nil, err
	}
	extra, err := d.scripts(root)
	for _, s := range extra {
		if d.scriptEnabled(root, s) == on {
			names[s] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), err
}

// running lists what is loaded and running now.
func (d systemd) running() ([]string, error) {
	units, err := d.units().ListUnits(d.c)
	names := map[string]bool{}
	for _, u := range units {
		if name, ok := serviceName(u.Name); ok && u.Sub == "running" {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), err
}
