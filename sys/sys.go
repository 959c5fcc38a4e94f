// Package sys is the only door to the machine: modules read and change files,
// run commands, and signal processes through a Sys and through nothing else.
//
// Real is this machine. Wrapped in ReadOnly (every state under test=True) it
// refuses all changes; wrapped in Trace it reports them; Replay answers
// commands from a recording in tests.
//
//	s := sys.ReadOnly{Sys: sys.Real{}}
//	err := s.Remove("/etc/motd") // sys.ErrReadOnly, and the file stays
package sys

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrReadOnly is what every change answers under test=True.
var ErrReadOnly = errors.New("sys: change attempted under test=True")

// A Sys reads and changes one machine. Paths are absolute. Errors are those of
// package os (use errors.Is with fs.ErrNotExist and the like).
type Sys interface {
	Reader
	Changer
	// Run runs a command and waits for it, see Cmd. A command that ran and
	// failed is no error: look at CmdResult.Code.
	Run(ctx context.Context, cmd Cmd) (CmdResult, error)
	// Units is the service manager of a machine that runs systemd.
	Units() Units
	// Bus is the system bus.
	Bus() Bus
	// LookPath finds a command in $PATH and the usual sbin folders; "" if there is none.
	LookPath(name string) string
	Now() time.Time
	// Sleep waits, or returns the context's error when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// A Reader looks at files and accounts.
type Reader interface {
	Lstat(path string) (fs.FileInfo, error)
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
	Open(path string) (io.ReadSeekCloser, error)
	// ReadDir lists a directory, sorted by name.
	ReadDir(path string) ([]fs.DirEntry, error)
	Readlink(path string) (string, error)
	// EvalSymlinks is the path with all links followed.
	EvalSymlinks(path string) (string, error)
	// Attrs are the inode flags that lsattr shows, by their letters ("ia").
	Attrs(path string) (string, error)
	Getxattr(path, name string) ([]byte, error)
	User(name string) (User, error)   // ErrNoUser
	UserID(uid int) (User, error)     // ErrNoUser
	Group(name string) (Group, error) // ErrNoGroup
	GroupID(gid int) (Group, error)   // ErrNoGroup
	Users() ([]User, error)           // /etc/passwd, in its order
	Groups() ([]Group, error)         // /etc/group, in its order
	Getuid() int                      // the effective user
	// Access is access(2): mode is the sum of 4 (read), 2 (write) and 1 (execute), 0 for existence.
	Access(path string, mode uint32) error
	Statfs(path string) (FileSystem, error)
}

// A FileSystem is what statvfs(3) says about one, in blocks and inodes.
type FileSystem struct {
	BlockSize, FragmentSize             int64
	Blocks, BlocksFree, BlocksAvailable int64
	Files, FilesFree, FilesAvailable    int64
	Flags, NameMax                      int64
}

// A Changer changes files and processes.
type Changer interface {
	// Replace puts new content into place in one step: write fills a temporary
	// file beside path, which gets its owner and mode and is then renamed, so
	// that a kill at any moment leaves the old or the new file.
	Replace(path string, a FileAttrs, write func(io.Writer) error) error
	// Append opens path for appending, or makes it with mode 0666 less the umask.
	Append(path string) (io.WriteCloser, error)
	// OpenRoot opens a folder to work in with names that cannot lead out of it.
	OpenRoot(dir string) (Root, error)
	Mkdir(path string, mode fs.FileMode) error
	Remove(path string) error
	RemoveAll(path string) error
	Rename(from, to string) error
	Symlink(target, path string) error
	Link(old, path string) error
	Chmod(path string, mode fs.FileMode) error // permission, setuid, setgid and sticky bits
	Lchown(path string, uid, gid int) error    // -1 leaves one as it is
	Chtimes(path string, atime, mtime time.Time) error
	Truncate(path string, size int64) error
	WriteAt(path string, data []byte, offset int64) (int, error) // in place, to the disk
	Mknod(path string, mode uint32, dev uint64) error
	SetAttrs(path, letters string) error // see Attrs
	Setxattr(path, name string, v []byte) error
	Removexattr(path, name string) error
	Kill(pid int, sig syscall.Signal) error // a negative pid is a process group
	Mount(source, target, fstype string, flags uintptr, data string) error
	Unmount(target string, flags int) error
	Sethostname(name string) error
	SetTime(t time.Time) error // the system clock
	// Ethtool hands a request of linux/ethtool.h to a network card; the kernel
	// fills it. Its first word says whether it changes something.
	Ethtool(device string, request []byte) error
}

// FileAttrs are the owner and mode a replaced file gets. The zero value keeps
// those of the file that is there; a new file then gets 0666 less the umask.
type FileAttrs struct {
	UID, GID *int
	Mode     *fs.FileMode // permission, setuid, setgid and sticky bits
	// Sync writes the data to the disk before the rename.
	Sync bool
}

// WriteFile replaces path with data, see Changer.Replace.
func WriteFile(s Changer, path string, data []byte, a FileAttrs) error {
	return s.Replace(path, a, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Exists reports whether there is something at path, following links.
func Exists(s Reader, path string) bool { _, err := s.Stat(path); return err == nil }

// LExists reports whether there is something at path, also a dangling link.
func LExists(s Reader, path string) bool { _, err := s.Lstat(path); return err == nil }

// IsDir reports whether path is a directory, following links.
func IsDir(s Reader, path string) bool { i, err := s.Stat(path); return err == nil && i.IsDir() }

// IsFile reports whether path is a regular file, following links.
func IsFile(s Reader, path string) bool {
	i, err := s.Stat(path)
	return err == nil && i.Mode().IsRegular()
}

// MkdirAll makes a directory and those above it that are missing.
func MkdirAll(s Sys, path string, mode fs.FileMode) error {
	if IsDir(s, path) {
		return nil
	}
	if up := parent(path); up != path {
		if err := MkdirAll(s, up, mode); err != nil {
			return err
		}
	}
	err := s.Mkdir(path, mode)
	if err != nil && IsDir(s, path) {
		return nil
	}
	return err
}

func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' && i < len(path)-1 {
			return path[:i]
		}
	}
	return "/"
}

// TempName is a path for a new temporary file in dir ("" is the usual place),
// named as Salt names its own; ext, such as ".sh", ends it.
func TempName(dir, ext string) string {
	if dir == "" {
		dir = os.TempDir()
	}
	var b [5]byte
	rand.Read(b[:])
	return filepath.Join(dir, "__salt.tmp."+strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))+ext)
}
