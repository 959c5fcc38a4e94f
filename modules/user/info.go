package user

import (
	"path/filepath"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// find looks a user up, on this machine or in the files below a root.
func find(c *salt.Ctx, name string, root any) (sys.User, bool) {
	if root == nil {
		u, err := c.Sys.User(name)
		return u, err == nil
	}
	for _, u := range below(c, root) {
		if u.Name == name {
			return u, true
		}
	}
	return sys.User{}, false
}

func below(c *salt.Ctx, root any) []sys.User {
	dir := value.Str(root)
	if dir == "" {
		dir = "/"
	}
	b, err := c.Sys.ReadFile(filepath.Join(dir, "etc/passwd"))
	if err != nil {
		return nil
	}
	return sys.ParsePasswd(string(b))
}

func all(c *salt.Ctx, root any) ([]sys.User, error) {
	if root != nil {
		return below(c, root), nil
	}
	return c.Sys.Users()
}

// gecosNames are the parts of the description, between commas.
var gecosNames = []string{"fullname", "roomnumber", "workphone", "homephone", "other"}

func gecos(u sys.User) [5]string {
	var out [5]string
	copy(out[:], strings.SplitN(u.Gecos, ",", 5))
	return out
}

// groupsOf are the names of the groups that the user is in, its own among
// them, sorted. Groups with the same number all count.
func groupsOf(c *salt.Ctx, name string) []string {
	groups, _ := c.Sys.Groups()
	gids := map[int]bool{}
	if u, err := c.Sys.User(name); err == nil {
		gids[u.GID] = true
	}
	for _, g := range groups {
		if slices.Contains(g.Members, name) {
			gids[g.GID] = true
		}
	}
	names := []string{}
	for _, g := range groups {
		if gids[g.GID] {
			names = append(names, g.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func format(c *salt.Ctx, u sys.User) *value.Map {
	m := value.M("gid", int64(u.GID), "groups", value.Strings(groupsOf(c, u.Name)), "home", u.Home, "name", u.Name,
		"passwd", u.Passwd, "shell", u.Shell, "uid", int64(u.UID))
	for i, part := range gecos(u) {
		m.Set(gecosNames[i], part)
	}
	return m
}

type infoArgs struct {
	Name string `py:"name"`      // the user
	Root any    `py:"root=None"` // the directory of another system whose accounts to use
}

// info returns what is known about a user: uid, gid, groups, home, shell and
// the parts of the description; nothing when there is no such user.
func info(c *salt.Ctx, a infoArgs) (*value.Map, error) {
	u, ok := find(c, a.Name, a.Root)
	if !ok {
		return new(value.Map), nil
	}
	return format(c, u), nil
}

type getentArgs struct {
	Refresh bool `py:"refresh=False"` // read the users anew
	Root    any  `py:"root=None"`     // the directory of another system whose accounts to use
}

// getent returns user.info of all users.
func getent(c *salt.Ctx, a getentArgs) (*value.List, error) {
	users, err := all(c, a.Root)
	out := value.L()
	for _, u := range users {
		out.Append(format(c, u))
	}
	return out, err
}

type listUsersArgs struct {
	Root any `py:"root=None"` // the directory of another system whose accounts to use
}

// listUsers lists the names of all users.
func listUsers(c *salt.Ctx, a listUsersArgs) (*value.List, error) {
	users, err := all(c, a.Root)
	names := make([]string, len(users))
	for i, u := range users {
		names[i] = u.Name
	}
	slices.Sort(names)
	return value.Strings(names), err
}

type listGroupsArgs struct {
	Name string `py:"name"` // the user
}

// listGroups lists the groups that a user is in.
func listGroups(c *salt.Ctx, a listGroupsArgs) (*value.List, error) {
	return value.Strings(groupsOf(c, a.Name)), nil
}

type primaryGroupArgs struct {
	Name string `py:"name"` // the user
}

// primaryGroup returns the name of a user's primary group.
func primaryGroup(c *salt.Ctx, a primaryGroupArgs) (string, error) {
	u, err := c.Sys.User(a.Name)
	if err != nil {
		c.Run.SetRetcode(1)
		return "id: ‘" + a.Name + "’: no such user", nil
	}
	g, err := c.Sys.GroupID(u.GID)
	if err != nil {
		return value.Str(int64(u.GID)), nil
	}
	return g.Name, nil
}

type getLoginclassArgs struct {
	Name string `py:"name"` // the user
}

// getLoginclass returns False: Linux has no login classes.
func getLoginclass(c *salt.Ctx, a getLoginclassArgs) (bool, error) { return false, nil }
