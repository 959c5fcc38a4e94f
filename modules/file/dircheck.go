package file

import (
	"io/fs"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// look finds what differs; found says that something does. The result is that
// of test=True, or of a folder that is right.
func (d *folder) look(c *salt.Ctx) (r salt.Result, found bool) {
	changes := new(value.Map)
	p, files := perms{user: d.User, group: d.Group, mode: d.dirMode, follow: d.Follow}, d.fileMode
	if d.targets != nil {
		below := p
		below.user, below.group, below.mode, files = d.limited(p, files)
		d.lookBelow(c, below, files, changes)
	}
	if !d.ChildrenOnly {
		if ch := metaChanges(c, d.name, &p); ch.Len() > 0 {
			changes.Set(d.name, ch)
		}
	}
	if d.Clean {
		if err := d.lookClean(c, changes); err != nil {
			return salt.Failed("%s", text(err)), false
		}
	}
	if !sys.IsDir(c.Sys, d.name) {
		changes.Set(d.name, value.M("directory", "new"))
	}
	d.changes.Update(changes)
	if changes.Len() == 0 {
		r = salt.Correct("The directory %s is in the correct state", d.name)
		r.Changes = d.changes
		return r, d.changes.Len() > 0
	}
	var b strings.Builder
	b.WriteString("The following files will be changed:\n")
	for path, ch := range changes.Items() {
		for k, v := range ch.(*value.Map).Items() {
			b.WriteString(path + ": " + k + " - " + value.Str(v) + "\n")
		}
	}
	return salt.Would(d.changes, "%s", b.String()), true
}

// limited are the owner and modes that recurse sets below the folder.
func (d *folder) limited(p perms, fileMode string) (user, group any, mode, files string) {
	if d.wants("user") {
		user = p.user
	}
	if d.wants("group") {
		group = p.group
	}
	if d.wants("mode") {
		mode, files = p.mode, fileMode
	}
	return user, group, mode, files
}

func (d *folder) lookBelow(c *salt.Ctx, p perms, fileMode string, changes *value.Map) {
	f := p
	f.mode = fileMode
	for _, b := range d.walk(c) {
		if !d.wants("ignore_files") {
			for _, n := range b.files {
				if ch := metaChanges(c, joinPath(b.dir, n), &f); ch.Len() > 0 && !ch.Has("directory") {
					changes.Set(joinPath(b.dir, n), ch)
				}
			}
		}
		if !d.wants("ignore_dirs") {
			for _, n := range b.dirs {
				if ch := metaChanges(c, joinPath(b.dir, n), &p); ch.Len() > 0 {
					changes.Set(joinPath(b.dir, n), ch)
				}
			}
		}
	}
}

// metaChanges is what differs at a path from the owner and mode it shall have.
func metaChanges(c *salt.Ctx, path string, p *perms) *value.Map {
	i, err := info(c, path, p.follow)
	if err != nil {
		return value.M("directory", "new")
	}
	ch := new(value.Map)
	uid, gid := sys.Owner(i)
	if ownerDiffers(c, p.user, uid, userID) {
		ch.Set("user", p.user)
	}
	if ownerDiffers(c, p.group, gid, groupID) {
		ch.Set("group", p.group)
	}
	if p.mode != "" && p.mode != octal(i.Mode()) && i.Mode()&fs.ModeSymlink == 0 {
		ch.Set("mode", p.mode)
	}
	return ch
}

func (d *folder) lookClean(c *salt.Ctx, changes *value.Map) error {
	removed, err := strays(c, d.name, d.keepFiles(c), d.ExcludePat)
	for _, p := range removed {
		changes.Set(p, value.M("removed", "Removed due to clean"))
	}
	return err
}

// enforce sets owner and mode and cleans.
func (d *folder) enforce(c *salt.Ctx) salt.Result {
	r := salt.Result{Result: salt.True(), Changes: d.changes}
	p := perms{user: d.User, group: d.Group, mode: d.dirMode, follow: d.Follow}
	if !d.ChildrenOnly {
		st, err := lookPerms(c, d.name, &p)
		if err != nil {
			return d.failed("%s", text(err))
		}
		st.merge(c, &r)
	}
	if d.targets != nil {
		d.enforceBelow(c, p, &r)
	}
	if d.Clean {
		removed, err := strays(c, d.name, d.keepFiles(c), d.ExcludePat)
		if err != nil {
			return d.failed("%s", text(err))
		}
		if removed, err = removeStrays(c, removed); err != nil {
			return d.failed("%s", text(err))
		}
		if removed != nil {
			r.Changes.Set("removed", value.Strings(removed))
			r.Comment = "Files cleaned from directory " + d.name
		}
	}
	d.comment(&r)
	return r
}

func (d *folder) comment(r *salt.Result) {
	if r.Comment == "" {
		if d.ChildrenOnly {
			r.Comment = "Directory " + d.name + "/* updated"
		} else if r.Changes.Len() > 0 {
			r.Comment = "Directory " + d.name + " updated"
		}
	}
	if r.Changes.Len() == 0 && r.OK() {
		old := r.Comment
		if r.Comment = "Directory " + d.name + " is in the correct state"; old != "" {
			r.Comment += "\n" + old
		}
	}
}

// enforceBelow sets owner and mode of what is below.
func (d *folder) enforceBelow(c *salt.Ctx, p perms, r *salt.Result) {
	bad := func(msg string) { r.Result, r.Comment = salt.False(), msg }
	if d.wants("user") {
		if _, ok := userID(c, d.User); !given(d.User) {
			bad("user not specified, but configured as a target for recursive ownership management")
		} else if !ok {
			bad("Failed to enforce ownership for user " + value.Str(d.User) + " (user does not exist)")
		}
	}
	if d.wants("group") {
		if _, ok := groupID(c, d.Group); !given(d.Group) {
			bad("group not specified, but configured as a target for recursive ownership management")
		} else if !ok {
			bad("Failed to enforce group ownership for group " + value.Str(d.Group))
		}
	}
	var files string
	p.user, p.group, p.mode, files = d.limited(p, d.fileMode)
	f := p
	f.mode = files
	if d.wants("silent") {
		r.Changes.Clear()
		r.Changes.Set("recursion", "Changes silenced")
	}
	set := func(path string, p *perms) {
		st, err := lookPerms(c, path, p)
		if err != nil {
			return // it went away meanwhile
		}
		st.merge(c, r)
	}
	for _, b := range d.walk(c) {
		if !d.wants("ignore_files") {
			for _, n := range b.files {
				set(joinPath(b.dir, n), &f)
			}
		}
		if !d.wants("ignore_dirs") {
			for _, n := range b.dirs {
				set(joinPath(b.dir, n), &p)
			}
		}
	}
}
