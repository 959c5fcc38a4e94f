// Package modules is the plain list of everything that is built in.
package modules

import (
	"pinch/modules/cmd"
	"pinch/modules/config"
	"pinch/modules/cron"
	"pinch/modules/environ"
	"pinch/modules/event"
	"pinch/modules/file"
	"pinch/modules/git"
	"pinch/modules/grains"
	"pinch/modules/group"
	"pinch/modules/host"
	"pinch/modules/hosts"
	"pinch/modules/log"
	"pinch/modules/match"
	"pinch/modules/module"
	"pinch/modules/network"
	"pinch/modules/pillar"
	"pinch/modules/shadow"
	"pinch/modules/state"
	"pinch/modules/test"
	"pinch/modules/user"
	"pinch/salt"
)

// All are the built-in modules, in the order of the manual.
var All = []*salt.Module{
	&cmd.Module,
	&config.Module,
	&cron.Module,
	&environ.Module,
	&event.Module,
	&file.Module,
	&git.Module,
	&grains.Module,
	&group.Module,
	&host.Module,
	&hosts.Module,
	&log.Module,
	&match.Module,
	&module.Module,
	&network.Module,
	&pillar.Module,
	&shadow.Module,
	&state.Module,
	&test.Module,
	&user.Module,
}

// Registry is the table of all built-in functions.
func Registry() *salt.Registry {
	r := salt.NewRegistry(All...)
	r.Manual = Doc
	return r
}
