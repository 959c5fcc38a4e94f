// Package keyboard holds Salt's keyboard module: the layouts of the console
// and of X. Its main variable is Module.
//
//	us:
//	  keyboard.system
package keyboard

import (
	"errors"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's keyboard module.
var Module = salt.Module{
	Name: "keyboard",
	States: func() salt.Funcs {
		return salt.Funcs{
			"system": salt.State(system),
			"xorg":   salt.State(xorg),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_sys": salt.Exec(getSys),
			"get_x":   salt.Exec(getX),
			"set_sys": salt.Exec(setSys),
			"set_x":   salt.Exec(setX),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch family := c.Grains.Str("os_family"); {
		case family == "RedHat" || family == "Debian" || family == "Gentoo" || c.Sys.LookPath("localectl") != "":
			return nil
		case kind == "states":
			return errors.New("keyboard module could not be loaded")
		}
		return errors.New("The keyboard exeuction module cannot be loaded: only works on Redhat, Debian or Gentoo systems or if localectl binary in path.")
	},
}

// A source is a file with the layout, and its variable there.
type source struct{ path, key string }

// where says which file has the layout of the console. localed, which
// localectl(1) asks, reads the first.
func where(c *salt.Ctx) source {
	switch family := c.Grains.Str("os_family"); {
	case byBus(c):
		return source{"/etc/vconsole.conf", "KEYMAP"}
	case family == "RedHat":
		return source{"/etc/sysconfig/keyboard", "LAYOUT"}
	case family == "Gentoo":
		return source{"/etc/conf.d/keymaps", "keymap"}
	}
	return source{"/etc/default/keyboard", "XKBLAYOUT"}
}

func byBus(c *salt.Ctx) bool {
	return c.Sys.LookPath("localectl") != "" && sys.LExists(c.Sys, "/run/systemd/system")
}

// getSys returns the layout of the console, (unset) when localed knows none.
func getSys(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	s := where(c)
	b, _ := c.Sys.ReadFile(s.path)
	found := ""
	for line := range strings.Lines(string(b)) {
		if val, ok := strings.CutPrefix(strings.TrimSpace(line), s.key+"="); ok {
			found = strings.Trim(strings.TrimSpace(val), `"'`)
		}
	}
	if found == "" && byBus(c) {
		return "(unset)", nil
	}
	return found, nil
}

type layoutArgs struct {
	Layout string `py:"layout"` // a layout: us, de
}

// setSys sets the layout of the console, and returns it.
func setSys(c *salt.Ctx, a layoutArgs) (string, error) {
	const service, path = "org.freedesktop.locale1", "/org/freedesktop/locale1"
	if byBus(c) {
		err := c.Sys.Bus().Call(c, service, path, service+".SetVConsoleKeyboard", a.Layout, "", true, false)
		if err != nil {
			return "", salt.CommandError("localed did not set the layout: %s", err)
		}
		return a.Layout, nil
	}
	s := where(c)
	b, err := c.Sys.ReadFile(s.path)
	if err != nil {
		return "", salt.OSError(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, s.key+"=") {
			line = s.key + "=" + a.Layout + "\n"
		}
		out.WriteString(line)
	}
	return a.Layout, sys.WriteFile(c.Sys, s.path, []byte(out.String()), sys.FileAttrs{})
}

// getX returns the layout of the X server in reach.
func getX(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"setxkbmap", "-query"}, Query: true})
	if err != nil {
		return "", salt.CommandError("setxkbmap: %s", err)
	}
	for line := range strings.Lines(string(r.Stdout)) {
		if key, val, ok := strings.Cut(line, ":"); ok && strings.Contains(key, "layout") {
			return strings.TrimSpace(val), nil
		}
	}
	return "", salt.CommandError("setxkbmap: %s", strings.TrimSpace(string(r.Stderr)))
}

// setX sets the layout of the X server in reach, and returns it.
func setX(c *salt.Ctx, a layoutArgs) (string, error) {
	_, err := c.CallKw("cmd.run", value.M("python_shell", false), value.L("setxkbmap", a.Layout))
	return a.Layout, err
}

type nameArgs struct {
	Name string `py:"name"` // a layout: us, de
}

// system makes sure that the console has a layout.
func system(c *salt.Ctx, a nameArgs) salt.Result {
	return layout(c, a.Name, "System", "system", getSys, setSys)
}

// xorg makes sure that the X server in reach has a layout.
func xorg(c *salt.Ctx, a nameArgs) salt.Result {
	return layout(c, a.Name, "XOrg", "XOrg", getX, setX)
}

func layout(c *salt.Ctx, name, upper, what string, get func(*salt.Ctx, salt.NoArgs) (string, error), set func(*salt.Ctx, layoutArgs) (string, error)) salt.Result {
	now, err := get(c, salt.NoArgs{})
	switch {
	case err != nil:
		return salt.Raised(err)
	case now == name:
		return salt.Correct("%s layout %s already set", upper, name)
	case c.Test:
		return salt.Would(nil, "%s layout %s needs to be set", upper, name)
	}
	if _, err := set(c, layoutArgs{name}); err != nil {
		c.Log.Error(err.Error())
		return salt.Failed("Failed to set %s keyboard layout", what)
	}
	return salt.Changed(value.M("layout", name), "Set %s keyboard layout %s", what, name)
}
