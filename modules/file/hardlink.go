package file

import (
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type hardlinkArgs struct {
	Name     string     `py:"name"`           // the new name of the file
	Target   string     `py:"target"`         // the file
	Force    bool       `py:"force=False"`    // replaces another file in its place
	Makedirs bool       `py:"makedirs=False"` // makes the missing folders above
	User     any        `py:"user=None"`      // who owns made folders; by default the user that runs this
	Group    any        `py:"group=None"`     // their group; by default the user's own
	DirMode  any        `py:"dir_mode=None"`  // their mode
	Kwargs   *value.Map `py:"**kwargs"`       // Salt takes and ignores any other
}

// hardlink gives a file a second name.
//
//	/srv/data.bak:
//	  file.hardlink:
//	    - target: /srv/data
func hardlink(c *salt.Ctx, a hardlinkArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, hardlinkState(c, name, a))
}

func hardlinkState(c *salt.Ctx, name string, a hardlinkArgs) salt.Result {
	if name == "" {
		return salt.Failed("Must provide name to file.hardlink")
	}
	user, group := linkOwner(c, ownerArg(c, a.User, a.Kwargs), a.Group)
	msg := linkErrors(c, user, group, name, a.Target)
	if a.Target == "" {
		msg = sentence([]string{"Specified target  is not an absolute path"})
	}
	if msg != "" {
		return salt.Failed("%s", msg)
	}
	if c.Test {
		return hardlinkTest(c, name, a)
	}
	switch {
	case sys.IsDir(c.Sys, name):
		return salt.Failed("Unable to hard link to directory %s", name)
	case sys.IsDir(c.Sys, a.Target):
		return salt.Failed("Unable to hard link from directory %s", a.Target)
	case !sys.Exists(c.Sys, a.Target):
		return salt.Failed("Target %s for hard link does not exist", a.Target)
	}
	if dir := dirName(name); !sys.IsDir(c.Sys, dir) {
		if !a.Makedirs {
			return salt.Failed("Directory %s for hard link is not present", dir)
		}
		if _, err := makeParents(c, name, user, group, normalMode(a.DirMode)); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	return makeHardlink(c, name, a)
}

func makeHardlink(c *salt.Ctx, name string, a hardlinkArgs) salt.Result {
	changes := new(value.Map)
	there := sys.LExists(c.Sys, name)
	linked := there && hasLinks(c, name)
	switch {
	case linked && sameInode(c, name, a.Target):
		return salt.Correct("Target of hard link %s is already pointing to %s", name, a.Target)
	case there && !linked && !a.Force:
		return salt.Failed("File exists where the hard link %s should be", name)
	case there && !linked:
		changes.Set("forced", "File for hard link was forcibly replaced")
	}
	if there {
		if err := c.Sys.Remove(name); err != nil {
			return salt.Failed("%s", osText(err))
		}
	}
	if err := c.Sys.Link(a.Target, name); err != nil {
		verb := "create new"
		if linked {
			verb = "set target of"
		}
		r := salt.Failed("Unable to %s hard link %s -> %s: Could not create '%s': %s", verb, name, a.Target, name, osText(err))
		r.Changes = changes
		return r
	}
	changes.Set("new", name)
	if linked {
		return salt.Changed(changes, "Set target of hard link %s -> %s", name, a.Target)
	}
	return salt.Changed(changes, "Created new hard link %s -> %s", name, a.Target)
}

func hardlinkTest(c *salt.Ctx, name string, a hardlinkArgs) salt.Result {
	switch {
	case !sys.Exists(c.Sys, a.Target):
		return salt.Failed("Target %s for hard link does not exist", a.Target)
	case sys.IsDir(c.Sys, a.Target):
		return salt.Failed("Unable to hard link from directory %s", a.Target)
	case sys.IsDir(c.Sys, name):
		return salt.Failed("Unable to hard link to directory %s", name)
	case !sys.Exists(c.Sys, name):
		return salt.Would(value.M("new", name), "Hard link %s to %s is set for creation", name, a.Target)
	case hasLinks(c, name) && sameInode(c, name, a.Target):
		return salt.Correct("The hard link %s is presently targetting %s", name, a.Target)
	case hasLinks(c, name):
		return salt.Would(value.M("change", name), "Link %s target is set to be changed to %s", name, a.Target)
	case a.Force:
		return salt.Would(nil, "The file or directory %s is set for removal to make way for a new hard link targeting %s", name, a.Target)
	}
	return salt.Failed("File or directory exists where the hard link %s should be. Did you mean to use force?", name)
}

func hasLinks(c *salt.Ctx, path string) bool {
	i, err := c.Sys.Lstat(path)
	return err == nil && statOf(i).links > 1
}

func sameInode(c *salt.Ctx, a, b string) bool {
	i, err := c.Sys.Lstat(a)
	j, err2 := c.Sys.Lstat(b)
	return err == nil && err2 == nil && statOf(i).inode == statOf(j).inode
}

type linkArgs struct {
	Src  string `py:"src"`  // the file
	Path string `py:"path"` // its new name
}

// linkExec gives a file a second name (a hard link).
func linkExec(c *salt.Ctx, a linkArgs) (bool, error) {
	src := expandUser(c, a.Src)
	if !isAbs(src) {
		return false, salt.InvocationError("File path must be absolute.")
	}
	if err := c.Sys.Link(src, a.Path); err != nil {
		return false, salt.CommandError("Could not create '%s': %s", a.Path, osText(err))
	}
	return true, nil
}

// isHardlink reports whether a file has several names.
func isHardlink(c *salt.Ctx, a pathArgs) (any, error) {
	path := expandUser(c, a.Path)
	m, err := lstat(c, pathArgs{path})
	if err != nil || m.Len() == 0 {
		return m, err
	}
	return hasLinks(c, path), nil
}
