package translate

import (
	"strings"
	"sync"

	"pinch/value"
)

// Container reads the arguments of a container: Salt's, the docker command's
// and the client's names become the client's, with values as it takes them.
// The error is an *Error.
func Container(kw *value.Map, o Options) (*value.Map, error) { return containers().translate(kw, o) }

var containers = sync.OnceValue(func() *kind {
	return &kind{
		readers: containerReaders(),
		aliases: [][2]string{
			{"cmd", "command"}, {"cpuset", "cpuset_cpus"}, {"dns_option", "dns_opt"}, {"env", "environment"},
			{"expose", "ports"}, {"interactive", "stdin_open"}, {"ipc", "ipc_mode"}, {"label", "labels"},
			{"memory", "mem_limit"}, {"memory_swap", "memswap_limit"}, {"publish", "port_bindings"},
			{"publish_all", "publish_all_ports"}, {"restart", "restart_policy"}, {"rm", "auto_remove"},
			{"sysctl", "sysctls"}, {"security_opts", "security_opt"}, {"ulimit", "ulimits"},
			{"user_ns_mode", "userns_mode"}, {"volume", "volumes"}, {"workdir", "working_dir"},
		},
		merge:  mergeLog,
		finish: finishContainer,
	}
})

func containerReaders() map[string]reader {
	r := map[string]reader{
		"binds": binds, "blkio_weight_device": weights, "command": readCommand, "entrypoint": readCommand,
		"device_read_bps": rates(false), "device_read_iops": rates(true), "device_write_bps": rates(false), "device_write_iops": rates(true),
		"dns": dns, "environment": keyVal("="), "extra_hosts": extraHosts, "host_config": readDict,
		"labels": labels, "links": keyVal(":"), "log_opt": keyVal("="), "lxc_conf": keyVal("="),
		"mem_limit": readBytes, "memswap_limit": readBytes, "shm_size": readBytes,
		"port_bindings": portBindings, "ports": ports, "restart_policy": restartPolicy,
		"storage_opt": keyVal("="), "sysctls": keyVal("="), "tmpfs": readDict, "ulimits": ulimits,
		"user": user, "volumes": volumes, "working_dir": workingDir,
	}
	for names, read := range map[string]reader{
		"auto_remove detach network_disabled oom_kill_disable privileged publish_all_ports read_only stdin_open tty":                                             readBool,
		"blkio_weight cpu_group cpu_period cpu_shares mem_swappiness oom_score_adj pids_limit stop_timeout":                                                      readInt,
		"cpuset_cpus cpuset_mems domainname hostname ipc_mode isolation log_driver mac_address name network_mode pid_mode stop_signal userns_mode volume_driver": readStr,
		"cap_add cap_drop devices dns_opt dns_search group_add security_opt volumes_from":                                                                        readWords,
	} {
		for name := range strings.FieldsSeq(names) {
			r[name] = read
		}
	}
	return r
}

// binds reads bind mounts: a map, a list, or text with commas.
func binds(v any, _ *args) (any, error) {
	switch v := v.(type) {
	case *value.Map, *value.List:
		return v, nil
	case string:
		return value.Strings(split(v, ",")), nil
	}
	return nil, invalidf("'%s' is not a dictionary or list of bind definitions", value.Str(v))
}

// weights reads PATH:WEIGHT pairs.
func weights(v any, _ *args) (any, error) {
	items, err := mapVals(v, nil, "Path", "Weight")
	for _, m := range items {
		n, err := intOf(m.At("Weight"))
		if err != nil {
			return nil, invalidf("Weight '%s' for path '%s' is not an integer", m.Str("Weight"), m.Str("Path"))
		}
		m.Set("Weight", n)
	}
	return listOf(items), err
}

// rates reads PATH:RATE pairs; not all rates can have a unit.
func rates(numeric bool) reader {
	return func(v any, _ *args) (any, error) {
		items, err := mapVals(v, nil, "Path", "Rate")
		for _, m := range items {
			if !strings.HasPrefix(m.Str("Path"), "/") {
				return nil, invalidf("Path '%s' is not absolute", m.Str("Path"))
			}
			n, err := intOf(m.At("Rate"))
			switch {
			case err == nil:
				m.Set("Rate", n)
			case numeric:
				return nil, invalidf("Rate '%s' for path '%s' is non-numeric", m.Str("Rate"), m.Str("Path"))
			}
		}
		return listOf(items), err
	}
}

func dns(v any, a *args) (any, error) {
	l := words(v)
	for _, it := range l.Items {
		if a.ValidateIP {
			if err := checkIP(it); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

func extraHosts(v any, a *args) (any, error) {
	return namedAddresses(v, ":", a)
}

// namedAddresses are pairs of a name and an address, with sep between them.
func namedAddresses(v any, sep string, a *args) (any, error) {
	m, err := keyVals(v, sep)
	if err != nil || !a.ValidateIP {
		return m, err
	}
	for _, ip := range m.Items() {
		if err := checkIP(ip); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// restartPolicy reads NAME or NAME:RETRIES.
func restartPolicy(v any, _ *args) (any, error) {
	none := "0"
	items, err := mapVals(v, &none, "Name", "MaximumRetryCount")
	if err != nil {
		return nil, err
	}
	if len(items) != 1 {
		return nil, invalidf("Only one policy is permitted")
	}
	n, err := intOf(items[0].At("MaximumRetryCount"))
	if err != nil {
		return nil, invalidf("Retry count '%s' is non-numeric", items[0].Str("MaximumRetryCount"))
	}
	items[0].Set("MaximumRetryCount", n)
	return items[0], nil
}

// ulimits reads TYPE=SOFT[:HARD].
func ulimits(v any, _ *args) (any, error) {
	l := words(v)
	for i, it := range l.Items {
		name, limits, ok := strings.Cut(it.(string), "=")
		if !ok {
			return nil, invalidf("Ulimit definition '%s' is not in the format type=soft_limit[:hard_limit]", it)
		}
		both := splitN(limits, ":", 2)
		soft, err := intOf(both[0])
		hard, err2 := intOf(both[len(both)-1])
		if err != nil || err2 != nil {
			return nil, invalidf("Limit '%s' contains non-numeric value(s)", it)
		}
		l.Items[i] = value.M("Name", strip(name), "Soft", soft, "Hard", hard)
	}
	return l, nil
}

// user reads a name or a number.
func user(v any, _ *args) (any, error) {
	if !isInt(v) {
		if n, err := intOf(v); err == nil {
			v = n
		} else if isOverflow(err) {
			return nil, err
		}
	}
	_, text := v.(string)
	switch {
	case !text && !isInt(v):
		return nil, invalidf("Value must be a username or uid")
	case !text && negative(v):
		return nil, invalidf("'%s' is an invalid uid", value.Str(v))
	}
	return v, nil
}

func negative(v any) bool {
	less, err := value.Less(v, int64(0))
	return err == nil && less
}

// volumes reads absolute paths.
func volumes(v any, _ *args) (any, error) {
	l := words(v)
	for _, it := range l.Items {
		if !strings.HasPrefix(it.(string), "/") {
			return nil, invalidf("'%s' is not an absolute path", it)
		}
	}
	return l, nil
}

func workingDir(v any, _ *args) (any, error) {
	s, ok := v.(string)
	switch {
	case !ok:
		return nil, typeError("expected str, bytes or os.PathLike object, not %s", value.TypeName(v))
	case !strings.HasPrefix(s, "/"):
		return nil, invalidf("'%s' is not an absolute path", s)
	}
	return s, nil
}
