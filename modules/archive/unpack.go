package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"pinch/salt"
	"pinch/sys"
)

// An unpacker fills a folder of its own with the entries of an archive. What
// it makes is moved into place only when all of it is there; see place.
type unpacker struct {
	c       *salt.Ctx
	archive string // for messages
	options

	base        sys.Root // the folder that has both of these
	stage, into string   // where the archive is unpacked, and where it goes
	root        sys.Root // the stage

	guard      guard
	dirs       map[string]sys.Root
	attrs      map[string]*entry // folders get their attributes last
	uids, gids map[string]int
	buf        []byte
	umask      fs.FileMode
}

// options say how an archive is unpacked.
type options struct {
	strip  int
	usual  bool     // no modes of the archive
	masked bool     // its modes, less the umask
	owners bool     // its owners
	skip   []string // names to leave out
}

// unpack makes everything that the source holds in the stage.
func (u *unpacker) unpack(src source, each func(*entry)) error {
	u.guard.strip = u.strip
	u.dirs, u.attrs = map[string]sys.Root{".": u.root}, map[string]*entry{}
	u.uids, u.gids = map[string]int{}, map[string]int{}
	defer u.closeDirs()
	for {
		e, err := src.next()
		if errors.Is(err, io.EOF) {
			return u.finish()
		}
		if err != nil {
			return err
		}
		if slices.Contains(u.skip, e.name) {
			continue
		}
		if why := u.guard.check(e); why != "" {
			return unsafe(u.archive, e, why)
		}
		name := strip(e.name, u.strip)
		if strings.Trim(name, "/") != "" {
			if err := u.put(path.Clean(name), e, src); err != nil {
				return fmt.Errorf("%s: %w", e.name, reason(err))
			}
		}
		each(e)
		if err := u.c.Err(); err != nil {
			return err
		}
	}
}

// reason is an error without the temporary path that it happened at.
func reason(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// maxOpen bounds how many folders are kept open.
const maxOpen = 64

// dir opens the folder that an entry goes into, and makes it.
func (u *unpacker) dir(name string) (sys.Root, error) {
	if d, ok := u.dirs[name]; ok {
		return d, nil
	}
	d, err := u.root.Sub(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = u.root.MkdirAll(name, 0o777); err == nil {
			d, err = u.root.Sub(name)
		}
	}
	if err != nil {
		return d, err
	}
	if len(u.dirs) >= maxOpen {
		u.closeDirs()
	}
	u.dirs[name] = d
	return d, nil
}

func (u *unpacker) closeDirs() {
	for name, d := range u.dirs {
		if name != "." {
			d.Close()
			delete(u.dirs, name)
		}
	}
}

func (u *unpacker) put(name string, e *entry, content io.Reader) error {
	if e.kind == folder {
		return u.folder(name, e)
	}
	d, err := u.dir(path.Dir(name))
	if err != nil {
		return err
	}
	base := path.Base(name)
	err = u.make(d, base, name, e, content)
	if errors.Is(err, fs.ErrExist) {
		// The archive has the name twice: the last one counts.
		if err = d.Remove(base); err == nil {
			err = u.make(d, base, name, e, content)
		}
	}
	return err
}

func (u *unpacker) make(d sys.Root, base, name string, e *entry, content io.Reader) error {
	switch e.kind {
	case symlink:
		if err := d.Symlink(e.link, base); err != nil {
			return err
		}
		return u.own(func(uid, gid int) error { return d.Lchown(base, uid, gid) }, e)
	case hardlink:
		return u.hardlink(name, path.Clean(strip(e.link, u.strip)))
	case device:
		if err := d.Mknod(base, e.node|0o600, e.dev); err != nil {
			return err
		}
		if err := u.own(func(uid, gid int) error { return d.Lchown(base, uid, gid) }, e); err != nil {
			return err
		}
		return d.Chmod(base, u.mode(e))
	}
	return u.file(d, base, e, content)
}

// hardlink links to a file of the archive, else to one that is in the target
// already.
func (u *unpacker) hardlink(name, to string) error {
	err := u.root.Link(to, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = u.base.Link(path.Join(u.into, to), path.Join(u.stage, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it is a hard link to '%s', which is not there", to)
	}
	return err
}

func (u *unpacker) file(d sys.Root, base string, e *entry, content io.Reader) error {
	f, err := d.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if u.buf == nil {
		u.buf = make([]byte, 256<<10)
	}
	// One byte more than announced shows that the archive lies about sizes.
	n, err := io.CopyBuffer(struct{ io.Writer }{f}, io.LimitReader(content, e.size+1), u.buf)
	if err == nil && n != e.size {
		err = fmt.Errorf("its content is not the %d bytes that the archive says", e.size)
	}
	if err == nil {
		err = u.own(f.Chown, e)
	}
	if err == nil {
		err = f.Chmod(u.mode(e))
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil && !e.mtime.IsZero() {
		err = d.Chtimes(base, e.mtime, e.mtime)
	}
	return err
}

func (u *unpacker) folder(name string, e *entry) error {
	i, err := u.root.Lstat(name)
	switch {
	case err == nil && !i.IsDir():
		if err := u.root.Remove(name); err != nil {
			return err
		}
	case err == nil:
		u.attrs[name] = e
		return nil
	}
	u.attrs[name] = e
	return u.root.MkdirAll(name, 0o777)
}

// mode is what a file or folder gets.
func (u *unpacker) mode(e *entry) fs.FileMode {
	switch {
	case e.plain || u.usual:
		if e.kind == folder {
			return 0o777 &^ u.umask
		}
		return 0o666 &^ u.umask
	case u.masked:
		return e.mode &^ u.umask
	}
	return e.mode
}

// own gives the owner that the archive names, by name where this machine
// knows it. Only root may.
func (u *unpacker) own(chown func(uid, gid int) error, e *entry) error {
	if !u.owners || !e.owned || u.c.Sys.Getuid() != 0 {
		return nil
	}
	return chown(lookup(u.uids, e.uname, e.uid, func(n string) (int, error) {
		x, err := u.c.Sys.User(n)
		return x.UID, err
	}), lookup(u.gids, e.gname, e.gid, func(n string) (int, error) {
		x, err := u.c.Sys.Group(n)
		return x.GID, err
	}))
}

func lookup(known map[string]int, name string, id int, find func(string) (int, error)) int {
	if name == "" {
		return id
	}
	if n, ok := known[name]; ok {
		if n < 0 {
			return id
		}
		return n
	}
	n, err := find(name)
	if err != nil {
		n = -1
	}
	known[name] = n
	if n < 0 {
		return id
	}
	return n
}

// finish gives the folders their attributes, the deepest first, because a
// folder's time changes with what is made in it.
func (u *unpacker) finish() error {
	names := make([]string, 0, len(u.attrs))
	for name := range u.attrs {
		if name != "." {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	for _, name := range names {
		if err := u.dress(u.root, name, u.attrs[name]); err != nil {
			return fmt.Errorf("%s: %w", name, reason(err))
		}
	}
	return nil
}

// dress gives a folder the attributes of its entry.
func (u *unpacker) dress(r sys.Root, name string, e *entry) error {
	if err := u.own(func(uid, gid int) error { return r.Chown(name, uid, gid) }, e); err != nil {
		return err
	}
	if err := r.Chmod(name, u.mode(e)); err != nil {
		return err
	}
	if e.mtime.IsZero() {
		return nil
	}
	return r.Chtimes(name, e.mtime, e.mtime)
}
