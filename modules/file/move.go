package file

import (
	"errors"
	"io/fs"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func renamePath(c *salt.Ctx, from, to string) error {
	if err := c.Sys.Rename(from, to); err != nil {
		return salt.CommandError("Could not rename '%s' to '%s'", from, to)
	}
	return nil
}

// movePath renames, or copies to another file system and removes. Into a
// folder it keeps its name.
func movePath(c *salt.Ctx, from, to string) error {
	if sys.IsDir(c.Sys, to) {
		if i, err := c.Sys.Stat(from); err == nil {
			if j, err := c.Sys.Stat(to); err == nil && statOf(i).inode == statOf(j).inode {
				return osError(c.Sys.Rename(from, to))
			}
		}
		dest := joinPath(to, baseName(normPath(from)))
		if sys.Exists(c.Sys, dest) {
			return value.Errorf("Error", "Destination path '%s' already exists", dest)
		}
		to = dest
	}
	err := c.Sys.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) && !sys.LExists(c.Sys, from) {
		return osError(&fs.PathError{Op: "rename", Path: from, Err: syscall.ENOENT})
	}
	if !errors.Is(err, syscall.EXDEV) {
		return osError(err)
	}
	if below(realPath(c.Sys, to), realPath(c.Sys, from)) {
		return value.Errorf("Error", "Cannot move a directory '%s' into itself '%s'.", from, to)
	}
	if err := copyTree(c, from, to); err != nil {
		return err
	}
	return osError(c.Sys.RemoveAll(from))
}

// copyTree copies a file, a link or a folder with all in it, with modes,
// owners and times.
func copyTree(c *salt.Ctx, from, to string) error {
	i, err := c.Sys.Lstat(from)
	if err != nil {
		return osError(err)
	}
	st := standingOf(i)
	switch {
	case i.Mode()&fs.ModeSymlink != 0:
		target, err := c.Sys.Readlink(from)
		if err != nil {
			return osError(err)
		}
		return osError(c.Sys.Symlink(target, to))
	case i.IsDir():
		if err := c.Sys.Mkdir(to, 0o700); err != nil {
			return osError(err)
		}
		entries, err := c.Sys.ReadDir(from)
		if err != nil {
			return osError(err)
		}
		for _, e := range entries {
			if err := copyTree(c, joinPath(from, e.Name()), joinPath(to, e.Name())); err != nil {
				return err
			}
		}
		if c.Sys.Getuid() == 0 {
			c.Sys.Lchown(to, st.uid, st.gid)
		}
		if err := c.Sys.Chmod(to, i.Mode()&modeMask); err != nil {
			return osError(err)
		}
	case i.Mode().IsRegular():
		if err := copyAs(c, from, to, st); err != nil {
			return osError(err)
		}
	default:
		full := statOf(i)
		if err := c.Sys.Mknod(to, full.mode, full.device); err != nil {
			return osError(err)
		}
	}
	full := statOf(i)
	return osError(c.Sys.Chtimes(to, full.atime, full.mtime))
}

type moveArgs struct {
	Src    string `py:"src"`                            // the file or folder
	Dst    string `py:"dst"`                            // where it goes; a folder takes it in
	NoCopy bool   `py:"disallow_copy_and_unlink=False"` // renames only, so within one file system
}

// move moves a file or folder.
func move(c *salt.Ctx, a moveArgs) (any, error) {
	if a.NoCopy {
		return renameExec(c, renameExecArgs{a.Src, a.Dst})
	}
	src, dst := expandUser(c, a.Src), expandUser(c, a.Dst)
	if !isAbs(src) {
		return nil, salt.InvocationError("Source path must be absolute.")
	}
	if !isAbs(dst) {
		return nil, salt.InvocationError("Destination path must be absolute.")
	}
	if err := movePath(c, src, dst); err != nil {
		return nil, salt.CommandError("Unable to move '%s' to '%s': %s", src, dst, text(err))
	}
	return value.M("result", true, "comment", "'"+src+"' moved to '"+dst+"'"), nil
}

type renameExecArgs struct {
	Src string `py:"src"` // the file or folder
	Dst string `py:"dst"` // its new name
}

// renameExec renames a file or folder.
func renameExec(c *salt.Ctx, a renameExecArgs) (bool, error) {
	src, dst := expandUser(c, a.Src), expandUser(c, a.Dst)
	if !isAbs(src) {
		return false, salt.InvocationError("File path must be absolute.")
	}
	return true, renamePath(c, src, dst)
}

type renameArgs struct {
	Name     string     `py:"name"`           // the new path
	Source   string     `py:"source"`         // the old one
	Force    bool       `py:"force=False"`    // replaces what is there
	Makedirs bool       `py:"makedirs=False"` // makes the missing folders above
	Kwargs   *value.Map `py:"**kwargs"`       // Salt takes and ignores any other
}

// rename moves a file or folder to a new path, unless it was moved already.
//
//	/srv/new:
//	  file.rename:
//	    - source: /srv/old
func rename(c *salt.Ctx, a renameArgs) salt.Result {
	name, source := expandVars(expandUser(c, a.Name)), expandVars(expandUser(c, a.Source))
	return renamed(a.Name, name, moveState(c, a, name, source))
}

func moveState(c *salt.Ctx, a renameArgs, name, source string) salt.Result {
	switch {
	case name == "":
		return salt.Failed("Must provide name to file.rename")
	case !isAbs(name):
		return salt.Failed("Specified file %s is not an absolute path", name)
	case !sys.LExists(c.Sys, source):
		return salt.Correct("Source file \"%s\" has already been moved out of place", source)
	}
	there := sys.LExists(c.Sys, name)
	if there && !a.Force {
		return salt.Correct("The target file \"%s\" exists and will not be overwritten", name)
	}
	if c.Test {
		return salt.Would(nil, "File \"%s\" is set to be moved to \"%s\"", source, name)
	}
	if there && removeAny(c, name) != nil {
		return salt.Failed("Failed to delete \"%s\" in preparation for forced move", name)
	}
	if dir := dirName(name); !sys.IsDir(c.Sys, dir) {
		if !a.Makedirs {
			return salt.Failed("The target directory %s is not present", dir)
		}
		if _, err := makeParents(c, name, nil, nil, ""); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	if movePath(c, source, name) != nil {
		return salt.Failed("Failed to move \"%s\" to \"%s\"", source, name)
	}
	return salt.Changed(value.M(name, source), "Moved \"%s\" to \"%s\"", source, name)
}
