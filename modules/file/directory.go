package file

import (
	"io/fs"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type directoryArgs struct {
	Name         string     `py:"name"`                  // the folder
	User         any        `py:"user=None"`             // the owner
	Group        any        `py:"group=None"`            // the group
	Recurse      any        `py:"recurse=None"`          // what is set in all below too: user, group, mode; ignore_files, ignore_dirs, silent
	MaxDepth     any        `py:"max_depth=None"`        // how deep recurse goes; 0: the folder only
	DirMode      any        `py:"dir_mode=None"`         // the mode of folders
	FileMode     any        `py:"file_mode=None"`        // the mode of files below; by default dir_mode
	Makedirs     bool       `py:"makedirs=False"`        // makes the missing folders above
	Clean        bool       `py:"clean=False"`           // removes what no required file state manages
	Require      any        `py:"require=None"`          // the states whose files clean keeps
	ExcludePat   any        `py:"exclude_pat=None"`      // globs, or E@ and a regular expression, of what clean keeps
	Follow       bool       `py:"follow_symlinks=False"` // sets owner and mode of what a link leads to
	Force        bool       `py:"force=False"`           // replaces a file or link that is in the way
	Backup       *string    `py:"backupname=None"`       // what is in the way is moved there
	AllowSymlink bool       `py:"allow_symlink=True"`    // False refuses a link to a folder
	ChildrenOnly bool       `py:"children_only=False"`   // recurse leaves the folder itself alone
	WinOwner     any        `py:"win_owner=None"`        // Windows only
	WinPerms     any        `py:"win_perms=None"`        // Windows only
	WinDeny      any        `py:"win_deny_perms=None"`   // Windows only
	WinInherit   any        `py:"win_inheritance=True"`  // Windows only
	WinReset     any        `py:"win_perms_reset=False"` // Windows only
	Kwargs       *value.Map `py:"**kwargs"`              // mode stands for dir_mode; any other is ignored
}

// directory makes a folder and looks after its owner and mode, and after those
// of all below with recurse. With clean it removes what is not managed there.
//
//	/srv/www:
//	  file.directory:
//	    - user: www-data
//	    - dir_mode: '0755'
//	    - file_mode: '0644'
//	    - recurse: [user, mode]
func directory(c *salt.Ctx, a directoryArgs) salt.Result {
	name := expandUser(c, a.Name)
	d := &folder{directoryArgs: &a, name: name, changes: new(value.Map)}
	if len(name) > 1 {
		d.name = strings.TrimSuffix(name, "/")
	}
	return renamed(a.Name, name, d.run(c)) // with the slash at its end
}

// folder is one run of file.directory.
type folder struct {
	*directoryArgs
	name     string
	dirMode  string
	fileMode string
	depth    int // -1: no limit
	targets  []string
	changes  *value.Map
	branches []branch // what a walk found, once it was made
}

// branch is one folder of a walk with its folders and files.
type branch struct {
	dir         string
	dirs, files []string
}

func (d *folder) run(c *salt.Ctx) salt.Result {
	if bad := d.prepare(c); bad != nil {
		return *bad
	}
	if done := d.makeWay(c); done != nil {
		return *done
	}
	r, found := d.look(c)
	if c.Test || !found {
		return r
	}
	i, err := c.Sys.Stat(d.name)
	if err != nil || !i.IsDir() {
		return d.create(c)
	}
	return d.enforce(c)
}

func (d *folder) prepare(c *salt.Ctx) *salt.Result {
	fail := func(format string, a ...any) *salt.Result {
		r := salt.Failed(format, a...)
		return &r
	}
	if d.name == "" {
		return fail("Must provide name to file.directory")
	}
	if d.MaxDepth != nil && d.Clean {
		return fail("Cannot specify both max_depth and clean")
	}
	if d.depth = -1; d.MaxDepth != nil {
		n, err := intArg(d.MaxDepth)
		if err != nil {
			return fail("%s", text(err))
		}
		d.depth = int(n)
	}
	d.User = ownerArg(c, d.User, d.Kwargs)
	if m, ok := d.Kwargs.Get("mode"); ok && !value.Truth(d.DirMode) {
		d.DirMode = m
	}
	if !value.Truth(d.FileMode) {
		d.FileMode = d.DirMode
	}
	d.dirMode, d.fileMode = normalMode(d.DirMode), normalMode(d.FileMode)
	if msg := checkUser(c, d.User, d.Group); msg != "" {
		return fail("%s", msg)
	}
	if !isAbs(d.name) {
		return fail("Specified file %s is not an absolute path", d.name)
	}
	targets, msg := recurseTargets(d.Recurse)
	if msg != "" && c.Test {
		return fail("%s", msg)
	}
	if msg != "" {
		return fail("%s", msg)
	}
	d.targets = targets
	return nil
}

var recurseTypes = []string{"user", "group", "mode", "ignore_files", "ignore_dirs", "silent"}

// recurseTargets reads the list of recurse.
func recurseTargets(v any) ([]string, string) {
	if !value.Truth(v) {
		return nil, ""
	}
	l, ok := v.(*value.List)
	if !ok {
		return nil, `"recurse" must be formed as a list of strings`
	}
	set := strs(l.Items)
	for _, s := range set {
		if !slices.Contains(recurseTypes, s) {
			return nil, `Types for "recurse" limited to "` + strings.Join(recurseTypes, `", "`) + `".`
		}
	}
	if slices.Contains(set, "ignore_files") && slices.Contains(set, "ignore_dirs") {
		return nil, `Must not specify "recurse" options "ignore_files" and "ignore_dirs" at the same time.`
	}
	return set, ""
}

func (d *folder) wants(target string) bool { return slices.Contains(d.targets, target) }

// makeWay removes or moves a file or link in the place of the folder. The
// result is final; nil goes on.
func (d *folder) makeWay(c *salt.Ctx) *salt.Result {
	i, err := c.Sys.Lstat(d.name)
	if err != nil {
		return nil
	}
	isLink := i.Mode()&fs.ModeSymlink != 0
	isFile := sys.IsFile(c.Sys, d.name)
	if !isFile && !(isLink && (!d.AllowSymlink || d.Force)) {
		return nil
	}
	fail := func(format string, a ...any) *salt.Result {
		r := salt.Failed(format, a...)
		return &r
	}
	if d.Backup != nil {
		return d.backUp(c)
	}
	if d.Force {
		what := "Symlink"
		if isFile {
			what = "File"
		}
		if c.Test {
			d.changes.Set("forced", what+" would be forcibly replaced")
			return nil
		}
		if err := removePath(c, d.name, i); err != nil {
			return fail("%s", text(err))
		}
		d.changes.Set("forced", what+" was forcibly replaced")
		return nil
	}
	if isFile {
		return fail("Specified location %s exists and is a file", d.name)
	}
	return fail("Specified location %s exists and is a symlink", d.name)
}

func (d *folder) backUp(c *salt.Ctx) *salt.Result {
	backup := *d.Backup
	if sys.LExists(c.Sys, backup) {
		if !d.Force {
			r := salt.Failed("File exists where the backup target %s should go", backup)
			return &r
		}
		if c.Test {
			d.changes.Set("forced", "Existing file at backup path "+backup+" would be removed")
		} else if err := removeAny(c, backup); err != nil {
			r := salt.Failed("%s", text(err))
			return &r
		}
	}
	if c.Test {
		d.changes.Set("backup", d.name+" would be renamed to "+backup)
		d.changes.Set(d.name, value.M("directory", "new"))
		r := salt.Would(d.changes, "%s would be backed up and replaced with a new directory", d.name)
		return &r
	}
	if err := c.Sys.Rename(d.name, backup); err != nil {
		r := salt.Failed("%s", osText(err))
		return &r
	}
	return nil
}

// create makes the folder.
func (d *folder) create(c *salt.Ctx) salt.Result {
	if _, ok := modeBits(d.dirMode); d.dirMode != "" && !ok { // as for a folder that is there
		d.changes = new(value.Map)
		return d.failed("Failed to change mode to %s", d.dirMode)
	}
	if !sys.IsDir(c.Sys, dirName(d.name)) {
		if !d.Makedirs {
			return d.failed("No directory to create %s in", d.name)
		}
		if _, err := makeParents(c, d.name, d.User, d.Group, d.dirMode); err != nil {
			return d.failed("%s", text(err))
		}
	}
	if err := makeDir(c, d.name, d.User, d.Group, d.dirMode); err != nil && !sys.IsDir(c.Sys, d.name) {
		d.changes = new(value.Map)
		return d.failed("Failed to create directory %s: %s", d.name, text(err))
	}
	d.changes.Set(d.name, value.M("directory", "new"))
	return salt.Changed(d.changes, "")
}

func (d *folder) failed(format string, a ...any) salt.Result {
	r := salt.Failed(format, a...)
	r.Changes = d.changes
	return r
}

// walk lists what is below the folder, down to the depth, once.
func (d *folder) walk(c *salt.Ctx) []branch {
	if d.branches == nil {
		d.branches = []branch{}
		limitedWalk(c.Sys, d.name, d.depth, &d.branches)
	}
	return d.branches
}

func limitedWalk(s sys.Reader, top string, depth int, out *[]branch) {
	base := strings.Count(strings.TrimRight(top, "/"), "/")
	walk(s, top, false, func(dir string, dirs, files []string) []string {
		if depth >= 0 && strings.Count(strings.TrimRight(dir, "/"), "/")-base >= depth {
			return nil
		}
		*out = append(*out, branch{dir, dirs, files})
		return dirs
	})
}
