package group

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type presentArgs struct {
	Name      string `py:"name"`             // the group
	GID       any    `py:"gid=None"`         // the group's number
	System    bool   `py:"system=False"`     // make a system group
	Addusers  any    `py:"addusers=None"`    // users to add to those that are in it
	Delusers  any    `py:"delusers=None"`    // users to take out
	Members   any    `py:"members=None"`     // exactly these users
	NonUnique bool   `py:"non_unique=False"` // allow a number that another group has
	Local     bool   `py:"local=False"`      // change the files of this machine, also where accounts come from the network
}

// present makes sure that a group exists, with its number and members.
//
//	admins:
//	  group.present:
//	    - gid: 3000
//	    - members: [alice, bob]
func present(c *salt.Ctx, a presentArgs) salt.Result {
	if msg := a.conflict(); msg != "" {
		return salt.Would(nil, "%s", msg)
	}
	now, exists := find(c, a.Name, a.root())
	if !exists {
		return a.create(c)
	}
	changes := a.changes(now)
	if changes.Len() == 0 {
		return salt.Correct("Group %s is present and up to date", a.Name)
	}
	comment := "The following group attributes are set to be changed:\n"
	for k, v := range changes.Items() {
		comment += k + ": " + value.Str(v) + "\n"
	}
	if c.Test {
		return salt.Would(nil, "%s", comment)
	}
	if err := a.apply(c, changes); err != nil {
		return salt.Raised(err)
	}
	now, exists = find(c, a.Name, a.root())
	if left := a.changes(now); left.Len() > 0 || !exists {
		r := salt.Failed("%s", comment+"Some changes could not be applied")
		r.Changes = value.M("Failed", left)
		return r
	}
	return salt.Changed(value.M("Final", "All changes applied successfully"), "%s", comment)
}

// conflict says which arguments contradict each other.
func (a *presentArgs) conflict() string {
	if a.Members != nil && (a.Addusers != nil || a.Delusers != nil) {
		return `Error: Conflicting options "members" with "addusers" and/or "delusers" can not be used together. `
	}
	del := names(a.Delusers)
	if slices.ContainsFunc(names(a.Addusers), func(u string) bool { return slices.Contains(del, u) }) {
		return "Error. Same user(s) can not be added and deleted simultaneously"
	}
	return ""
}

func (a *presentArgs) root() any {
	if a.Local {
		return "/"
	}
	return nil
}

// names are the items of a list; a text is a list of one.
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
			return []string{v}
		}
	}
	return nil
}

// changes is what has to change: gid, members, addusers, delusers.
func (a *presentArgs) changes(now sys.Group) *value.Map {
	ch := new(value.Map)
	if value.Truth(a.GID) {
		gid, ok := number(a.GID)
		if !ok {
			return value.M("result", false, "comment", "Invalid gid")
		}
		if gid != int64(now.GID) {
			ch.Set("gid", gid)
		}
	}
	want := names(a.Members)
	if a.Members != nil && !sameSet(want, now.Members) {
		if len(want) == 0 {
			out, _ := value.NewSet(value.Strings(now.Members).Items...)
			ch.Set("delusers", out)
		} else {
			ch.Set("members", a.Members)
		}
	}
	missing := func(u string) bool { return !slices.Contains(now.Members, u) }
	if add := filter(names(a.Addusers), missing); len(add) > 0 {
		ch.Set("addusers", value.Strings(add))
	}
	if del := filter(names(a.Delusers), func(u string) bool { return !missing(u) }); len(del) > 0 {
		ch.Set("delusers", value.Strings(del))
	}
	return ch
}

// number is Python's int(v).
func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), true
	case bool:
		return map[bool]int64{true: 1}[v], true
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		return n, err == nil
	}
	return 0, false
}

func sameSet(a, b []string) bool {
	in := func(list []string) func(string) bool {
		return func(s string) bool { return !slices.Contains(list, s) }
	}
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

func filter(list []string, keep func(string) bool) []string {
	var out []string
	for _, s := range list {
		if keep(s) {
			out = append(out, s)
		}
	}
	return out
}

// apply makes the changes, one tool call each.
func (a *presentArgs) apply(c *salt.Ctx, changes *value.Map) error {
	for k, v := range changes.Items() {
		var err error
		switch k {
		case "gid":
			_, err = chgid(c, chgidArgs{Name: a.Name, GID: v, NonUnique: a.NonUnique})
		case "members":
			_, err = members(c, membersArgs{Name: a.Name, MembersList: strings.Join(names(a.Members), ",")})
		case "addusers":
			for _, u := range names(v) {
				if _, err = adduser(c, adduserArgs{Name: a.Name, Username: u}); err != nil {
					return err
				}
			}
		case "delusers":
			out := names(v)
			if s, ok := v.(*value.Set); ok {
				out = names(value.L(s.Items()...))
			}
			for _, u := range out {
				if _, err = deluser(c, deluserArgs{Name: a.Name, Username: u}); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// create makes a group that is not there.
func (a *presentArgs) create(c *salt.Ctx) salt.Result {
	if c.Test {
		return salt.Would(nil, "Group %s set to be added", a.Name)
	}
	if a.GID != nil && !a.NonUnique {
		groups, err := c.Sys.Groups()
		if err != nil {
			return salt.Raised(err)
		}
		for _, g := range groups {
			if value.Equal(a.GID, int64(g.GID)) {
				return salt.Failed("Group %s is not present but gid %s is already taken by group %s", a.Name, value.Str(a.GID), g.Name)
			}
		}
	}
	ok, err := add(c, addArgs{Name: a.Name, GID: a.GID, System: a.System, NonUnique: a.NonUnique, Local: a.Local})
	if err != nil {
		return salt.Raised(err)
	}
	if !ok {
		return salt.Failed("Failed to create new group %s", a.Name)
	}
	list := names(a.Addusers)
	if len(list) == 0 {
		list = names(a.Members)
	}
	if len(list) > 0 {
		if _, err := members(c, membersArgs{Name: a.Name, MembersList: strings.Join(list, ",")}); err != nil {
			return salt.Raised(err)
		}
	}
	now, ok := find(c, a.Name, a.root())
	made := new(value.Map)
	if ok {
		made = format(now)
	}
	if left := a.changes(now); ok && left.Len() > 0 {
		r := salt.Failed("Group %s has been created but, some changes could not be applied", a.Name)
		r.Changes = value.M("Failed", left)
		return r
	}
	return salt.Changed(made, "New group %s created", a.Name)
}

type absentArgs struct {
	Name  string `py:"name"`        // the group
	Local bool   `py:"local=False"` // change the files of this machine, also where accounts come from the network
}

// absent makes sure that a group does not exist.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	var root any
	if a.Local {
		root = "/"
	}
	if _, ok := find(c, a.Name, root); !ok {
		return salt.Correct("Group not present")
	}
	if c.Test {
		return salt.Would(nil, "Group %s is set for removal", a.Name)
	}
	ok, err := delete_(c, deleteArgs{Name: a.Name, Local: a.Local})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to remove group %s", a.Name)
	}
	return salt.Changed(value.M(a.Name, ""), "Removed group %s", a.Name)
}
