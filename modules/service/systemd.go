package service

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

// systemd is the manager that talks to systemd.
type systemd struct{ c *salt.Ctx }

type unitsKey struct{}

// units is the connection of the run. Under test=True it answers questions only.
func (d systemd) units() sys.Units {
	u, _ := salt.Once(d.c.Run, unitsKey{}, func() (sys.Units, error) {
		u := d.c.With(false).Sys.Units()
		d.c.Run.AtEnd(u.Close)
		return u, nil
	})
	if _, ok := d.c.Sys.(sys.ReadOnly); ok {
		return sys.ReadOnlyUnits{Units: u}
	}
	return u
}

const localUnits = "/etc/systemd/system"

var unitDirs = []string{"/lib/systemd/system", "/usr/lib/systemd/system", localUnits}

// look reads two states of a unit, and makes systemd read its files anew when
// they changed on the disk. Under test=True that is left undone: systemd loads
// a unit it does not know yet by itself.
func (d systemd) look(name string) (load, active string, err error) {
	unit, u := unitName(name), d.units()
	read := func() error {
		l, err := u.Property(d.c, unit, "Unit", "LoadState")
		if err != nil {
			return err
		}
		a, err := u.Property(d.c, unit, "Unit", "ActiveState")
		if err != nil {
			return err
		}
		load, _ = l.(string)
		active, _ = a.(string)
		return nil
	}
	if err := read(); err != nil {
		return "", "", err
	}
	stale, err := u.Property(d.c, unit, "Unit", "NeedDaemonReload")
	if err != nil {
		return "", "", err
	}
	untracked := load == "not-found" && sys.Exists(d.c.Sys, filepath.Join(localUnits, canonical(name)))
	if stale != true && !untracked {
		return load, active, nil
	}
	if err := u.Reload(d.c); err != nil {
		if errors.Is(err, sys.ErrReadOnly) {
			return load, active, nil
		}
		return "", "", reloadError(err)
	}
	return load, active, read()
}

// refresh is look for those who only need the files to be read.
func (d systemd) refresh(name string) error {
	if !booted(d.c) {
		return nil
	}
	if _, _, err := d.look(name); err != nil && !refused(err) {
		return err
	}
	return nil
}

// refused says that systemd itself answered with an error.
func refused(err error) bool {
	var e *sys.UnitError
	return errors.As(err, &e)
}

func reloadError(err error) error {
	return salt.CommandError("Problem performing systemctl daemon-reload: Failed to reload daemon: %s", err)
}

// available is systemctl status: only a unit without a file that is not running
// is unknown. A name that systemd rejects counts as available, as in Salt; the
// start then says what is wrong with it.
func (d systemd) available(name string) (bool, error) {
	if !booted(d.c) {
		return false, salt.CommandError("Cannot run in offline mode. Failed to get information on unit '%s'", name)
	}
	load, active, err := d.look(name)
	if refused(err) {
		return true, nil
	}
	return err == nil && !(load == "not-found" && active == "inactive"), err
}

func (d systemd) active(name string) (bool, error) {
	if !booted(d.c) {
		return false, nil
	}
	_, active, err := d.look(name)
	if refused(err) {
		return false, nil
	}
	return active == "active" || active == "reloading", err
}

// enabledStates are those that systemctl is-enabled takes for enabled.
var enabledStates = []string{"enabled", "enabled-runtime", "static", "indirect", "generated"}

func (d systemd) disabled(name string, o options) (bool, error) {
	on, err := d.enabled(name, o)
	return err == nil && !on, err
}

func (d systemd) enabled(name string, o options) (bool, error) {
	root := o.root
	state, err := d.fileState(unitName(name), root)
	if err != nil {
		return false, err
	}
	if state == "alias" {
		id, err := d.units().Property(d.c, unitName(name), "Unit", "Id")
		if err != nil {
			return false, nil
		}
		state, err = d.fileState(id.(string), root)
		return slices.Contains(append(enabledStates, "alias"), state), err
	}
	script := strings.TrimSuffix(name, ".service")
	if state == "generated" && isScript(d.c, root, script) {
		return scriptStarts(d.c, root, "[S5]", script) || d.scriptEnabled(root, script), nil
	}
	switch {
	case slices.Contains(enabledStates, state):
		return true, nil
	case strings.Contains(name, "@"):
		return linked(d.c, localUnits, name), nil
	}
	extra, err := d.scripts(root)
	return slices.Contains(extra, name) && d.scriptEnabled(root, name), err
}

// fileState is the state of a unit file, "" when there is none.
func (d systemd) fileState(unit, root string) (string, error) {
	if root != "" || !booted(d.c) {
		res, err := d.systemctl(true, root, "is-enabled", unit)
		return strings.TrimSpace(string(res.Stdout)), err
	}
	state, err := d.units().UnitFileState(d.c, unit)
	if refused(err) {
		return "", nil
	}
	return state, err
}

// linked says whether there is a link of that name below dir.
func linked(c *salt.Ctx, dir, name string) bool {
	entries, _ := c.Sys.ReadDir(dir)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 && e.Name() == name || e.IsDir() && linked(c, filepath.Join(dir, e.Name()), name) {
			return true
		}
	}
	return false
}

// systemctl runs the command for what the bus cannot do: other roots, and
// machines on which systemd does not run.
func (d systemd) systemctl(query bool, root string, args ...string) (sys.CmdResult, error) {
	argv := []string{"systemctl"}
	if root != "" {
		argv = append(argv, "--root", root)
	}
	return d.c.Sys.Run(d.c, sys.Cmd{Argv: append(argv, args...), Query: query})
}
