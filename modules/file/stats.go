package file

import (
	"io/fs"
	"math"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// info is Salt's notion of what is at a path: a link that leads nowhere counts
// as itself.
func info(c *salt.Ctx, path string, follow bool) (fs.FileInfo, error) {
	if follow {
		if i, err := c.Sys.Stat(path); err == nil {
			return i, nil
		}
	}
	i, err := c.Sys.Lstat(path)
	if err != nil {
		return nil, salt.CommandError("Path not found: %s", path)
	}
	return i, nil
}

type statsArgs struct {
	Path     string `py:"path"`                 // the file to look at
	HashType string `py:"hash_type=None"`       // also gives the digest of the content, by this algorithm
	Follow   bool   `py:"follow_symlinks=True"` // looks at what a link leads to
}

// stats gives owner, mode, size, times, type and target of a path.
func stats(c *salt.Ctx, a statsArgs) (*value.Map, error) {
	path := expandUser(c, a.Path)
	i, err := info(c, path, a.Follow)
	if err != nil {
		return nil, err
	}
	st := statOf(i)
	m := value.M("inode", int64(st.inode), "uid", int64(st.uid), "gid", int64(st.gid),
		"group", groupName(c, st.gid), "user", userName(c, st.uid),
		"atime", seconds(st.atime), "mtime", seconds(st.mtime), "ctime", seconds(st.ctime),
		"size", i.Size(), "mode", octal(i.Mode()))
	if a.HashType != "" {
		sum, err := hashFile(c, path, a.HashType)
		if err != nil {
			return nil, err
		}
		m.Set("sum", sum)
	}
	m.Set("type", typeName(i.Mode()))
	if a.Follow {
		m.Set("target", realPath(c.Sys, path))
	} else {
		m.Set("target", absPath(path))
	}
	return m, nil
}

func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())*1e-9 }

func fromSeconds(f float64) time.Time {
	s, frac := math.Modf(f)
	return time.Unix(int64(s), int64(math.Round(frac*1e9)))
}

func typeName(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "dir"
	case m&fs.ModeCharDevice != 0:
		return "char"
	case m&fs.ModeDevice != 0:
		return "block"
	case m&fs.ModeSymlink != 0:
		return "link"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	}
	return "file"
}

type lookArgs struct {
	Path   string `py:"path"`                 // the file to look at
	Follow bool   `py:"follow_symlinks=True"` // looks at what a link leads to
}

func look(c *salt.Ctx, a lookArgs, get func(fs.FileInfo) any) (any, error) {
	i, err := info(c, expandUser(c, a.Path), a.Follow)
	if err != nil {
		return nil, err
	}
	return get(i), nil
}

// getUID is the number of the user who owns a file.
func getUID(c *salt.Ctx, a lookArgs) (any, error) {
	return look(c, a, func(i fs.FileInfo) any { uid, _ := sys.Owner(i); return int64(uid) })
}

// getGID is the number of the group that owns a file.
func getGID(c *salt.Ctx, a lookArgs) (any, error) {
	return look(c, a, func(i fs.FileInfo) any { _, gid := sys.Owner(i); return int64(gid) })
}

// getUser is the name of the user who owns a file.
func getUser(c *salt.Ctx, a lookArgs) (any, error) {
	return look(c, a, func(i fs.FileInfo) any { uid, _ := sys.Owner(i); return userName(c, uid) })
}

// getGroup is the name of the group that owns a file.
func getGroup(c *salt.Ctx, a lookArgs) (any, error) {
	return look(c, a, func(i fs.FileInfo) any { _, gid := sys.Owner(i); return groupName(c, gid) })
}

// getMode is the mode of a file, as four octal digits.
func getMode(c *salt.Ctx, a lookArgs) (any, error) {
	return look(c, a, func(i fs.FileInfo) any { return octal(i.Mode()) })
}

type pathArgs struct {
	Path string `py:"path"` // the path in question
}

// lstat gives the fields of lstat(2), and nothing for a path that is not there.
func lstat(c *salt.Ctx, a pathArgs) (*value.Map, error) {
	path := expandUser(c, a.Path)
	if !isAbs(path) {
		return nil, salt.InvocationError("Path to file must be absolute.")
	}
	i, err := c.Sys.Lstat(path)
	if err != nil {
		return new(value.Map), nil
	}
	st := statOf(i)
	return value.M("st_atime", seconds(st.atime), "st_ctime", seconds(st.ctime), "st_gid", int64(st.gid),
		"st_mode", int64(st.mode), "st_mtime", seconds(st.mtime), "st_nlink", int64(st.links),
		"st_size", i.Size(), "st_uid", int64(st.uid)), nil
}
