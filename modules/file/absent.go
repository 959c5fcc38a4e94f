package file

import (
	"io/fs"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type absentArgs struct {
	Name   string     `py:"name"`     // the path to remove
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// absent makes sure that the named file or directory does not exist. A
// directory is removed with all that is in it; to empty one and keep it, use
// file.directory with clean: True.
//
//	/etc/nologin:
//	  file.absent: []
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	name := expandUser(c, a.Name)
	return renamed(a.Name, name, removeState(c, name))
}

func removeState(c *salt.Ctx, name string) salt.Result {
	switch {
	case name == "":
		return salt.Failed("Must provide name to file.absent")
	case !isAbs(name):
		return salt.Failed("Specified file %s is not an absolute path", name)
	case name == "/":
		return salt.Failed(`Refusing to make "/" absent`)
	}
	i, err := c.Sys.Lstat(name)
	if err != nil {
		return salt.Correct("File %s is not present", name)
	}
	kind, lower := "File", "file"
	if i.IsDir() {
		kind, lower = "Directory", "directory"
	}
	return c.Make(salt.Change{
		Changes: value.M("removed", name),
		Will:    kind + " " + name + " is set for removal",
		Did:     "Removed " + lower + " " + name,
		Do:      func() error { return removePath(c, name, i) },
	})
}

// removePath removes a file, a link, or a folder with all that is in it.
func removePath(c *salt.Ctx, path string, i fs.FileInfo) error {
	err := error(nil)
	if i.IsDir() {
		err = c.Sys.RemoveAll(path)
	} else {
		err = c.Sys.Remove(path)
	}
	if err != nil {
		return salt.CommandError("Could not remove '%s': %s", path, osText(err))
	}
	return nil
}

// removeAny removes whatever is at path.
func removeAny(c *salt.Ctx, path string) error {
	i, err := c.Sys.Lstat(path)
	if err != nil {
		return nil
	}
	return removePath(c, path, i)
}

type removeArgs struct {
	Path   string     `py:"path"`     // the path to remove
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// remove removes a file, a link, or a folder with all that is in it; False
// when there is none.
func remove(c *salt.Ctx, a removeArgs) (bool, error) {
	path := expandUser(c, a.Path)
	if !isAbs(path) {
		return false, salt.InvocationError("File path must be absolute: %s", path)
	}
	i, err := c.Sys.Lstat(path)
	if err != nil {
		return false, nil
	}
	return true, removePath(c, path, i)
}

type existsArgs struct {
	Name   string     `py:"name"`     // the path
	Kwargs *value.Map `py:"**kwargs"` // Salt takes and ignores any other
}

// exists only looks whether there is something at a path.
//
//	/etc/machine-id:
//	  file.exists: []
func exists(c *salt.Ctx, a existsArgs) salt.Result {
	name := expandUser(c, a.Name)
	switch {
	case name == "":
		return salt.Failed("Must provide name to file.exists")
	case !sys.Exists(c.Sys, name):
		return renamed(a.Name, name, salt.Failed("Specified path %s does not exist", name))
	}
	return renamed(a.Name, name, salt.Correct("Path %s exists", name))
}

// missing only looks whether there is nothing at a path.
//
//	/run/nologin:
//	  file.missing: []
func missing(c *salt.Ctx, a existsArgs) salt.Result {
	name := expandUser(c, a.Name)
	switch {
	case name == "":
		return salt.Failed("Must provide name to file.missing")
	case sys.Exists(c.Sys, name):
		return renamed(a.Name, name, salt.Failed("Specified path %s exists", name))
	}
	return renamed(a.Name, name, salt.Correct("Path %s is missing", name))
}
