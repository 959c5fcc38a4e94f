package file

import (
	"io/fs"

	"pinch/salt"
	"pinch/sys"
)

// makeParents makes the missing folders above path with an owner and a mode,
// and says so in words when there is nothing to make.
func makeParents(c *salt.Ctx, path string, user, group any, mode string) (string, error) {
	dir := normPath(dirName(path))
	if sys.IsDir(c.Sys, dir) {
		return "Directory '" + dir + "' already exists", nil
	}
	if sys.Exists(c.Sys, dir) {
		return "The path '" + dir + "' already exists and is not a directory", nil
	}
	if mode != "" {
		mode = normalMode(mode)
	}
	var missing []string
	for !sys.IsDir(c.Sys, dir) {
		missing = append(missing, dir)
		up := dirName(dir)
		if up == dir || up == "" {
			return "", salt.InvocationError("Recursive creation for path '%s' would result in an infinite loop. Please use an absolute path.", up)
		}
		dir = up
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := makeDir(c, missing[i], user, group, mode); err != nil {
			return "", err
		}
	}
	return "", nil
}

// makeDir makes one folder.
func makeDir(c *salt.Ctx, dir string, user, group any, mode string) error {
	first := fs.FileMode(0o777)
	if bits, ok := modeBits(mode); ok && mode != "" {
		first = bits & fs.ModePerm
	}
	if err := c.Sys.Mkdir(dir, first); err != nil {
		return osError(err)
	}
	_, err := lookPerms(c, dir, &perms{user: user, group: group, mode: mode})
	return err
}

// makeAll makes a folder and those above it, all with the owner and mode.
func makeAll(c *salt.Ctx, dir string, user, group any, mode string) error {
	if _, err := makeParents(c, dir, user, group, mode); err != nil {
		return err
	}
	return makeDir(c, dir, user, group, mode)
}

type makedirsArgs struct {
	Path  string `py:"path"`       // folders above this are made, not this itself
	User  any    `py:"user=None"`  // who owns them
	Group any    `py:"group=None"` // the group that owns them
	Mode  any    `py:"mode=None"`  // their mode
}

// makedirs makes the missing folders above a path. End it with a slash to make
// all of it.
func makedirs(c *salt.Ctx, a makedirsArgs) (any, error) {
	msg, err := makeParents(c, expandUser(c, a.Path), a.User, a.Group, normalMode(a.Mode))
	if msg == "" {
		return nil, err
	}
	return msg, err
}

type makedirsPermsArgs struct {
	Name  string `py:"name"`        // the folder
	User  any    `py:"user=None"`   // who owns it
	Group any    `py:"group=None"`  // the group that owns it
	Mode  any    `py:"mode='0755'"` // its mode
}

// makedirsPerms makes a folder and the missing ones above it, all with the
// same owner and mode.
func makedirsPerms(c *salt.Ctx, a makedirsPermsArgs) (any, error) {
	name := expandUser(c, a.Name)
	if len(name) > 1 && name[len(name)-1] == '/' {
		name = dirName(name)
	}
	return nil, makeAll(c, name, a.User, a.Group, normalMode(a.Mode))
}

type mkdirArgs struct {
	Path  string `py:"dir_path"`   // the folder
	User  any    `py:"user=None"`  // who owns it
	Group any    `py:"group=None"` // the group that owns it
	Mode  any    `py:"mode=None"`  // its mode
}

// mkdir makes a folder, and those above it, unless it is there.
func mkdir(c *salt.Ctx, a mkdirArgs) (bool, error) {
	dir := normPath(expandUser(c, a.Path))
	if sys.IsDir(c.Sys, dir) {
		return true, nil
	}
	return true, makeAll(c, dir, a.User, a.Group, normalMode(a.Mode))
}
