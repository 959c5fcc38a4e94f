// Package docker holds Salt's docker module, which Salt 3008 leaves to an
// extension: containers, images, networks and volumes of a Docker daemon, over
// its API. Its main variable is Module.
//
//	salt-call docker.run_container alpine name=hello cmd='echo hi'
//
// The settings docker.url (or the variable DOCKER_HOST) and docker.version say
// where the daemon is and what it speaks; the default is the local socket.
// ssh://USER@HOST goes through the program ssh; contexts of the docker command
// do not count, as in Salt. The module is dockerng and moby, too.
//
// inspect.go and ps.go look, lifecycle.go starts and stops, create.go and
// runcontainer.go make containers, exec.go and copy.go work in them, images.go,
// rmi.go, load.go, import.go, pull.go and build.go are about images, guest.go and sls.go apply states in a
// container. Package engine is the way to the daemon, package translate
// understands the arguments of containers and networks.
package docker

import (
	"pinch/salt"
)

// Module is Salt's docker module.
var Module = salt.Module{
	Name:      "docker",
	Aliases:   []string{"dockerng", "moby"},
	Outputter: map[string]string{"sls": "highstate", "apply": "highstate", "highstate": "highstate"},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"apply":                                  salt.Exec(apply),
			"build":                                  salt.Exec(build),
			"call":                                   salt.Exec(call),
			"commit":                                 salt.Exec(commit),
			"compare_container":                      salt.Exec(compareContainers),
			"compare_container_networks":             salt.Exec(compareContainerNetworks),
			"compare_containers":                     salt.Exec(compareContainers),
			"compare_networks":                       salt.Exec(compareNetworks),
			"connect_container_to_network":           salt.Exec(connectContainerToNetwork),
			"connected":                              salt.Exec(connected),
			"copy_from":                              salt.Exec(copyFrom),
			"copy_to":                                salt.Exec(copyTo),
			"cp":                                     salt.Exec(copyFrom),
			"create":                                 salt.Exec(create),
			"create_network":                         salt.Exec(createNetwork),
			"create_volume":                          salt.Exec(createVolume),
			"dangling":                               salt.Exec(dangling),
			"depends":                                salt.Exec(depends),
			"diff":                                   salt.Exec(diff),
			"disconnect_all_containers_from_network": salt.Exec(disconnectAllContainersFromNetwork),
			"disconnect_container_from_network":      salt.Exec(disconnectContainerFromNetwork),
			"exists":                                 salt.Exec(exists),
			"export":                                 salt.Exec(export),
			"freeze":                                 salt.Exec(pause),
			"get_client_args":                        salt.Exec(getClientArgs),
			"highstate":                              salt.Exec(highstate),
			"history":                                salt.Exec(history),
			"images":                                 salt.Exec(images),
			"import":                                 salt.Exec(importImage),
			"info":                                   salt.Exec(info),
			"inspect":                                salt.Exec(inspect),
			"inspect_container":                      salt.Exec(inspectContainer),
			"inspect_image":                          salt.Exec(inspectImage),
			"inspect_network":                        salt.Exec(inspectNetwork),
			"inspect_volume":                         salt.Exec(inspectVolume),
			"kill":                                   salt.Exec(kill),
			"layers":                                 salt.Exec(layers),
			"list_containers":                        salt.Exec(listContainers),
			"list_tags":                              salt.Exec(listTags),
			"load":                                   salt.Exec(load),
			"login":                                  salt.Exec(login),
			"logout":                                 salt.Exec(logout),
			"logs":                                   salt.Exec(logs),
			"networks":                               salt.Exec(networks),
			"pause":                                  salt.Exec(pause),
			"pid":                                    salt.Exec(pid),
			"port":                                   salt.Exec(port),
			"prune":                                  salt.Exec(prune),
			"ps":                                     salt.Exec(ps),
			"pull":                                   salt.Exec(pull),
			"push":                                   salt.Exec(push),
			"remove_network":                         salt.Exec(removeNetwork),
			"remove_volume":                          salt.Exec(removeVolume),
			"rename":                                 salt.Exec(rename),
			"resolve_image_id":                       salt.Exec(resolveImageID),
			"resolve_tag":                            salt.Exec(resolveTag),
			"restart":                                salt.Exec(restart),
			"retcode":                                salt.Exec(retcode),
			"rm":                                     salt.Exec(rm),
			"rmi":                                    salt.Exec(rmi),
			"run":                                    salt.Exec(run),
			"run_all":                                salt.Exec(runAll),
			"run_container":                          salt.Exec(runContainer),
			"run_stderr":                             salt.Exec(runStderr),
			"run_stdout":                             salt.Exec(runStdout),
			"save":                                   salt.Exec(save),
			"script":                                 salt.Exec(script),
			"script_retcode":                         salt.Exec(scriptRetcode),
			"search":                                 salt.Exec(search),
			"signal":                                 salt.Exec(signal),
			"sls":                                    salt.Exec(sls),
			"sls_build":                              salt.Exec(slsBuild),
			"start":                                  salt.Exec(start),
			"state":                                  salt.Exec(state),
			"stop":                                   salt.Exec(stop),
			"tag":                                    salt.Exec(tag),
			"top":                                    salt.Exec(top),
			"unfreeze":                               salt.Exec(unpause),
			"unpause":                                salt.Exec(unpause),
			"version":                                salt.Exec(version),
			"volumes":                                salt.Exec(volumes),
			"wait":                                   salt.Exec(wait),
		}
	},
}
