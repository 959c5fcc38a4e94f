package translate

import (
	"slices"
	"strings"
	"sync"

	"pinch/value"
	"pinch/value/py"
)

// A hostField is one argument that goes to HostConfig.
type hostField struct {
	arg, name string
	since     string                   // the API that has it first; "" is any
	takes     string                   // the type it must have: int, str, list, dict; "" is any
	given     bool                     // any value but None counts; otherwise only true ones
	read      func(v any) (any, error) // what it becomes; nil: stays
}

var hostFields = sync.OnceValue(func() []hostField {
	return []hostField{
		{arg: "mem_limit", name: "Memory", given: true, read: bytesOf},
		{arg: "memswap_limit", name: "MemorySwap", given: true, read: bytesOf},
		{arg: "mem_reservation", name: "MemoryReservation", read: bytesOf},
		{arg: "kernel_memory", name: "KernelMemory", read: bytesOf},
		{arg: "mem_swappiness", name: "MemorySwappiness", given: true, takes: "int"},
		{arg: "shm_size", name: "ShmSize", given: true, read: shmSize},
		{arg: "pid_mode", name: "PidMode"},
		{arg: "ipc_mode", name: "IpcMode"},
		{arg: "privileged", name: "Privileged"},
		{arg: "oom_kill_disable", name: "OomKillDisable"},
		{arg: "oom_score_adj", name: "OomScoreAdj", takes: "int"},
		{arg: "publish_all_ports", name: "PublishAllPorts"},
		{arg: "read_only", name: "ReadonlyRootfs", given: true},
		{arg: "dns_search", name: "DnsSearch"},
		{arg: "restart_policy", name: "RestartPolicy", takes: "dict"},
		{arg: "cap_add", name: "CapAdd"},
		{arg: "cap_drop", name: "CapDrop"},
		{arg: "devices", name: "Devices", read: devices},
		{arg: "group_add", name: "GroupAdd", read: strs},
		{arg: "dns", name: "Dns", given: true},
		{arg: "dns_opt", name: "DnsOptions", given: true},
		{arg: "security_opt", name: "SecurityOpt", given: true, takes: "list"},
		{arg: "sysctls", name: "Sysctls", takes: "dict", read: strValues},
		{arg: "volumes_from", name: "VolumesFrom", given: true, read: commas},
		{arg: "binds", name: "Binds", given: true, read: bindList},
		{arg: "port_bindings", name: "PortBindings", given: true, read: bindingMap},
		{arg: "extra_hosts", name: "ExtraHosts", given: true, read: hostList},
		{arg: "links", name: "Links", given: true, read: linkList},
		{arg: "lxc_conf", name: "LxcConf", given: true, read: lxcList},
		{arg: "cgroup_parent", name: "CgroupParent", given: true},
		{arg: "ulimits", name: "Ulimits", given: true, takes: "list", read: limitList},
		{arg: "log_config", name: "LogConfig", given: true, read: logConfig},
		{arg: "cpu_quota", name: "CpuQuota", takes: "int"},
		{arg: "cpu_period", name: "CpuPeriod", takes: "int"},
		{arg: "cpu_shares", name: "CpuShares", takes: "int"},
		{arg: "cpuset_cpus", name: "CpusetCpus"},
		{arg: "cpuset_mems", name: "CpusetMems", takes: "str"},
		{arg: "cpu_rt_period", name: "CPURealtimePeriod", since: "1.25", takes: "int"},
		{arg: "cpu_rt_runtime", name: "CPURealtimeRuntime", since: "1.25", takes: "int"},
		{arg: "blkio_weight", name: "BlkioWeight", takes: "int"},
		{arg: "blkio_weight_device", name: "BlkioWeightDevice", takes: "list"},
		{arg: "device_read_bps", name: "BlkioDeviceReadBps", takes: "list"},
		{arg: "device_write_bps", name: "BlkioDeviceWriteBps", takes: "list"},
		{arg: "device_read_iops", name: "BlkioDeviceReadIOps", takes: "list"},
		{arg: "device_write_iops", name: "BlkioDeviceWriteIOps", takes: "list"},
		{arg: "tmpfs", name: "Tmpfs", read: mountMap},
		{arg: "userns_mode", name: "UsernsMode", read: onlyHost("userns_mode")},
		{arg: "uts_mode", name: "UTSMode", read: onlyHost("uts_mode")},
		{arg: "pids_limit", name: "PidsLimit", takes: "int"},
		{arg: "isolation", name: "Isolation", takes: "string"},
		{arg: "auto_remove", name: "AutoRemove", since: "1.25"},
		{arg: "storage_opt", name: "StorageOpt", given: true, since: "1.24"},
		{arg: "init", name: "Init", given: true, since: "1.25"},
		{arg: "init_path", name: "InitPath", given: true, since: "1.25"},
		{arg: "volume_driver", name: "VolumeDriver", given: true},
		{arg: "cpu_count", name: "CpuCount", since: "1.25", takes: "int"},
		{arg: "cpu_percent", name: "CpuPercent", since: "1.25", takes: "int"},
		{arg: "nano_cpus", name: "NanoCpus", since: "1.25", takes: "int"},
		{arg: "runtime", name: "Runtime", since: "1.25"},
		{arg: "mounts", name: "Mounts", given: true, since: "1.30"},
		{arg: "device_cgroup_rules", name: "DeviceCgroupRules", given: true, since: "1.28", takes: "list"},
		{arg: "device_requests", name: "DeviceRequests", given: true, since: "1.40", takes: "list", read: requestList},
		{arg: "cgroupns", name: "CgroupnsMode"},
	}
})

// hostConfig takes its arguments out of kw and makes HostConfig of them.
func hostConfig(kw *value.Map, version string) (*value.Map, error) {
	mode, _ := kw.Pop("network_mode")
	if value.Equal(mode, "host") && kw.Truth("port_bindings") {
		return nil, clientErrorf(`"host" network_mode is incompatible with port_bindings`)
	}
	if !value.Truth(mode) {
		mode = "default"
	}
	out := value.M("NetworkMode", mode)
	for _, f := range hostFields() {
		v, _ := kw.Pop(f.arg)
		if v == nil || !f.given && !value.Truth(v) {
			continue
		}
		switch {
		case older(version, f.since):
			return nil, clientErrorf("%s param is not supported in API versions < %s", f.arg, f.since)
		case f.takes != "" && !isA(v, f.takes):
			return nil, typeError("Invalid type for %s param: expected %s but found <class '%s'>", f.arg, f.takes, value.TypeName(v))
		case f.arg == "init_path" && !older(version, "1.29"):
			return nil, clientErrorf("init_path param is not supported in API versions > 1.29")
		}
		if f.read != nil {
			var err error
			if v, err = f.read(v); err != nil {
				return nil, err
			}
		}
		out.Set(f.name, v)
	}
	return out, nil
}

func isA(v any, kind string) bool {
	switch v.(type) {
	case *value.List:
		return kind == "list"
	case *value.Map:
		return kind == "dict"
	case string:
		return kind == "str" || kind == "string"
	}
	return kind == "int" && isInt(v)
}

// older reports whether a version of the API is before another.
func older(version, than string) bool {
	if than == "" {
		return false
	}
	a, b := numbers(version), numbers(than)
	return slices.Compare(a, b) < 0
}

func numbers(version string) []int64 {
	var out []int64
	for part := range strings.SplitSeq(version, ".") {
		n, _ := py.Int(part)
		i, _ := n.(int64)
		out = append(out, i)
	}
	return out
}
