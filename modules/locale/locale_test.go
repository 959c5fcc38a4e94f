package locale

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// The results are those of salt.utils.locales.
func TestNormal(t *testing.T) {
	for in, want := range map[string]string{
		"de_DE.UTF-8": "de_DE.utf8", "ca_es.UTF-8@valencia UTF-8": "ca_ES.utf8@valencia", "C": "C", "uk_UA KOI8-U": "uk_UA", "POSIX": "POSIX", "en_US.ISO-8859-15": "en_US.iso885915",
	} {
		if got := normal(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if got := parse("a_B.c@d e").String(); got != "a_B.c@d e" {
		t.Error(got)
	}
}

// archive makes a locale archive as glibc's locarchive.h describes it.
func archive(order binary.ByteOrder, names ...string) []byte {
	head, table, texts := make([]byte, 56), []byte{}, []byte("\x00")
	first := uint32(56 + 12*(len(names)+1))
	put := func(at int, n uint32) { order.PutUint32(head[4*at:], n) }
	for _, name := range append([]string{""}, names...) {
		e := make([]byte, 12)
		if name != "" {
			order.PutUint32(e, 7)
			order.PutUint32(e[4:], first+uint32(len(texts)))
			order.PutUint32(e[8:], 99)
			texts = append(append(texts, name...), 0)
		}
		table = append(table, e...)
	}
	put(0, 0xde020109)
	put(2, 56)
	put(4, uint32(len(names)+1))
	put(5, first)
	put(6, uint32(len(texts)))
	return slices.Concat(head, table, texts)
}

func TestArchived(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		b := archive(order, "de_DE.utf8", "french")
		if got := archived(bytes.NewReader(b)); !slices.Equal(got, []string{"de_DE.utf8", "french"}) {
			t.Error(got)
		}
		if got := archived(bytes.NewReader(b[:70])); got != nil {
			t.Error(got)
		}
	}
}

// No archive may end in a crash.
func FuzzArchived(f *testing.F) {
	f.Add(archive(binary.LittleEndian, "a", "b"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, name := range archived(bytes.NewReader(b)) {
			if name == "" {
				t.Error("an empty name")
			}
		}
	})
}
