package rpmdb

import (
	"encoding/binary"
	"io"
)

// The magic words of rpm's own database (rpm's lib/backend/ndb/rpmpkg.c).
const (
	ndbMagic  = 'R' | 'p'<<8 | 'm'<<16 | 'P'<<24
	ndbSlot   = 'S' | 'l'<<8 | 'o'<<16 | 't'<<24
	ndbBlob   = 'B' | 'l'<<8 | 'b'<<16 | 'S'<<24
	ndbPage   = 4096
	ndbBlock  = 16
	ndbHeader = 32
)

// ndb is a file of slots, 16 bytes each, that say where a package's blob is.
type ndb struct {
	r    io.ReaderAt
	head []byte
}

func (n ndb) packages(each func(blob) error) error {
	pages := binary.LittleEndian.Uint32(n.head[12:])
	if pages == 0 || pages > 1<<12 {
		return errDamaged
	}
	slots := make([]byte, pages*ndbPage)
	if got, err := n.r.ReadAt(slots, 0); got < len(slots) {
		return damaged(err)
	}
	for s := slots[ndbHeader:]; len(s) >= 16; s = s[16:] {
		if binary.LittleEndian.Uint32(s) != ndbSlot {
			return errDamaged
		}
		at := int64(binary.LittleEndian.Uint32(s[8:])) * ndbBlock
		if at == 0 { // free
			continue
		}
		head := make([]byte, 16)
		if _, err := n.r.ReadAt(head, at); err != nil || binary.LittleEndian.Uint32(head) != ndbBlob || string(head[4:8]) != string(s[4:8]) {
			return damaged(err)
		}
		if err := each(&section{r: n.r, at: at + 16, size: int(min(binary.LittleEndian.Uint32(head[12:]), maxHeader))}); err != nil {
			return err
		}
	}
	return nil
}
