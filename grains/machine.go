package grains

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"pinch/value"
)

// osGrains registers what Salt's os_data gathers: kernel, distribution,
// processor, memory, hardware, virtualisation.
func (c *core) osGrains(m *value.Map) {
	gpus := []string{"num_gpus", "gpus"}
	c.group(m, c.gpus, gpus...)
	c.group(m, c.uname, "kernel", "nodename", "kernelrelease", "kernelversion", "cpuarch")
	c.lazy(m, "selinux", c.selinux)
	c.lazy(m, "systemd", c.systemd)
	c.one(m, "init", func() any { return c.initSystem() })
	c.group(m, c.osData, osKeys...)
	c.group(m, c.cpu, "num_cpus", "cpu_model", "cpu_flags")
	c.one(m, "osarch", c.osarch)
	c.group(m, c.memory, "mem_total", "swap_total")
	c.group(m, c.hw, "biosversion", "biosvendor", "boardname", "productname", "manufacturer", "biosreleasedate", "uuid", "serialnumber")
	c.group(m, c.virt, "virtual", "virtual_subtype")
	c.group(m, c.hypervisor, "virtual_hv_version", "virtual_hv_version_info", "virtual_hv_features", "virtual_hv_features_list")
	c.one(m, "ps", c.ps)
	c.group(m, c.osData, "osrelease_info", "osmajorrelease", "osfinger")
}

func (c *core) uname() *value.Map {
	u := c.uts()
	s := unix.ByteSliceToString
	return value.M("kernel", s(u.Sysname[:]), "nodename", s(u.Nodename[:]), "kernelrelease", s(u.Release[:]),
		"kernelversion", s(u.Version[:]), "cpuarch", c.machine())
}

// cpu reads /proc/cpuinfo; the last processor's entries win, as in Salt.
func (c *core) cpu() *value.Map {
	var count int64
	model, flags := "Unknown", ""
	for line := range strings.Lines(c.read("/proc/cpuinfo")) {
		p := strings.Split(line, ":")
		if len(p) < 2 {
			continue
		}
		val := strings.TrimSpace(p[1])
		switch strings.TrimSpace(p[0]) {
		case "processor":
			count++
		case "# processors": // s390
			count, _ = strconv.ParseInt(val, 10, 64)
		case "vendor_id", "model name", "cpu": // cpu: POWER
			model = val
		case "flags", "Features":
			flags = val
		case "Processor": // old ARM kernels
			model, _, _ = strings.Cut(val, "-")
			count = 1
		}
	}
	return value.M("num_cpus", count, "cpu_model", model, "cpu_flags", value.Strings(strings.Fields(flags)))
}

// memory is in MiB, rounded down.
func (c *core) memory() *value.Map {
	m := value.M("mem_total", int64(0), "swap_total", int64(0))
	for line := range strings.Lines(c.read("/proc/meminfo")) {
		key, val, _ := strings.Cut(line, ":")
		f := strings.Fields(val)
		if len(f) == 0 {
			continue
		}
		kib, _ := strconv.ParseInt(f[0], 10, 64)
		switch strings.TrimSpace(key) {
		case "MemTotal":
			m.Set("mem_total", kib/1024)
		case "SwapTotal":
			m.Set("swap_total", kib/1024)
			return m
		}
	}
	return m
}

// ps is the command that lists processes (used by the status module).
func (c *core) ps() any {
	switch {
	case c.virt().Str("virtual") == "openvzhn":
		return `ps -fH -p $(grep -l "^envID:[[:space:]]*0\$" /proc/[0-9]*/status | sed -e "s=/proc/\([0-9]*\)/.*=\1=")  ` +
			`| awk '{ $7=""; print }'`
	case c.osData().Str("os_family") == "NILinuxRT":
		return "ps -o user,pid,ppid,tty,time,comm"
	}
	return "ps -efHww"
}

// selinux is there where its tools are; the kernel itself tells the state.
func (c *core) selinux() (any, bool) {
	if c.which("selinuxenabled") == "" {
		return nil, false
	}
	enabled := c.exists("/sys/fs/selinux/enforce") && c.exists("/etc/selinux/config")
	m := value.M("enabled", enabled)
	if c.which("getenforce") != "" {
		state := "Disabled"
		if enabled {
			state = "Permissive"
			if c.line("/sys/fs/selinux/enforce") == "1" {
				state = "Enforcing"
			}
		}
		m.Set("enforced", state)
	}
	return m, true
}
