package grains

import (
	"context"
	"slices"
	"strings"

	"pinch/sys"
	"pinch/value"
)

// storage registers disks, volume groups and RAID devices.
func (c *core) storage(m *value.Map) {
	c.group(m, c.disks, "disks", "ssds")
	c.lazy(m, "lvm", c.lvm)
	c.lazy(m, "mdadm", c.mdadm)
}

// disks tells rotating disks from others among the real block devices.
func (c *core) disks() *value.Map {
	disks, ssds := new(value.List), new(value.List)
	for _, name := range c.names("/sys/block") {
		if target, _ := c.Sys.Readlink(c.path("/sys/block/" + name)); strings.HasPrefix(target, "../devices/virtual/") {
			continue
		}
		switch flag := c.read("/sys/block/" + name + "/queue/rotational"); {
		case strings.HasPrefix(flag, "0"):
			ssds.Append(name)
		case strings.HasPrefix(flag, "1"):
			disks.Append(name)
		}
	}
	return value.M("disks", disks, "ssds", ssds)
}

// lvm has the logical volumes of each volume group, where LVM is installed.
func (c *core) lvm() (any, bool) {
	if c.which("lvm") == "" {
		return nil, false
	}
	list := func(args ...string) []string {
		r, err := c.Sys.Run(context.Background(), sys.Cmd{Argv: append([]string{"lvm"}, args...), Query: true})
		if err != nil {
			return nil
		}
		var out []string
		for line := range strings.Lines(string(r.Stdout)) {
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
		return out
	}
	m := new(value.Map)
	for _, vg := range list("vgs", "-o", "vg_name", "--noheadings") {
		m.Set(vg, value.Strings(list("lvs", "-o", "lv_name", "--noheadings", vg)))
	}
	return m, true
}

// mdadm are the devices of /proc/mdstat, sorted; absent without that file.
func (c *core) mdadm() (any, bool) {
	text, ok := c.file("/proc/mdstat")
	if !ok {
		return nil, false
	}
	var devs []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "Personalities : ") || strings.HasPrefix(line, "unused devices:") {
			continue
		}
		if name, _, ok := strings.Cut(line, " : "); ok {
			devs = append(devs, name)
		}
	}
	slices.Sort(devs)
	return value.Strings(slices.Compact(devs)), true
}
