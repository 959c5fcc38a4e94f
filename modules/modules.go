// Package modules is the plain list of everything that is built in.
package modules

import (
	"pinch/modules/alternatives"
	"pinch/modules/cmd"
	"pinch/modules/config"
	"pinch/modules/cp"
	"pinch/modules/cron"
	"pinch/modules/debconf"
	"pinch/modules/defaults"
	"pinch/modules/environ"
	"pinch/modules/event"
	"pinch/modules/file"
	"pinch/modules/git"
	"pinch/modules/grains"
	"pinch/modules/group"
	"pinch/modules/hashutil"
	"pinch/modules/host"
	"pinch/modules/hosts"
	"pinch/modules/ini"
	"pinch/modules/log"
	"pinch/modules/lowpkg"
	"pinch/modules/match"
	"pinch/modules/module"
	"pinch/modules/network"
	"pinch/modules/npm"
	"pinch/modules/pillar"
	"pinch/modules/pip"
	"pinch/modules/pkg"
	"pinch/modules/pkgrepo"
	"pinch/modules/random"
	"pinch/modules/service"
	"pinch/modules/shadow"
	"pinch/modules/slsutil"
	"pinch/modules/ssh"
	"pinch/modules/ssh_auth"
	"pinch/modules/ssh_known_hosts"
	"pinch/modules/state"
	"pinch/modules/stateconf"
	sysmod "pinch/modules/sys"
	"pinch/modules/test"
	"pinch/modules/user"
	"pinch/modules/virtualenv"
	"pinch/salt"
)

// All are the built-in modules, in the order of the manual.
var All = []*salt.Module{
	&cmd.Module,
	&config.Module,
	&cp.Module,
	&cron.Module,
	&defaults.Module,
	&environ.Module,
	&event.Module,
	&file.Module,
	&git.Module,
	&grains.Module,
	&group.Module,
	&hashutil.Module,
	&host.Module,
	&hosts.Module,
	&ini.Module,
	&log.Module,
	&match.Module,
	&module.Module,
	&network.Module,
	&pillar.Module,
	&pkg.Module,
	&random.Module,
	&service.Module,
	&shadow.Module,
	&slsutil.Module,
	&state.Module,
	&stateconf.Module,
	&ssh.Module,
	&ssh_auth.Module,
	&ssh_known_hosts.Module,
	&sysmod.Module,
	&test.Module,
	&user.Module,
	&alternatives.Module,
	&debconf.Module,
	&lowpkg.Module,
	&pkgrepo.Module,
	&pip.Module,
	&virtualenv.Module,
	&npm.Module,
}

// Registry is the table of all built-in functions.
func Registry() *salt.Registry {
	r := salt.NewRegistry(All...)
	r.Manual = Doc
	return r
}
