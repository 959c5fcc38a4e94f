package rpmdb

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func file(t testing.TB, name string) []byte {
	f, err := os.Open("testdata/" + name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func list(t *testing.T, f Files) []string {
	var got []string
	if err := Read(f, func(p Package) {
		got = append(got, strings.Join([]string{p.Name, p.Epoch, p.Version, p.Release, p.Arch}, " "))
	}); err != nil {
		t.Error(err)
	}
	return got
}

// five is what rpm -qa of rpm 4.18 prints for these databases. It made that of
// SQLite; those of Berkeley DB have the same headers, put there by db5.3_load:
// with pages of 4096 bytes, and with pages of 512 in the other byte order.
const five = `sfextra (none) 1.0 1 noarch
sfgroup (none) 1.0 1 noarch
sfone (none) 1.0 1 noarch
sfthree (none) 1.0 1 noarch
sftwo 2 1.5 3 noarch`

func TestRead(t *testing.T) {
	for _, name := range []string{"rpmdb.sqlite", "Packages", "Packages-big-endian"} {
		got := list(t, Files{Main: bytes.NewReader(file(t, name))})
		slices.Sort(got)
		if strings.Join(got, "\n") != five {
			t.Errorf("%s has\n%s", name, strings.Join(got, "\n"))
		}
	}
}

// TestLog reads a database while a writer has it open: 42 changes are in its
// log only. rpm -qa prints 43 packages there, and 4 without the log.
func TestLog(t *testing.T) {
	f := Files{Main: bytes.NewReader(file(t, "log.sqlite")), WAL: bytes.NewReader(file(t, "log.sqlite-wal"))}
	count := map[string]int{}
	for _, p := range list(t, f) {
		count[strings.Fields(p)[0]]++
	}
	if got, want := fmt.Sprint(count), "map[sfextra:1 sfgroup:20 sfone:22]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	f.WAL = nil
	if n := len(list(t, f)); n != 4 {
		t.Errorf("without the log %d packages, not 4", n)
	}
}

// TestCutLog cuts the log after each page: what is left is read up to the last
// commit, never an error.
func TestCutLog(t *testing.T) {
	db, log := file(t, "log.sqlite"), file(t, "log.sqlite-wal")
	last := 0
	for end := 0; end <= len(log); end += 2060 {
		n := len(list(t, Files{bytes.NewReader(db), bytes.NewReader(log[:end])}))
		if n < 3 || n > 43 || n < last {
			t.Errorf("%d packages with %d bytes of the log", n, end)
		}
		if end > 60000 {
			last = n
		}
	}
}

// ndbFile is a database as rpm's lib/backend/ndb/rpmpkg.c writes it: a page of
// slots, one of them free, then blobs with a head, a tail and padding.
func ndbFile(blobs ...[]byte) []byte {
	le := binary.LittleEndian
	b := make([]byte, 4096)
	copy(b, "RpmP")
	le.PutUint32(b[12:], 1)
	for at := 32; at < len(b); at += 16 {
		copy(b[at:], "Slot")
	}
	for i, blob := range blobs {
		slot := b[32+16*(i+1):]
		le.PutUint32(slot[4:], uint32(i+1))
		le.PutUint32(slot[8:], uint32(len(b)/16))
		head := append([]byte("BlbS"), make([]byte, 12)...)
		le.PutUint32(head[4:], uint32(i+1))
		le.PutUint32(head[12:], uint32(len(blob)))
		b = append(append(b, head...), blob...)
		b = append(b, make([]byte, (16-(len(blob)+12)%16)%16+12)...)
		copy(b[len(b)-4:], "BlbE")
	}
	return b
}

func TestNdb(t *testing.T) {
	f := Files{Main: bytes.NewReader(file(t, "rpmdb.sqlite"))}
	head := make([]byte, 100)
	f.Main.ReadAt(head, 0)
	db, err := openSQLite(f, head)
	if err != nil {
		t.Fatal(err)
	}
	var blobs [][]byte
	if err := db.packages(func(b blob) error {
		all, err := b.prefix(maxHeader)
		blobs = append(blobs, bytes.Clone(all))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	got := list(t, Files{Main: bytes.NewReader(ndbFile(blobs...))})
	slices.Sort(got)
	if strings.Join(got, "\n") != five {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestReadFile(t *testing.T) {
	p, err := ReadFile(bytes.NewReader(file(t, "sftwo.rpm")))
	if want := (Package{"sftwo", "2", "1.5", "3", "noarch"}); err != nil || p != want {
		t.Errorf("%+v %v", p, err)
	}
	for _, s := range []string{"", "!<arch>\n", strings.Repeat("x", 4096)} {
		if _, err := ReadFile(strings.NewReader(s)); err == nil {
			t.Errorf("%.10q is no package", s)
		}
	}
}

// TestDamaged changes bytes here and there: an error or other packages may come
// of it, no panic, and an end.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"rpmdb.sqlite", "Packages", "Packages-big-endian", "log.sqlite", "sftwo.rpm", "ndb"} {
		var db, log []byte
		switch name {
		case "ndb":
			db = ndbFile(bytes.Repeat([]byte("\x00"), 100), bytes.Repeat([]byte("\x01"), 100))
		case "log.sqlite":
			log = file(t, "log.sqlite-wal")[:70000]
			fallthrough
		default:
			db = file(t, name)
		}
		for range 400 {
			b, l := bytes.Clone(db), bytes.Clone(log)
			for range 1 + r.IntN(8) {
				b[r.IntN(min(len(b), 1<<r.IntN(18)))] = byte(r.IntN(256))
				if len(l) > 0 {
					l[r.IntN(len(l))] = byte(r.IntN(256))
				}
			}
			n := 0
			Read(Files{bytes.NewReader(b), bytes.NewReader(l)}, func(Package) { n++ })
			ReadFile(bytes.NewReader(b))
			if n > 1000 {
				t.Errorf("%s: %d packages", name, n)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"Packages-big-endian", "sftwo.rpm"} {
		f.Add(file(f, name))
	}
	f.Add(ndbFile([]byte("x")))
	f.Fuzz(func(t *testing.T, b []byte) {
		Read(Files{Main: bytes.NewReader(b)}, func(Package) {})
		ReadFile(bytes.NewReader(b))
	})
}
