package fileclient

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pinch/decompress"
)

// maxTree is how many bytes a tree may have unpacked: a small archive must not
// fill the disk.
const maxTree = 2 << 30

// An unpacker writes below one folder. os.Root keeps it there, also through
// links that the archive made.
type unpacker struct {
	root *os.Root
	left int64
}

// unpack unpacks a tar or zip file into a folder. The format is told by the
// content, not by the name.
func unpack(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	u := &unpacker{root, maxTree}
	in := bufio.NewReader(f)
	head, _ := in.Peek(6)
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return u.zip(f)
	}
	r, err := decompress.Reader(head, in)
	if err != nil {
		return err
	}
	if r == nil {
		return u.tar(tar.NewReader(in))
	}
	defer r.Close()
	return u.tar(tar.NewReader(r))
}

func (u *unpacker) tar(t *tar.Reader) error {
	for n := 0; ; n++ {
		h, err := t.Next()
		switch {
		case err == io.EOF && n > 0:
			return nil
		case err == io.EOF || errors.Is(err, tar.ErrHeader) && n == 0:
			return errors.New("it is no tar or zip file (the address of a folder ends with a slash)")
		case err != nil:
			return err
		}
		switch h.Typeflag {
		case tar.TypeDir:
			err = u.dir(h.Name)
		case tar.TypeReg:
			err = u.file(h.Name, fs.FileMode(h.Mode), t)
		case tar.TypeSymlink:
			err = u.link(h.Name, h.Linkname)
		case tar.TypeLink:
			err = u.copy(h.Name, h.Linkname)
		}
		if err != nil {
			return err
		}
	}
}

func (u *unpacker) zip(f *os.File) error {
	i, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(f, i.Size())
	if err != nil {
		return err
	}
	for _, e := range z.File {
		if e.Mode().IsDir() {
			if err := u.dir(e.Name); err != nil {
				return err
			}
			continue
		}
		r, err := e.Open()
		if err != nil {
			return err
		}
		switch {
		case e.Mode()&fs.ModeSymlink != 0:
			var to []byte
			if to, err = io.ReadAll(io.LimitReader(r, 4096)); err == nil {
				err = u.link(e.Name, string(to))
			}
		case e.Mode().IsRegular():
			err = u.file(e.Name, e.Mode(), r)
		}
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// place is the path of an entry below the root; its folders are made.
func (u *unpacker) place(name string) (string, error) {
	p := path.Clean(strings.TrimSuffix(name, "/"))
	if !filepath.IsLocal(p) {
		return "", fmt.Errorf("%q leads out of it", name)
	}
	return p, u.root.MkdirAll(path.Dir(p), 0o700)
}

func (u *unpacker) dir(name string) error {
	p, err := u.place(name)
	if err != nil || p == "." {
		return err
	}
	return u.root.MkdirAll(p, 0o700)
}

// file writes a file; of its mode only the bit to run it counts.
func (u *unpacker) file(name string, mode fs.FileMode, r io.Reader) error {
	p, err := u.place(name)
	if err != nil {
		return err
	}
	perm := fs.FileMode(0o644)
	if mode&0o100 != 0 {
		perm = 0o755
	}
	_ = u.root.Remove(p) // an archive may have a name twice: the last one counts
	f, err := u.root.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(r, u.left+1))
	if e := f.Close(); err == nil {
		err = e
	}
	if u.left -= n; err == nil && u.left < 0 {
		err = fmt.Errorf("it has more than %d MB", maxTree>>20)
	}
	return err
}

// link makes a symbolic link, unless it leads out of the tree.
func (u *unpacker) link(name, to string) error {
	p, err := u.place(name)
	if err != nil {
		return err
	}
	if path.IsAbs(to) || !filepath.IsLocal(path.Join(path.Dir(p), to)) {
		return fmt.Errorf("the link %q leads out of it, to %q", name, to)
	}
	_ = u.root.Remove(p)
	return u.root.Symlink(to, p)
}

// copy stands for a hard link.
func (u *unpacker) copy(name, to string) error {
	from, err := u.place(to)
	if err != nil {
		return err
	}
	f, err := u.root.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil {
		return err
	}
	return u.file(name, i.Mode(), f)
}
