package service

import (
	"maps"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func list(names []string, err error) (any, error) { return value.Strings(names), err }

type rootArgs struct {
	Root *string `py:"root=None"` // the root of another system
}

// getAll lists all services: unit files and init scripts. With OpenRC it is a
// mapping to the runlevels.
func getAll(c *salt.Ctx, a rootArgs) (any, error) {
	m := managerOf(c)
	if o, ok := m.(openrc); ok {
		return o.byLevel(true)
	}
	return list(m.all(text(a.Root)))
}

// getEnabled lists the services that start at boot. With OpenRC it is a mapping
// to the runlevels.
func getEnabled(c *salt.Ctx, a rootArgs) (any, error) {
	m := managerOf(c)
	if o, ok := m.(openrc); ok {
		return o.byLevel(false)
	}
	return list(m.listEnabled(text(a.Root)))
}

// getDisabled lists the services that could start at boot and do not.
func getDisabled(c *salt.Ctx, a rootArgs) ([]string, error) {
	return managerOf(c).listDisabled(text(a.Root))
}

// getStatic lists the services that cannot be enabled.
func getStatic(c *salt.Ctx, a rootArgs) ([]string, error) {
	d, err := onSystemd(c, "get_static")
	if err != nil {
		return nil, err
	}
	names, err := d.inState("static", text(a.Root))
	return slices.Sorted(maps.Keys(names)), err
}

// getRunning lists the services that run now.
func getRunning(c *salt.Ctx, _ salt.NoArgs) ([]string, error) {
	d, err := onSystemd(c, "get_running")
	if err != nil {
		return nil, err
	}
	return d.running()
}

type showArgs struct {
	Name string  `py:"name"`      // the service
	Root *string `py:"root=None"` // the root of another system
}

// show gives the properties of a service as systemctl show prints them, or what
// runit knows of it.
func show(c *salt.Ctx, a showArgs) (*value.Map, error) {
	if r, ok := managerOf(c).(runit); ok {
		return r.show(a.Name)
	}
	d, err := onSystemd(c, "show")
	if err != nil {
		return nil, err
	}
	res, err := d.systemctl(true, text(a.Root), "show", canonical(a.Name))
	if err != nil {
		return nil, err
	}
	return parseShow(string(res.Stdout) + string(res.Stderr)), nil
}

// parseShow reads the output of systemctl show.
func parseShow(out string) *value.Map {
	ret := new(value.Map)
	for _, line := range strings.Split(strings.TrimRight(out, "\n"), "\n") {
		name, v, _ := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(v, "{"):
			m := new(value.Map)
			for _, item := range strings.Split(strings.NewReplacer("{", "", "}", "").Replace(v), " ; ") {
				f := strings.Split(item, "=")
				if len(f) > 1 {
					m.Set(strings.TrimSpace(f[0]), strings.TrimSpace(f[1]))
				}
			}
			ret.Set(name, m)
		case name == "Before" || name == "After" || name == "Wants":
			ret.Set(name, value.Strings(strings.Fields(v)))
		default:
			ret.Set(name, v)
		}
	}
	return ret
}

// execs maps each service to the program that its ExecStart names.
func execs(c *salt.Ctx, a rootArgs) (*value.Map, error) {
	d, err := onSystemd(c, "execs")
	if err != nil {
		return nil, err
	}
	names, err := d.all(text(a.Root))
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	for _, name := range names {
		if program, ok := d.program(name, text(a.Root)); ok {
			ret.Set(name, program)
		}
	}
	return ret, nil
}

// program is the path of the last ExecStart of a service.
func (d systemd) program(name, root string) (string, bool) {
	if root != "" || !booted(d.c) {
		res, err := d.systemctl(true, root, "show", canonical(name))
		if m := parseShow(string(res.Stdout)).Map("ExecStart"); err == nil && m != nil {
			return m.Str("path"), true
		}
		return "", false
	}
	v, err := d.units().Property(d.c, unitName(name), "Service", "ExecStart")
	rows, ok := v.([][]any)
	if err != nil || !ok || len(rows) == 0 {
		return "", false
	}
	path, ok := rows[len(rows)-1][0].(string)
	return path, ok
}

type firstbootArgs struct {
	Locale        any `py:"locale=None"`         // LANG
	LocaleMessage any `py:"locale_message=None"` // LC_MESSAGES
	Keymap        any `py:"keymap=None"`         // the keyboard's layout
	Timezone      any `py:"timezone=None"`       // such as Europe/Berlin
	Hostname      any `py:"hostname=None"`       // the name of the machine
	MachineID     any `py:"machine_id=None"`     // 32 hexadecimal digits
	Root          any `py:"root=None"`           // the root of another system
}

// firstboot sets basic settings of a system with systemd-firstboot.
func firstboot(c *salt.Ctx, a firstbootArgs) (bool, error) {
	argv := []string{"systemd-firstboot"}
	for _, p := range []struct {
		name string
		v    any
	}{
		{"locale", a.Locale}, {"locale-message", a.LocaleMessage}, {"keymap", a.Keymap}, {"timezone", a.Timezone},
		{"hostname", a.Hostname}, {"machine-ID", a.MachineID}, {"root", a.Root},
	} {
		if value.Truth(p.v) {
			argv = append(argv, "--"+p.name, value.Str(p.v))
		}
	}
	res, err := c.Sys.Run(c, sys.Cmd{Argv: argv})
	if err != nil {
		return false, err
	}
	if res.Code != 0 {
		return false, salt.CommandError("systemd-firstboot error: %s", strings.TrimSpace(string(res.Stderr)))
	}
	return true, nil
}
