// Package lvm holds Salt's lvm module: physical volumes, volume groups and
// logical volumes of LVM2. Its main variable is Module.
//
//	/dev/sdb:
//	  lvm.pv_present
//	data:
//	  lvm.vg_present:
//	    - devices: /dev/sdb
//	www:
//	  lvm.lv_present:
//	    - vgname: data
//	    - size: 10G
package lvm

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's lvm module.
var Module = salt.Module{
	Name: "lvm",
	States: func() salt.Funcs {
		return salt.Funcs{
			"lv_absent":  salt.State(lvAbsent),
			"lv_present": salt.State(lvPresent),
			"pv_absent":  salt.State(pvAbsent),
			"pv_present": salt.State(pvPresent),
			"vg_absent":  salt.State(vgAbsent),
			"vg_present": salt.State(vgPresent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"fullversion": salt.Exec(fullversion),
			"lvcreate":    salt.Exec(lvcreate),
			"lvdisplay":   salt.Exec(lvdisplay),
			"lvextend":    salt.Exec(lvextend),
			"lvremove":    salt.Exec(lvremove),
			"lvresize":    salt.Exec(lvresize),
			"pvcreate":    salt.Exec(pvcreate),
			"pvdisplay":   salt.Exec(pvdisplay),
			"pvremove":    salt.Exec(pvremove),
			"pvresize":    salt.Exec(pvresize),
			"version":     salt.Exec(version),
			"vgcreate":    salt.Exec(vgcreate),
			"vgdisplay":   salt.Exec(vgdisplay),
			"vgextend":    salt.Exec(vgextend),
			"vgremove":    salt.Exec(vgremove),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("lvm") != "":
			return nil
		case kind == "states":
			return errors.New("lvm command not found")
		}
		return errors.New("The linux_lvm execution module cannot be loaded: the lvm binary is not in the path.")
	},
}

// version returns the version of LVM.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	a, err := command.Ask(c, "lvm", "version")
	first, _, _ := strings.Cut(a.All(), "\n")
	_, v, _ := strings.Cut(first, ": ")
	return strings.TrimSpace(v), err
}

// fullversion returns the versions of LVM, its library and its driver.
func fullversion(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	a, err := command.Ask(c, "lvm", "version")
	m := new(value.Map)
	for line := range strings.SplitSeq(a.All(), "\n") {
		if f := strings.Split(line, ":"); len(f) > 1 {
			m.Set(strings.TrimSpace(f[0]), strings.TrimSpace(f[1]))
		}
	}
	return m, err
}

// table reads lines of columns with colons between: by the first column a map
// of the columns' names.
func table(c *salt.Ctx, tool, name string, columns ...string) (*value.Map, error) {
	words := []string{tool, "-c"}
	if name != "" {
		words = append(words, name)
	}
	a, err := command.Ask(c, words...)
	m := new(value.Map)
	if err != nil || a.Code != 0 {
		return m, err
	}
	for line := range strings.SplitSeq(a.Out, "\n") {
		f := strings.Split(strings.TrimSpace(line), ":")
		if strings.Contains(line, "is a new physical volume") || len(f) < len(columns) {
			continue
		}
		row := value.NewMap(len(columns))
		for i, name := range columns {
			row.Set(name, f[i])
		}
		m.Set(f[0], row)
	}
	return m, nil
}

type pvdisplayArgs struct {
	Pvname string `py:"pvname=''"`   // the device; the default is all
	Real   bool   `py:"real=False"`  // by the path that links lead to
	Quiet  bool   `py:"quiet=False"` // a device that is no volume is no error in the log
}

// pvdisplay returns physical volumes by device, {} when there is none.
func pvdisplay(c *salt.Ctx, a pvdisplayArgs) (*value.Map, error) {
	m, err := table(c, "pvdisplay", a.Pvname, "Physical Volume Device", "Volume Group Name", "Physical Volume Size (kB)", "Internal Physical Volume Number",
		"Physical Volume Status", "Physical Volume (not) Allocatable", "Current Logical Volumes Here", "Physical Extent Size (kB)",
		"Total Physical Extents", "Free Physical Extents", "Allocated Physical Extents")
	if err != nil || !a.Real {
		return m, err
	}
	out := new(value.Map)
	for device, row := range m.Items() {
		path := real(c, device)
		row.(*value.Map).Set("Real Physical Volume Device", path)
		out.Set(path, row)
	}
	return out, nil
}

// real is where links lead to.
func real(c *salt.Ctx, device string) string {
	if p, err := c.Sys.EvalSymlinks(device); err == nil {
		return p
	}
	return filepath.Clean(device)
}

type vgdisplayArgs struct {
	Vgname string `py:"vgname=''"`   // the volume group; the default is all
	Quiet  bool   `py:"quiet=False"` // a missing one is no error in the log
}

// vgdisplay returns volume groups by name, {} when there is none.
func vgdisplay(c *salt.Ctx, a vgdisplayArgs) (*value.Map, error) {
	return table(c, "vgdisplay", a.Vgname, "Volume Group Name", "Volume Group Access", "Volume Group Status", "Internal Volume Group Number",
		"Maximum Logical Volumes", "Current Logical Volumes", "Open Logical Volumes", "Maximum Logical Volume Size", "Maximum Physical Volumes",
		"Current Physical Volumes", "Actual Physical Volumes", "Volume Group Size (kB)", "Physical Extent Size (kB)", "Total Physical Extents",
		"Allocated Physical Extents", "Free Physical Extents", "UUID")
}

type lvdisplayArgs struct {
	Lvname string `py:"lvname=''"`   // the path of the logical volume; the default is all
	Quiet  bool   `py:"quiet=False"` // a missing one is no error in the log
}

// lvdisplay returns logical volumes by path, {} when there is none. The size
// is in sectors of 512 bytes.
func lvdisplay(c *salt.Ctx, a lvdisplayArgs) (*value.Map, error) {
	return table(c, "lvdisplay", a.Lvname, "Logical Volume Name", "Volume Group Name", "Logical Volume Access", "Logical Volume Status",
		"Internal Logical Volume Number", "Open Logical Volumes", "Logical Volume Size", "Current Logical Extents Associated",
		"Allocated Logical Extents", "Allocation Policy", "Read Ahead Sectors", "Major Device Number", "Minor Device Number")
}

// list are the devices of a list, or of a text with commas.
func list(devices any) []string {
	switch d := devices.(type) {
	case nil:
		return nil
	case string:
		if d == "" {
			return nil
		}
		return strings.Split(d, ",")
	case *value.List:
		out := make([]string, d.Len())
		for i, it := range d.Items {
			out[i] = value.Str(it)
		}
		return out
	}
	return []string{value.Str(devices)}
}

// answer is --yes to all questions, or to ask and fail quietly.
func answer(force bool) string {
	if force {
		return "--yes"
	}
	return "-qq"
}

// options are those of kw that a command knows, flags without a value.
func options(kw *value.Map, valid, flags string) []string {
	var words []string
	for key, v := range kw.Items() {
		switch {
		case !value.Truth(v):
		case slices.Contains(strings.Fields(flags), key):
			words = append(words, "--"+key)
		case slices.Contains(strings.Fields(valid), key):
			words = append(words, "--"+key, value.Str(v))
		}
	}
	return words
}
