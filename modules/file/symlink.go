package file

import (
	"fmt"
	"io/fs"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type symlinkArgs struct {
	Name       string     `py:"name"`                           // the link
	Target     string     `py:"target"`                         // what it leads to
	Force      bool       `py:"force=False"`                    // replaces a file or folder that is in the way
	Backup     *string    `py:"backupname=None"`                // what is in the way is moved there first
	Makedirs   bool       `py:"makedirs=False"`                 // makes the missing folders above
	User       any        `py:"user=None"`                      // who owns the link; by default the user that runs this
	Group      any        `py:"group=None"`                     // the group; by default the user's own
	Mode       any        `py:"mode=None"`                      // the mode of made folders
	WinOwner   any        `py:"win_owner=None"`                 // Windows only
	WinPerms   any        `py:"win_perms=None"`                 // Windows only
	WinDeny    any        `py:"win_deny_perms=None"`            // Windows only
	WinInherit any        `py:"win_inheritance=None"`           // Windows only
	Atomic     bool       `py:"atomic=False"`                   // swaps the old link for the new one in one step
	NoCopy     bool       `py:"disallow_copy_and_unlink=False"` // backs up by renaming only, so within one file system
	Inherit    bool       `py:"inherit_user_and_group=False"`   // leaves the owner of a link that is there
	Follow     bool       `py:"follow_symlinks=True"`           // False counts a link that leads nowhere as being there
	Kwargs     *value.Map `py:"**kwargs"`                       // Salt takes and ignores any other
}

// symlink makes a symbolic link.
//
//	/usr/local/bin/tool:
//	  file.symlink:
//	    - target: /opt/tool/bin/tool
func symlink(c *salt.Ctx, a symlinkArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, (&link{a, name}).run(c))
}

// link is one run of file.symlink.
type link struct {
	symlinkArgs
	name string
}

func (l *link) run(c *salt.Ctx) salt.Result {
	if l.name == "" {
		return salt.Failed("Must provide name to file.symlink")
	}
	l.owner(c)
	if msg := linkErrors(c, l.User, l.Group, l.name, ""); msg != "" {
		return salt.Failed("%s", msg)
	}
	dir := dirName(l.name)
	if c.Test {
		r := l.foretell(c)
		if !sys.IsDir(c.Sys, dir) {
			if l.Makedirs {
				r.Comment += "\n" + dir + " will be created"
			} else {
				r.Comment += "\nDirectory " + dir + " for symlink is not present"
			}
		}
		return r
	}
	if !sys.IsDir(c.Sys, dir) {
		if !l.Makedirs {
			return salt.Failed("Directory %s for symlink is not present", dir)
		}
		if _, err := makeParents(c, l.name, l.User, l.Group, normalMode(l.Mode)); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	i, err := c.Sys.Lstat(l.name)
	switch {
	case err == nil && i.Mode()&fs.ModeSymlink != 0:
		have, err := c.Sys.Readlink(l.name)
		if err == nil && normPath(have) == normPath(l.Target) {
			return l.present(c, i)
		}
		if !l.Atomic {
			if err := removePath(c, l.name, i); err != nil {
				return salt.Failed("%s", text(err))
			}
		}
	case err == nil:
		if bad := l.makeWay(c, i); bad != nil {
			return *bad
		}
	}
	return l.create(c)
}

// owner fills in who owns the link.
func (l *link) owner(c *salt.Ctx) {
	l.User = ownerArg(c, l.User, l.Kwargs)
	if l.Inherit && (l.User == nil || l.Group == nil) && isLink(c.Sys, l.name) {
		if i, err := c.Sys.Lstat(l.name); err == nil {
			uid, gid := sys.Owner(i)
			if l.User == nil {
				l.User = userName(c, uid)
			}
			if l.Group == nil {
				l.Group = groupName(c, gid)
			}
		}
	}
	l.User, l.Group = linkOwner(c, l.User, l.Group)
}

// linkOwner gives the owner of links and copies where none is named: the user
// that runs this, and the user's own group.
func linkOwner(c *salt.Ctx, user, group any) (any, any) {
	if user == nil {
		user = runUser(c)
	}
	if group == nil {
		group = primaryGroup(c, user)
	}
	return user, group
}

// linkErrors says what is wrong with the arguments of a link.
func linkErrors(c *salt.Ctx, user, group any, name, target string) string {
	var errs []string
	if _, ok := userID(c, user); !ok {
		errs = append(errs, "User "+value.Str(user)+" does not exist")
	}
	if _, ok := groupID(c, group); !ok {
		errs = append(errs, "Group "+value.Str(group)+" does not exist")
	}
	if !isAbs(name) {
		errs = append(errs, "Specified file "+name+" is not an absolute path")
	}
	if target != "" && !isAbs(target) {
		errs = append(errs, "Specified target "+target+" is not an absolute path")
	}
	return sentence(errs)
}

func sentence(errs []string) string {
	s := ""
	for i, e := range errs {
		if i > 0 {
			s += ". "
		}
		s += e
	}
	if len(errs) > 1 {
		s += "."
	}
	return s
}

func (l *link) owned(c *salt.Ctx, i fs.FileInfo) bool {
	uid, gid := sys.Owner(i)
	return !ownerDiffers(c, l.User, uid, userID) && !ownerDiffers(c, l.Group, gid, groupID)
}

func ownerText(c *salt.Ctx, i fs.FileInfo) string {
	uid, gid := sys.Owner(i)
	return fmt.Sprint(userName(c, uid), ":", groupName(c, gid))
}

func (l *link) ownerWanted() string { return value.Str(l.User) + ":" + value.Str(l.Group) }

// foretell is the result under test=True.
func (l *link) foretell(c *salt.Ctx) salt.Result {
	i, err := c.Sys.Lstat(l.name)
	if err != nil {
		return salt.Would(value.M("new", l.name), "Symlink %s to %s is set for creation", l.name, l.Target)
	}
	if i.Mode()&fs.ModeSymlink == 0 {
		if l.Force || l.Backup != nil {
			return salt.Would(nil, "The file or directory %s is set for removal to make way for a new symlink targeting %s", l.name, l.Target)
		}
		return salt.Failed("File or directory exists where the symlink %s should be. Did you mean to use force?", l.name)
	}
	if have, err := c.Sys.Readlink(l.name); err != nil || have != l.Target && normPath(have) != normPath(l.Target) {
		return salt.Would(value.M("change", l.name), "Link %s target is set to be changed to %s", l.name, l.Target)
	}
	if l.owned(c, i) {
		return salt.Correct("The symlink %s is present", l.name)
	}
	now := ownerText(c, i)
	return salt.Would(value.M("ownership", now), "The symlink %s is present, but the ownership of the symlink would be changed from %s to %s", l.name, now, l.ownerWanted())
}

// present looks after the owner of a link that is right otherwise.
func (l *link) present(c *salt.Ctx, i fs.FileInfo) salt.Result {
	if l.owned(c, i) {
		return salt.Correct("Symlink %s is present and owned by %s", l.name, l.ownerWanted())
	}
	if l.own(c) {
		return salt.Changed(value.M("ownership", l.ownerWanted()), "Set ownership of symlink %s to %s", l.name, l.ownerWanted())
	}
	return salt.Failed("Failed to set ownership of symlink %s to %s", l.name, l.ownerWanted())
}

// own gives the link its owner and reports whether it has it.
func (l *link) own(c *salt.Ctx) bool {
	chownPath(c, l.name, l.User, l.Group, false)
	i, err := c.Sys.Lstat(l.name)
	return err == nil && l.owned(c, i)
}

// makeWay moves or removes what is no link.
func (l *link) makeWay(c *salt.Ctx, i fs.FileInfo) *salt.Result {
	fail := func(format string, a ...any) *salt.Result {
		r := salt.Failed(format, a...)
		return &r
	}
	if l.Backup == nil {
		if l.Force {
			// Salt leaves this to unlink(2), which fails for a folder.
			if err := removePath(c, l.name, i); err != nil {
				return fail("%s", text(err))
			}
			return nil
		}
		if l.Atomic {
			return nil
		}
		kind := "File system entry"
		if i.Mode().IsRegular() {
			kind = "File"
		} else if i.IsDir() {
			kind = "Directory"
		}
		return fail("%s exists where the symlink %s should be", kind, l.name)
	}
	backup := *l.Backup
	if !isAbs(backup) {
		if backup != baseName(backup) {
			return fail("Backupname must be an absolute path or a file name: %s", backup)
		}
		backup = joinPath(dirName(normPath(l.name)), backup)
	}
	if sys.LExists(c.Sys, backup) {
		if !l.Force {
			return fail("Symlink & backup dest exists and Force not set. %s -> %s - backup: %s", l.name, l.Target, backup)
		}
		if err := removeAny(c, backup); err != nil {
			return fail("%s", text(err))
		}
	}
	var err error
	if l.NoCopy {
		err = renamePath(c, l.name, backup)
	} else {
		err = movePath(c, l.name, backup)
	}
	if err != nil {
		return fail("Unable to rename %s to backup %s -> : %s", l.name, backup, text(err))
	}
	return nil
}

func (l *link) create(c *salt.Ctx) salt.Result {
	if err := makeLink(c, l.Target, l.name, l.Force, l.Atomic, l.Follow); err != nil {
		return salt.Failed("Unable to create new symlink %s -> %s: %s", l.name, l.Target, text(err))
	}
	r := salt.Changed(value.M("new", l.name), "Created new symlink %s -> %s", l.name, l.Target)
	i, err := c.Sys.Lstat(l.name)
	if err == nil && (l.owned(c, i) || l.own(c)) {
		return r
	}
	r.Result = salt.False()
	r.Comment += ", but was unable to set ownership to " + l.ownerWanted()
	return r
}

type symlinkExecArgs struct {
	Src    string `py:"src"`                  // what the link leads to
	Path   string `py:"path"`                 // the link
	Force  bool   `py:"force=False"`          // replaces what is in the way
	Atomic bool   `py:"atomic=False"`         // replaces it in one step
	Follow bool   `py:"follow_symlinks=True"` // False counts a link that leads nowhere as being there
}

// symlinkExec makes a symbolic link.
func symlinkExec(c *salt.Ctx, a symlinkExecArgs) (bool, error) {
	path := expandUser(c, a.Path)
	if !isAbs(path) {
		return false, salt.InvocationError("Link path must be absolute: %s", path)
	}
	return true, makeLink(c, a.Src, path, a.Force, a.Atomic, a.Follow)
}

func makeLink(c *salt.Ctx, target, path string, force, atomic, follow bool) error {
	i, err := c.Sys.Lstat(path)
	there := err == nil
	if there && i.Mode()&fs.ModeSymlink != 0 {
		have, err := c.Sys.Readlink(path)
		if err == nil && normPath(have) == normPath(target) {
			return nil
		}
		if !force && !atomic {
			return salt.CommandError("Found existing symlink: %s", path)
		}
	} else if there && !force && !atomic {
		return salt.CommandError("Existing path is not a symlink: %s", path)
	}
	if atomic {
		return swapLink(c, target, path)
	}
	if there && force {
		if err := c.Sys.Remove(path); err != nil {
			return osError(err)
		}
	}
	if err := c.Sys.Symlink(target, path); err != nil {
		return salt.CommandError("Could not create '%s'", path)
	}
	return nil
}

// swapLink makes the link beside its place and renames it over what is there.
func swapLink(c *salt.Ctx, target, path string) error {
	tmp, err := tempName(c, dirName(path), "")
	if err == nil {
		if err = c.Sys.Remove(tmp); err == nil {
			err = c.Sys.Symlink(target, tmp)
		}
	}
	if err == nil {
		if err = c.Sys.Rename(tmp, path); err != nil {
			c.Sys.Remove(tmp)
		}
	}
	if err != nil {
		return salt.CommandError("Could not create '%s'", path)
	}
	return nil
}
