// Package kernelpkg holds Salt's kernelpkg module: the kernels of a system
// with apt. Its main variable is Module.
//
//	salt-call kernelpkg.cleanup
package kernelpkg

import (
	"errors"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
	"pinch/value/pyre"
)

// Module is Salt's kernelpkg module.
var Module = salt.Module{
	Name: "kernelpkg",
	Virtual: func(c *salt.Ctx, _ string) error {
		switch c.Grains.Str("os_family") {
		case "Debian", "Kali", "Cumulus":
			return nil
		}
		return errors.New("Module kernelpkg_linux_apt: no APT based system detected")
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"active":            salt.Exec(active),
			"cleanup":           salt.Exec(cleanup),
			"latest_available":  salt.Exec(latestAvailable),
			"latest_installed":  salt.Exec(latestInstalled),
			"list_installed":    salt.Exec(listInstalled),
			"needs_reboot":      salt.Exec(needsReboot),
			"remove":            salt.Exec(remove),
			"upgrade":           salt.Exec(upgrade),
			"upgrade_available": salt.Exec(upgradeAvailable),
		}
	},
}

const prefix = "linux-image-"

// active returns the release of the running kernel.
func active(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	v, err := c.Call("pkg.normalize_name", c.Grains.Str("kernelrelease"))
	return value.Str(v), err
}

// flavour is what ends the release of the running kernel: amd64, generic …
func flavour(c *salt.Ctx) (string, error) {
	release, err := active(c, salt.NoArgs{})
	if err != nil {
		return "", err
	}
	i := strings.LastIndexByte(release, '-')
	if i <= 0 || i == len(release)-1 {
		return "", salt.CommandError("kernel release %s has no type", release)
	}
	return release[i+1:], nil
}

// listInstalled returns the installed kernels of the running one's type, the
// newest last.
func listInstalled(c *salt.Ctx, _ salt.NoArgs) ([]string, error) {
	kind, err := flavour(c)
	if err != nil {
		return nil, err
	}
	v, err := c.CallKw("pkg.list_pkgs", value.M("versions_as_list", true))
	if err != nil {
		return nil, err
	}
	out := []string{}
	m, _ := v.(*value.Map)
	for name := range m.Items() {
		release, ok := strings.CutPrefix(name, prefix)
		number, typed := strings.CutSuffix(release, "-"+kind)
		if ok && typed && number != "" && strings.Trim(number, "0123456789.-") == "" {
			out = append(out, release)
		}
	}
	slices.SortFunc(out, py.LooseCompare)
	return out, nil
}

// latestInstalled returns the newest installed kernel, None without any. It
// runs after the next start.
func latestInstalled(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	all, err := listInstalled(c, salt.NoArgs{})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[len(all)-1], nil
}

// latestAvailable returns the newest kernel that the repositories have.
func latestAvailable(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	kind, err := flavour(c)
	if err != nil {
		return nil, err
	}
	v, err := c.Call("pkg.latest_version", prefix+kind)
	switch {
	case err != nil:
		return nil, err
	case v == "":
		return latestInstalled(c, salt.NoArgs{})
	}
	// Ubuntu's versions tell the release: 5.4.0.100.104 is of 5.4.0-100.
	re, err := pyre.Compile(`(\d+\.\d+\.\d+)\.(\d+)`, 0)
	if err != nil {
		return nil, err
	}
	if m := re.Match(value.Str(v)); m != nil {
		base, _ := m.Group(1)
		abi, _ := m.Group(2)
		return base + "-" + abi + "-" + kind, nil
	}
	return depended(c, prefix+kind, value.Str(v))
}

// depended is the kernel that Debian's package of a type depends on.
func depended(c *salt.Ctx, name, version string) (any, error) {
	v, err := c.CallKw("pkg.show", value.M("filter", "depends"), name)
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	deps := m.Map(name).Map(version).Str("Depends")
	for dep := range strings.SplitSeq(deps, ",") {
		if f := strings.Fields(dep); len(f) > 0 && strings.HasPrefix(f[0], prefix) {
			return strings.TrimPrefix(f[0], prefix), nil
		}
	}
	return nil, salt.CommandError("%s %s does not say which kernel it is of", name, version)
}

// needsReboot reports whether a newer kernel is installed than the one that
// runs.
func needsReboot(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	now, err := active(c, salt.NoArgs{})
	if err != nil {
		return false, err
	}
	latest, err := latestInstalled(c, salt.NoArgs{})
	return latest != nil && py.LooseCompare(now, value.Str(latest)) < 0, err
}

// upgradeAvailable reports whether the repositories have a newer kernel than
// those installed.
func upgradeAvailable(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	have, err := latestInstalled(c, salt.NoArgs{})
	if err != nil {
		return false, err
	}
	latest, err := latestAvailable(c, salt.NoArgs{})
	return latest != nil && (have == nil || py.LooseCompare(value.Str(latest), value.Str(have)) > 0), err
}

type upgradeArgs struct {
	Reboot bool `py:"reboot=False"` // restart the machine if the new kernel asks for it
	AtTime any  `py:"at_time=None"` // when, as for system.reboot
}

// upgrade installs the newest kernel.
func upgrade(c *salt.Ctx, a upgradeArgs) (*value.Map, error) {
	latest, err := latestAvailable(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	if latest == nil {
		return nil, salt.CommandError("no kernel is available")
	}
	done, err := c.CallKw("pkg.install", value.M("name", prefix+value.Str(latest)))
	if err != nil {
		return nil, err
	}
	required, err := needsReboot(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	now, err := active(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	have, err := latestInstalled(c, salt.NoArgs{})
	if err == nil && a.Reboot && required {
		c.Log.Warn("Rebooting system due to kernel upgrade")
		_, err = c.CallKw("system.reboot", value.M("at_time", a.AtTime))
	}
	return value.M("upgrades", done, "active", now, "latest_installed", have, "reboot_requested", a.Reboot, "reboot_required", required), err
}

type removeArgs struct {
	Release string `py:"release"` // the release, as kernelpkg.list_installed has it
}

// remove removes a kernel, but not the one that runs.
func remove(c *salt.Ctx, a removeArgs) (*value.Map, error) {
	all, err := listInstalled(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	now, err := active(c, salt.NoArgs{})
	switch {
	case err != nil:
		return nil, err
	case !slices.Contains(all, a.Release):
		return nil, salt.CommandError("Kernel release '%s' is not installed", a.Release)
	case a.Release == now:
		return nil, salt.CommandError("Active kernel cannot be removed")
	}
	if _, err := c.Call("pkg.purge", prefix+a.Release); err != nil {
		return nil, err
	}
	return value.M("removed", value.L(prefix+a.Release)), nil
}

type cleanupArgs struct {
	KeepLatest bool `py:"keep_latest=True"` // keep the newest kernel, too
}

// cleanup removes all kernels but the one that runs and the newest.
func cleanup(c *salt.Ctx, a cleanupArgs) (*value.Map, error) {
	all, err := listInstalled(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	now, err := active(c, salt.NoArgs{})
	if err != nil {
		return nil, err
	}
	removed := value.L()
	for i, release := range all {
		if release == now || a.KeepLatest && i == len(all)-1 {
			continue
		}
		m, err := remove(c, removeArgs{release})
		if err != nil {
			return nil, err
		}
		removed.Append(m.List("removed").Items...)
	}
	return value.M("removed", removed), nil
}
