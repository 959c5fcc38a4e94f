package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"pinch/salt"
	"pinch/sys"
)

// place unpacks an archive into a folder that is there. clear, if any, makes
// room when everything is unpacked: it gets the folder that names are relative
// to, and the name of the target. With anew the target itself is replaced.
func (u *unpacker) place(src source, dir string, anew bool, clear func() error, each func(*entry)) error {
	base := dir
	u.into = "."
	if anew {
		base, u.into = path.Dir(dir), path.Base(dir)
	}
	var err error
	if u.base, err = u.c.Sys.OpenRoot(base); err != nil {
		return err
	}
	defer u.base.Close()
	// The name is always the same: what a killed run has left goes away.
	sum := sha256.Sum256([]byte(dir))
	u.stage = ".extract-" + hex.EncodeToString(sum[:6])
	if err := u.base.RemoveAll(u.stage); err != nil {
		return err
	}
	defer u.base.RemoveAll(u.stage)
	if err := u.base.Mkdir(u.stage, 0o777); err != nil {
		return err
	}
	i, err := u.base.Lstat(u.stage)
	if err == nil {
		u.umask = 0o777 &^ i.Mode().Perm()
		err = u.base.Chmod(u.stage, 0o700)
	}
	if err != nil {
		return err
	}
	if u.root, err = u.base.Sub(u.stage); err != nil {
		return err
	}
	defer u.root.Close()
	if err := u.unpack(src, each); err != nil {
		return err
	}
	if clear != nil {
		if err := clear(); err != nil {
			return err
		}
	}
	m := &merge{u: u, base: u.base, stage: u.stage, into: u.into}
	if err := m.plan("."); err != nil {
		return err
	}
	return m.run()
}

// A merge moves what was unpacked into place. It looks at everything first:
// what cannot be moved is known before anything is.
type merge struct {
	u     *unpacker
	base  sys.Root
	stage string
	into  string
	steps []step
}

// A step moves one file or whole folder, or gives an existing folder the
// attributes that the archive has for it.
type step struct {
	name  string
	dress *entry
}

// plan works the steps out. Folders that are not there yet are moved whole.
func (m *merge) plan(dir string) error {
	list, err := m.base.ReadDir(path.Join(m.stage, dir))
	if err != nil {
		return err
	}
	for _, it := range list {
		name := path.Join(dir, it.Name())
		there, err := m.base.Lstat(path.Join(m.into, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			m.steps = append(m.steps, step{name: name})
			continue
		case err != nil:
			return err
		}
		if !it.IsDir() {
			if there.IsDir() {
				return fmt.Errorf("'%s' is a directory, but no directory in the archive", name)
			}
			m.steps = append(m.steps, step{name: name})
			continue
		}
		// A link to a folder stays, as long as it does not lead out of the target.
		if there.Mode()&fs.ModeSymlink != 0 {
			if there, err = m.base.Stat(path.Join(m.into, name)); err != nil {
				return fmt.Errorf("the link '%s' leads out of the target directory", name)
			}
		}
		if !there.IsDir() {
			return fmt.Errorf("'%s' is no directory, but a directory in the archive", name)
		}
		if err := m.plan(name); err != nil {
			return err
		}
		if e := m.u.attrs[name]; e != nil {
			m.steps = append(m.steps, step{name, e})
		}
	}
	return nil
}

func (m *merge) run() error {
	for _, s := range m.steps {
		to := path.Join(m.into, s.name)
		err := error(nil)
		if s.dress != nil {
			err = m.u.dress(m.base, to, s.dress)
		} else if err = m.base.Rename(path.Join(m.stage, s.name), to); errors.Is(err, syscall.EXDEV) {
			err = m.carry(s.name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, reason(err))
		}
	}
	if e := m.u.attrs["."]; e != nil {
		return m.u.dress(m.base, m.into, e)
	}
	return nil
}

// carry copies to another file system, which a folder of the target can be.
func (m *merge) carry(name string) error {
	from, to := path.Join(m.stage, name), path.Join(m.into, name)
	i, err := m.base.Lstat(from)
	if err != nil {
		return err
	}
	uid, gid := sys.Owner(i)
	switch {
	case i.IsDir():
		if err := m.base.Mkdir(to, 0o700); err != nil {
			return err
		}
		list, err := m.base.ReadDir(from)
		if err != nil {
			return err
		}
		for _, it := range list {
			if err := m.carry(path.Join(name, it.Name())); err != nil {
				return err
			}
		}
		if err := m.base.Chown(to, uid, gid); err != nil {
			return err
		}
		if err := m.base.Chmod(to, i.Mode()); err != nil {
			return err
		}
		return m.base.Chtimes(to, i.ModTime(), i.ModTime())
	case i.Mode()&fs.ModeSymlink != 0:
		link, err := m.base.Readlink(from)
		if err != nil {
			return err
		}
		if err := m.base.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return m.base.Symlink(link, to)
	case !i.Mode().IsRegular():
		return errors.New("devices and pipes cannot be moved to another file system")
	}
	return m.carryFile(from, to, i)
}

func (m *merge) carryFile(from, to string, i fs.FileInfo) error {
	src, err := m.base.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	tmp := path.Join(path.Dir(to), path.Base(sys.TempName("/", "")))
	dst, err := m.base.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	uid, gid := sys.Owner(i)
	if _, err = io.Copy(dst, src); err == nil {
		err = dst.Chown(uid, gid)
	}
	if err == nil {
		err = dst.Chmod(i.Mode())
	}
	if e := dst.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = m.base.Chtimes(tmp, i.ModTime(), i.ModTime())
	}
	if err == nil {
		err = m.base.Rename(tmp, to)
	}
	if err != nil {
		m.base.Remove(tmp)
	}
	return err
}

// room fails when the file system of dir has no place for what an archive
// holds: an archive that unpacks to more than that is a bomb, or a mistake.
func room(c *salt.Ctx, archive, dir string, bytes, files int64) error {
	at := dir
	for at != "/" && !sys.Exists(c.Sys, at) {
		at = path.Dir(at)
	}
	s, err := c.Sys.Statfs(at)
	if err != nil {
		return nil // an old or odd file system: it will say so itself
	}
	if free := s.BlocksAvailable * s.FragmentSize; bytes > free {
		return salt.CommandError("Archive %s was not extracted: it holds %s, and the file system of %s has only %s left", archive, size(bytes), dir, size(free))
	}
	if s.Files > 0 && files > s.FilesAvailable {
		return salt.CommandError("Archive %s was not extracted: it holds %d files, and the file system of %s has place for only %d more", archive, files, dir, s.FilesAvailable)
	}
	return nil
}

func size(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
