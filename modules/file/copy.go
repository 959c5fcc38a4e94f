package file

import (
	"io/fs"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type copyArgs struct {
	Name     string     `py:"name"`           // where the copy goes
	Source   string     `py:"source"`         // the file or folder on this machine
	Force    bool       `py:"force=False"`    // replaces what is there
	Makedirs bool       `py:"makedirs=False"` // makes the missing folders above
	Preserve bool       `py:"preserve=False"` // gives it the owner and mode of the source
	User     any        `py:"user=None"`      // the owner; by default the user that runs this
	Group    any        `py:"group=None"`     // the group; by default the user's own
	Mode     any        `py:"mode=None"`      // the mode; by default the source's
	DirMode  any        `py:"dir_mode=None"`  // the mode of made folders
	Subdir   bool       `py:"subdir=False"`   // goes into name when that is a folder
	Kwargs   *value.Map `py:"**kwargs"`       // Salt takes and ignores any other
}

// copy_ copies a file or folder of this machine, unless there is something in
// its place. The copy is not kept up to date: file.managed does that.
//
//	/etc/app.conf:
//	  file.copy:
//	    - source: /usr/share/app/app.conf
func copy_(c *salt.Ctx, a copyArgs) salt.Result {
	name := expandUser(c, a.Name)
	cp := &copying{copyArgs: a, name: name, source: expandUser(c, a.Source)}
	r := cp.run(c)
	return renamed(a.Name, name, r)
}

// copying is one run of file.copy.
type copying struct {
	copyArgs
	name, source string
	perms        perms
}

func (p *copying) run(c *salt.Ctx) salt.Result {
	switch {
	case p.name == "":
		return salt.Failed("Must provide name to file.copy")
	case !isAbs(p.name):
		return salt.Failed("Specified file %s is not an absolute path", p.name)
	}
	src, err := c.Sys.Stat(p.source)
	if err != nil {
		return salt.Failed("Source file \"%s\" is not present", p.source)
	}
	did := `Copied "` + p.source + `" to "` + p.name + `"`
	if bad := p.owner(c, src); bad != nil {
		return *bad
	}
	if p.Subdir && sys.IsDir(c.Sys, p.name) {
		p.name = joinPath(p.name, baseName(p.source))
	}
	there := sys.LExists(c.Sys, p.name)
	from, to := realPath(c.Sys, p.source), joinPath(realPath(c.Sys, dirName(p.name)), baseName(p.name))
	switch {
	case there && (!p.Force || from == to):
		return salt.Correct("The target file \"%s\" exists and will not be overwritten", p.name)
	case src.IsDir() && below(to, from):
		return salt.Failed("Failed to copy \"%s\" to \"%s\": a folder cannot hold itself", p.source, p.name)
	case there && below(from, to):
		return salt.Failed("Failed to copy \"%s\" to \"%s\": the source is in what would be removed", p.source, p.name)
	case c.Test:
		return salt.Would(nil, "File \"%s\" is set to be copied to \"%s\"", p.source, p.name)
	}
	if there {
		if p.identical(c) {
			did += " - files are identical but force flag is set"
		}
		if removeAny(c, p.name) != nil {
			return salt.Failed("Failed to delete \"%s\" in preparation for forced move", p.name)
		}
	}
	if dir := dirName(p.name); !sys.IsDir(c.Sys, dir) {
		if !p.Makedirs {
			return salt.Failed("The target directory %s is not present", dir)
		}
		mode := normalMode(p.DirMode)
		if mode == "" && p.perms.mode != "" {
			mode = dirMode(p.perms.mode)
		}
		if _, err := makeParents(c, p.name, p.perms.user, p.perms.group, mode); err != nil {
			return salt.Failed("%s", text(err))
		}
	}
	return p.copy(c, src, did)
}

// owner settles who owns the copy and its mode.
func (p *copying) owner(c *salt.Ctx, src fs.FileInfo) *salt.Result {
	st := standingOf(src)
	p.perms = perms{user: userName(c, st.uid), group: groupName(c, st.gid), mode: octal(st.mode)}
	if p.Preserve {
		return nil
	}
	p.perms.user, p.perms.group = linkOwner(c, ownerArg(c, p.User, p.Kwargs), p.Group)
	if msg := checkUser(c, p.perms.user, p.perms.group); msg != "" {
		r := salt.Failed("%s", msg)
		return &r
	}
	if p.Mode != nil {
		p.perms.mode = normalMode(p.Mode)
	}
	return nil
}

func (p *copying) identical(c *salt.Ctx) bool {
	i, err := c.Sys.Stat(p.name)
	if err != nil || !i.Mode().IsRegular() {
		return false
	}
	same, err := sameContent(c, p.name, i.Size(), &content{path: p.source})
	return same && err == nil
}

func (p *copying) copy(c *salt.Ctx, src fs.FileInfo, did string) salt.Result {
	fail := salt.Failed("Failed to copy \"%s\" to \"%s\"", p.source, p.name)
	if src.IsDir() {
		if copyTree(c, realPath(c.Sys, p.source), p.name) != nil {
			return fail
		}
		walk(c.Sys, p.name, false, func(dir string, dirs, files []string) []string {
			for _, n := range append(append([]string(nil), dirs...), files...) {
				chownPath(c, joinPath(dir, n), p.perms.user, p.perms.group, false)
			}
			return dirs
		})
	} else {
		mode := src.Mode() & modeMask
		a := sys.FileAttrs{Mode: &mode}
		m := managing{content: &content{path: p.source}}
		if m.write(c, p.name, a) != nil {
			return fail
		}
	}
	r := salt.Changed(value.M(p.name, p.source), "%s", did)
	st, err := lookPerms(c, p.name, &p.perms)
	if err != nil {
		return fail
	}
	if p.Preserve {
		return r
	}
	comment := r.Comment
	st.merge(c, &r)
	if r.OK() {
		r.Comment = comment
	}
	return r
}

type copyExecArgs struct {
	Src     string `py:"src"`                   // the file or folder
	Dst     string `py:"dst"`                   // where the copy goes
	Recurse bool   `py:"recurse=False"`         // copies folders
	Remove  bool   `py:"remove_existing=False"` // removes a folder in its place first
}

// copyExec copies a file, or a folder with all in it.
func copyExec(c *salt.Ctx, a copyExecArgs) (bool, error) {
	src, dst := expandUser(c, a.Src), expandUser(c, a.Dst)
	if !isAbs(src) {
		return false, salt.InvocationError("File path must be absolute.")
	}
	i, err := c.Sys.Stat(src)
	if err != nil {
		return false, salt.CommandError("No such file or directory '%s'", src)
	}
	if i.IsDir() && below(realPath(c.Sys, dst), realPath(c.Sys, src)) {
		return false, salt.CommandError("Could not copy '%s' to '%s': a folder cannot hold itself", src, dst)
	}
	if sys.IsDir(c.Sys, dst) || i.IsDir() {
		if !a.Recurse {
			return false, salt.InvocationError("Cannot copy overwriting a directory without recurse flag set to true!")
		}
		if a.Remove {
			if err = removeAny(c, dst); err == nil {
				err = copyTree(c, src, dst)
			}
		} else {
			err = mergeTree(c, src, dst)
		}
	} else {
		err = (&managing{content: &content{path: src}}).write(c, realPath(c.Sys, dst), sys.FileAttrs{})
	}
	if err != nil {
		return false, salt.CommandError("Could not copy '%s' to '%s'", src, dst)
	}
	st := standingOf(i)
	_, err = lookPerms(c, dst, &perms{user: int64(st.uid), group: int64(st.gid), mode: octal(st.mode)})
	return true, err
}

// mergeTree copies the files of a folder into another one, which keeps what it has.
func mergeTree(c *salt.Ctx, from, to string) (err error) {
	walk(c.Sys, from, false, func(dir string, dirs, files []string) []string {
		into := joinPath(to, relPath(dir, from))
		if dir == from {
			into = to
		}
		if e := sys.MkdirAll(c.Sys, into, 0o777); e != nil {
			err = e
		}
		for _, f := range files {
			m := managing{content: &content{path: joinPath(dir, f)}}
			if e := m.write(c, realPath(c.Sys, joinPath(into, f)), sys.FileAttrs{}); e != nil {
				err = e
			}
		}
		return dirs
	})
	return err
}
