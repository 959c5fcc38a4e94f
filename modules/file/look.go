package file

import (
	"errors"
	"io"
	"path"
	"sort"
	"strconv"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type accessArgs struct {
	Path string `py:"path"` // the file
	Mode any    `py:"mode"` // f: is it there; r, w, x: may this process read, write, execute it
}

// access reports what this process may do with a file.
func access(c *salt.Ctx, a accessArgs) (bool, error) {
	p := expandUser(c, a.Path)
	if !isAbs(p) {
		return false, salt.InvocationError("Path to link must be absolute.")
	}
	mode := -1
	switch m := a.Mode.(type) {
	case string:
		if i := strings.Index("fxwr", m); len(m) == 1 && i >= 0 {
			mode = []int{0, 1, 2, 4}[i]
		}
	case int64:
		if m == 0 || m == 1 || m == 2 || m == 4 {
			mode = int(m)
		}
	}
	if mode < 0 {
		return false, salt.InvocationError("Invalid mode specified.")
	}
	return c.Sys.Access(p, uint32(mode)) == nil, nil
}

// statvfs gives the fields of statvfs(3) for the file system of a path.
func statvfs(c *salt.Ctx, a pathArgs) (*value.Map, error) {
	p := expandUser(c, a.Path)
	if !isAbs(p) {
		return nil, salt.InvocationError("File path must be absolute.")
	}
	s, err := c.Sys.Statfs(p)
	if err != nil {
		return nil, salt.CommandError("Could not statvfs '%s'", p)
	}
	return value.M("f_bavail", s.BlocksAvailable, "f_bfree", s.BlocksFree, "f_blocks", s.Blocks, "f_bsize", s.BlockSize, "f_favail", s.FilesAvailable,
		"f_ffree", s.FilesFree, "f_files", s.Files, "f_flag", s.Flags, "f_frsize", s.FragmentSize, "f_namemax", s.NameMax), nil
}

type isLinkArgs struct {
	Path   string `py:"path"`         // the path in question
	NoStat bool   `py:"nostat=False"` // looks into the folder instead of at the path
}

// isLinkExec reports whether there is a symbolic link.
func isLinkExec(c *salt.Ctx, a isLinkArgs) (bool, error) {
	if !a.NoStat {
		return isLink(c.Sys, expandUser(c, a.Path)), nil
	}
	dir := dirName(a.Path)
	entries, err := c.Sys.ReadDir(dir)
	if err != nil {
		return false, osError(err)
	}
	for _, e := range entries {
		if joinPath(dir, e.Name()) == a.Path {
			return isLink(c.Sys, a.Path), nil
		}
	}
	return false, nil
}

type readlinkArgs struct {
	Path         string `py:"path"`               // the link
	Canonicalize bool   `py:"canonicalize=False"` // follows all links on the way
}

// readlink gives the target of a symbolic link.
func readlink(c *salt.Ctx, a readlinkArgs) (string, error) {
	p := expandVars(expandUser(c, a.Path))
	if !isAbs(p) {
		return "", salt.InvocationError("Path to link must be absolute: %s", p)
	}
	if !isLink(c.Sys, p) {
		return "", salt.InvocationError("A valid link was not specified: %s", p)
	}
	if a.Canonicalize {
		return realPath(c.Sys, p), nil
	}
	target, err := c.Sys.Readlink(p)
	if errors.Is(err, syscall.EINVAL) {
		return "", salt.CommandError("Not a symbolic link: %s", p)
	}
	if err != nil {
		return "", salt.CommandError("%s", osText(err))
	}
	return target, nil
}

// readdir lists a folder, with . and .. in front.
func readdir(c *salt.Ctx, a pathArgs) (*value.List, error) {
	p := expandUser(c, a.Path)
	if !isAbs(p) {
		return nil, salt.InvocationError("Dir path must be absolute.")
	}
	if !sys.IsDir(c.Sys, p) {
		return nil, salt.InvocationError("A valid directory was not specified: %s", p)
	}
	entries, err := c.Sys.ReadDir(p)
	if err != nil {
		return nil, osError(err)
	}
	l := value.L(".", "..")
	for _, e := range entries {
		l.Append(e.Name())
	}
	return l, nil
}

type readArgs struct {
	Path   string `py:"path"`         // the file
	Binary bool   `py:"binary=False"` // gives bytes
}

// read_ gives the content of a file.
func read_(c *salt.Ctx, a readArgs) (any, error) {
	b, err := c.Sys.ReadFile(a.Path)
	if err != nil {
		return nil, osError(err)
	}
	if a.Binary {
		return b, nil
	}
	return decodeAs(b, "utf-8")
}

// directoryExists reports whether there is a folder.
func directoryExists(c *salt.Ctx, a pathArgs) (bool, error) {
	return sys.IsDir(c.Sys, expandUser(c, a.Path)), nil
}

// fileExists reports whether there is a regular file.
func fileExists(c *salt.Ctx, a pathArgs) (bool, error) {
	return sys.IsFile(c.Sys, expandUser(c, a.Path)), nil
}

// pathExistsGlob reports whether a glob matches something.
func pathExistsGlob(c *salt.Ctx, a pathArgs) (bool, error) {
	return len(glob(c.Sys, expandUser(c, a.Path))) > 0, nil
}

// pardir is the name of the folder above: two dots.
func pardir(*salt.Ctx, salt.NoArgs) (string, error) { return "..", nil }

// normpath takes what is superfluous out of a path.
func normpath(_ *salt.Ctx, a pathArgs) (string, error) { return normPath(a.Path), nil }

// basename is the last part of a path.
func basename(_ *salt.Ctx, a pathArgs) (string, error) { return baseName(a.Path), nil }

// dirname is a path without its last part.
func dirname(_ *salt.Ctx, a pathArgs) (string, error) { return dirName(a.Path), nil }

type joinArgs struct {
	Args []any `py:"*args"` // the parts
}

// join makes one path of parts.
func join(_ *salt.Ctx, a joinArgs) (string, error) {
	if len(a.Args) == 0 {
		return "", value.Errorf("TypeError", "join() missing 1 required positional argument: 'a'")
	}
	for _, p := range a.Args {
		if _, ok := p.(string); !ok {
			return "", value.Errorf("TypeError", "join() argument must be str, bytes, or os.PathLike object, not %s", value.Quote(value.ClassName(p)))
		}
	}
	return joinPath(strs(a.Args)...), nil
}

// diskusage is the size of a file, or of all files below a folder; a file with
// several names counts once.
func diskusage(c *salt.Ctx, a pathArgs) (int64, error) {
	if i, err := c.Sys.Stat(a.Path); err == nil && i.Mode().IsRegular() {
		return i.Size(), nil
	}
	seen := map[uint64]bool{}
	var total int64
	walk(c.Sys, a.Path, false, func(dir string, dirs, files []string) []string {
		for _, f := range files {
			i, err := c.Sys.Stat(joinPath(dir, f))
			if err != nil || seen[statOf(i).inode] {
				continue
			}
			seen[statOf(i).inode] = true
			total += i.Size()
		}
		return dirs
	})
	return total, nil
}

type seekReadArgs struct {
	Path   string `py:"path"`   // the file
	Size   any    `py:"size"`   // how many bytes
	Offset any    `py:"offset"` // from where
}

// seekRead reads a part of a file.
func seekRead(c *salt.Ctx, a seekReadArgs) ([]byte, error) {
	f, err := c.Sys.Open(expandUser(c, a.Path))
	if err != nil {
		return nil, osError(err)
	}
	defer f.Close()
	off, err := intArg(a.Offset)
	if err != nil {
		return nil, err
	}
	size, err := intArg(a.Size)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(off, io.SeekStart); err != nil {
		return nil, osError(err)
	}
	b, err := io.ReadAll(io.LimitReader(f, size))
	return b, osError(err)
}

type seekWriteArgs struct {
	Path   string `py:"path"`   // the file
	Data   any    `py:"data"`   // what is written
	Offset any    `py:"offset"` // to where
}

// seekWrite writes into a part of a file and says how many bytes it wrote.
func seekWrite(c *salt.Ctx, a seekWriteArgs) (int64, error) {
	off, err := intArg(a.Offset)
	if err != nil {
		return 0, err
	}
	data, ok := a.Data.([]byte)
	if !ok {
		data = []byte(value.Str(a.Data))
	}
	n, err := c.Sys.WriteAt(expandUser(c, a.Path), data, off)
	return int64(n), osError(err)
}

type truncateArgs struct {
	Path   string `py:"path"`   // the file
	Length any    `py:"length"` // its new size in bytes
}

// truncate cuts a file to a size.
func truncate(c *salt.Ctx, a truncateArgs) (any, error) {
	n, err := intArg(a.Length)
	if err != nil {
		return nil, err
	}
	return nil, osError(c.Sys.Truncate(expandUser(c, a.Path), n))
}

type openFilesArgs struct {
	ByPID bool `py:"by_pid=False"` // lists the files of each process instead
}

// openFiles lists the files that processes have open, with the processes.
func openFiles(c *salt.Ctx, a openFilesArgs) (any, error) {
	procs, err := c.Sys.ReadDir("/proc")
	if err != nil {
		return nil, osError(err)
	}
	byFile, byPID := map[string][]int{}, new(value.Map)
	for _, e := range procs {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		names := openOf(c, path.Join("/proc", e.Name()))
		byPID.SetKey(int64(pid), value.Strings(names))
		for _, n := range names {
			byFile[n] = append(byFile[n], pid)
		}
	}
	if a.ByPID {
		return byPID, nil
	}
	m := new(value.Map)
	for _, n := range sortedKeys(byFile) {
		l := new(value.List)
		sort.Ints(byFile[n])
		for _, p := range byFile[n] {
			l.Append(int64(p))
		}
		m.Set(n, l)
	}
	return m, nil
}

// openOf are the files of one process, by its folder in /proc.
func openOf(c *salt.Ctx, proc string) []string {
	set := map[string]bool{}
	add := func(link string) {
		if name, err := c.Sys.EvalSymlinks(link); err == nil && !strings.HasPrefix(name, "/proc/") {
			set[name] = true
		}
	}
	add(proc + "/exe")
	fds, _ := c.Sys.ReadDir(proc + "/fd")
	for _, f := range fds {
		add(proc + "/fd/" + f.Name())
	}
	return sortedKeys(set)
}
