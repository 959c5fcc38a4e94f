// Package ps holds Salt's ps module: processes and the resources of the
// machine, read from /proc. Its main variable is Module.
//
//	{% if salt['ps.pgrep']('nginx') %}
package ps

import (
	"math"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's ps module.
var Module = salt.Module{
	Name: "ps",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"boot_time":             salt.Exec(bootTime),
			"cpu_percent":           salt.Exec(cpuPercent),
			"cpu_times":             salt.Exec(cpuTimes),
			"disk_io_counters":      salt.Exec(diskIOCounters),
			"disk_partition_usage":  salt.Exec(diskPartitionUsage),
			"disk_partitions":       salt.Exec(diskPartitions),
			"disk_usage":            salt.Exec(diskUsage),
			"get_pid_list":          salt.Exec(getPidList),
			"get_users":             salt.Exec(getUsers),
			"kill_pid":              salt.Exec(killPid),
			"lsof":                  salt.Exec(lsof),
			"netstat":               salt.Exec(netstat),
			"network_io_counters":   salt.Exec(networkIOCounters),
			"num_cpus":              salt.Exec(numCpus),
			"pgrep":                 salt.Exec(pgrep),
			"pkill":                 salt.Exec(pkill),
			"proc_info":             salt.Exec(procInfo),
			"psaux":                 salt.Exec(psaux),
			"ss":                    salt.Exec(ss),
			"status":                salt.Exec(status),
			"swap_memory":           salt.Exec(swapMemory),
			"top":                   salt.Exec(top),
			"total_physical_memory": salt.Exec(totalPhysicalMemory),
			"virtual_memory":        salt.Exec(virtualMemory),
		}
	},
}

// round1 is Python's round(x, 1).
func round1(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	f, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 1, 64), 64)
	return f
}

// share is a part of a whole in percent, with one digit.
func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return round1(float64(part) / float64(whole) * 100)
}

// number reads a count; what is none is 0.
func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// ticks are clock ticks (of which there are 100 a second for programs) as
// seconds.
func ticks(s string) float64 { return float64(number(s)) / 100 }

// column makes a map of names and the numbers of a line.
func column(names string, f []string, read func(string) any) *value.Map {
	m := new(value.Map)
	for i, name := range strings.Fields(names) {
		v := "0"
		if i < len(f) {
			v = f[i]
		}
		m.Set(name, read(v))
	}
	return m
}
