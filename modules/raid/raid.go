// Package raid holds Salt's raid module: software RAID of Linux, by mdadm. Its
// main variable is Module.
//
//	/dev/md0:
//	  raid.present:
//	    - level: 5
//	    - devices: [/dev/sdb, /dev/sdc, /dev/sdd]
//	    - chunk: 256
//	    - run: True
package raid

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/pyre"
)

// Module is Salt's raid module.
var Module = salt.Module{
	Name:   "raid",
	States: func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add":         salt.Exec(add),
			"assemble":    salt.Exec(assemble),
			"create":      salt.Exec(create),
			"destroy":     salt.Exec(destroy),
			"detail":      salt.Exec(detail),
			"examine":     salt.Exec(examine),
			"list":        salt.Exec(list).Named("list_"),
			"save_config": salt.Exec(saveConfig),
			"stop":        salt.Exec(stop),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		linux := c.Grains.Str("kernel") == "Linux"
		switch {
		case !linux && kind == "states":
			return errors.New("Only supported on Linux")
		case !linux:
			return errors.New("The mdadm execution module cannot be loaded: only available on Linux.")
		case c.Sys.LookPath("mdadm") != "":
			return nil
		case kind == "states":
			return errors.New("Unable to locate command: mdadm")
		}
		return errors.New("The mdadm execution module cannot be loaded: the mdadm binary is not in the path.")
	},
}

// list returns the arrays by device: device and what mdadm says, such as
// metadata, name and uuid.
func list(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	a, err := command.Ask(c, "mdadm", "--detail", "--scan")
	all := new(value.Map)
	for line := range strings.SplitSeq(a.Out, "\n") {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		m := value.M("device", f[1])
		for _, part := range f[2:] {
			if key, v, ok := strings.Cut(part, "="); ok {
				m.Set(strings.ToLower(key), v)
			}
		}
		all.Set(f[1], m)
	}
	return all, err
}

type detailArgs struct {
	Device string `py:"device='/dev/md0'"` // the array
}

// detail returns what mdadm says about an array, with its members by number.
func detail(c *salt.Ctx, a detailArgs) (*value.Map, error) {
	if !sys.Exists(c.Sys, a.Device) {
		return nil, salt.CommandError("Device %s doesn't exist!", a.Device)
	}
	r, err := command.Ask(c, "mdadm", "--detail", a.Device)
	members := new(value.Map)
	all := value.M("members", members)
	for line := range strings.SplitSeq(r.Out, "\n") {
		f := strings.Fields(line)
		switch key, v, ok := strings.Cut(line, " : "); {
		case strings.HasPrefix(line, a.Device):
		case ok:
			all.Set(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), " ", "_"), strings.TrimSpace(v))
		case strings.Contains(line, "/dev/") && len(f) > 5:
			members.Set(f[0], value.M("device", f[len(f)-1], "major", f[1], "minor", f[2], "number", f[0], "raiddevice", f[3], "state", strings.Join(f[4:len(f)-1], " ")))
		}
	}
	return all, err
}

type arrayArgs struct {
	Device string `py:"device"` // the array
}

// configFile is where mdadm finds its arrays at a start.
func configFile(c *salt.Ctx) string {
	if c.Grains.Str("os_family") == "Debian" {
		return "/etc/mdadm/mdadm.conf"
	}
	return "/etc/mdadm.conf"
}

// destroy stops an array, takes its mark from the members, and reports whether
// it is gone. What is on it is lost.
func destroy(c *salt.Ctx, a arrayArgs) (bool, error) {
	m, err := detail(c, detailArgs(a))
	if err != nil {
		return false, nil
	}
	r, err := command.Do(c, "mdadm", "--stop", a.Device)
	if err != nil {
		return false, err
	}
	if r.Code == 0 {
		words := []string{"mdadm", "--zero-superblock"}
		for _, it := range m.Map("members").Items() {
			words = append(words, it.(*value.Map).Str("device"))
		}
		if _, err := command.Do(c, words...); err != nil {
			return false, err
		}
	}
	if file := configFile(c); sys.Exists(c.Sys, file) {
		if _, err := c.Call("file.replace", file, "ARRAY "+pyre.Escape(a.Device)+" .*", ""); err != nil {
			return false, err
		}
	}
	all, err := list(c, salt.NoArgs{})
	return !all.Has(a.Device), err
}

// stop stops all arrays that are not in use.
func stop(c *salt.Ctx, _ salt.NoArgs) (bool, error) {
	r, err := command.Do(c, "mdadm", "--stop", "--scan")
	return err == nil && r.Code == 0, err
}

// saveConfig writes the arrays to the configuration and into the initial RAM
// disk.
func saveConfig(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	a, err := command.Ask(c, "mdadm", "--detail", "--scan")
	if err != nil {
		return nil, err
	}
	lines := value.L()
	for line := range strings.SplitSeq(a.All(), "\n") {
		if c.Grains.Str("os") == "Ubuntu" {
			line = untagged(line)
		}
		if len(strings.Fields(line)) > 1 {
			lines.Append(line)
		}
	}
	file := configFile(c)
	if sys.Exists(c.Sys, file) {
		for _, it := range lines.Items {
			pattern := `^ARRAY\s+` + pyre.Escape(strings.Fields(it.(string))[1]) + `\s+.*$`
			if _, err := c.CallKw("file.replace", value.M("append_if_not_found", true), file, pattern, it); err != nil {
				return nil, err
			}
		}
	} else if _, err := c.CallKw("file.write", value.M("args", lines), file); err != nil {
		return nil, err
	}
	switch c.Grains.Str("os_family") {
	case "Debian":
		a, err = command.Do(c, "update-initramfs", "-u")
	case "RedHat":
		a, err = command.Do(c, "dracut", "--force")
	default:
		return nil, nil
	}
	return a.All(), err
}

// untagged drops the tags that Ubuntu's start stumbles over.
func untagged(line string) string {
	var out strings.Builder
	for i, f := range strings.Fields(line) {
		if low := strings.ToLower(f); strings.HasPrefix(low, "name=") || strings.HasPrefix(low, "metadata=") {
			continue
		}
		if i > 0 {
			out.WriteString(" ")
		}
		out.WriteString(f)
	}
	return out.String()
}

type examineArgs struct {
	Device string `py:"device"`      // a member of an array
	Quiet  bool   `py:"quiet=False"` // a device that is none is no error in the log
}

// examine returns what the mark on a member says, such as MD_UUID.
func examine(c *salt.Ctx, a examineArgs) (*value.Map, error) {
	r, err := command.Ask(c, "mdadm", "-Y", "-E", a.Device)
	m := new(value.Map)
	for line := range strings.SplitSeq(r.Out, "\n") {
		if key, v, _ := strings.Cut(line, "="); line != "" {
			m.Set(key, v)
		}
	}
	return m, err
}

type addArgs struct {
	Name   string `py:"name"`   // the array
	Device string `py:"device"` // the new member
}

// add adds a device to an array.
func add(c *salt.Ctx, a addArgs) (bool, error) {
	r, err := command.Do(c, "mdadm", "--manage", a.Name, "--add", a.Device)
	return err == nil && r.Code == 0, err
}
