package logging

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Rotation is when a log file is put aside (log_rotate_max_bytes and
// log_rotate_backup_count): before a line that would make it larger than
// MaxBytes, and only if copies are kept: path.1 is the newest, path.Backups the
// oldest. The zero value leaves it to others, such as logrotate.
type Rotation struct {
	MaxBytes int64
	Backups  int64
}

// A logFile appends to a file that several processes write, and that one of
// them or logrotate may put aside at any time: then it goes on in the new one.
type logFile struct {
	path string
	rot  Rotation

	mu sync.Mutex
	f  *os.File
}

// openFile opens a log file for appending; others than its group see nothing.
func openFile(path string, rot Rotation) (*logFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	l := &logFile{path: path, rot: rot}
	return l, l.open()
}

func (l *logFile) open() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o640)
	if err != nil {
		return err
	}
	if l.f != nil {
		l.f.Close()
	}
	l.f = f
	return nil
}

func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine, there, err := l.look()
	if err != nil {
		return 0, err
	}
	if there == nil || !os.SameFile(mine, there) {
		if err := l.open(); err != nil {
			return 0, err
		}
	} else if l.rot.MaxBytes > 0 && l.rot.Backups > 0 && mine.Size() > 0 && mine.Size()+int64(len(b)) > l.rot.MaxBytes {
		if err := l.rotate(); err != nil {
			return 0, err
		}
	}
	return l.f.Write(b)
}

// look is the open file, and the one at its path: nil when it was put aside.
func (l *logFile) look() (mine, there fs.FileInfo, err error) {
	if mine, err = l.f.Stat(); err != nil {
		return nil, nil, err
	}
	there, err = os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return mine, nil, nil
	}
	return mine, there, err
}

// rotate puts the file aside. Of several processes that want to, one does it.
func (l *logFile) rotate() error {
	if err := syscall.Flock(int(l.f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	mine, there, err := l.look()
	if err != nil {
		return err
	}
	if there != nil && os.SameFile(mine, there) {
		for i := l.rot.Backups; i > 1; i-- {
			if err := os.Rename(l.copy(i-1), l.copy(i)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := os.Rename(l.path, l.copy(1)); err != nil {
			return err
		}
	}
	return l.open() // closing the old one gives the lock up
}

func (l *logFile) copy(n int64) string { return fmt.Sprintf("%s.%d", l.path, n) }

func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.f.Close()
}
