package user

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// run runs one of the tools that change accounts.
func run(c *salt.Ctx, argv ...any) (*value.Map, error) {
	name := value.Str(argv[0])
	path := c.Sys.LookPath(name)
	if path == "" {
		return nil, salt.CommandError("Command '%s' cannot be found", name)
	}
	argv[0] = path
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.L(argv...))
	ret, _ := v.(*value.Map)
	return ret, err
}

func code(ret *value.Map) int64 {
	n, _ := ret.At("retcode").(int64)
	return n
}

// names are the items of a list, or of a text with commas.
func names(v any) []string {
	switch v := v.(type) {
	case *value.List:
		out := make([]string, v.Len())
		for i, it := range v.Items {
			out[i] = value.Str(it)
		}
		return out
	case string:
		if v != "" {
			return strings.Split(v, ",")
		}
	}
	return nil
}

type addArgs struct {
	Name       string `py:"name"`            // the user
	UID        any    `py:"uid=None"`        // the user's number
	GID        any    `py:"gid=None"`        // the primary group, by number or name
	Groups     any    `py:"groups=None"`     // the supplementary groups
	Home       any    `py:"home=None"`       // the home directory
	Shell      any    `py:"shell=None"`      // the login shell
	Unique     bool   `py:"unique=True"`     // refuse a number that another user has
	System     bool   `py:"system=False"`    // make a system account
	Fullname   any    `py:"fullname=''"`     // the full name
	Roomnumber any    `py:"roomnumber=''"`   // the room number
	Workphone  any    `py:"workphone=''"`    // the phone at work
	Homephone  any    `py:"homephone=''"`    // the phone at home
	Other      any    `py:"other=''"`        // the other field of the description
	Createhome bool   `py:"createhome=True"` // make the home directory
	Loginclass any    `py:"loginclass=None"` // the login class, on BSD
	Nologinit  bool   `py:"nologinit=False"` // leave the user out of lastlog and faillog
	Root       any    `py:"root=None"`       // the directory of another system whose accounts to use
	Usergroup  any    `py:"usergroup=None"`  // True: make a group of the same name as primary group; False: do not; None: as the system does
	Local      bool   `py:"local=False"`     // change the files of this machine, also where accounts come from the network
}

// add makes a user.
//
//	salt-call user.add alice uid=4000 groups='[adm]' home=/home/alice
func add(c *salt.Ctx, a addArgs) (bool, error) {
	ret, err := run(c, a.argv(c)...)
	if err != nil || code(ret) != 0 {
		return false, err
	}
	if value.Truth(a.Groups) {
		if _, err := chgroups(c, chgroupsArgs{Name: a.Name, Groups: a.Groups, Root: a.Root}); err != nil {
			return false, err
		}
	}
	for i, v := range []any{a.Fullname, a.Roomnumber, a.Workphone, a.Homephone, a.Other} {
		if !value.Truth(v) {
			continue
		}
		if _, err := describe(c, a.Name, i, v, a.Root); err != nil {
			return false, err
		}
	}
	return true, nil
}

// argv is the call of useradd.
func (a *addArgs) argv(c *salt.Ctx) []any {
	argv := []any{"useradd"}
	if a.Local {
		argv[0] = "luseradd"
	}
	if value.Truth(a.Shell) {
		argv = append(argv, "-s", a.Shell)
	}
	if a.UID != nil && a.UID != "" {
		argv = append(argv, "-u", a.UID)
	}
	switch {
	case a.GID != nil && a.GID != "":
		argv = append(argv, "-g", a.GID)
	case value.Truth(a.Usergroup):
		if !a.Local {
			argv = append(argv, "-U")
		}
	case slices.Contains(names(a.Groups), a.Name) && usergroupsEnabled(c):
		// useradd refuses a user group that is there already.
		if g, err := c.Sys.Group(a.Name); err == nil {
			argv = append(argv, "-g", int64(g.GID))
		}
	}
	if a.Usergroup == false {
		argv = append(argv, map[bool]string{true: "-n", false: "-N"}[a.Local])
	}
	if !a.Createhome {
		argv = append(argv, "-M")
	} else if !a.Local {
		argv = append(argv, "-m")
	}
	if a.Nologinit {
		argv = append(argv, "-l")
	}
	if a.Home != nil {
		argv = append(argv, "-d", a.Home)
	}
	if !a.Unique {
		argv = append(argv, "-o")
	}
	if a.System {
		argv = append(argv, "-r")
	}
	argv = append(argv, a.Name)
	if a.Root != nil && !a.Local {
		argv = append(argv, "-R", a.Root)
	}
	return argv
}

// usergroupsEnabled reads USERGROUPS_ENAB of login.defs(5).
func usergroupsEnabled(c *salt.Ctx) bool {
	b, _ := c.Sys.ReadFile("/etc/login.defs")
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line[:min(len(line), 15)], "USERGROUPS_ENAB") {
			return strings.Contains(line, "yes")
		}
	}
	return false
}

type deleteArgs struct {
	Name   string `py:"name"`         // the user
	Remove bool   `py:"remove=False"` // remove the home directory and mail too
	Force  bool   `py:"force=False"`  // remove the user even when it is logged in
	Root   any    `py:"root=None"`    // the directory of another system whose accounts to use
	Local  bool   `py:"local=False"`  // change the files of this machine, also where accounts come from the network
}

// delete_ removes a user.
func delete_(c *salt.Ctx, a deleteArgs) (bool, error) {
	argv := []any{"userdel"}
	if a.Local {
		argv[0] = "luserdel"
	}
	if a.Remove {
		argv = append(argv, "-r")
	}
	if a.Force && !a.Local {
		argv = append(argv, "-f")
	}
	argv = append(argv, a.Name)
	if a.Root != nil && !a.Local {
		argv = append(argv, "-R", a.Root)
	}
	ret, err := run(c, argv...)
	if err != nil {
		return false, err
	}
	// Debian's userdel exits with 12 when there is no mail spool to remove.
	mail := strings.Contains(ret.Str("stderr"), "var/mail") || strings.Contains(ret.Str("stderr"), "var/spool/mail")
	return code(ret) == 0 || code(ret) == 12 && c.Grains.Str("os_family") == "Debian" && mail, nil
}
