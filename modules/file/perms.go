package file

import (
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// perms are the owner, mode, attributes and SELinux seContext that a file shall have.
type perms struct {
	user, group any    // name or number; None leaves it
	mode        string // four octal digits; "" leaves it
	attrs       *string
	se          seContext
	follow      bool // a link's target instead of the link
}

// permState collects what setting permissions did.
type permState struct {
	changes  *value.Map
	problems []string
	failed   bool
	skipped  *string // replaces the comment (SELinux under test=True)
	mode     string  // as it was
}

// ownerDiffers reports whether the wanted owner is not the one that is there.
func ownerDiffers(c *salt.Ctx, want any, have int, id func(*salt.Ctx, any) (int, bool)) bool {
	if !given(want) {
		return false
	}
	n, ok := id(c, want)
	return !ok || n != have
}

// standing is the owner and mode that a file has.
type standing struct {
	uid, gid int
	mode     fs.FileMode
}

func standingOf(i fs.FileInfo) standing {
	uid, gid := sys.Owner(i)
	return standing{uid, gid, i.Mode()}
}

// lookPerms is applyPerms for a file that was not looked at yet.
func lookPerms(c *salt.Ctx, name string, p *perms) (permState, error) {
	i, err := info(c, name, p.follow)
	if err != nil {
		return permState{}, err
	}
	return applyPerms(c, name, standingOf(i), p), nil
}

// applyPerms gives a file its owner and mode, or under test=True says what
// would change. cur is the file as it is. It is Salt's check_perms.
func applyPerms(c *salt.Ctx, name string, cur standing, p *perms) permState {
	var r permState
	r.mode = octal(cur.mode)
	// Info of the link itself comes only when links are not followed, or lead nowhere.
	asLink := cur.mode&fs.ModeSymlink != 0
	newUser := ownerDiffers(c, p.user, cur.uid, userID)
	newGroup := ownerDiffers(c, p.group, cur.gid, groupID)
	newMode := p.mode != "" && p.mode != r.mode && !asLink
	if newUser || newGroup || newMode {
		r.changes = new(value.Map)
		if c.Test {
			r.note(newUser, "user", p.user)
			r.note(newGroup, "group", p.group)
			r.note(newMode, "mode", p.mode)
		} else {
			r.set(c, name, cur, p, newUser, newGroup, newMode)
		}
	}
	if p.attrs != nil && !cur.mode.IsDir() && !asLink {
		r.setAttrs(c, name, *p.attrs)
	}
	if p.se.any() {
		r.setContext(c, name, p.se)
	}
	return r
}

func (r *permState) note(changed bool, key string, v any) {
	if !changed {
		return
	}
	if r.changes == nil {
		r.changes = new(value.Map)
	}
	r.changes.Set(key, v)
}

func (r *permState) problem(s string) {
	r.failed = true
	r.problems = append(r.problems, s)
}

// set changes owner and mode and looks whether it worked.
func (r *permState) set(c *salt.Ctx, name string, cur standing, p *perms, newUser, newGroup, newMode bool) {
	asLink := cur.mode&fs.ModeSymlink != 0
	if newUser || newGroup {
		switch msg, err := chownPath(c, name, p.user, p.group, !asLink); {
		case err != nil:
			r.failed = true
		case msg != "":
			r.problem(msg)
		case !asLink && !newMode:
			// A change of owner clears the setuid bits.
			c.Sys.Chmod(name, cur.mode&modeMask)
		}
	}
	if newMode {
		if bits, ok := modeBits(p.mode); ok {
			c.Sys.Chmod(name, bits)
		}
	}
	post, err := info(c, name, p.follow)
	if err != nil {
		r.problem(err.Error())
		return
	}
	uid, gid := sys.Owner(post)
	if newUser {
		if ownerDiffers(c, p.user, uid, userID) {
			r.problem("Failed to change user to " + value.Str(p.user))
		} else {
			r.note(true, "user", p.user)
		}
	}
	if newGroup {
		if ownerDiffers(c, p.group, gid, groupID) {
			r.problem("Failed to change group to " + value.Str(p.group))
		} else {
			r.note(true, "group", p.group)
		}
	}
	if newMode {
		if octal(post.Mode()) != p.mode {
			r.problem("Failed to change mode to " + p.mode)
		} else {
			r.note(true, "mode", p.mode)
		}
	}
}

const modeMask = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// merge adds what happened to a state's result.
func (r *permState) merge(c *salt.Ctx, res *salt.Result) {
	if r.changes.Len() > 0 {
		if res.Changes == nil {
			res.Changes = new(value.Map)
		}
		res.Changes.Update(r.changes)
	}
	if len(r.problems) > 0 {
		if res.Comment != "" {
			r.problems = append([]string{res.Comment}, r.problems...)
		}
		res.Comment = strings.Join(r.problems, "; ")
	}
	if r.skipped != nil {
		res.Comment = *r.skipped
	}
	if r.failed {
		res.Result = salt.False()
	}
	if c.Test && res.Changes.Len() > 0 {
		res.Result = nil
	}
}

type checkPermsArgs struct {
	Name   string     `py:"name"`                  // the file
	Ret    *value.Map `py:"ret"`                   // a state's return that is added to; None makes one
	User   any        `py:"user"`                  // the user who shall own it
	Group  any        `py:"group"`                 // the group that shall own it
	Mode   any        `py:"mode"`                  // its mode
	Attrs  *string    `py:"attrs=None"`            // its attributes, as lsattr shows them
	Follow bool       `py:"follow_symlinks=False"` // changes what a link leads to
	SeUser string     `py:"seuser=None"`           // SELinux user
	SeRole string     `py:"serole=None"`           // SELinux role
	SeType string     `py:"setype=None"`           // SELinux type
	SeRng  string     `py:"serange=None"`          // SELinux range
}

// checkPerms gives a file its owner and mode and returns a state's return and
// the permissions as they were.
func checkPerms(c *salt.Ctx, a checkPermsArgs) (any, error) {
	name := expandUser(c, a.Name)
	p := perms{user: a.User, group: a.Group, mode: normalMode(a.Mode), attrs: a.Attrs, follow: a.Follow,
		se: seContext{a.SeUser, a.SeRole, a.SeType, a.SeRng}}
	cur, err := info(c, name, a.Follow)
	if err != nil {
		return nil, err
	}
	st := applyPerms(c, name, standingOf(cur), &p)
	ret := a.Ret
	if ret.Len() == 0 {
		ret = value.M("name", name, "changes", new(value.Map), "comment", "", "result", true)
	}
	res := salt.Result{Result: salt.True(), Changes: ret.Map("changes"), Comment: ret.Str("comment")}
	if res.Changes == nil {
		res.Changes = new(value.Map)
		ret.Set("changes", res.Changes)
	}
	st.merge(c, &res)
	switch {
	case res.Result == nil:
		ret.Set("result", nil)
	case !*res.Result:
		ret.Set("result", false)
	}
	ret.Set("comment", res.Comment)
	return value.Tuple{ret, oldPerms(c, cur, &p, st.changes)}, nil
}

// oldPerms are the permissions as they were, and the wanted ones that differ.
func oldPerms(c *salt.Ctx, cur fs.FileInfo, p *perms, changes *value.Map) *value.Map {
	uid, gid := sys.Owner(cur)
	m := value.M("luser", userName(c, uid), "lgroup", groupName(c, gid), "lmode", octal(cur.Mode()))
	if _, ok := p.user.(int64); ok {
		m.Set("luser", int64(uid))
	}
	if _, ok := p.group.(int64); ok {
		m.Set("lgroup", int64(gid))
	}
	if ownerDiffers(c, p.user, uid, userID) {
		m.Set("cuser", p.user)
	}
	if ownerDiffers(c, p.group, gid, groupID) {
		m.Set("cgroup", p.group)
	}
	if changes.Has("mode") && !c.Test {
		m.Set("cmode", p.mode)
	}
	return m
}
