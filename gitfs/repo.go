package gitfs

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// A repo is a bare repository on the disk, in Git's own format: refs are in
// packed-refs alone, so that they change all at once by a rename, and objects
// are in packs.
type repo struct {
	dir  string
	refs map[string]plumbing.Hash // full names
	mu   sync.Mutex               // go-git's storage is for one at a time
	st   *filesystem.Storage

	tm    sync.Mutex
	trees map[plumbing.Hash][]entry
	lists map[listKey]*Listing
}

type listKey struct {
	tree  plumbing.Hash
	mount string
}

const (
	headText = "ref: refs/heads/master\n"
	// Objects above this are read from the disk as they are copied.
	largeObject = 1 << 20
	cacheSize   = 4 << 20
)

func storage(dir string) *filesystem.Storage {
	return filesystem.NewStorageWithOptions(osfs.New(dir, osfs.WithBoundOS()), cache.NewObjectLRU(cacheSize), filesystem.Options{
		KeepDescriptors: true, LargeObjectThreshold: largeObject, AlternatesFS: osfs.New("/", osfs.WithBoundOS()),
	})
}

// makeRepo starts an empty repository.
func makeRepo(dir string) (*repo, error) {
	for _, d := range []string{"objects/pack", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
		"HEAD":   headText,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return openRepo(dir)
}

// openRepo opens a repository and finds the damage that shows at once.
func openRepo(dir string) (*repo, error) {
	head, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil {
		return nil, err
	}
	if string(head) != headText {
		return nil, &damage{errors.New("HEAD is no reference")}
	}
	r := &repo{dir: dir, st: storage(dir), trees: map[plumbing.Hash][]entry{}, lists: map[listKey]*Listing{}}
	if r.refs, err = readPackedRefs(filepath.Join(dir, "packed-refs")); err != nil {
		return nil, err
	}
	for name, h := range r.refs {
		if !r.has(h) {
			r.close()
			return nil, &damage{fmt.Errorf("%s: object %s is not there", name, h)}
		}
	}
	return r, nil
}

func (r *repo) close() {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.st.Close()
	}
}

func (r *repo) has(h plumbing.Hash) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.st.HasEncodedObject(h) == nil
}

// object gets an object; that it is not there is damage.
func (r *repo) object(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, err := r.st.EncodedObject(t, h)
	if err != nil {
		return nil, &damage{fmt.Errorf("object %s: %w", h, err)}
	}
	return o, nil
}

// size is the length of an object, known without reading it.
func (r *repo) size(h plumbing.Hash) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, err := r.st.EncodedObjectSize(h)
	if err != nil {
		return 0, &damage{fmt.Errorf("object %s: %w", h, err)}
	}
	return n, nil
}

// blob opens a file's content; a large one is read from the disk as it goes.
func (r *repo) blob(h plumbing.Hash) (io.ReadCloser, error) {
	if n, err := r.size(h); err != nil {
		return nil, err
	} else if n > largeObject {
		o, err := r.object(plumbing.BlobObject, h)
		if err != nil {
			return nil, err
		}
		return r.reader(o)
	}
	b, err := r.read(plumbing.BlobObject, h)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// read is the whole content of an object.
func (r *repo) read(t plumbing.ObjectType, h plumbing.Hash) ([]byte, error) {
	o, err := r.object(t, h)
	if err != nil {
		return nil, err
	}
	rd, err := r.reader(o)
	if err != nil {
		return nil, err
	}
	defer rd.Close()
	var b bytes.Buffer
	b.Grow(int(min(o.Size(), largeObject)))
	if _, err := b.ReadFrom(rd); err != nil {
		return nil, &damage{fmt.Errorf("object %s: %w", h, err)}
	}
	return b.Bytes(), nil
}

func (r *repo) reader(o plumbing.EncodedObject) (io.ReadCloser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rd, err := o.Reader()
	if err != nil {
		return nil, &damage{fmt.Errorf("object %s: %w", o.Hash(), err)}
	}
	return rd, nil
}

// commit reads the commit that a hash names, through annotated tags. A hash
// that names none gives nil.
func (r *repo) commit(h plumbing.Hash) (*object.Commit, error) {
	for range 10 {
		o, err := r.object(plumbing.AnyObject, h)
		if err != nil {
			return nil, err
		}
		switch o.Type() {
		case plumbing.CommitObject:
			c := new(object.Commit)
			return c, c.Decode(o)
		case plumbing.TagObject:
			t := new(object.Tag)
			if err := t.Decode(o); err != nil {
				return nil, err
			}
			h = t.Target
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// readPackedRefs reads packed-refs; a file that is not there has none.
func readPackedRefs(name string) (map[string]plumbing.Hash, error) {
	refs := map[string]plumbing.Hash{}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return refs, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		line := s.Text()
		if line == "" || line[0] == '#' || line[0] == '^' {
			continue
		}
		hash, ref, ok := strings.Cut(line, " ")
		if !ok || !plumbing.IsHash(hash) {
			return nil, &damage{fmt.Errorf("%s: no reference: %q", name, line)}
		}
		refs[ref] = plumbing.NewHash(hash)
	}
	return refs, s.Err()
}

// setRefs replaces all references at once.
func (r *repo) setRefs(refs map[string]plumbing.Hash) error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		fmt.Fprintf(&b, "%s %s\n", refs[name], name)
	}
	if err := writeFile(filepath.Join(r.dir, "packed-refs"), b.Bytes()); err != nil {
		return err
	}
	r.refs = refs
	return nil
}

// shallow are the commits whose parents were not fetched.
func (r *repo) shallow() []plumbing.Hash {
	b, _ := os.ReadFile(filepath.Join(r.dir, "shallow"))
	var out []plumbing.Hash
	for line := range strings.Lines(string(b)) {
		if s := strings.TrimSpace(line); plumbing.IsHash(s) {
			out = append(out, plumbing.NewHash(s))
		}
	}
	return out
}

func (r *repo) setShallow(list []plumbing.Hash) error {
	name := filepath.Join(r.dir, "shallow")
	if len(list) == 0 {
		if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	var b bytes.Buffer
	plumbing.HashesSort(list)
	for _, h := range slices.Compact(list) {
		fmt.Fprintln(&b, h)
	}
	return writeFile(name, b.Bytes())
}

// sweep removes what a killed fetch left: half packs, and an index whose pack
// never got its name.
func (r *repo) sweep() {
	dir := filepath.Join(r.dir, "objects", "pack")
	items, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, it := range items {
		name := filepath.Join(dir, it.Name())
		stale := strings.HasPrefix(it.Name(), "tmp_")
		if pack, ok := strings.CutSuffix(name, ".idx"); ok {
			_, err := os.Stat(pack + ".pack")
			stale = errors.Is(err, os.ErrNotExist)
		}
		if stale {
			os.Remove(name)
		}
	}
}

// prefixed are the objects whose hash starts with the hexadecimal digits.
func (r *repo) prefixed(digits string) ([]plumbing.Hash, error) {
	b, err := hex.DecodeString(digits[:len(digits)&^1])
	if err != nil {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	all, err := r.st.HashesWithPrefix(b)
	return slices.DeleteFunc(all, func(h plumbing.Hash) bool { return !strings.HasPrefix(h.String(), digits) }), err
}

// packs counts the packs.
func (r *repo) packs() int {
	m, _ := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "*.pack"))
	return len(m)
}

// writeFile replaces a file by a rename.
func writeFile(name string, b []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	return err
}
