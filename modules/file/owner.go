package file

import (
	"os"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// given reports whether an argument for an owner says something: root's 0 does.
func given(v any) bool { return v != nil && v != "" && v != false }

// userID is the number of a user given by name or number.
func userID(c *salt.Ctx, user any) (int, bool) {
	switch u := user.(type) {
	case int64:
		return int(u), true
	case string:
		acct, err := c.Sys.User(u)
		return acct.UID, err == nil
	}
	return 0, false
}

// groupID is the number of a group given by name or number.
func groupID(c *salt.Ctx, group any) (int, bool) {
	switch g := group.(type) {
	case int64:
		return int(g), true
	case string:
		acct, err := c.Sys.Group(g)
		return acct.GID, err == nil
	}
	return 0, false
}

// userName is the name of a user, or the number itself when it has none.
func userName(c *salt.Ctx, uid int) any {
	if u, err := c.Sys.UserID(uid); err == nil {
		return u.Name
	}
	return int64(uid)
}

// groupName is the name of a group, or the number itself when it has none.
func groupName(c *salt.Ctx, gid int) any {
	if g, err := c.Sys.GroupID(gid); err == nil {
		return g.Name
	}
	return int64(gid)
}

// checkUser says which of the accounts are not there. Under test=True an
// earlier state may still make them, so nothing is said then.
func checkUser(c *salt.Ctx, user, group any) string {
	err := ""
	if given(user) {
		if _, ok := userID(c, user); !ok {
			err += "User " + value.Str(user) + " is not available "
		}
	}
	if given(group) {
		if _, ok := groupID(c, group); !ok {
			err += "Group " + value.Str(group) + " is not available"
		}
	}
	if err != "" && c.Test {
		c.Log.Warn(err)
		return ""
	}
	return err
}

// ownerArg is user, or the deprecated argument owner.
func ownerArg(c *salt.Ctx, user any, kw *value.Map) any {
	if given(user) {
		return user
	}
	if o, ok := kw.Get("owner"); ok {
		c.Log.Warn(`Use of argument owner found, "owner" is invalid, please use "user"`)
		return o
	}
	return user
}

// runUser is the user that the minion runs as.
func runUser(c *salt.Ctx) any {
	if u := c.Opts.Str("user"); u != "" {
		return u
	}
	return userName(c, c.Sys.Getuid())
}

// primaryGroup is the name of a user's own group; of one that is not there, root's.
func primaryGroup(c *salt.Ctx, user any) any {
	gid := 0
	switch u := user.(type) {
	case string:
		if a, err := c.Sys.User(u); err == nil {
			gid = a.GID
		}
	case int64:
		if a, err := c.Sys.UserID(int(u)); err == nil {
			gid = a.GID
		}
	}
	return groupName(c, gid)
}

// normalMode is a mode as four octal digits, however it was written; "" for None.
func normalMode(v any) string {
	var s string
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if len(v) == 4 && v[0] == '0' && v[1] != '0' {
			return v
		}
		s = v
	default:
		s = value.Str(v)
	}
	s = strings.ReplaceAll(s, "0o", "0")
	s = strings.TrimLeft(strings.Trim(strings.Trim(s, `"`), "'"), "0")
	for len(s) < 4 {
		s = "0" + s
	}
	return s
}

// modeBits reads a mode of octal digits.
func modeBits(mode string) (os.FileMode, bool) {
	n, err := strconv.ParseUint(strings.TrimLeft(mode, "0Oo"), 8, 16)
	if strings.Trim(mode, "0Oo") == "" {
		n, err = 0, nil
	}
	return sys.Mode(uint32(n)), err == nil && n <= 0o7777
}

// octal is the mode of a file as four digits.
func octal(m os.FileMode) string {
	b := sys.Bits(m)
	return string([]byte{'0' + byte(b>>9&7), '0' + byte(b>>6&7), '0' + byte(b>>3&7), '0' + byte(b&7)})
}

// dirMode makes the mode of a folder from that of a file in it: who may read may enter.
func dirMode(mode string) string {
	if len(mode) > 3 {
		mode = mode[len(mode)-3:]
	}
	b := []byte(mode)
	for i, d := range b {
		if d != '0' {
			b[i] = d | 1
		}
	}
	return string(b)
}
