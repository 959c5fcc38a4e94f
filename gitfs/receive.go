package gitfs

import (
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

var errNoPack = errors.New("the pack is empty")

// receive takes a pack from fill and makes its objects readable. Nothing of a
// pack that is cut or malformed stays.
func (r *repo) receive(fill func(io.Writer) error) error {
	dir := filepath.Join(r.dir, "objects", "pack")
	f, err := os.CreateTemp(dir, "tmp_pack_")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := fill(f); err != nil {
		return err
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at == 0 {
		return errors.Join(err, errNoPack)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	idx, err := indexPack(f)
	if err != nil {
		return err
	}
	base := filepath.Join(dir, "pack-"+hex.EncodeToString(idx.PackfileChecksum[:]))
	if err := writeIndex(base+".idx", idx); err != nil {
		return err
	}
	// The pack gets its name last: sweep knows an index without one as half.
	if err := os.Rename(f.Name(), base+".pack"); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.st.Reindex()
	return nil
}

func writeIndex(name string, idx *idxfile.MemoryIndex) error {
	f, err := os.CreateTemp(filepath.Dir(name), "tmp_idx_")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = idxfile.NewEncoder(f).Encode(idx)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}
