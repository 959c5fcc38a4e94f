package ps

import (
	"bytes"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// meminfo is /proc/meminfo in bytes.
func meminfo(c *salt.Ctx) map[string]int64 {
	b, _ := c.Sys.ReadFile("/proc/meminfo")
	m := map[string]int64{}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 1 {
			m[strings.TrimSuffix(f[0], ":")] = number(f[1]) * 1024
		}
	}
	return m
}

// virtualMemory returns how the memory is used, in bytes.
func virtualMemory(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	m := meminfo(c)
	total, available := m["MemTotal"], m["MemAvailable"]
	if available > total {
		available = m["MemFree"]
	}
	return value.M("total", total, "available", available, "percent", share(total-available, total), "used", total-available, "free", m["MemFree"],
		"active", m["Active"], "inactive", m["Inactive"], "buffers", m["Buffers"], "cached", m["Cached"]+m["SReclaimable"], "shared", m["Shmem"], "slab", m["Slab"]), nil
}

// swapMemory returns how the swap space is used, in bytes.
func swapMemory(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	m := meminfo(c)
	total, free := m["SwapTotal"], m["SwapFree"]
	moved := map[string]int64{}
	b, _ := c.Sys.ReadFile("/proc/vmstat")
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 2 {
			moved[f[0]] = number(f[1]) * 4096
		}
	}
	return value.M("total", total, "used", total-free, "free", free, "percent", share(total-free, total), "sin", moved["pswpin"], "sout", moved["pswpout"]), nil
}

// totalPhysicalMemory returns the size of the memory in bytes.
func totalPhysicalMemory(c *salt.Ctx, _ salt.NoArgs) (int64, error) {
	return meminfo(c)["MemTotal"], nil
}

// cpus are the lines of /proc/stat: the sum first, then each processor.
func cpus(c *salt.Ctx) [][]string {
	b, _ := c.Sys.ReadFile("/proc/stat")
	var list [][]string
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) > 4 && strings.HasPrefix(f[0], "cpu") {
			list = append(list, f[1:])
		}
	}
	return list
}

// numCpus returns the number of processors.
func numCpus(c *salt.Ctx, _ salt.NoArgs) (int64, error) { return int64(max(len(cpus(c))-1, 1)), nil }

type cpuTimesArgs struct {
	PerCPU bool `py:"per_cpu=False"` // a list with each processor
}

// cpuTimes returns the seconds that the processors spent on what.
func cpuTimes(c *salt.Ctx, a cpuTimesArgs) (any, error) {
	list := value.L()
	for _, f := range cpus(c) {
		list.Append(column("user nice system idle iowait irq softirq steal guest guest_nice", f, func(s string) any { return ticks(s) }))
	}
	switch {
	case list.Len() == 0:
		return nil, salt.CommandError("/proc/stat cannot be read")
	case a.PerCPU:
		return value.L(list.Items[1:]...), nil
	}
	return list.Items[0], nil
}

type cpuPercentArgs struct {
	Interval any  `py:"interval=0.1"`  // seconds to watch
	PerCPU   bool `py:"per_cpu=False"` // a list with each processor
}

// cpuPercent returns how busy the processors are, in percent.
func cpuPercent(c *salt.Ctx, a cpuPercentArgs) (any, error) {
	wait, err := strconv.ParseFloat(value.Str(a.Interval), 64)
	if err != nil {
		return nil, salt.InvocationError("interval must be a number of seconds")
	}
	before := cpus(c)
	if err := c.Sys.Sleep(c, time.Duration(wait*float64(time.Second))); err != nil {
		return nil, err
	}
	after := cpus(c)
	list := value.L()
	for i := range min(len(before), len(after)) {
		list.Append(busy(before[i], after[i]))
	}
	switch {
	case list.Len() == 0:
		return nil, salt.CommandError("/proc/stat cannot be read")
	case a.PerCPU:
		return value.L(list.Items[1:]...), nil
	}
	return list.Items[0], nil
}

// busy compares two lines of /proc/stat: user, nice, system, idle, iowait,
// irq, softirq, steal count.
func busy(before, after []string) float64 {
	var total, idle int64
	for i := range min(len(before), len(after), 8) {
		n := max(number(after[i])-number(before[i]), 0)
		total += n
		if i == 3 || i == 4 {
			idle += n
		}
	}
	return share(total-idle, total)
}

// booted is when the machine started, in seconds since 1970.
func booted(c *salt.Ctx) int64 {
	b, _ := c.Sys.ReadFile("/proc/stat")
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "btime" {
			return number(f[1])
		}
	}
	return 0
}

type bootTimeArgs struct {
	TimeFormat any `py:"time_format=None"` // a format of strftime(3)
}

// bootTime returns when the machine started, in seconds since 1970 or in a
// format.
func bootTime(c *salt.Ctx, a bootTimeArgs) (any, error) {
	n := booted(c)
	if !value.Truth(a.TimeFormat) {
		return n, nil
	}
	return py.Strftime(time.Unix(n, 0), value.Str(a.TimeFormat))
}

type interfaceArgs struct {
	Interface any `py:"interface=None"` // only this one
}

// networkIOCounters returns what went over the network interfaces.
func networkIOCounters(c *salt.Ctx, a interfaceArgs) (any, error) {
	const names = "bytes_sent bytes_recv packets_sent packets_recv errin errout dropin dropout"
	b, err := c.Sys.ReadFile("/proc/net/dev")
	if err != nil {
		return nil, salt.OSError(err)
	}
	sum := column(names, nil, func(string) any { return int64(0) })
	for line := range strings.Lines(string(b)) {
		i := strings.LastIndexByte(line, ':')
		if i < 0 {
			continue
		}
		f := strings.Fields(line[i+1:])
		if len(f) < 16 {
			continue
		}
		m := column(names, []string{f[8], f[0], f[9], f[1], f[2], f[10], f[3], f[11]}, func(s string) any { return number(s) })
		if strings.TrimSpace(line[:i]) == value.Str(a.Interface) {
			return m, nil
		}
		add(sum, m)
	}
	if value.Truth(a.Interface) {
		return false, nil
	}
	return sum, nil
}

// add adds the numbers of a map to those of another.
func add(sum, m *value.Map) {
	for k, v := range m.Items() {
		sum.Set(k, sum.At(k).(int64)+v.(int64))
	}
}

type deviceArgs struct {
	Device any `py:"device=None"` // only this one
}

// diskIOCounters returns what was read from and written to disks.
func diskIOCounters(c *salt.Ctx, a deviceArgs) (any, error) {
	const names = "read_count write_count read_bytes write_bytes read_time write_time read_merged_count write_merged_count busy_time"
	b, err := c.Sys.ReadFile("/proc/diskstats")
	if err != nil {
		return nil, salt.OSError(err)
	}
	sum := column(names, nil, func(string) any { return int64(0) })
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 14 {
			continue
		}
		m := column(names, []string{f[3], f[7], f[5], f[9], f[6], f[10], f[4], f[8], f[12]}, func(s string) any { return number(s) })
		for _, sectors := range []string{"read_bytes", "write_bytes"} {
			m.Set(sectors, m.At(sectors).(int64)*512)
		}
		if f[2] == value.Str(a.Device) {
			return m, nil
		}
		if sys.LExists(c.Sys, "/sys/block/"+strings.ReplaceAll(f[2], "/", "!")) { // a partition is part of its disk
			add(sum, m)
		}
	}
	if value.Truth(a.Device) {
		return false, nil
	}
	return sum, nil
}

type allArgs struct {
	All bool `py:"all=False"` // those without a device, too
}

// diskPartitions returns the mounted file systems: device, mountpoint, fstype
// and opts.
func diskPartitions(c *salt.Ctx, a allArgs) (*value.List, error) {
	real := map[string]bool{"zfs": true}
	b, _ := c.Sys.ReadFile("/proc/filesystems")
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 1 {
			real[f[0]] = true
		}
	}
	b, err := c.Sys.ReadFile("/proc/self/mounts")
	if err != nil {
		return nil, salt.OSError(err)
	}
	l := value.L()
	plain := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		device := f[0]
		if device == "none" {
			device = ""
		}
		if a.All || device != "" && real[f[2]] {
			l.Append(value.M("device", plain.Replace(device), "mountpoint", plain.Replace(f[1]), "fstype", f[2], "opts", f[3]))
		}
	}
	return l, nil
}

type pathArgs struct {
	Path string `py:"path"` // a path on the file system
}

// diskUsage returns the space of a file system in bytes: total, used, free
// and percent.
func diskUsage(c *salt.Ctx, a pathArgs) (*value.Map, error) {
	f, err := c.Sys.Statfs(a.Path)
	if err != nil {
		return nil, salt.OSError(err)
	}
	used, free := (f.Blocks-f.BlocksFree)*f.FragmentSize, f.BlocksAvailable*f.FragmentSize
	return value.M("total", f.Blocks*f.FragmentSize, "used", used, "free", free, "percent", share(used, used+free)), nil
}

// diskPartitionUsage returns the mounted file systems with their space.
func diskPartitionUsage(c *salt.Ctx, a allArgs) (*value.List, error) {
	l, err := diskPartitions(c, a)
	if err != nil {
		return nil, err
	}
	for _, it := range l.Items {
		m := it.(*value.Map)
		u, err := diskUsage(c, pathArgs{m.Str("mountpoint")})
		if err != nil {
			return nil, err
		}
		m.Update(u)
	}
	return l, nil
}

// getUsers returns the logins: name, terminal, host, started and pid.
func getUsers(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	b, err := c.Sys.ReadFile("/run/utmp")
	if err != nil && !os.IsNotExist(err) {
		return nil, salt.OSError(err)
	}
	return logins(b), nil
}

// logins are the records of user processes in utmp(5).
func logins(b []byte) *value.List {
	const size, user = 384, 7
	text := func(b []byte) string {
		b, _, _ = bytes.Cut(b, []byte{0})
		return string(b)
	}
	l := value.L()
	for ; len(b) >= size; b = b[size:] {
		if binary.NativeEndian.Uint16(b) != user {
			continue
		}
		host := text(b[76:332])
		if host == ":0" || host == ":0.0" {
			host = "localhost"
		}
		l.Append(value.M("name", text(b[44:76]), "terminal", text(b[8:40]), "host", host,
			"started", float64(binary.NativeEndian.Uint32(b[340:])), "pid", int64(binary.NativeEndian.Uint32(b[4:]))))
	}
	return l
}
