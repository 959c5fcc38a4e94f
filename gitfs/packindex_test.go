package gitfs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// TestIndexIsGits compares indexes with those of git index-pack, over packs
// with both kinds of deltas, long chains and large files.
func TestIndexIsGits(t *testing.T) {
	w := newWork(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	big := make([]byte, 300_000)
	for i := range big {
		big[i] = byte(rnd.Uint32())
	}
	for i := range 30 {
		big[rnd.IntN(len(big))]++
		if err := os.WriteFile(filepath.Join(w.dir, "big"), big, 0o644); err != nil {
			t.Fatal(err)
		}
		w.commit(fmt.Sprintf("d%d/x.sls", i%4), strings.Repeat(fmt.Sprintf("line %d\n", i), 50))
	}
	git(t, w.dir, "tag", "-a", "-m", "x", "v1")
	for name, flags := range map[string][]string{"ofs": {"--delta-base-offset"}, "ref": nil, "none": {"--depth=0"}} {
		t.Run(name, func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "p")
			git(t, w.dir, append(append([]string{"pack-objects", "--all", "--no-reuse-delta", "--window=20", "-q"}, flags...), base)...)
			m, _ := filepath.Glob(base + "-*.pack")
			if len(m) != 1 {
				t.Fatal(m)
			}
			want, err := os.ReadFile(strings.TrimSuffix(m[0], ".pack") + ".idx")
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(m[0])
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			idx, err := indexPack(f)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if _, err := idxfile.NewEncoder(&got).Encode(idx); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Error("the index is not the one that git makes")
			}
		})
	}
}

// FuzzPack feeds packs that no server should send: they are refused.
func FuzzPack(f *testing.F) {
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\x30x\x9c\x03\x00\x00\x00\x00\x01"))
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add([]byte("PACK\x00\x00\x00\x02\xff\xff\xff\xff\x61\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(t.TempDir(), "p")
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		_, _ = indexPack(p)
	})
}
