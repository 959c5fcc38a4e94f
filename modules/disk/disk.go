// Package disk holds Salt's disk module: space on file systems, and block
// devices. Its main variable is Module.
//
//	/var:
//	  disk.status:
//	    - maximum: 90%
package disk

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's disk module.
var Module = salt.Module{
	Name: "disk",
	States: func() salt.Funcs {
		return salt.Funcs{
			"status": salt.State(status),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"blkid":                salt.Exec(blkid),
			"dump":                 salt.Exec(dump),
			"format":               salt.Exec(format).Named("format_"),
			"fstype":               salt.Exec(fstype),
			"get_fstype_from_path": salt.Exec(getFstypeFromPath),
			"hdparms":              salt.Exec(hdparms),
			"hpa":                  salt.Exec(hpa),
			"inodeusage":           salt.Exec(inodeusage),
			"iostat":               salt.Exec(iostat),
			"percent":              salt.Exec(percent),
			"resize2fs":            salt.Exec(resize2fs),
			"smart_attributes":     salt.Exec(smartAttributes),
			"tune":                 salt.Exec(tune),
			"usage":                salt.Exec(usage),
			"wipe":                 salt.Exec(wipe),
		}
	},
}

// need fails when a command is not installed.
func need(c *salt.Ctx, name string) error {
	if c.Sys.LookPath(name) == "" {
		return value.Errorf("CommandNotFoundError", "The '%s' binary was not found in $PATH.", name)
	}
	return nil
}

// run runs a command: what it printed, what it complained about, its code.
func run(c *salt.Ctx, argv ...string) (stdout, stderr string, code int64, err error) {
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(argv))
	m, _ := v.(*value.Map)
	code, _ = m.At("retcode").(int64)
	return m.Str("stdout"), m.Str("stderr"), code, err
}
