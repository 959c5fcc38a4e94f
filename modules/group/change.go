package group

import (
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// program finds one of the tools that change groups.
func program(c *salt.Ctx, name string) (string, error) {
	if p := c.Sys.LookPath(name); p != "" {
		return p, nil
	}
	return "", salt.CommandError("Command '%s' cannot be found", name)
}

// succeeds runs a tool and says whether its exit code is 0.
func succeeds(c *salt.Ctx, argv ...any) (bool, error) {
	path, err := program(c, value.Str(argv[0]))
	if err != nil {
		return false, err
	}
	argv[0] = path
	ret, err := c.CallKw("cmd.retcode", value.M("python_shell", false), value.L(argv...))
	return err == nil && !value.Truth(ret), err
}

type addArgs struct {
	Name      string `py:"name"`             // the group
	GID       any    `py:"gid=None"`         // the group's number
	System    bool   `py:"system=False"`     // make a system group
	Root      any    `py:"root=None"`        // the directory of another system whose accounts to use
	NonUnique bool   `py:"non_unique=False"` // allow a number that another group has
	Local     bool   `py:"local=False"`      // change the files of this machine, also where accounts come from the network
}

// add makes a group.
//
//	salt-call group.add staff 2000
func add(c *salt.Ctx, a addArgs) (bool, error) {
	argv := []any{"groupadd"}
	if a.Local {
		argv[0] = "lgroupadd"
	}
	if value.Truth(a.GID) {
		argv = append(argv, "-g "+value.Str(a.GID))
		if a.NonUnique && !a.Local {
			argv = append(argv, "-o")
		}
	}
	if a.System {
		argv = append(argv, "-r")
	}
	if a.Root != nil && !a.Local {
		argv = append(argv, "-R", a.Root)
	}
	return succeeds(c, append(argv, a.Name)...)
}

type deleteArgs struct {
	Name  string `py:"name"`        // the group
	Root  any    `py:"root=None"`   // the directory of another system whose accounts to use
	Local bool   `py:"local=False"` // change the files of this machine, also where accounts come from the network
}

// delete_ removes a group.
func delete_(c *salt.Ctx, a deleteArgs) (bool, error) {
	argv := []any{"groupdel"}
	if a.Local {
		argv[0] = "lgroupdel"
	}
	if a.Root != nil && !a.Local {
		argv = append(argv, "-R", a.Root)
	}
	return succeeds(c, append(argv, a.Name)...)
}

type chgidArgs struct {
	Name      string `py:"name"`             // the group
	GID       any    `py:"gid"`              // the group's number
	Root      any    `py:"root=None"`        // the directory of another system whose accounts to use
	NonUnique bool   `py:"non_unique=False"` // allow a number that another group has
}

// chgid changes a group's number. Files keep theirs.
func chgid(c *salt.Ctx, a chgidArgs) (bool, error) {
	g, ok := find(c, a.Name, a.Root)
	if !ok || value.Equal(a.GID, int64(g.GID)) {
		return ok, nil
	}
	argv := []any{"groupmod"}
	if a.Root != nil {
		argv = append(argv, "-R", a.Root)
	}
	option := "-g"
	if a.NonUnique {
		option = "-og"
	}
	if _, err := succeeds(c, append(argv, option, a.GID, a.Name)...); err != nil {
		return false, err
	}
	g, ok = find(c, a.Name, a.Root)
	return ok && value.Equal(a.GID, int64(g.GID)), nil
}

func gpasswd(c *salt.Ctx, option string, what any, name string, root any) (bool, error) {
	argv := []any{"gpasswd", option, what, name}
	if root != nil {
		argv = append(argv, "--root", root)
	}
	return succeeds(c, argv...)
}

type adduserArgs struct {
	Name     string `py:"name"`      // the group
	Username string `py:"username"`  // the user
	Root     any    `py:"root=None"` // the directory of another system whose accounts to use
}

// adduser puts a user into a group.
func adduser(c *salt.Ctx, a adduserArgs) (bool, error) {
	return gpasswd(c, "--add", a.Username, a.Name, a.Root)
}

type deluserArgs struct {
	Name     string `py:"name"`      // the group
	Username string `py:"username"`  // the user
	Root     any    `py:"root=None"` // the directory of another system whose accounts to use
}

// deluser takes a user out of a group. It is True as well for a user who is
// not in it.
func deluser(c *salt.Ctx, a deluserArgs) (bool, error) {
	g, ok := find(c, a.Name, nil)
	if !ok || !has(g, a.Username) {
		return true, nil
	}
	return gpasswd(c, "--del", a.Username, a.Name, a.Root)
}

func has(g sys.Group, user string) bool {
	for _, m := range g.Members {
		if m == user {
			return true
		}
	}
	return false
}

type membersArgs struct {
	Name        string `py:"name"`         // the group
	MembersList any    `py:"members_list"` // user names, with commas between
	Root        any    `py:"root=None"`    // the directory of another system whose accounts to use
}

// members sets all members of a group.
//
//	salt-call group.members staff 'alice,bob'
func members(c *salt.Ctx, a membersArgs) (bool, error) {
	return gpasswd(c, "--members", a.MembersList, a.Name, a.Root)
}
