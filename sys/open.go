package sys

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a file for reading.
func (Real) Open(path string) (io.ReadSeekCloser, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFile reads a whole file.
func (Real) ReadFile(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	// There is room for MinRead bytes beyond the file, so that the read that
	// finds its end does not make the buffer grow. Files of /proc have no size.
	if i, err := f.Stat(); err == nil && i.Size() < 1<<30 {
		b.Grow(max(int(i.Size()), 0) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(f); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// open is os.Open without the poller: that one takes five more system calls a
// file, only to learn that regular files cannot be polled.
func open(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), path), nil
		case !errors.Is(err, syscall.EINTR):
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
