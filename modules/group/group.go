// Package group holds Salt's group module: the groups of this machine. It
// reads /etc/group itself and changes it with the tools of shadow-utils. Its
// main variable is Module.
//
//	staff:
//	  group.present:
//	    - gid: 2000
//	    - addusers: [alice]
package group

import (
	"errors"
	"path/filepath"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's group module.
var Module = salt.Module{
	Name: "group",
	States: func() salt.Funcs {
		return salt.Funcs{
			"present": salt.State(present),
			"absent":  salt.State(absent),
		}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add":     salt.Exec(add),
			"adduser": salt.Exec(adduser),
			"chgid":   salt.Exec(chgid),
			"delete":  salt.Exec(delete_),
			"deluser": salt.Exec(deluser),
			"getent":  salt.Exec(getent),
			"info":    salt.Exec(info),
			"members": salt.Exec(members),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if kind == "exec" && c.Grains.Str("kernel") != "Linux" {
			return errors.New("The groupadd execution module cannot be loaded:  only available on Linux, OpenBSD and NetBSD")
		}
		return nil
	},
}

// find looks a group up, on this machine or in the files below a root.
func find(c *salt.Ctx, name string, root any) (sys.Group, bool) {
	if root == nil {
		g, err := c.Sys.Group(name)
		return g, err == nil
	}
	for _, g := range below(c, root) {
		if g.Name == name {
			return g, true
		}
	}
	return sys.Group{}, false
}

func below(c *salt.Ctx, root any) []sys.Group {
	dir := value.Str(root)
	if dir == "" {
		dir = "/"
	}
	b, err := c.Sys.ReadFile(filepath.Join(dir, "etc/group"))
	if err != nil {
		return nil
	}
	return sys.ParseGroup(string(b))
}

func format(g sys.Group) *value.Map {
	return value.M("name", g.Name, "passwd", g.Passwd, "gid", int64(g.GID), "members", value.Strings(g.Members))
}

type infoArgs struct {
	Name string `py:"name"`      // the group
	Root any    `py:"root=None"` // the directory of another system whose accounts to use
}

// info returns a group's name, passwd, gid and members; nothing when there is
// no such group.
func info(c *salt.Ctx, a infoArgs) (*value.Map, error) {
	g, ok := find(c, a.Name, a.Root)
	if !ok {
		return new(value.Map), nil
	}
	return format(g), nil
}

type getentArgs struct {
	Refresh bool `py:"refresh=False"` // read the groups anew
	Root    any  `py:"root=None"`     // the directory of another system whose accounts to use
}

// getent returns all groups.
func getent(c *salt.Ctx, a getentArgs) (*value.List, error) {
	var groups []sys.Group
	if a.Root != nil {
		groups = below(c, a.Root)
	} else {
		var err error
		if groups, err = c.Sys.Groups(); err != nil {
			return nil, err
		}
	}
	out := value.L()
	for _, g := range groups {
		out.Append(format(g))
	}
	return out, nil
}
