// Package docker holds Salt's docker module, which Salt 3008 leaves to an
// extension: containers, images, networks and volumes of a Docker daemon, over
// its API. Its main variable is Module.
//
//	salt-call docker.run_container alpine name=hello cmd='echo hi'
//
// The settings docker.url (or the variable DOCKER_HOST) and docker.version say
// where the daemon is and what it speaks; the default is the local socket.
//
// inspect.go and ps.go look, lifecycle.go starts and stops; package engine is
// the way to the daemon, package translate understands the arguments of
// containers and networks.
package docker

import (
	"pinch/salt"
)

// Module is Salt's docker module.
var Module = salt.Module{
	Name: "docker",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"exists":            salt.Exec(exists),
			"freeze":            salt.Exec(pause),
			"images":            salt.Exec(images),
			"info":              salt.Exec(info),
			"inspect":           salt.Exec(inspect),
			"inspect_container": salt.Exec(inspectContainer),
			"inspect_image":     salt.Exec(inspectImage),
			"inspect_network":   salt.Exec(inspectNetwork),
			"inspect_volume":    salt.Exec(inspectVolume),
			"kill":              salt.Exec(kill),
			"list_containers":   salt.Exec(listContainers),
			"list_tags":         salt.Exec(listTags),
			"pause":             salt.Exec(pause),
			"pid":               salt.Exec(pid),
			"ps":                salt.Exec(ps),
			"resolve_image_id":  salt.Exec(resolveImageID),
			"resolve_tag":       salt.Exec(resolveTag),
			"restart":           salt.Exec(restart),
			"rm":                salt.Exec(rm),
			"signal":            salt.Exec(signal),
			"start":             salt.Exec(start),
			"state":             salt.Exec(state),
			"stop":              salt.Exec(stop),
			"unfreeze":          salt.Exec(unpause),
			"unpause":           salt.Exec(unpause),
			"version":           salt.Exec(version),
			"wait":              salt.Exec(wait),
		}
	},
}
