// Package rpmdb reads rpm's database of installed packages, and package files,
// as they lie on the disk, without rpm: the three kinds of database that there
// are (SQLite of Fedora and RHEL 9, ndb of SUSE, Berkeley DB up to RHEL 8).
//
//	err := rpmdb.Read(rpmdb.Files{Main: f, WAL: wal}, func(p rpmdb.Package) { … })
//
// Only the parts of a header that are asked for are read, which is a tenth of
// the file. A database that it does not understand is an error: ask rpm then.
package rpmdb

import (
	"encoding/binary"
	"errors"
	"io"
)

// A Package is what a header says of one; Epoch and Arch are "(none)", as rpm
// prints it, where it says nothing.
type Package struct {
	Name, Epoch, Version, Release, Arch string
}

// Files are those of a database; WAL is nil where there is none.
type Files struct{ Main, WAL io.ReaderAt }

var errDamaged = errors.New("rpm database is damaged, or of an unknown kind")

// Read calls each with all packages, in the order of the database.
func Read(f Files, each func(Package)) error {
	head := make([]byte, 100)
	if n, err := f.Main.ReadAt(head, 0); n < len(head) {
		return errors.Join(errDamaged, err)
	}
	var walk func(func(blob) error) error
	switch {
	case string(head[:16]) == sqliteMagic:
		db, err := openSQLite(f, head)
		if err != nil {
			return err
		}
		walk = db.packages
	case binary.LittleEndian.Uint32(head) == ndbMagic:
		walk = ndb{f.Main, head}.packages
	default:
		db, err := openBerkeley(f.Main, head)
		if err != nil {
			return err
		}
		walk = db.packages
	}
	return walk(func(b blob) error {
		p, err := parse(b)
		if err == nil {
			each(p)
		}
		return err
	})
}

// ReadFile reads the header of a package file (.rpm).
func ReadFile(r io.ReaderAt) (Package, error) {
	const lead = 96
	head := make([]byte, lead+16)
	if _, err := r.ReadAt(head, 0); err != nil || binary.BigEndian.Uint32(head) != 0xedabeedb {
		return Package{}, errors.New("not an rpm package")
	}
	signature := int64(binary.BigEndian.Uint32(head[lead+8:]))*16 + int64(binary.BigEndian.Uint32(head[lead+12:]))
	main := lead + 16 + (signature+7)/8*8
	magic := make([]byte, 8)
	if _, err := r.ReadAt(magic, main); err != nil || binary.BigEndian.Uint32(magic) != 0x8eade801 {
		return Package{}, errors.New("not an rpm package")
	}
	return parse(&section{r: r, at: main + 8, size: maxHeader})
}

// A blob is a header whose beginning is read as far as needed.
type blob interface {
	// prefix is the first n bytes; fewer only where the blob ends.
	prefix(n int) ([]byte, error)
}

// A section is a blob that lies in one piece.
type section struct {
	r    io.ReaderAt
	at   int64
	size int
	buf  []byte
}

func (s *section) prefix(n int) ([]byte, error) {
	n = min(n, s.size)
	if n <= len(s.buf) {
		return s.buf[:n], nil
	}
	buf := make([]byte, min(max(n, 2*len(s.buf), 4096), s.size))
	if len(buf) > 1<<20 { // before so much is asked for: is it there?
		if _, err := s.r.ReadAt(buf[:1], s.at+int64(n)-1); err != nil {
			return nil, errDamaged
		}
	}
	got, err := s.r.ReadAt(buf, s.at)
	if err == io.EOF {
		err = nil
	}
	s.buf = buf[:got]
	return s.buf[:min(n, got)], err
}

// A chain is a blob that goes on page by page: next has the data of a page and
// the number of the one behind it, which is 0 at the end.
type chain struct {
	next func(page uint32) (data []byte, then uint32, err error)
	page uint32
	size int
	buf  []byte
}

func (c *chain) prefix(n int) ([]byte, error) {
	n = min(n, c.size)
	for len(c.buf) < n && c.page != 0 {
		data, then, err := c.next(c.page)
		if err != nil {
			return nil, err
		}
		c.buf, c.page = append(c.buf, data...), then
	}
	return c.buf[:min(n, len(c.buf))], nil
}

// seen are pages that were read: a page belongs to one place, one that comes
// again is part of a loop.
type seen map[uint32]bool

func (s seen) twice(n uint32) bool {
	if s[n] {
		return true
	}
	s[n] = true
	return false
}
