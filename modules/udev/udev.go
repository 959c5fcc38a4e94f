// Package udev holds Salt's udev module: what the device manager knows. Its
// main variable is Module.
//
//	salt-call udev.links /dev/sda
package udev

import (
	"slices"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
	"pinch/value/py"
)

// Module is Salt's udev module.
var Module = salt.Module{
	Name: "udev",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"env":      salt.Exec(env),
			"exportdb": salt.Exec(exportdb),
			"info":     salt.Exec(info),
			"links":    salt.Exec(links),
			"name":     salt.Exec(name),
			"path":     salt.Exec(path),
		}
	},
	Virtual: salt.Needs("udevadm", "False"),
}

// parse reads blocks of lines KEY: VALUE. E has a map of variables, other keys
// a text or a list of them.
func parse(text string) *value.List {
	devices, dev := value.L(), new(value.Map)
	done := func() {
		for key, v := range dev.Items() {
			if l, ok := v.(*value.List); ok && l.Len() == 1 {
				dev.Set(key, l.Items[0])
			}
		}
		if dev.Len() > 0 {
			devices.Append(dev)
		}
		dev = new(value.Map)
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		key, v, ok := strings.Cut(line, ":")
		v = strings.TrimSpace(v)
		switch {
		case line == "":
			done()
		case !ok:
		case key == "E":
			if dev.Map(key) == nil {
				dev.Set(key, new(value.Map))
			}
			if k, v, ok := strings.Cut(v, "="); ok {
				dev.Map(key).Set(k, number(v))
			}
		case dev.List(key) == nil:
			dev.Set(key, value.L(v))
		default:
			dev.List(key).Append(v)
		}
	}
	done()
	return devices
}

// number is a text as the number that it looks like.
func number(text string) any {
	if n, err := py.Int(text); err == nil {
		return n
	}
	if f, err := py.Float(text); err == nil {
		return f
	}
	return text
}

type devArgs struct {
	Dev string `py:"dev"` // a device, or its path below /sys
}

// info returns all about a device by the letters of udevadm: P (path), N
// (name), S (links), E (variables) and more.
func info(c *salt.Ctx, a devArgs) (*value.Map, error) {
	by := "--name="
	if strings.Contains(a.Dev, "sys") {
		by = "--path="
	}
	r, err := command.Ask(c, "udevadm", "info", "--export", "--query=all", by+a.Dev)
	if err != nil {
		return nil, err
	}
	if all := parse(r.Out); r.Code == 0 && all.Len() > 0 {
		return all.Items[0].(*value.Map), nil
	}
	return nil, salt.CommandError("%s", r.Err)
}

func part(c *salt.Ctx, a devArgs, key string) (any, error) {
	m, err := info(c, a)
	return m.At(key), err
}

// env returns the variables of a device.
func env(c *salt.Ctx, a devArgs) (any, error) { return part(c, a, "E") }

// name returns the name of a device.
func name(c *salt.Ctx, a devArgs) (any, error) { return part(c, a, "N") }

// path returns the path of a device below /sys.
func path(c *salt.Ctx, a devArgs) (any, error) { return part(c, a, "P") }

// links returns the links to a device: a text, or a list of several.
func links(c *salt.Ctx, a devArgs) (any, error) { return part(c, a, "S") }

type exportArgs struct {
	Subsystems any `py:"subsystems=None"` // a list: only devices of these
}

// exportdb returns all devices, as udev.info does one.
func exportdb(c *salt.Ctx, a exportArgs) (*value.List, error) {
	only, ok := a.Subsystems.(*value.List)
	if !ok && a.Subsystems != nil {
		return nil, salt.InvocationError("subsystems must be a list")
	}
	r, err := command.Ask(c, "udevadm", "info", "--export-db")
	if err != nil {
		return nil, err
	}
	if r.Code != 0 {
		return nil, salt.CommandError("%s", r.Err)
	}
	all := parse(r.Out)
	if only != nil {
		all.Items = slices.DeleteFunc(all.Items, func(dev any) bool {
			return !slices.Contains(only.Items, dev.(*value.Map).Map("E").At("SUBSYSTEM"))
		})
	}
	return all, nil
}
