package sys

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Real is the machine we run on.
type Real struct{}

func (Real) Lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }
func (Real) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (Real) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (Real) Readlink(path string) (string, error)       { return os.Readlink(path) }
func (Real) EvalSymlinks(path string) (string, error)   { return filepath.EvalSymlinks(path) }
func (Real) Getuid() int                                { return os.Geteuid() }

func (Real) Append(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
}
func (Real) Mkdir(path string, mode fs.FileMode) error         { return os.Mkdir(path, mode) }
func (Real) Remove(path string) error                          { return os.Remove(path) }
func (Real) RemoveAll(path string) error                       { return os.RemoveAll(path) }
func (Real) Rename(from, to string) error                      { return os.Rename(from, to) }
func (Real) Symlink(target, path string) error                 { return os.Symlink(target, path) }
func (Real) Link(old, path string) error                       { return os.Link(old, path) }
func (Real) Chmod(path string, mode fs.FileMode) error         { return os.Chmod(path, mode) }
func (Real) Lchown(path string, uid, gid int) error            { return os.Lchown(path, uid, gid) }
func (Real) Chtimes(path string, atime, mtime time.Time) error { return os.Chtimes(path, atime, mtime) }
func (Real) Truncate(path string, size int64) error            { return os.Truncate(path, size) }
func (Real) Kill(pid int, sig syscall.Signal) error            { return syscall.Kill(pid, sig) }

// WriteAt writes into a file or device that is there.
func (Real) WriteAt(path string, data []byte, offset int64) (int, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	n, err := f.WriteAt(data, offset)
	if err == nil {
		// Files of the kernel (/proc/sys) have no disk to go to.
		if err = f.Sync(); errors.Is(err, syscall.EINVAL) {
			err = nil
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return n, err
}

func (Real) Now() time.Time { return time.Now() }

func (Real) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LookPath looks through $PATH, then the folders that a bare environment
// (cron, cloud-init) often lacks.
func (Real) LookPath(name string) string {
	if p, err := exec.LookPath(name); err == nil {
		return p
	}
	if filepath.Base(name) != name {
		return ""
	}
	for _, dir := range []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"} {
		p := filepath.Join(dir, name)
		if i, err := os.Stat(p); err == nil && i.Mode().IsRegular() && i.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

// Mode turns Unix permission bits (as in "4755") into an fs.FileMode.
func Mode(bits uint32) fs.FileMode {
	m := fs.FileMode(bits & 0o777)
	if bits&0o4000 != 0 {
		m |= fs.ModeSetuid
	}
	if bits&0o2000 != 0 {
		m |= fs.ModeSetgid
	}
	if bits&0o1000 != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// Bits is the reverse of Mode.
func Bits(m fs.FileMode) uint32 {
	b := uint32(m.Perm())
	if m&fs.ModeSetuid != 0 {
		b |= 0o4000
	}
	if m&fs.ModeSetgid != 0 {
		b |= 0o2000
	}
	if m&fs.ModeSticky != 0 {
		b |= 0o1000
	}
	return b
}

// Links is the number of names that a file has, 1 when that is not known.
func Links(i fs.FileInfo) int {
	if st, ok := i.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}

// Owner is the numeric user and group of a file.
func Owner(i fs.FileInfo) (uid, gid int) {
	if st, ok := i.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}
