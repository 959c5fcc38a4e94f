// Package user holds Salt's user module: the accounts of this machine. It
// reads /etc/passwd and /etc/group itself and changes them with the tools of
// shadow-utils. Its main variable is Module.
//
//	alice:
//	  user.present:
//	    - fullname: Alice Example
//	    - shell: /bin/bash
//	    - groups: [adm, sudo]
package user

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's user module.
var Module = salt.Module{
	Name: "user",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add":            salt.Exec(add),
			"chfullname":     salt.Exec(chfullname),
			"chgid":          salt.Exec(chgid),
			"chgroups":       salt.Exec(chgroups),
			"chhome":         salt.Exec(chhome),
			"chhomephone":    salt.Exec(chhomephone),
			"chloginclass":   salt.Exec(chloginclass),
			"chother":        salt.Exec(chother),
			"chroomnumber":   salt.Exec(chroomnumber),
			"chshell":        salt.Exec(chshell),
			"chuid":          salt.Exec(chuid),
			"chworkphone":    salt.Exec(chworkphone),
			"delete":         salt.Exec(delete_),
			"get_loginclass": salt.Exec(getLoginclass),
			"getent":         salt.Exec(getent),
			"info":           salt.Exec(info),
			"list_groups":    salt.Exec(listGroups),
			"list_users":     salt.Exec(listUsers),
			"primary_group":  salt.Exec(primaryGroup),
			"rename":         salt.Exec(rename),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if kind == "exec" && c.Grains.Str("kernel") != "Linux" {
			return errors.New("useradd execution module not loaded: either pwd python library not available or system not one of Linux, OpenBSD, NetBSD or AIX")
		}
		return nil
	},
}
