package user

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// An attribute is a field of the account that usermod sets.
type attribute struct {
	option string
	get    func(sys.User) any
	move   bool // -m: move the home's content
}

func (at attribute) set(c *salt.Ctx, name string, want, root any) (bool, error) {
	u, ok := find(c, name, root)
	if !ok {
		return false, salt.CommandError("User '%s' does not exist", name)
	}
	if value.Equal(want, at.get(u)) {
		return true, nil
	}
	argv := []any{"usermod"}
	if root != nil {
		argv = append(argv, "-R", root)
	}
	if at.move {
		argv = append(argv, "-m")
	}
	if _, err := run(c, append(argv, at.option, want, name)...); err != nil {
		return false, err
	}
	u, ok = find(c, name, root)
	return ok && value.Equal(want, at.get(u)), nil
}

type chuidArgs struct {
	Name string `py:"name"`      // the user
	UID  any    `py:"uid"`       // the user's number
	Root any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chuid changes a user's number. Files outside of its home keep theirs.
func chuid(c *salt.Ctx, a chuidArgs) (bool, error) {
	return attribute{"-u", func(u sys.User) any { return int64(u.UID) }, false}.set(c, a.Name, a.UID, a.Root)
}

type chgidArgs struct {
	Name string `py:"name"`      // the user
	GID  any    `py:"gid"`       // the primary group, by number or name
	Root any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chgid changes a user's primary group.
func chgid(c *salt.Ctx, a chgidArgs) (bool, error) {
	return attribute{"-g", func(u sys.User) any { return int64(u.GID) }, false}.set(c, a.Name, a.GID, a.Root)
}

type chshellArgs struct {
	Name  string `py:"name"`      // the user
	Shell any    `py:"shell"`     // the login shell
	Root  any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chshell changes a user's login shell.
func chshell(c *salt.Ctx, a chshellArgs) (bool, error) {
	return attribute{"-s", func(u sys.User) any { return u.Shell }, false}.set(c, a.Name, a.Shell, a.Root)
}

type chhomeArgs struct {
	Name    string `py:"name"`          // the user
	Home    any    `py:"home"`          // the home directory
	Persist bool   `py:"persist=False"` // move the content of the old home
	Root    any    `py:"root=None"`     // the directory of another system whose accounts to use
}

// chhome changes a user's home directory.
func chhome(c *salt.Ctx, a chhomeArgs) (bool, error) {
	return attribute{"-d", func(u sys.User) any { return u.Home }, a.Persist}.set(c, a.Name, a.Home, a.Root)
}

type renameArgs struct {
	Name    string `py:"name"`      // the user
	NewName string `py:"new_name"`  // the new name
	Root    any    `py:"root=None"` // the directory of another system whose accounts to use
}

// rename gives a user another name. As in Salt the answer is about the old
// name, so that it is False once the user has the new one.
func rename(c *salt.Ctx, a renameArgs) (bool, error) {
	if _, ok := find(c, a.NewName, a.Root); ok {
		return false, salt.CommandError("User '%s' already exists", a.NewName)
	}
	return attribute{"-l", func(u sys.User) any { return u.Name }, false}.set(c, a.Name, a.NewName, a.Root)
}

type chgroupsArgs struct {
	Name   string `py:"name"`         // the user
	Groups any    `py:"groups"`       // a list of groups, or a text with commas
	Append bool   `py:"append=False"` // keep the other groups
	Root   any    `py:"root=None"`    // the directory of another system whose accounts to use
}

// chgroups sets a user's supplementary groups.
//
//	salt-call user.chgroups alice adm,sudo append=True
func chgroups(c *salt.Ctx, a chgroupsArgs) (bool, error) {
	want := names(a.Groups)
	sorted := slices.Sorted(slices.Values(want))
	if slices.Equal(slices.Compact(sorted), groupsOf(c, a.Name)) {
		return true, nil
	}
	argv := []any{"usermod"}
	if a.Append {
		argv = append(argv, "-a")
	}
	argv = append(argv, "-G", strings.Join(want, ","), a.Name)
	if a.Root != nil {
		argv = append(argv, "-R", a.Root)
	}
	ret, err := run(c, argv...)
	if err != nil {
		return false, err
	}
	if code(ret) == 0 || !strings.Contains(ret.Str("stderr"), "not found in") {
		return code(ret) == 0, nil
	}
	// usermod knows local users only; gpasswd takes those of the network too.
	ok := true
	for _, g := range want {
		ret, err := run(c, "gpasswd", "-a", a.Name, g)
		if err != nil {
			return false, err
		}
		ok = ok && code(ret) == 0
	}
	return ok, nil
}

// describe changes one part of a user's description.
func describe(c *salt.Ctx, name string, part int, want, root any) (bool, error) {
	u, ok := find(c, name, root)
	if !ok {
		return false, value.Errorf("KeyError", "\"getpwnam(): name not found: '%s'\"", name)
	}
	text := ""
	if want != nil {
		text = value.Str(want)
	}
	parts := gecos(u)
	if parts[part] == text {
		return true, nil
	}
	parts[part] = text
	argv := []any{"usermod"}
	if root != nil {
		argv = append(argv, "-R", root)
	}
	if _, err := run(c, append(argv, "-c", strings.TrimRight(strings.Join(parts[:], ","), ","), name)...); err != nil {
		return false, err
	}
	u, ok = find(c, name, root)
	return ok && gecos(u)[part] == text, nil
}

type chfullnameArgs struct {
	Name     string `py:"name"`      // the user
	Fullname any    `py:"fullname"`  // the full name
	Root     any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chfullname changes a user's full name.
func chfullname(c *salt.Ctx, a chfullnameArgs) (bool, error) {
	return describe(c, a.Name, 0, a.Fullname, a.Root)
}

type chroomnumberArgs struct {
	Name       string `py:"name"`       // the user
	Roomnumber any    `py:"roomnumber"` // the room number
	Root       any    `py:"root=None"`  // the directory of another system whose accounts to use
}

// chroomnumber changes a user's room number.
func chroomnumber(c *salt.Ctx, a chroomnumberArgs) (bool, error) {
	return describe(c, a.Name, 1, a.Roomnumber, a.Root)
}

type chworkphoneArgs struct {
	Name      string `py:"name"`      // the user
	Workphone any    `py:"workphone"` // the phone at work
	Root      any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chworkphone changes a user's phone number at work.
func chworkphone(c *salt.Ctx, a chworkphoneArgs) (bool, error) {
	return describe(c, a.Name, 2, a.Workphone, a.Root)
}

type chhomephoneArgs struct {
	Name      string `py:"name"`      // the user
	Homephone any    `py:"homephone"` // the phone at home
	Root      any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chhomephone changes a user's phone number at home.
func chhomephone(c *salt.Ctx, a chhomephoneArgs) (bool, error) {
	return describe(c, a.Name, 3, a.Homephone, a.Root)
}

type chotherArgs struct {
	Name  string `py:"name"`      // the user
	Other any    `py:"other"`     // the other field of the description
	Root  any    `py:"root=None"` // the directory of another system whose accounts to use
}

// chother changes the other field of a user's description.
func chother(c *salt.Ctx, a chotherArgs) (bool, error) {
	return describe(c, a.Name, 4, a.Other, a.Root)
}

type chloginclassArgs struct {
	Name       string `py:"name"`       // the user
	Loginclass any    `py:"loginclass"` // the login class, on BSD
	Root       any    `py:"root=None"`  // the directory of another system whose accounts to use
}

// chloginclass returns False: Linux has no login classes.
func chloginclass(c *salt.Ctx, a chloginclassArgs) (bool, error) { return false, nil }
