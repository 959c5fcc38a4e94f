package sys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// A temp is the file that Replace fills. It lies beside its target under a name
// that the next writer of the target knows, and is locked as long as its
// process lives: what a killed process left is found and removed.
type temp struct {
	*os.File
	lock int // keeps the lock when the file is closed, -1: none
}

// tempSuffix ends the name, tempMax is how much of the target's it has: names
// have 255 bytes at most.
const (
	tempSuffix = ".pinch"
	tempMax    = 240
)

// tempName is the name of the temporary file beside path.
func tempName(path string) string {
	dir, base := filepath.Split(path)
	return dir + "." + base[:min(len(base), tempMax)] + tempSuffix
}

// newTemp makes the temporary file for path, readable by its owner only.
func newTemp(path string) (*temp, error) {
	name := tempName(path)
	for range 3 {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			if !removeStale(name) {
				return anyTemp(path)
			}
		case err != nil:
			return nil, err
		case keep(f):
			lock, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
			if err != nil {
				lock = -1
			}
			return &temp{f, lock}, nil
		default:
			f.Close() // taken for a dead one's between its making and its lock
		}
	}
	return anyTemp(path)
}

// anyTemp is for a target that somebody else writes just now.
func anyTemp(path string) (*temp, error) {
	dir, base := filepath.Split(path)
	f, err := os.CreateTemp(dir, "."+base[:min(len(base), tempMax)]+".")
	if err != nil {
		return nil, err
	}
	return &temp{f, -1}, nil
}

// keep locks a new file, and reports whether it is still the one at its name.
// Where there are no locks it is ours all the same: nobody can remove it then.
func keep(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false
	}
	var st syscall.Stat_t
	return err != nil || syscall.Fstat(int(f.Fd()), &st) == nil && st.Nlink > 0
}

// removeStale removes a temporary file that nobody writes any more, and
// reports whether the name is free. It must be a plain file of this user.
func removeStale(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	mine, err := f.Stat()
	if err != nil || !mine.Mode().IsRegular() {
		return false
	}
	if uid, _ := Owner(mine); uid != os.Geteuid() || syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	// A live writer renamed its file before it gave up the lock.
	if there, err := os.Lstat(name); err != nil || !os.SameFile(mine, there) {
		return errors.Is(err, fs.ErrNotExist)
	}
	return os.Remove(name) == nil
}

// release gives the lock up. What was not renamed is removed before.
func (t *temp) release(renamed bool) {
	if !renamed {
		t.Close()
		os.Remove(t.Name())
	}
	if t.lock >= 0 {
		syscall.Close(t.lock)
	}
}
