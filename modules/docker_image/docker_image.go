// Package docker_image holds Salt's docker_image states: the images that a
// Docker daemon has. Its main variable is Module.
//
//	nginx:
//	  docker_image.present:
//	    - tag: "1.27"
//
//	mycorp/web:
//	  docker_image.present:
//	    - build: /srv/web
//	    - tag: "1.0"
package docker_image

import (
	"pinch/salt"
)

// Module is Salt's docker_image module.
var Module = salt.Module{
	Name:    "docker_image",
	Aliases: []string{"moby_image"},
	States: func() salt.Funcs {
		return salt.Funcs{"absent": salt.State(absent), "mod_watch": watch, "present": salt.State(present)}
	},
	Watch: watch,
}
