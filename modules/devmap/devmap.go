// Package devmap holds Salt's devmap module: devices with several paths. Its
// main variable is Module.
//
//	salt-call devmap.multipath_list
package devmap

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's devmap module.
var Module = salt.Module{
	Name: "devmap",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"multipath_flush": salt.Exec(flush),
			"multipath_list":  salt.Exec(list),
		}
	},
}

func run(c *salt.Ctx, words ...string) (*value.List, error) {
	v, err := c.CallKw("cmd.run", value.M("python_shell", false), value.Strings(words))
	if err != nil {
		return nil, err
	}
	s := value.Str(v)
	if s == "" {
		return value.L(), nil
	}
	return value.Strings(strings.Split(s, "\n")), nil
}

// list returns the lines of multipath -l.
func list(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) { return run(c, "multipath", "-l") }

type deviceArgs struct {
	Device string `py:"device"` // the device, /dev/mapper/…
}

// flush takes a device's map away when nobody uses it.
func flush(c *salt.Ctx, a deviceArgs) (any, error) {
	if !sys.Exists(c.Sys, a.Device) {
		return a.Device + " does not exist", nil
	}
	return run(c, "multipath", "-f", a.Device)
}
