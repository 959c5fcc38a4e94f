// Package devinfo holds Salt's devinfo module: hardware as hwinfo and udev see
// it. Its main variable is Module.
//
//	salt-call devinfo.hwinfo items='[disk]' short=False
package devinfo

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's devinfo module.
var Module = salt.Module{
	Name: "devinfo",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"filter": salt.Exec(filter).Named("filter_"),
			"hwinfo": salt.Exec(hwinfo),
		}
	},
}

type filterArgs struct {
	UdevIn *value.Map `py:"udev_in=None"` // what a disk must have: {"e.id_bus": "ata"}
	UdevEx *value.Map `py:"udev_ex=None"` // what it must not have
}

// filter returns the disks whose information from udev is as wanted, sorted.
// A key leads to a value: e.id_bus is the entry ID_BUS under E.
func filter(c *salt.Ctx, a filterArgs) ([]string, error) {
	disks := []string{}
	l, _ := c.Grains.At("disks").(*value.List)
	if l == nil {
		return disks, nil
	}
	for _, it := range l.Items {
		info, err := c.Call("udev.info", it)
		if err != nil {
			return nil, err
		}
		if matches(info, a.UdevIn) && (a.UdevEx.Len() == 0 || !matches(info, a.UdevEx)) {
			disks = append(disks, value.Str(it))
		}
	}
	slices.Sort(disks)
	return disks, nil
}

func matches(info any, want *value.Map) bool {
	for key, v := range want.Items() {
		have := at(info, key)
		if _, ok := have.(*value.Map); ok {
			continue // not a value
		}
		if !slices.ContainsFunc(items(have), func(h any) bool {
			return slices.ContainsFunc(items(v), func(w any) bool { return value.Equal(h, w) })
		}) {
			return false
		}
	}
	return true
}

func items(v any) []any {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return []any{v}
}

// at is the value that a key leads to, n/a without one.
func at(info any, key string) any {
	if key == "" {
		return info
	}
	m, ok := info.(*value.Map)
	if !ok {
		return "n/a"
	}
	first, rest, _ := strings.Cut(key, ".")
	v, ok := m.Get(strings.ToUpper(first))
	switch {
	case rest == "" && !ok:
		return "n/a"
	case rest == "":
		return v
	case !ok:
		v = new(value.Map)
	}
	return at(v, rest)
}

type hwinfoArgs struct {
	Items   any  `py:"items=None"`   // what to look at; bios, cpu, disk, memory, network and partition
	Short   bool `py:"short=True"`   // only a summary
	Listmd  bool `py:"listmd=False"` // RAID devices, too
	Devices any  `py:"devices=None"` // only these devices
}

// hwinfo returns what the command hwinfo finds, with grains about the same
// things.
func hwinfo(c *salt.Ctx, a hwinfoArgs) (*value.Map, error) {
	parts := []string{"bios", "cpu", "disk", "memory", "network", "partition"}
	if value.Truth(a.Items) {
		parts = nil
		for _, it := range items(a.Items) {
			parts = append(parts, value.Str(it))
		}
	}
	words := []string{"hwinfo"}
	for _, p := range parts {
		words = append(words, "--"+p)
	}
	if a.Short {
		words = append(words, "--short")
	}
	if a.Listmd {
		words = append(words, "--listmd")
	}
	if value.Truth(a.Devices) {
		for _, it := range items(a.Devices) {
			words = append(words, "--only", value.Str(it))
		}
	}
	v, err := c.CallKw("cmd.run_stdout", value.M("python_shell", false), value.Strings(words))
	if err != nil {
		return nil, err
	}
	ret := new(value.Map)
	if a.Short {
		ret.Set("hwinfo", parseShort(value.Str(v)))
	} else {
		ret.Set("hwinfo", parseFull(value.Str(v)))
	}
	grain := func(part string, keys ...string) {
		if slices.Contains(parts, part) {
			m := new(value.Map)
			for _, k := range keys {
				m.Set(k, c.Grains.At(k))
			}
			ret.Set(part+" grains", m)
		}
	}
	grain("bios", "efi", "efi-secure-boot")
	grain("memory", "mem_total")
	if a.Short {
		grain("network", "fqdn", "ip_interfaces")
	} else {
		grain("network", "fqdn", "ip_interfaces", "dns")
	}
	return ret, nil
}
