package translate

import (
	"slices"
	"strings"

	"pinch/value"
)

// ClientArgs are the arguments of the client's functions (docker-py 7.1), all
// or those of some: create_container, host_config,
// connect_container_to_network, logs, create_network, ipam_config.
func ClientArgs(limit []string) *value.Map {
	out := new(value.Map)
	for _, f := range [][2]string{
		{"create_container", "image command hostname user detach stdin_open tty ports environment volumes network_disabled name entrypoint working_dir domainname host_config labels stop_signal networking_config healthcheck stop_timeout use_config_proxy platform"},
		{"host_config", "binds port_bindings lxc_conf publish_all_ports links privileged dns dns_search volumes_from network_mode restart_policy cap_add cap_drop devices extra_hosts read_only pid_mode ipc_mode security_opt ulimits log_config mem_limit memswap_limit mem_reservation kernel_memory mem_swappiness cgroup_parent group_add cpu_quota cpu_period blkio_weight blkio_weight_device device_read_bps device_write_bps device_read_iops device_write_iops oom_kill_disable shm_size sysctls tmpfs oom_score_adj dns_opt cpu_shares cpuset_cpus userns_mode uts_mode pids_limit isolation auto_remove storage_opt init init_path volume_driver cpu_count cpu_percent nano_cpus cpuset_mems runtime mounts cpu_rt_period cpu_rt_runtime device_cgroup_rules device_requests cgroupns"},
		{"connect_container_to_network", strings.Join(endpointArgs, " ")},
		{"logs", "stdout stderr stream timestamps tail since follow until"},
		{"create_network", ""},
		{"ipam_config", strings.Join(poolArgs, " ")},
	} {
		if len(limit) == 0 || slices.Contains(limit, f[0]) {
			out.Set(f[0], value.Strings(strings.Fields(f[1])))
		}
	}
	return out
}
