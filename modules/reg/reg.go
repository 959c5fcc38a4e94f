// Package reg holds Salt's reg states: keys and values of the Windows registry.
// Where there is no registry they fail with Salt's words, as a tree for several
// systems expects. Its main variable is Module.
//
//	HKEY_LOCAL_MACHINE\SOFTWARE\Site:
//	  reg.present:
//	    - vname: version
//	    - vdata: 15.3
package reg

import (
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's reg module.
var Module = salt.Module{
	Name: "reg",
	States: func() salt.Funcs {
		return salt.Funcs{
			"absent":     salt.State(absent),
			"key_absent": salt.State(keyAbsent),
			"present":    salt.State(present),
		}
	},
}

func none() salt.Result {
	return salt.Raised(salt.CommandError("Registry functionality requires 'pywin32' to be installed."))
}

type presentArgs struct {
	Name             string     `py:"name"`                     // HIVE\key\subkey
	Vname            any        `py:"vname=None"`               // the value's name; None: the key's default
	Vdata            any        `py:"vdata=None"`               // its content
	Vtype            string     `py:"vtype='REG_SZ'"`           // its type
	Use32bitRegistry any        `py:"use_32bit_registry=False"` // the part of the registry for 32 bits
	WinOwner         any        `py:"win_owner=None"`           // who owns the key
	WinPerms         *value.Map `py:"win_perms=None"`           // permissions to grant
	WinDenyPerms     *value.Map `py:"win_deny_perms=None"`      // permissions to deny
	WinInheritance   any        `py:"win_inheritance=True"`     // permissions come from the key above, too
	WinPermsReset    any        `py:"win_perms_reset=False"`    // other permissions go
}

// present makes sure that a value of the registry is there. It fails where
// there is no registry.
func present(_ *salt.Ctx, _ presentArgs) salt.Result { return none() }

type absentArgs struct {
	Name             string `py:"name"`                     // HIVE\key\subkey
	Vname            any    `py:"vname=None"`               // the value's name
	Use32bitRegistry any    `py:"use_32bit_registry=False"` // the part of the registry for 32 bits
}

// absent makes sure that a value of the registry is not there. It fails where
// there is no registry.
func absent(_ *salt.Ctx, _ absentArgs) salt.Result { return none() }

type keyAbsentArgs struct {
	Name             string `py:"name"`                     // HIVE\key\subkey
	Use32bitRegistry any    `py:"use_32bit_registry=False"` // the part of the registry for 32 bits
}

// keyAbsent makes sure that a key of the registry and all below it are not
// there. It fails where there is no registry.
func keyAbsent(_ *salt.Ctx, _ keyAbsentArgs) salt.Result { return none() }
