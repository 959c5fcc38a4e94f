package locale

import (
	"bytes"
	"encoding/binary"
	"io"
	"path/filepath"
	"slices"

	"pinch/salt"
	"pinch/sys"
)

// available are the locales that libc can use, as locale -a lists them: those
// of its archive, those with a folder of their own, and two that always are.
func available(c *salt.Ctx) []string {
	const dir = "/usr/lib/locale"
	names := []string{"C", "POSIX"}
	if f, err := c.Sys.Open(filepath.Join(dir, "locale-archive")); err == nil {
		names = append(names, archived(f)...)
		f.Close()
	}
	entries, _ := c.Sys.ReadDir(dir)
	for _, e := range entries {
		if sys.LExists(c.Sys, filepath.Join(dir, e.Name(), "LC_IDENTIFICATION")) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// archived are the names in a locale archive of glibc (locarchive.h), which
// can be very large: its head says where a hash table of names and their texts
// lie. An entry of the table has a hash, the offset of the name and that of the
// locale, 0 for a free one.
func archived(f io.ReadSeeker) []string {
	const magic, entry = 0xde020109, 3 * 4
	head := part(f, 0, 14*4)
	if head == nil {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(head) != magic {
		if order = binary.BigEndian; order.Uint32(head) != magic {
			return nil
		}
	}
	word := func(i int) int64 { return int64(order.Uint32(head[4*i:])) }
	table := part(f, word(2), word(4)*entry)
	first := word(5)
	texts := part(f, first, word(6))
	var names []string
	for ; len(table) >= entry; table = table[entry:] {
		at := int64(order.Uint32(table[4:])) - first
		if order.Uint32(table[8:]) == 0 || at < 0 || at >= int64(len(texts)) {
			continue
		}
		if name, _, ok := bytes.Cut(texts[at:], []byte{0}); ok && len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names
}

// part reads a piece of a file; nil when it is not there or too large to be
// what it should be.
func part(f io.ReadSeeker, at, n int64) []byte {
	if n > 64<<20 {
		return nil
	}
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(f, n))
	if err != nil || int64(len(b)) < n {
		return nil
	}
	return b
}
