package rpmdb

import (
	"encoding/binary"
	"io"
	"slices"
)

// Types of pages and items of Berkeley DB's hash databases (its dbinc/db_page.h).
const (
	bdbHashMagic                                = 0x061561
	bdbUnsorted, bdbOverflow, bdbMeta, bdbHash  = 2, 7, 8, 13
	bdbItemKeyData, bdbItemOffPage, bdbPageHead = 1, 3, 26
)

// berkeley is a hash database in the byte order of the machine that wrote it.
type berkeley struct {
	r     io.ReaderAt
	order binary.ByteOrder
	size  int    // of a page
	last  uint32 // page
	seen  seen
}

func openBerkeley(r io.ReaderAt, head []byte) (*berkeley, error) {
	b := &berkeley{r: r, order: binary.LittleEndian, seen: seen{}}
	if b.order.Uint32(head[12:]) != bdbHashMagic {
		b.order = binary.BigEndian
	}
	b.size, b.last = int(b.order.Uint32(head[20:])), b.order.Uint32(head[32:])
	if b.order.Uint32(head[12:]) != bdbHashMagic || head[25] != bdbMeta || head[24] != 0 || b.size < 512 || b.size > 64<<10 || b.size&(b.size-1) != 0 {
		return nil, errDamaged
	}
	return b, nil
}

func (b *berkeley) page(p []byte, n uint32) ([]byte, error) {
	if got, err := b.r.ReadAt(p, int64(n)*int64(b.size)); got < len(p) {
		return nil, damaged(err)
	}
	return p, nil
}

// packages goes through the pages of the hash. A page has keys and data in
// turn; key 0 has the highest number that was given to a package.
func (b *berkeley) packages(each func(blob) error) error {
	buf := make([]byte, b.size)
	for n := uint32(1); n <= b.last; n++ {
		p, err := b.page(buf, n)
		if err != nil {
			return err
		}
		if p[25] != bdbHash && p[25] != bdbUnsorted {
			continue
		}
		items := int(b.order.Uint16(p[20:]))
		if bdbPageHead+2*items > len(p) {
			return errDamaged
		}
		end := len(p)
		for i := range items {
			at := int(b.order.Uint16(p[bdbPageHead+2*i:]))
			if at < bdbPageHead || at >= end {
				return errDamaged
			}
			item := p[at:end]
			end = at
			if i%2 == 0 {
				continue
			}
			v, err := b.value(item)
			if err == nil && v != nil {
				err = each(v)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// value is a datum that lies on pages of its own, as headers do, or is large
// enough for one.
func (b *berkeley) value(item []byte) (blob, error) {
	switch {
	case item[0] == bdbItemOffPage && len(item) >= 12:
		return &chain{next: b.overflow, page: b.order.Uint32(item[4:]), size: int(min(b.order.Uint32(item[8:]), maxHeader))}, nil
	case item[0] == bdbItemKeyData && len(item) > 64:
		return &chain{size: len(item) - 1, buf: slices.Clone(item[1:])}, nil
	case item[0] == bdbItemKeyData:
		return nil, nil
	}
	return nil, errDamaged
}

func (b *berkeley) overflow(n uint32) ([]byte, uint32, error) {
	p, err := b.page(make([]byte, b.size), n)
	if err != nil {
		return nil, 0, err
	}
	used := int(b.order.Uint16(p[22:]))
	if p[25] != bdbOverflow || bdbPageHead+used > len(p) || b.seen.twice(n) {
		return nil, 0, errDamaged
	}
	return p[bdbPageHead : bdbPageHead+used], b.order.Uint32(p[16:]), nil
}
