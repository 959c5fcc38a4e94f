package test

import (
	"slices"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// moduleReport lists the functions and modules that can be called. The other
// lists are there for programs that read Salt's own report.
func moduleReport(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) {
	r := c.Registry()
	return value.M(
		"functions", value.Strings(r.Names(c, "exec")),
		"function_attrs", value.L(),
		"function_subs", value.L(),
		"modules", value.L(),
		"module_attrs", value.L(),
		"missing_attrs", value.Strings(r.Names(c, "exec")),
		"missing_subs", value.Strings(r.Names(c, "exec")),
	), nil
}

type providerArgs struct {
	Module string `py:"module"` // the name of the module, such as pkg
}

// provider returns the name of Salt's file that provides a module here
// (aptpkg for pkg on Debian), or nothing when there is no such module.
func provider(c *salt.Ctx, a providerArgs) (string, error) {
	for _, m := range c.Registry().Modules(c, "exec") {
		if m == a.Module {
			return fileOf(c, m), nil
		}
	}
	return "", nil
}

// providers maps the files that provide modules here to the modules.
func providers(c *salt.Ctx, a salt.NoArgs) (*value.Map, error) {
	out := new(value.Map)
	for _, m := range c.Registry().Modules(c, "exec") {
		out.Set(fileOf(c, m), m)
	}
	return out, nil
}

// notLoaded lists the modules that this program has and that cannot be used here.
func notLoaded(c *salt.Ctx, a salt.NoArgs) (*value.List, error) {
	usable := c.Registry().Modules(c, "exec")
	out := value.L()
	for _, m := range c.Registry().Known("exec") {
		if !slices.Contains(usable, m) {
			out.Append(fileOf(c, m))
		}
	}
	return out, nil
}

// fileOf is the file in Salt that has the module under its virtual name.
func fileOf(c *salt.Ctx, module string) string {
	family, _ := c.Grains.At("os_family").(string)
	switch module {
	case "pkg":
		if f := pkgFiles[family]; f != "" {
			return f
		}
	case "lowpkg":
		if family == "Debian" {
			return "dpkg_lowpkg"
		}
		return "rpm_lowpkg"
	case "service":
		switch {
		case sys.IsDir(c.Sys, "/run/systemd/system"):
			return "systemd_service"
		case c.Grains.Str("init") == "runit":
			return "runit"
		case family == "Debian":
			return "debian_service"
		case family == "Alpine" || family == "Gentoo":
			return "gentoo_service"
		}
		return "rh_service"
	case "ip":
		if family == "Debian" {
			return "debian_ip"
		}
		return "rh_ip"
	case "kernelpkg":
		if family == "Debian" {
			return "kernelpkg_linux_apt"
		}
		return "kernelpkg_linux_yum"
	}
	if f := files[module]; f != "" {
		return f
	}
	return module
}

var pkgFiles = map[string]string{
	"Debian": "aptpkg", "RedHat": "yumpkg", "Suse": "zypperpkg", "Arch": "pacmanpkg",
	"Alpine": "apkpkg", "MacOS": "mac_brew_pkg", "Gentoo": "ebuildpkg", "NixOS": "nixpkg",
}

var files = map[string]string{
	"cmd": "cmdmod", "debconf": "debconfmod", "group": "groupadd", "ini": "ini_manage",
	"locale": "localemod", "log": "logmod", "lvm": "linux_lvm", "acl": "linux_acl", "random": "mod_random",
	"shadow": "linux_shadow", "sys": "sysmod", "sysctl": "linux_sysctl", "user": "useradd",
	"virtualenv": "virtualenv_mod", "x509": "x509_v2",
}
