// Package service holds Salt's service module: services of systemd, and where
// systemd does not run those of OpenRC, of runit, or init scripts. Its main
// variable is Module.
//
//	nginx:
//	  service.running:
//	    - enable: True
//	    - reload: True
//	    - watch:
//	      - file: /etc/nginx/nginx.conf
//
// Systemd is asked over its own bus, on one connection for the whole run; no
// systemctl is started where the bus can answer. OpenRC's and runit's links and
// status files are read as they lie; rc-update, the init scripts and sv run for
// changes, and for the few questions that only they can answer.
package service

import (
	"errors"
	"slices"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's service module.
var Module = salt.Module{
	Name:    "service",
	Aliases: []string{"runit"}, // where it is the manager, as in Salt
	Named:   func(c *salt.Ctx, _ string) bool { _, ok := managerOf(c).(runit); return ok },
	States: func() salt.Funcs {
		return salt.Funcs{
			"running":    salt.State(running),
			"dead":       salt.State(dead),
			"enabled":    salt.State(enabledState),
			"disabled":   salt.State(disabledState),
			"masked":     salt.State(maskedState),
			"unmasked":   salt.State(unmaskedState),
			"mod_watch":  watch,
			"mod_beacon": salt.State(modBeacon),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"available":        query(salt.Exec(available)),
			"missing":          query(salt.Exec(missing)),
			"status":           query(salt.Exec(status)),
			"enabled":          query(salt.Exec(enabled)),
			"disabled":         query(salt.Exec(disabled)),
			"masked":           query(salt.Exec(masked)),
			"status_autostart": query(salt.Exec(statusAutostart)),
			"offline":          query(salt.Exec(offline)),
			"show":             query(salt.Exec(show)),
			"execs":            query(salt.Exec(execs)),
			"get_all":          query(salt.Exec(getAll)),
			"get_enabled":      query(salt.Exec(getEnabled)),
			"get_disabled":     query(salt.Exec(getDisabled)),
			"get_static":       query(salt.Exec(getStatic)),
			"get_running":      query(salt.Exec(getRunning)),

			"get_svc_alias":       query(salt.Exec(getSvcAlias)),
			"get_svc_avail_path":  query(salt.Exec(getSvcAvailPath)),
			"add_svc_avail_path":  query(salt.Exec(addSvcAvailPath)),
			"get_svc_broken_path": query(salt.Exec(getSvcBrokenPath)),

			"start":            salt.Exec(start),
			"stop":             salt.Exec(stop),
			"restart":          salt.Exec(restart),
			"reload":           salt.Exec(reload).Named("reload_"),
			"force_reload":     salt.Exec(forceReload),
			"full_restart":     salt.Exec(fullRestart),
			"zap":              salt.Exec(zap),
			"remove":           salt.Exec(remove),
			"enable":           salt.Exec(enable),
			"disable":          salt.Exec(disable),
			"mask":             salt.Exec(mask),
			"unmask":           salt.Exec(unmask).Named("unmask_"),
			"systemctl_reload": salt.Exec(systemctlReload),
			"firstboot":        salt.Exec(firstboot),
		}
	},
	Watch:   watch,
	Virtual: virtual,
}

var watch = salt.State(modWatch)

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}

func virtual(c *salt.Ctx, kind string) error {
	if err := salt.OtherProvider(c, "service"); err != nil && kind == "states" {
		return err
	}
	if c.Grains.Str("kernel") == "Linux" && managerOf(c) != nil {
		return nil
	}
	if kind == "states" {
		return errors.New("No service execution module loaded: check support for service management on " + osName(c))
	}
	return errors.New("The systemd execution module failed to load: only available on Linux systems which have been booted with systemd.")
}

func osName(c *salt.Ctx) string {
	if s := c.Grains.Str("osfinger"); s != "" {
		return s
	}
	return c.Grains.Str("os")
}

// A manager starts and stops the services of a machine.
type manager interface {
	available(name string) (bool, error)
	active(name string) (bool, error)
	enabled(name string, o options) (bool, error)
	disabled(name string, o options) (bool, error)
	// all, and those enabled or disabled, by name, sorted.
	all(root string) ([]string, error)
	listEnabled(root string) ([]string, error)
	listDisabled(root string) ([]string, error)
	start(name string, o options) (bool, error)
	stop(name string, o options) (bool, error)
	restart(name string, o options) (bool, error)
	reload(name string, o options) (bool, error)
	enable(name string, o options) (bool, error)
	disable(name string, o options) (bool, error)
}

// A forceReloader can reload a service, or restart one that cannot reload.
type forceReloader interface {
	forceReload(name string, o options) (bool, error)
}

// options are arguments that only some managers know.
type options struct {
	noBlock, unmask, unmaskRuntime bool   // systemd
	root                           string // systemd
	runlevels                      any    // OpenRC: one or a list; nil: not given
	start, stop                    bool   // runit: what enable and disable do besides
}

// more takes the options that a function has among its **kwargs.
func (o options) more(kwargs *value.Map) options {
	o.runlevels, o.start, o.stop = kwargs.At("runlevels"), kwargs.Truth("start"), kwargs.Truth("stop")
	return o
}

func booted(c *salt.Ctx) bool { return sys.LExists(c.Sys, "/run/systemd/system") }

// initOS are the systems whose init scripts Salt prefers to a systemctl that
// does not run.
var initOS = []string{"Debian", "Raspbian", "Devuan", "NILinuxRT"}

// managerOf chooses the manager: the one that the option providers names; systemd where it runs, else OpenRC, runit or
// init scripts, or a systemctl that changes links only (an image that is being
// built).
func managerOf(c *salt.Ctx) manager {
	switch file := salt.Provider(c, "service"); file {
	case "", "service", "linux_service", "systemd": // the last two are no module, or of no use, in Salt 3008
	case "systemd_service":
		return systemd{c}
	case "debian_service", "rh_service":
		return scripts{c}
	case "gentoo_service":
		return openrc{c}
	case "runit":
		return runit{c}
	default:
		salt.UnknownProvider(c, "service", file)
	}
	switch {
	case booted(c):
		return systemd{c}
	case onOpenRC(c):
		return openrc{c}
	case onRunit(c):
		return runit{c}
	case slices.Contains(initOS, c.Grains.Str("os")):
		return scripts{c}
	case c.Sys.LookPath("systemctl") != "":
		return systemd{c}
	case sys.IsDir(c.Sys, scriptDir):
		return scripts{c}
	}
	return nil
}

// onSystemd is the manager for functions that only systemd has.
func onSystemd(c *salt.Ctx, fun string) (systemd, error) {
	return only[systemd](c, fun)
}

// only is the manager for functions that no other one has.
func only[M any](c *salt.Ctx, fun string) (M, error) {
	m, ok := managerOf(c).(M)
	if !ok {
		return m, salt.CommandError("'service.%s' is not available.", fun)
	}
	return m, nil
}
