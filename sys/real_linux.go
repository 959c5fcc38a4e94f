package sys

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var umaskMu sync.Mutex

// umask reads our umask, which Linux shows without changing it (see WithUmask).
func umask() os.FileMode {
	if b, err := os.ReadFile("/proc/thread-self/status"); err == nil {
		for line := range strings.Lines(string(b)) {
			if s, ok := strings.CutPrefix(line, "Umask:"); ok {
				n := os.FileMode(0)
				for _, c := range strings.TrimSpace(s) {
					n = n<<3 | os.FileMode(c-'0')
				}
				return n
			}
		}
	}
	umaskMu.Lock()
	defer umaskMu.Unlock()
	old := syscall.Umask(0o22)
	syscall.Umask(old)
	return os.FileMode(old)
}

// attrLetters are lsattr's letters by inode flag (linux/fs.h).
var attrLetters = []struct {
	letter byte
	flag   int
}{
	{'s', 0x1}, {'u', 0x2}, {'S', 0x8}, {'D', 0x10000}, {'i', 0x10}, {'a', 0x20}, {'d', 0x40}, {'A', 0x80},
	{'c', 0x4}, {'B', 0x200}, {'E', 0x800}, {'j', 0x4000}, {'I', 0x1000}, {'t', 0x8000}, {'T', 0x20000},
	{'e', 0x80000}, {'C', 0x800000}, {'P', 0x20000000}, {'N', 0x10000000}, {'V', 0x100000}, {'F', 0x40000000},
}

// Attrs reads the inode flags; file systems without any give an error.
func (Real) Attrs(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, a := range attrLetters {
		if n&a.flag != 0 {
			b.WriteByte(a.letter)
		}
	}
	return b.String(), nil
}

// SetAttrs sets the flags named by letters and clears the other settable ones.
func (Real) SetAttrs(path, letters string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return err
	}
	for _, a := range attrLetters {
		if strings.IndexByte("EINVe", a.letter) >= 0 {
			continue
		}
		n &^= a.flag
		if strings.IndexByte(letters, a.letter) >= 0 {
			n |= a.flag
		}
	}
	return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, n)
}

func (Real) Getxattr(path, name string) ([]byte, error) {
	n, err := unix.Lgetxattr(path, name, nil)
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	n, err = unix.Lgetxattr(path, name, b)
	return b[:max(n, 0)], err
}

func (Real) Setxattr(path, name string, v []byte) error { return unix.Lsetxattr(path, name, v, 0) }
func (Real) Removexattr(path, name string) error        { return unix.Lremovexattr(path, name) }
func (Real) Mknod(path string, mode uint32, dev uint64) error {
	return unix.Mknod(path, mode, int(dev))
}

// Mknod makes a device or a pipe.
func (r Root) Mknod(name string, mode uint32, dev uint64) error {
	dir, base := filepath.Split(name)
	f, err := r.Open(filepath.Clean("./" + dir))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Mknodat(int(f.Fd()), base, mode, int(dev)); err != nil {
		return &os.PathError{Op: "mknod", Path: name, Err: err}
	}
	return nil
}

func (Real) Mount(source, target, fstype string, flags uintptr, data string) error {
	return unix.Mount(source, target, fstype, flags, data)
}
func (Real) Unmount(target string, flags int) error { return unix.Unmount(target, flags) }
func (Real) Access(path string, mode uint32) error {
	if err := unix.Access(path, mode); err != nil {
		return &os.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}

// Statfs asks the file system that path lies on.
func (Real) Statfs(path string) (FileSystem, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return FileSystem{}, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	const valid = 0x20 // ST_VALID is the kernel's own
	return FileSystem{int64(s.Bsize), int64(s.Frsize), int64(s.Blocks), int64(s.Bfree), int64(s.Bavail),
		int64(s.Files), int64(s.Ffree), int64(s.Ffree), int64(s.Flags) &^ valid, int64(s.Namelen)}, nil
}

func (Real) Sethostname(name string) error { return unix.Sethostname([]byte(name)) }

func (Real) SetTime(t time.Time) error {
	ts, err := unix.TimeToTimespec(t)
	if err != nil {
		return err
	}
	return unix.ClockSettime(unix.CLOCK_REALTIME, &ts)
}
