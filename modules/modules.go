// Package modules is the plain list of everything that is built in.
package modules

import (
	"pinch/modules/alternatives"
	"pinch/modules/cmd"
	"pinch/modules/config"
	"pinch/modules/cp"
	"pinch/modules/cron"
	"pinch/modules/data"
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
	"pinch/modules/jinja"
	"pinch/modules/key"
	"pinch/modules/kmod"
	"pinch/modules/locale"
	"pinch/modules/log"
	"pinch/modules/lowpkg"
	"pinch/modules/match"
	"pinch/modules/mine"
	"pinch/modules/minion"
	"pinch/modules/module"
	"pinch/modules/mount"
	"pinch/modules/network"
	"pinch/modules/npm"
	"pinch/modules/out"
	"pinch/modules/pillar"
	"pinch/modules/pip"
	"pinch/modules/pkg"
	"pinch/modules/pkg_resource"
	"pinch/modules/pkgrepo"
	"pinch/modules/publish"
	"pinch/modules/random"
	"pinch/modules/salt_version"
	"pinch/modules/schedule"
	"pinch/modules/sdb"
	"pinch/modules/service"
	"pinch/modules/shadow"
	"pinch/modules/slsutil"
	"pinch/modules/ssh"
	"pinch/modules/ssh_auth"
	"pinch/modules/ssh_known_hosts"
	"pinch/modules/state"
	"pinch/modules/stateconf"
	"pinch/modules/status"
	sysmod "pinch/modules/sys"
	"pinch/modules/sysctl"
	"pinch/modules/system"
	"pinch/modules/temp"
	"pinch/modules/test"
	"pinch/modules/timezone"
	"pinch/modules/user"
	"pinch/modules/virtualenv"
	"pinch/modules/xml"
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
	&kmod.Module,
	&locale.Module,
	&log.Module,
	&match.Module,
	&module.Module,
	&mount.Module,
	&network.Module,
	&pillar.Module,
	&pkg.Module,
	&random.Module,
	&schedule.Module,
	&service.Module,
	&shadow.Module,
	&slsutil.Module,
	&state.Module,
	&stateconf.Module,
	&ssh.Module,
	&ssh_auth.Module,
	&ssh_known_hosts.Module,
	&sysmod.Module,
	&sysctl.Module,
	&test.Module,
	&timezone.Module,
	&user.Module,
	&alternatives.Module,
	&debconf.Module,
	&lowpkg.Module,
	&pkgrepo.Module,
	&pip.Module,
	&virtualenv.Module,
	&npm.Module,
	&data.Module,
	&mine.Module,
	&temp.Module,
	&publish.Module,
	&salt_version.Module,
	&jinja.Module,
	&out.Module,
	&key.Module,
	&minion.Module,
	&sdb.Module,
	&xml.Module,
	&pkg_resource.Module,
	&status.Module,
	&system.Module,
}

// Registry is the table of all built-in functions.
func Registry() *salt.Registry {
	r := salt.NewRegistry(All...)
	r.Manual = Doc
	return r
}
