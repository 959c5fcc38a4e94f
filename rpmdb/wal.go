package rpmdb

import (
	"encoding/binary"
	"io"
)

// readLog finds the newest committed pages in a write-ahead log
// (sqlite.org/walformat.html): frames of a 24-byte head and a page, each with a
// checksum over all before it. What follows the last commit does not count.
func readLog(r io.ReaderAt, pageSize int) map[uint32]int64 {
	head := make([]byte, 32)
	if n, _ := r.ReadAt(head, 0); n < len(head) {
		return nil
	}
	var words binary.ByteOrder = binary.LittleEndian
	switch binary.BigEndian.Uint32(head) {
	case 0x377f0682:
	case 0x377f0683:
		words = binary.BigEndian
	default:
		return nil
	}
	if binary.BigEndian.Uint32(head[8:]) != uint32(pageSize) {
		return nil
	}
	var sum checksum
	sum.add(words, head[:24])
	if !sum.is(head[24:]) {
		return nil
	}
	pages, pending := map[uint32]int64{}, map[uint32]int64{}
	frame := make([]byte, 24+pageSize)
	for at := int64(32); ; at += int64(len(frame)) {
		if n, _ := r.ReadAt(frame, at); n < len(frame) || string(frame[8:16]) != string(head[16:24]) {
			return pages
		}
		sum.add(words, frame[:8])
		sum.add(words, frame[24:])
		if !sum.is(frame[16:]) {
			return pages
		}
		pending[binary.BigEndian.Uint32(frame)] = at + 24
		if binary.BigEndian.Uint32(frame[4:]) != 0 { // a commit
			for n, at := range pending {
				pages[n] = at
			}
			clear(pending)
		}
	}
}

// A checksum is that of the log: two sums over pairs of words.
type checksum [2]uint32

func (s *checksum) add(words binary.ByteOrder, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += words.Uint32(b) + s[1]
		s[1] += words.Uint32(b[4:]) + s[0]
	}
}

func (s *checksum) is(b []byte) bool {
	return s[0] == binary.BigEndian.Uint32(b) && s[1] == binary.BigEndian.Uint32(b[4:])
}
