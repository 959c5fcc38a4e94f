package rpmdb

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// The limits of rpm itself (rpm's header.c).
const (
	maxIndex  = 0xffff
	maxHeader = 256 << 20
)

// Tags and types of rpm's headers (rpmtag.h).
const (
	tagName, tagVersion, tagRelease, tagEpoch, tagArch = 1000, 1001, 1002, 1003, 1022
	typeInt32, typeString                              = 4, 6
)

// parse reads what a Package has out of a header: two numbers, an index of
// 16-byte entries, then the data that they point into.
func parse(b blob) (Package, error) {
	p := Package{Epoch: "(none)", Arch: "(none)"}
	head, err := b.prefix(8)
	if err != nil || len(head) < 8 {
		return p, damaged(err)
	}
	entries := int(binary.BigEndian.Uint32(head))
	if entries < 1 || entries > maxIndex {
		return p, errDamaged
	}
	start := 8 + 16*entries
	index, err := b.prefix(start)
	if err != nil || len(index) < start {
		return p, damaged(err)
	}
	index = bytes.Clone(index[8:])
	for ; len(index) > 0; index = index[16:] {
		to := p.field(binary.BigEndian.Uint32(index))
		if to == nil {
			continue
		}
		at := start + int(binary.BigEndian.Uint32(index[8:]))
		if at > maxHeader {
			return p, errDamaged
		}
		if *to, err = text(b, at, binary.BigEndian.Uint32(index[4:])); err != nil {
			return p, err
		}
	}
	if p.Name == "" || p.Version == "" {
		return p, errDamaged
	}
	return p, nil
}

// field is where the datum of a tag goes; nil for one that is not asked for.
func (p *Package) field(tag uint32) *string {
	switch tag {
	case tagName:
		return &p.Name
	case tagVersion:
		return &p.Version
	case tagRelease:
		return &p.Release
	case tagEpoch:
		return &p.Epoch
	case tagArch:
		return &p.Arch
	}
	return nil
}

// text is an entry's datum as rpm prints it.
func text(b blob, at int, kind uint32) (string, error) {
	switch kind {
	case typeInt32:
		v, err := b.prefix(at + 4)
		if err != nil || len(v) < at+4 {
			return "", damaged(err)
		}
		return strconv.FormatUint(uint64(binary.BigEndian.Uint32(v[at:])), 10), nil
	case typeString:
		for room := 64; room <= 64<<10; room *= 4 {
			v, err := b.prefix(at + room)
			if err != nil || len(v) <= at {
				return "", damaged(err)
			}
			if i := bytes.IndexByte(v[at:], 0); i >= 0 {
				return string(v[at : at+i]), nil
			}
		}
	}
	return "", errDamaged
}

func damaged(err error) error {
	if err != nil {
		return err
	}
	return errDamaged
}
