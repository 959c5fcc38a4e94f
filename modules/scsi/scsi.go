// Package scsi holds Salt's scsi module: the SCSI devices and a new scan for
// them. Its main variable is Module.
//
//	salt-call scsi.rescan_all 0
package scsi

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's scsi module.
var Module = salt.Module{
	Name: "scsi",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"ls":         salt.Exec(ls).Named("ls_"),
			"rescan_all": salt.Exec(rescanAll),
		}
	},
}

type lsArgs struct {
	GetSize bool `py:"get_size=True"` // with the sizes, which old lsscsi cannot tell
}

// ls returns what lsscsi says about the devices, by their addresses.
func ls(c *salt.Ctx, a lsArgs) (any, error) {
	if c.Sys.LookPath("lsscsi") == "" {
		c.Run.SetRetcode(1)
		return "scsi.ls not available - lsscsi command not found", nil
	}
	how := "-dLsv"
	if !a.GetSize {
		how = "-dLv"
	}
	r, err := c.Sys.Run(c, sys.Cmd{Argv: []string{"lsscsi", how}, Query: true})
	if err != nil {
		return nil, err
	}
	if r.Code != 0 {
		c.Run.SetRetcode(r.Code)
		text, _, _ := strings.Cut(string(r.Stderr), "\n")
		if text == "lsscsi: invalid option -- 's'" {
			text += " - try get_size=False"
		}
		return text, nil
	}
	return devices(string(r.Stdout), a.GetSize), nil
}

// devices reads the output of lsscsi: a line a device, indented lines with its
// attributes.
func devices(text string, size bool) *value.Map {
	m := new(value.Map)
	var dev *value.Map
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case line[0] == '[' && len(f) > 3:
			pop := func() string {
				last := f[len(f)-1]
				f = f[:len(f)-1]
				return last
			}
			dev = value.M("lun", strings.Trim(f[0], "[]"), "size", nil, "major", nil, "minor", nil)
			if size {
				dev.Set("size", pop())
			}
			if major, minor, ok := strings.Cut(strings.Trim(pop(), "[]"), ":"); ok {
				dev.Set("major", major)
				dev.Set("minor", minor)
			}
			dev.Set("device", pop())
			dev.Set("model", strings.Join(f[min(3, len(f)):], " "))
			m.Set(f[0], dev)
		case dev == nil:
		case f[0] == "dir:" && len(f) > 2:
			dev.Set("dir", value.L(f[1], strings.Trim(f[2], "[]")))
		default:
			if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
				dev.Set(k, v)
			}
		}
	}
	return m
}

type hostArgs struct {
	Host any `py:"host"` // the number of the host adapter
}

// rescanAll has a host adapter look for devices anew.
func rescanAll(c *salt.Ctx, a hostArgs) (any, error) {
	dir := "/sys/class/scsi_host/host" + value.Str(a.Host)
	if strings.Contains(value.Str(a.Host), "/") || !sys.IsDir(c.Sys, dir) {
		return "Host " + value.Str(a.Host) + " does not exist", nil
	}
	_, err := c.Sys.WriteAt(dir+"/scan", []byte("- - -\n"), 0)
	return value.L(), err
}
