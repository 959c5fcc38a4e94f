package archive

import (
	"errors"
	"io/fs"
	"path/filepath"

	"pinch/sys"
	"pinch/value"
)

// own gives what the archive holds the wanted owners.
func (x *extraction) own() {
	if !value.Truth(x.User) && !value.Truth(x.Group) {
		return
	}
	dirs, files := x.contents.topDirs, append(x.contents.topFiles[:len(x.contents.topFiles):len(x.contents.topFiles)], x.contents.topLinks...)
	if value.Truth(x.OwnershipOn) {
		on := value.Str(x.OwnershipOn)
		if dirs, files = nil, []string{on}; sys.IsDir(x.c.Sys, on) {
			dirs, files = files, nil
		}
	}
	recurse := value.L()
	if value.Truth(x.User) {
		recurse.Append("user")
	}
	if value.Truth(x.Group) {
		recurse.Append("group")
	}
	for _, dir := range dirs {
		full := x.path(dir)
		if !sys.IsDir(x.c.Sys, full) {
			if !x.c.Test {
				x.ownMissing = append(x.ownMissing, full)
			}
			continue
		}
		r, err := x.c.CallState(x.c, "file.directory", value.M("name", full, "user", x.User, "group", x.Group, "recurse", recurse))
		if r.Changes.Len() > 0 {
			x.changes.Set("updated ownership", true)
		}
		if err != nil || r.Bad() {
			x.ownFail = append(x.ownFail, full)
		}
	}
	for _, name := range files {
		x.ownFile(name)
	}
}

func (x *extraction) ownFile(name string) {
	full := x.path(name)
	i, err := x.c.Sys.Lstat(full)
	if err != nil {
		if !x.c.Test {
			if errors.Is(err, fs.ErrNotExist) {
				x.ownMissing = append(x.ownMissing, full)
			}
			x.ownFail = append(x.ownFail, full)
		}
		return
	}
	uid, gid := sys.Owner(i)
	if (x.uid < 0 || x.uid == uid) && (x.gid < 0 || x.gid == gid) {
		return
	}
	if !x.c.Test {
		if err := x.c.Sys.Lchown(full, x.uid, x.gid); err != nil {
			x.ownFail = append(x.ownFail, name)
			return
		}
	}
	x.changes.Set("updated ownership", true)
}

// path is a path of the archive in the target; an absolute one stays.
func (x *extraction) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return x.dir + name
}
