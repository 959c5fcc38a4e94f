package rpmdb

import (
	"encoding/binary"
	"io"
	"strings"
)

const sqliteMagic = "SQLite format 3\x00"

// Kinds of pages (sqlite.org/fileformat2.html).
const tableInterior, tableLeaf = 5, 13

// sqlite is a database file with what its write-ahead log has of newer pages.
type sqlite struct {
	r, log io.ReaderAt
	size   int              // of a page
	usable int              // of a page, without what is reserved
	newer  map[uint32]int64 // where pages are in the log
	seen   seen
}

func openSQLite(f Files, head []byte) (*sqlite, error) {
	s := &sqlite{r: f.Main, log: f.WAL, seen: seen{}, size: int(binary.BigEndian.Uint16(head[16:]))}
	if s.size == 1 {
		s.size = 64 << 10
	}
	s.usable = s.size - int(head[20])
	if s.size < 512 || s.size&(s.size-1) != 0 || s.usable < 480 {
		return nil, errDamaged
	}
	if f.WAL != nil {
		s.newer = readLog(f.WAL, s.size)
	}
	return s, nil
}

func (s *sqlite) page(n uint32) ([]byte, error) {
	p, from, at := make([]byte, s.size), s.r, int64(n-1)*int64(s.size)
	if w, ok := s.newer[n]; ok {
		from, at = s.log, w
	}
	if got, err := from.ReadAt(p, at); n == 0 || got < len(p) || s.seen.twice(n) {
		return nil, damaged(err)
	}
	return p, nil
}

// packages goes through the table Packages: a number and a header.
func (s *sqlite) packages(each func(blob) error) error {
	var root uint32
	err := s.table(1, func(p *chain) error {
		cols, err := columns(p)
		if err != nil {
			return err
		}
		if len(cols) == 5 && string(cols[0]) == "table" && strings.EqualFold(string(cols[1]), "Packages") {
			for _, b := range cols[3] {
				root = root<<8 | uint32(b)
			}
		}
		return nil
	})
	if err != nil || root == 0 {
		return damaged(err)
	}
	return s.table(root, func(p *chain) error {
		head, size, err := recordHead(p)
		if err != nil || len(size) != 2 {
			return damaged(err)
		}
		return each(&tail{p, head + size[0]})
	})
}

// A tail is a blob without its beginning.
type tail struct {
	of   blob
	skip int
}

func (t *tail) prefix(n int) ([]byte, error) {
	b, err := t.of.prefix(t.skip + n)
	return b[min(t.skip, len(b)):], err
}

// table visits the rows below a page, in their order.
func (s *sqlite) table(n uint32, row func(*chain) error) error {
	p, err := s.page(n)
	if err != nil {
		return err
	}
	head := p
	if n == 1 {
		head = p[100:]
	}
	cells, fixed := int(binary.BigEndian.Uint16(head[3:])), 8
	if head[0] == tableInterior {
		fixed = 12
	}
	if head[0] != tableInterior && head[0] != tableLeaf || fixed+2*cells > len(head) {
		return errDamaged
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(head[fixed+2*i:]))
		if at+4 > s.usable {
			return errDamaged
		}
		if head[0] == tableInterior {
			err = s.table(binary.BigEndian.Uint32(p[at:]), row)
		} else {
			err = s.leaf(p[at:s.usable], row)
		}
		if err != nil {
			return err
		}
	}
	if head[0] == tableInterior {
		return s.table(binary.BigEndian.Uint32(head[8:]), row)
	}
	return nil
}

// leaf has row see the payload of a cell: what is here and on pages behind it.
func (s *sqlite) leaf(cell []byte, row func(*chain) error) error {
	size, n := varint(cell)
	_, m := varint(cell[n:])
	if cell = cell[n+m:]; n == 0 || m == 0 || size > maxHeader {
		return errDamaged
	}
	here := int(size)
	if most := s.usable - 35; here > most {
		least := (s.usable-12)*32/255 - 23
		if here = least + (int(size)-least)%(s.usable-4); here > most {
			here = least
		}
		if here+4 > len(cell) {
			return errDamaged
		}
		return row(&chain{next: s.overflow, page: binary.BigEndian.Uint32(cell[here:]), size: int(size), buf: cell[:here:here]})
	}
	if here > len(cell) {
		return errDamaged
	}
	return row(&chain{size: here, buf: cell[:here]})
}

func (s *sqlite) overflow(n uint32) ([]byte, uint32, error) {
	p, err := s.page(n)
	if err != nil {
		return nil, 0, err
	}
	return p[4:s.usable], binary.BigEndian.Uint32(p), nil
}

// recordHead is the length of a record's head and the sizes of its columns.
func recordHead(p blob) (head int, sizes []int, err error) {
	b, err := p.prefix(64)
	length, n := varint(b)
	if err != nil || n == 0 || int(length) > len(b) || int(length) < n {
		return 0, nil, damaged(err)
	}
	for b = b[n:length]; len(b) > 0; {
		kind, n := varint(b)
		if n == 0 || kind > 2*maxHeader {
			return 0, nil, errDamaged
		}
		b = b[n:]
		size := 0
		switch {
		case kind >= 12:
			size = int(kind-12) / 2
		case kind < 8:
			size = []int{0, 1, 2, 3, 4, 6, 8, 8}[kind]
		}
		sizes = append(sizes, size)
	}
	return int(length), sizes, nil
}

// columns are the values of a short record, as they are stored.
func columns(p blob) ([][]byte, error) {
	at, sizes, err := recordHead(p)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, size := range sizes {
		b, err := p.prefix(at + size)
		if err != nil || len(b) < at+size {
			return nil, damaged(err)
		}
		out = append(out, b[at:])
		at += size
	}
	return out, nil
}

// varint reads a number of one to nine bytes; n is 0 where it is cut off.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
