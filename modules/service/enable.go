package service

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

func (d systemd) enable(name string, o options) (bool, error) {
	if err := d.refresh(name); err != nil {
		return false, err
	}
	if err := d.removeMasks(name, o); err != nil {
		return false, err
	}
	extra, err := d.scripts(o.root)
	if err != nil {
		return false, err
	}
	if slices.Contains(extra, name) {
		return d.toggleScript(name, true)
	}
	if o.root != "" || !booted(d.c) {
		res, err := d.systemctl(false, o.root, "enable", canonical(name))
		if err == nil && res.Code != 0 {
			err = salt.CommandError("%s", strings.TrimSpace(string(res.Stderr)))
		}
		return err == nil, err
	}
	script, native := d.script(name, extra)
	if script != "" {
		if ok, err := d.sysvInstall("enable", script, native); !ok || !native {
			return ok, err
		}
	}
	err = d.units().Enable(d.c, unitName(name))
	if err != nil && !errors.Is(err, sys.ErrReadOnly) {
		err = salt.CommandError("Failed to enable unit: %s", err)
	}
	return err == nil, err
}

func (d systemd) disable(name string, o options) (bool, error) {
	if err := d.refresh(name); err != nil {
		return false, err
	}
	extra, err := d.scripts(o.root)
	if err != nil {
		return false, err
	}
	if slices.Contains(extra, name) {
		return d.toggleScript(name, false)
	}
	if o.root != "" || !booted(d.c) {
		res, err := d.systemctl(false, o.root, "disable", canonical(name))
		return err == nil && res.Code == 0, err
	}
	script, native := d.script(name, extra)
	if script != "" {
		if ok, err := d.sysvInstall("disable", script, native); !ok || !native {
			return ok, err
		}
	}
	err = d.units().Disable(d.c, unitName(name))
	if errors.Is(err, sys.ErrReadOnly) {
		return false, err
	}
	if err != nil {
		d.c.Log.Error("Failed to disable unit: " + err.Error())
	}
	return err == nil, nil
}

const sysvTool = "/lib/systemd/systemd-sysv-install"

// script is the init script that systemctl enables and disables with a unit, or
// in place of it when there is no unit file of that name.
func (d systemd) script(name string, extra []string) (script string, native bool) {
	script, service := strings.CutSuffix(unitName(name), ".service")
	switch {
	case slices.Contains(extra, script):
		return script, false
	case service && sys.Exists(d.c.Sys, "/etc/init.d/"+script) && sys.Exists(d.c.Sys, sysvTool):
		return script, true
	}
	return "", true
}

// sysvInstall is what systemctl does for a unit that has an init script. Systemd
// reads its files anew after it, unless a unit file of that name is next.
func (d systemd) sysvInstall(verb, script string, native bool) (bool, error) {
	res, err := d.c.Sys.Run(d.c, sys.Cmd{Argv: []string{sysvTool, verb, script}})
	if err == nil && res.Code == 0 && !native {
		err = d.units().Reload(d.c)
	}
	return err == nil && res.Code == 0, err
}

// toggleScript enables or disables an init script that has no unit.
func (d systemd) toggleScript(name string, on bool) (bool, error) {
	var argv []string
	for _, tool := range []struct {
		name    string
		on, off []string
	}{
		{"update-rc.d", []string{"-f", name, "defaults", "99"}, []string{"-f", name, "remove"}},
		{"chkconfig", []string{name, "on"}, []string{name, "off"}},
	} {
		if path := d.c.Sys.LookPath(tool.name); path != "" && argv == nil {
			argv = append([]string{path}, tool.off...)
			if on {
				argv = append([]string{path}, tool.on...)
			}
		}
	}
	if argv == nil {
		return false, salt.CommandError("Unable to find sysv service manager (tried update-rc.d, chkconfig)")
	}
	res, err := d.c.Sys.Run(d.c, sys.Cmd{Argv: argv})
	return err == nil && res.Code == 0, err
}

// maskLink is the link that masks a unit.
func maskLink(name string, runtime bool, root string) string {
	dir := "/etc"
	if runtime {
		dir = "/run"
	}
	return filepath.Join("/", root, dir, "systemd/system", canonical(name))
}

func (d systemd) masked(name string, runtime bool, root string) (bool, error) {
	if err := d.refresh(name); err != nil {
		return false, err
	}
	to, err := d.c.Sys.Readlink(maskLink(name, runtime, root))
	return err == nil && to == "/dev/null", nil
}

func (d systemd) mask(name string, runtime bool, root string) (bool, error) {
	if err := d.refresh(name); err != nil {
		return false, err
	}
	if root != "" || !booted(d.c) {
		return d.maskFile("mask", name, runtime, root)
	}
	err := d.units().Mask(d.c, unitName(name), runtime)
	if err != nil && !errors.Is(err, sys.ErrReadOnly) {
		err = salt.CommandError("Failed to mask service '%s'. Additional info follows:\n\nFailed to mask unit: %s", name, err)
	}
	return err == nil, err
}

func (d systemd) unmask(name string, runtime bool, root string) (bool, error) {
	if is, err := d.masked(name, runtime, root); err != nil || !is {
		return err == nil, err
	}
	if root != "" || !booted(d.c) {
		return d.maskFile("unmask", name, runtime, root)
	}
	err := d.units().Unmask(d.c, unitName(name), runtime)
	if err != nil && !errors.Is(err, sys.ErrReadOnly) {
		err = salt.CommandError("Failed to unmask service '%s'", name)
	}
	return err == nil, err
}

func (d systemd) maskFile(verb, name string, runtime bool, root string) (bool, error) {
	args := []string{verb}
	if runtime {
		args = append(args, "--runtime")
	}
	res, err := d.systemctl(false, root, append(args, canonical(name))...)
	if err == nil && res.Code != 0 {
		err = salt.CommandError("Failed to %s service '%s'", verb, name)
	}
	return err == nil, err
}

func (d systemd) removeMasks(name string, o options) error {
	for _, m := range []struct{ wanted, runtime bool }{{o.unmask, false}, {o.unmaskRuntime, true}} {
		if m.wanted {
			if _, err := d.unmask(name, m.runtime, o.root); err != nil {
				return err
			}
		}
	}
	return nil
}
