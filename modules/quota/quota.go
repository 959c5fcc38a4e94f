// Package quota holds Salt's quota module: how much of a file system users and
// groups may take. Its main variable is Module.
//
//	/home:
//	  quota.mode:
//	    - mode: True
//	    - quotatype: user
package quota

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's quota module.
var Module = salt.Module{
	Name:   "quota",
	States: func() salt.Funcs { return salt.Funcs{"mode": salt.State(mode)} },
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"get_mode": salt.Exec(getMode),
			"off":      salt.Exec(off),
			"on":       salt.Exec(on),
			"report":   salt.Exec(report),
			"set":      salt.Exec(set).Named("set_"),
			"stats":    salt.Exec(stats),
			"warn":     salt.Exec(warn),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("setquota") != "":
			return nil
		case kind == "states":
			return errors.New("quota module could not be loaded")
		}
		return errors.New("The quota execution module cannot be loaded: the module is only available on POSIX-like systems with the setquota binary available.")
	},
}

type reportArgs struct {
	Mount string `py:"mount"` // where the file system is mounted
}

// report returns the quotas of users and groups on a file system.
func report(c *salt.Ctx, a reportArgs) (*value.Map, error) {
	users, err := quotas(c, a.Mount, "-u", "Users")
	if err != nil {
		return nil, err
	}
	groups, err := quotas(c, a.Mount, "-g", "Groups")
	return value.M(a.Mount, value.M("User Quotas", users, "Group Quotas", groups)), err
}

// quotas reads what repquota prints: grace times, a rule of dashes, a line of
// ten columns for each name.
func quotas(c *salt.Ctx, mount, option, kind string) (*value.Map, error) {
	a, err := command.Ask(c, "repquota", "-vp", option, mount)
	if err != nil {
		return nil, err
	}
	names := new(value.Map)
	m := value.M(kind, names)
	body := false
	for line := range strings.SplitSeq(a.All(), "\n") {
		f := strings.Fields(line)
		switch {
		case body && len(f) >= 10:
			names.Set(f[0], value.M("block-used", f[2], "block-soft-limit", f[3], "block-hard-limit", f[4], "block-grace", f[5],
				"file-used", f[6], "file-soft-limit", f[7], "file-hard-limit", f[8], "file-grace", f[9]))
		case body:
		case strings.Contains(line, "Block grace time"):
			blocks, inodes, _ := strings.Cut(line, ";")
			m.Set("Block Grace Time", value.L(blocks[strings.LastIndex(blocks, ": ")+2:]))
			m.Set("Inode Grace Time", value.L(inodes[strings.LastIndex(inodes, ": ")+2:]))
		default:
			body = strings.HasPrefix(line, "-")
		}
	}
	return m, nil
}

type setArgs struct {
	Device string     `py:"device"`   // the device, or where it is mounted
	Kwargs *value.Map `py:"**kwargs"` // user or group; block-soft-limit, block-hard-limit, file-soft-limit, file-hard-limit: what is not given stays
}

// set sets the limits of a user or a group and returns them.
//
//	salt-call quota.set /home user=larry block-soft-limit=1048576
func set(c *salt.Ctx, a setArgs) (*value.Map, error) {
	user, group := a.Kwargs.Str("user"), a.Kwargs.Str("group")
	option, kind, name := "-u", "User", user
	switch {
	case user != "" && group != "":
		return nil, salt.InvocationError("Please specify a user or group, not both.")
	case group != "":
		option, kind, name = "-g", "Group", group
	case user == "":
		return nil, salt.CommandError("A valid user or group was not found")
	}
	now, err := quotas(c, a.Device, option, kind+"s")
	if err != nil {
		return nil, err
	}
	limits := new(value.Map)
	words := []string{"setquota", option, name}
	for _, key := range []string{"block-soft-limit", "block-hard-limit", "file-soft-limit", "file-hard-limit"} {
		limits.Set(key, int64(0))
		for _, from := range []*value.Map{now.Map(kind + "s").Map(name), a.Kwargs} {
			if v, ok := from.Get(key); ok {
				limits.Set(key, v)
			}
		}
		words = append(words, limits.Str(key))
	}
	r, err := command.Do(c, append(words, a.Device)...)
	if err == nil && r.Code != 0 {
		err = salt.CommandError("Unable to set desired quota. Error follows: \n%s", r.Err)
	}
	return value.M(kind+": "+name, limits), err
}

// warn sends mail to those who are over their quota.
func warn(c *salt.Ctx, _ salt.NoArgs) (any, error) {
	_, err := command.Do(c, "quotawarn")
	return nil, err
}

// stats returns what the kernel counts about quotas.
func stats(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	a, err := command.Ask(c, "quotastats")
	m := new(value.Map)
	for line := range strings.SplitSeq(a.All(), "\n") {
		if f := strings.Split(line, ": "); len(f) > 1 {
			m.Set(f[0], f[1])
		}
	}
	return m, err
}

type deviceArgs struct {
	Device string `py:"device"` // the device, or where it is mounted
}

// on turns quotas on.
func on(c *salt.Ctx, a deviceArgs) (bool, error) {
	_, err := command.Do(c, "quotaon", a.Device)
	return err == nil, err
}

// off turns quotas off.
func off(c *salt.Ctx, a deviceArgs) (bool, error) {
	_, err := command.Do(c, "quotaoff", a.Device)
	return err == nil, err
}

// getMode returns by mount point the device and which quotas are on or off:
// user, group, project.
func getMode(c *salt.Ctx, a deviceArgs) (*value.Map, error) {
	r, err := command.Ask(c, "quotaon", "-p", a.Device)
	m := new(value.Map)
	for line := range strings.SplitSeq(r.All(), "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) > 4 && strings.HasPrefix(f[0], "quotaon") && strings.HasPrefix(f[1], "Mountpoint"):
			m.Set(f[4], "disabled")
		case len(f) > 1 && strings.HasPrefix(f[0], "quotaon") && strings.HasPrefix(f[1], "Cannot"):
			m.Set(a.Device, "Not found")
			return m, err
		case len(f) < 7 || strings.HasPrefix(f[0], "quotaon"):
		default:
			if m.Map(f[3]) == nil {
				m.Set(f[3], value.M("device", strings.NewReplacer("(", "", ")", "").Replace(f[4])))
			}
			m.Map(f[3]).Set(f[0], f[6])
		}
	}
	return m, err
}

type modeArgs struct {
	Name      string `py:"name"`      // where the file system is mounted
	Mode      any    `py:"mode"`      // True for on
	Quotatype string `py:"quotatype"` // user or group
}

// mode makes sure that quotas are on or off.
func mode(c *salt.Ctx, a modeArgs) salt.Result {
	want, do := "off", off
	if a.Mode == true {
		want, do = "on", on
	}
	now, err := getMode(c, deviceArgs{a.Name})
	if err != nil {
		return salt.Raised(err)
	}
	m := now.Map(a.Name)
	switch {
	case m == nil || !m.Has(a.Quotatype):
		what := "no quota of this type"
		if text, ok := now.At(a.Name).(string); ok {
			what = text
		}
		return salt.Failed("Failed to set quota for %s to %s: %s", a.Name, want, what)
	case m.At(a.Quotatype) == want:
		return salt.Correct("Quota for %s already set to %s", a.Name, want)
	case c.Test:
		return salt.Would(nil, "Quota for %s needs to be set to %s", a.Name, want)
	}
	if ok, err := do(c, deviceArgs{a.Name}); err != nil || !ok {
		return salt.Failed("Failed to set quota for %s to %s", a.Name, want)
	}
	return salt.Changed(value.M("quota", a.Name), "Set quota for %s to %s", a.Name, want)
}
