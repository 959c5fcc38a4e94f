package file

import (
	"errors"
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// chownPath changes the owner; the text says which account is not there. Empty
// owners stay. With follow the target of a link is changed.
func chownPath(c *salt.Ctx, path string, user, group any, follow bool) (string, error) {
	msg := ""
	uid, ok := userID(c, user)
	if !ok {
		if uid = -1; given(user) {
			msg += "User does not exist\n"
		}
	}
	gid, ok := groupID(c, group)
	if !ok {
		if gid = -1; given(group) {
			msg += "Group does not exist\n"
		}
	}
	target := path
	if follow {
		if !sys.Exists(c.Sys, path) {
			if c.Sys.Lchown(path, uid, gid) == nil {
				return "", nil
			}
			return msg + "File not found", nil
		}
		target = realPath(c.Sys, path)
	}
	if msg != "" {
		return msg, nil
	}
	return "", osError(c.Sys.Lchown(target, uid, gid))
}

type chownArgs struct {
	Path  string `py:"path"`  // the file
	User  any    `py:"user"`  // the new user, by name or number
	Group any    `py:"group"` // the new group, by name or number
}

// chown changes the owner of a file; a text says what is wrong.
func chown(c *salt.Ctx, a chownArgs) (any, error) { return chowned(c, a, true) }

// lchown changes the owner of a file, and of a link itself.
func lchown(c *salt.Ctx, a chownArgs) (any, error) { return chowned(c, a, false) }

func chowned(c *salt.Ctx, a chownArgs, follow bool) (any, error) {
	user := a.User
	if user == nil {
		user = runUser(c)
	}
	msg, err := chownPath(c, expandUser(c, a.Path), user, a.Group, follow)
	if msg != "" && follow {
		return msg, err
	}
	return nil, err
}

type chgrpArgs struct {
	Path  string `py:"path"`  // the file
	Group any    `py:"group"` // the new group, by name or number
}

// chgrp changes the group of a file.
func chgrp(c *salt.Ctx, a chgrpArgs) (any, error) {
	path := expandUser(c, a.Path)
	i, err := info(c, path, true)
	if err != nil {
		return nil, err
	}
	uid, _ := sys.Owner(i)
	return chowned(c, chownArgs{path, int64(uid), a.Group}, true)
}

type setModeArgs struct {
	Path string `py:"path"` // the file
	Mode any    `py:"mode"` // octal digits
}

// setMode changes the mode of a file and returns it.
func setMode(c *salt.Ctx, a setModeArgs) (any, error) {
	path := expandUser(c, a.Path)
	mode := strings.TrimLeft(value.Str(a.Mode), "0Oo")
	if mode == "" {
		mode = "0"
	}
	if !sys.Exists(c.Sys, path) {
		return nil, salt.CommandError("%s: File not found", path)
	}
	bits, ok := modeBits(mode)
	if !ok {
		return "Invalid Mode " + mode, nil
	}
	if err := c.Sys.Chmod(path, bits); err != nil {
		if errors.Is(err, sys.ErrReadOnly) {
			return nil, err
		}
		return "Invalid Mode " + mode, nil
	}
	return getMode(c, lookArgs{path, true})
}

type userArgs struct {
	User any `py:"user"` // the name; None is the user that runs this
}

// userToUID is the number of a user; "" when there is none.
func userToUID(c *salt.Ctx, a userArgs) (any, error) {
	user := a.User
	if user == nil {
		user = userName(c, c.Sys.Getuid())
	}
	if uid, ok := userID(c, user); ok {
		return int64(uid), nil
	}
	return "", nil
}

type groupArgs struct {
	Group any `py:"group"` // the name
}

// groupToGID is the number of a group; "" when there is none.
func groupToGID(c *salt.Ctx, a groupArgs) (any, error) {
	if gid, ok := groupID(c, a.Group); ok {
		return int64(gid), nil
	}
	return "", nil
}

type uidArgs struct {
	UID any `py:"uid"` // the number
}

// uidToUser is the name of a user; the number itself when it has none.
func uidToUser(c *salt.Ctx, a uidArgs) (any, error) {
	uid, ok := a.UID.(int64)
	if !ok {
		return nil, value.Errorf("TypeError", "uid should be integer, not %s", value.TypeName(a.UID))
	}
	return userName(c, int(uid)), nil
}

type gidArgs struct {
	GID any `py:"gid"` // the number, also as text; or a name
}

// gidToGroup is the name of a group; the number itself when it has none.
func gidToGroup(c *salt.Ctx, a gidArgs) (any, error) {
	gid, err := intArg(a.GID)
	if err != nil {
		n, ok := groupID(c, a.GID)
		if !ok {
			return "", nil
		}
		gid = int64(n)
	}
	return groupName(c, int(gid)), nil
}

// writeFile replaces the content of a file, which keeps its owner and mode.
// A file with several names is rewritten in place, so that they stay the same.
func writeFile(c *salt.Ctx, path string, data string) error {
	path = realPath(c.Sys, path)
	if i, err := c.Sys.Lstat(path); err == nil && i.Mode()&fs.ModeType == 0 && statOf(i).links > 1 {
		if err := c.Sys.Truncate(path, 0); err != nil {
			return osError(err)
		}
		return appendFile(c, path, data)
	}
	return osError(atPath(sys.WriteFile(c.Sys, path, []byte(data), sys.FileAttrs{}), path))
}

// atPath names the file instead of the temporary one beside it.
func atPath(err error, path string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: path, Err: p.Err}
	}
	return err
}

func appendFile(c *salt.Ctx, path, data string) error {
	w, err := c.Sys.Append(path)
	if err != nil {
		return osError(err)
	}
	if _, err = w.Write([]byte(data)); err != nil {
		w.Close()
		return osError(err)
	}
	return osError(w.Close())
}
