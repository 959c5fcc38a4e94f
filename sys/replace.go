package sys

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Replace is described at Changer. Where the target cannot be renamed over (a
// file bind-mounted into a container: EBUSY) it is rewritten in place.
func (Real) Replace(path string, a FileAttrs, write func(io.Writer) error) error {
	return blamed(replace(path, a, write), path)
}

// blamed has an error name the file that was to be written, where it names the
// temporary one beside it.
func blamed(err error, path string) error {
	var link *os.LinkError
	if errors.As(err, &link) && link.New == path {
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == tempName(path) {
		return &fs.PathError{Op: p.Op, Path: path, Err: p.Err}
	}
	return err
}

func replace(path string, a FileAttrs, write func(io.Writer) error) error {
	uid, gid, mode, fresh := a.resolve(path)
	tmp, err := newTemp(path)
	if err != nil {
		return err
	}
	done := false
	defer func() { tmp.release(done) }()
	// Content reaches a file that nobody but its owner can read.
	if err := fill(tmp.File, write); err != nil {
		return err
	}
	if uid >= 0 || gid >= 0 {
		if err := tmp.Chown(uid, gid); err != nil {
			return err
		}
	}
	if fresh && a.Mode == nil {
		mode = 0o666 &^ umask()
	}
	if err := tmp.Chmod(mode); err != nil {
		return err
	}
	if a.Sync {
		if err := tmp.Sync(); err != nil {
			return err
		}
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	err = os.Rename(tmp.Name(), path)
	if errors.Is(err, syscall.EBUSY) {
		return rewrite(tmp.Name(), path)
	}
	done = err == nil
	return err
}

func fill(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 32<<10)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// resolve says which owner (-1: as it comes) and mode the new file gets.
func (a FileAttrs) resolve(path string) (uid, gid int, mode fs.FileMode, fresh bool) {
	uid, gid, fresh = -1, -1, true
	if old, err := os.Stat(path); err == nil {
		fresh = false
		uid, gid = Owner(old)
		mode = old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		if uid == os.Geteuid() && a.UID == nil {
			uid = -1
		}
		if gid == os.Getegid() && a.GID == nil {
			gid = -1
		}
	}
	if a.UID != nil {
		uid = *a.UID
	}
	if a.GID != nil {
		gid = *a.GID
	}
	if a.Mode != nil {
		mode = *a.Mode
	}
	return uid, gid, mode, fresh
}

func rewrite(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		return err
	}
	return dst.Close()
}
