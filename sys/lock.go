package sys

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// ErrLocked says that another process, or another part of this one, holds a lock.
var ErrLocked = errors.New("sys: locked")

// A Lock is a kernel lock on a file. It ends with the process that holds it,
// however that ends.
type Lock struct{ f *os.File }

// TryLock takes the lock on path, a file that is made if need be, and writes
// text into it for those who find it taken. The error is ErrLocked when it is.
func TryLock(path, text string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, err
	}
	// The text is a courtesy: a full disk must not keep anybody from the lock.
	if f.Truncate(0) == nil {
		f.WriteAt([]byte(text), 0)
	}
	return &Lock{f}, nil
}

// Holder is the text of who holds the lock on path, "" when nobody does.
func Holder(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return ""
	}
	b, _ := io.ReadAll(f)
	return string(b)
}

// Unlock gives the lock back; the file stays.
func (l *Lock) Unlock() {
	if l != nil && l.f != nil {
		_ = l.f.Truncate(0)
		l.f.Close()
		l.f = nil
	}
}
