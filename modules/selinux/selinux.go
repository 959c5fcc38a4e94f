// Package selinux holds Salt's selinux module: the mode, booleans, policy
// modules, file contexts and ports of SELinux. Its main variable is Module.
//
//	enforcing:
//	  selinux.mode
//	httpd_can_network_connect:
//	  selinux.boolean:
//	    - value: True
//	    - persist: True
package selinux

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's selinux module.
var Module = salt.Module{
	Name: "selinux",
	States: func() salt.Funcs {
		return salt.Funcs{
			"boolean":                 salt.State(boolean),
			"fcontext_policy_absent":  salt.State(fcontextPolicyAbsent),
			"fcontext_policy_applied": salt.State(fcontextPolicyApplied),
			"fcontext_policy_present": salt.State(fcontextPolicyPresent),
			"mode":                    salt.State(mode),
			"module":                  salt.State(module),
			"module_install":          salt.State(moduleInstall),
			"module_remove":           salt.State(moduleRemove),
			"port_policy_absent":      salt.State(portPolicyAbsent),
			"port_policy_present":     salt.State(portPolicyPresent),
		}
	},
	Aggregate: aggregate,
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"fcontext_add_policy":        salt.Exec(fcontextAddPolicy),
			"fcontext_apply_policy":      salt.Exec(fcontextApplyPolicy),
			"fcontext_delete_policy":     salt.Exec(fcontextDeletePolicy),
			"fcontext_get_policy":        salt.Exec(fcontextGetPolicy),
			"fcontext_policy_is_applied": salt.Exec(fcontextPolicyIsApplied),
			"filetype_id_to_string":      salt.Exec(filetypeIDToString),
			"getconfig":                  salt.Exec(getconfig),
			"getenforce":                 salt.Exec(getenforce),
			"getsebool":                  salt.Exec(getsebool),
			"getsemod":                   salt.Exec(getsemod),
			"install_semod":              salt.Exec(installSemod),
			"list_sebool":                salt.Exec(listSebool),
			"list_semod":                 salt.Exec(listSemod),
			"port_add_policy":            salt.Exec(portAddPolicy),
			"port_delete_policy":         salt.Exec(portDeletePolicy),
			"port_get_policy":            salt.Exec(portGetPolicy),
			"port_modify_policy":         salt.Exec(portModifyPolicy),
			"remove_semod":               salt.Exec(removeSemod),
			"selinux_fs_path":            salt.Exec(selinuxFsPath),
			"setenforce":                 salt.Exec(setenforce),
			"setsebool":                  salt.Exec(setsebool),
			"setsebools":                 salt.Exec(setsebools),
			"setsemod":                   salt.Exec(setsemod),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		why := ""
		for _, cmd := range []string{"semanage", "setsebool", "semodule"} {
			if c.Sys.LookPath(cmd) == "" {
				why = cmd + " is not in the path"
				break
			}
		}
		switch {
		case why == "" && c.Grains.Str("kernel") == "Linux":
			return nil
		case kind == "states":
			why = "selinux module could not be loaded"
		case why == "":
			why = "Module only works on Linux with selinux installed"
		}
		return errors.New(why)
	},
}

// lines are those of a command that only looks, without empty ones.
func lines(c *salt.Ctx, words ...string) ([]string, error) {
	a, err := command.Ask(c, words...)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.SplitSeq(a.All(), "\n") {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out, nil
}

// done runs a command and reports whether it succeeded.
func done(c *salt.Ctx, words ...string) (bool, error) {
	a, err := command.Do(c, words...)
	return err == nil && a.Code == 0, err
}

// orNone is None for what is not there.
func orNone(m *value.Map, err error) (any, error) {
	if m == nil {
		return nil, err
	}
	return m, err
}

type booleanArgs struct {
	Boolean string `py:"boolean"` // the boolean
}

// getsebool returns State, Default and Description of a boolean, {} for an
// unknown one.
func getsebool(c *salt.Ctx, a booleanArgs) (any, error) {
	return one(listSebool(c, salt.NoArgs{}))(a.Boolean)
}

// one looks for a name.
func one(all *value.Map, err error) func(name string) (any, error) {
	return func(name string) (any, error) {
		if v, ok := all.Get(name); ok {
			return v, err
		}
		return new(value.Map), err
	}
}

type setBooleanArgs struct {
	Boolean string `py:"boolean"`       // the boolean
	Value   any    `py:"value"`         // on or off
	Persist bool   `py:"persist=False"` // keep it over a start
}

// setsebool sets a boolean.
func setsebool(c *salt.Ctx, a setBooleanArgs) (bool, error) {
	if a.Persist {
		return done(c, "setsebool", "-P", a.Boolean, value.Str(a.Value))
	}
	return done(c, "setsebool", a.Boolean, value.Str(a.Value))
}

type setBooleansArgs struct {
	Pairs   *value.Map `py:"pairs"`         // values by boolean
	Persist bool       `py:"persist=False"` // keep them over a start
}

// setsebools sets several booleans at once.
//
//	salt-call selinux.setsebools '{virt_use_usb: on, squid_use_tproxy: off}'
func setsebools(c *salt.Ctx, a setBooleansArgs) (bool, error) {
	words := []string{"setsebool"}
	if a.Persist {
		words = append(words, "-P")
	}
	for name, v := range a.Pairs.Items() {
		words = append(words, name+"="+value.Str(v))
	}
	return done(c, words...)
}

// listSebool returns State, Default and Description of all booleans.
func listSebool(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "semanage", "boolean", "--list")
	m := new(value.Map)
	for i, line := range all {
		if f := strings.Fields(line); i > 0 && len(f) > 3 {
			m.Set(f[0], value.M("State", strings.TrimPrefix(f[1], "("), "Default", strings.TrimSuffix(f[3], ")"), "Description", strings.Join(f[4:], " ")))
		}
	}
	return m, err
}

type moduleArgs struct {
	Module string `py:"module"` // the policy module
}

// getsemod returns whether a policy module is Enabled, {} for an unknown one.
func getsemod(c *salt.Ctx, a moduleArgs) (any, error) {
	return one(listSemod(c, salt.NoArgs{}))(a.Module)
}

type setModuleArgs struct {
	Module string `py:"module"` // the policy module
	State  string `py:"state"`  // enabled or disabled
}

// setsemod enables or disables a policy module.
func setsemod(c *salt.Ctx, a setModuleArgs) (bool, error) {
	switch strings.ToLower(a.State) {
	case "enabled":
		return done(c, "semodule", "--enable", a.Module)
	case "disabled":
		return done(c, "semodule", "--disable", a.Module)
	}
	return false, salt.InvocationError("Invalid state %s", a.State)
}

type installModuleArgs struct {
	ModulePath string `py:"module_path"` // a file, or a salt:// URL
}

// installSemod installs a policy module.
func installSemod(c *salt.Ctx, a installModuleArgs) (bool, error) {
	path := a.ModulePath
	if strings.HasPrefix(path, "salt://") {
		v, err := c.Call("cp.cache_file", path)
		if err != nil {
			return false, err
		}
		if !value.Truth(v) {
			return false, salt.CommandError("%s was not found", path)
		}
		path = value.Str(v)
	}
	return done(c, "semodule", "--install", path)
}

// removeSemod removes a policy module.
func removeSemod(c *salt.Ctx, a moduleArgs) (bool, error) {
	return done(c, "semodule", "--remove", a.Module)
}

// listSemod returns whether each policy module is Enabled, and its Version,
// which is None with current versions of semodule.
func listSemod(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	all, err := lines(c, "semodule", "--list-modules=full")
	m := new(value.Map)
	for _, line := range all {
		if f := strings.Fields(line); len(f) > 1 {
			m.Set(f[1], value.M("Enabled", len(f) != 4, "Version", nil))
		}
	}
	return m, err
}
