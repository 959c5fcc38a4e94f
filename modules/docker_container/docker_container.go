// Package docker_container holds Salt's docker_container states, which Salt
// 3008 leaves to an extension: containers that run, or do not. Its main
// variable is Module.
//
//	web:
//	  docker_container.running:
//	    - image: nginx:1.27
//	    - port_bindings: 8080:80
//
// Whether a container is as it should be is found out as Salt does it: one is
// made of the same arguments, the daemon's descriptions of both are compared,
// and it goes away again or takes the place of the old one. So test=True makes
// one for a moment, too.
//
// The arguments of a container are those of the docker command or of its API,
// in the forms that the command takes. A list may be text with commas, a map a
// list of KEY=VALUE. Those with other names in the command, or forms of their
// own:
//
//	auto_remove (rm), detach, init, interactive (stdin_open), network_disabled, oom_kill_disable,
//	privileged, publish_all_ports (publish_all), read_only, tty          True or False
//	binds                           /srv/www:/var/www:ro
//	blkio_weight_device             /dev/sda:100
//	command (cmd), entrypoint       text, split as a shell does, or a list of words
//	cpuset_cpus (cpuset)            0-3
//	device_read_bps, device_write_bps, device_read_iops, device_write_iops     /dev/sda:5mb
//	devices                         /dev/net/tun:/dev/net/tun:rwm
//	dns, dns_search, dns_opt (dns_option)
//	environment (env), labels (label), sysctls (sysctl), storage_opt, log_opt, lxc_conf     KEY=VALUE
//	extra_hosts                     name:10.0.0.1
//	healthcheck                     test, interval, timeout, retries, start_period (in nanoseconds)
//	links                           container:alias
//	log_driver, or log_config       Type and Config, as the API has them
//	mem_limit (memory), memswap_limit (memory_swap), mem_reservation, shm_size     512m
//	network_mode, pid_mode, ipc_mode (ipc), userns_mode (user_ns_mode)             host
//	port_bindings (publish)         [[IP:]HOST:]CONTAINER[/udp], with ranges; the ports are exposed, too
//	ports (expose)                  1111,2222/udp, with ranges
//	restart_policy (restart)        always, or on-failure:5
//	security_opt (security_opts), cap_add, cap_drop, group_add, volumes_from
//	tmpfs                           a map from paths to options
//	ulimits (ulimit)                nofile=1024:2048
//	volumes (volume)                absolute paths; the targets of binds are some
//	host_config                     keys of the API's HostConfig, which win
//
// All others (user, hostname, domainname, working_dir or workdir, cpu_shares,
// pids_limit, stop_signal, stop_timeout, mounts, runtime …) are the API's.
// What nothing takes is ignored, with a warning.
//
// running.go and compare.go have running, networks.go its networks, run.go run;
// package translate knows the arguments of containers.
package docker_container

import (
	"errors"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's docker_container module.
var Module = salt.Module{
	Name:    "docker_container",
	Aliases: []string{"moby_container"},
	States: func() salt.Funcs {
		return salt.Funcs{
			"absent":    salt.State(absent),
			"mod_watch": salt.State(modWatch),
			"run":       salt.State(run),
			"running":   salt.State(running),
			"stopped":   salt.State(stopped),
		}
	},
}

// isCommandError reports whether Salt would have caught the error: what the
// daemon refuses is a CommandExecutionError, a bug is not.
func isCommandError(err error) bool {
	var x *value.Exception
	return errors.As(err, &x) && x.Class == "CommandExecutionError"
}

// clean are the arguments but for those of Salt itself.
func clean(kw *value.Map) *value.Map {
	out := new(value.Map)
	for k, v := range kw.Items() {
		if !strings.HasPrefix(k, "__") {
			out.Set(k, v)
		}
	}
	return out
}

// joined writes comments as one.
func joined(comments []string) string {
	s := strings.Join(comments, ". ")
	if len(comments) > 1 {
		s += "."
	}
	return s
}

type modWatchArgs struct {
	Name   string     `py:"name"`      // the container
	Sfun   any        `py:"sfun=None"` // the state's function: running, stopped or run
	Kwargs *value.Map `py:"**kwargs"`  // its arguments
}

// modWatch is what running, stopped and run do when something they watch
// changed: the container is made anew, or gets the signal of watch_action.
func modWatch(c *salt.Ctx, a modWatchArgs) salt.Result {
	kw := clean(a.Kwargs)
	f := salt.State(stopped)
	switch a.Sfun {
	case "running":
		f = salt.State(running)
		action, ok := kw.Get("watch_action")
		forced := !ok || value.Equal(action, "force")
		kw.Set("force", forced)
		if !forced {
			kw.Set("send_signal", true)
		}
	case "run":
		f = salt.State(run)
	case "stopped":
	default:
		return salt.Failed("watch requisite is not implemented for %s", value.Str(a.Sfun))
	}
	v, err := f.Call(c, []any{a.Name}, kw)
	if err != nil {
		return salt.Raised(err)
	}
	return v.(salt.Result)
}
