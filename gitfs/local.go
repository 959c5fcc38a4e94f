package gitfs

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// A local is a repository of this machine, read without a git program.
type local struct {
	dir string
	st  *filesystem.Storage
}

// openLocal opens a repository: a bare one, or a folder with .git.
func openLocal(dir string) (*local, error) {
	for _, d := range []string{filepath.Join(dir, ".git"), dir, dir + ".git"} {
		i, err := os.Stat(d)
		if err == nil && !i.IsDir() {
			if d, err = gitLink(d); err != nil {
				return nil, err
			}
		} else if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(d, "objects")); err != nil {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(d, "config")); err == nil {
			for _, bad := range []string{"objectformat = sha256", "refstorage = reftable"} {
				if bytes.Contains(bytes.ToLower(b), []byte(bad)) {
					return nil, fmt.Errorf("%s: repositories with %s are not supported", dir, bad)
				}
			}
		}
		return &local{d, storage(d)}, nil
	}
	return nil, fmt.Errorf("%s is no git repository", dir)
}

// gitLink follows the file .git of a work tree or submodule.
func gitLink(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s: no gitdir in it", name)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(name), target)
	}
	if b, err := os.ReadFile(filepath.Join(target, "commondir")); err == nil {
		common := strings.TrimSpace(string(b))
		if !filepath.IsAbs(common) {
			common = filepath.Join(target, common)
		}
		return common, nil
	}
	return target, nil
}

func (l *local) close() { l.st.Close() }

func (l *local) refs(context.Context) (map[string]plumbing.Hash, error) {
	it, err := l.st.IterReferences()
	if err != nil {
		return nil, err
	}
	out := map[string]plumbing.Hash{}
	err = it.ForEach(func(ref *plumbing.Reference) error {
		r, err := storer.ResolveReference(l.st, ref.Name())
		if err == nil {
			out[string(ref.Name())] = r.Hash()
		}
		return nil
	})
	if head, e := storer.ResolveReference(l.st, plumbing.HEAD); e == nil {
		out["HEAD"] = head.Hash()
	}
	return out, err
}

// pack copies the objects that r lacks, as a pack.
func (l *local) pack(ctx context.Context, r *repo, q request) error {
	w := collector{l: l, r: r, seen: map[plumbing.Hash]bool{}, shallow: map[plumbing.Hash]bool{}, depth: q.depth}
	for _, h := range r.shallow() {
		w.shallow[h] = true
	}
	if err := w.commits(ctx, q.wants); err != nil {
		return err
	}
	if len(w.objects) > 0 {
		if err := r.receive(func(to io.Writer) error { return l.writePack(ctx, to, w.objects) }); err != nil {
			return err
		}
	}
	var shallow []plumbing.Hash
	for h, is := range w.shallow {
		if is {
			shallow = append(shallow, h)
		}
	}
	return r.setShallow(shallow)
}

// A collector finds the objects to copy.
type collector struct {
	l       *local
	r       *repo
	depth   int
	seen    map[plumbing.Hash]bool
	shallow map[plumbing.Hash]bool
	objects []plumbing.Hash
}

// add takes an object unless it is known or there; it reports whether it did.
func (w *collector) add(h plumbing.Hash) bool {
	if w.seen[h] {
		return false
	}
	w.seen[h] = true
	if w.r.has(h) {
		return false
	}
	w.objects = append(w.objects, h)
	return true
}

// commits goes back through history, one generation at a time.
func (w *collector) commits(ctx context.Context, level []plumbing.Hash) error {
	for depth := 1; len(level) > 0; depth++ {
		var next []plumbing.Hash
		for _, h := range level {
			if err := ctx.Err(); err != nil {
				return err
			}
			o, err := w.l.st.EncodedObject(plumbing.AnyObject, h)
			if err != nil {
				return fmt.Errorf("object %s: %w", h, err)
			}
			fresh := w.add(h)
			switch o.Type() {
			case plumbing.TagObject:
				t := new(object.Tag)
				if err := t.Decode(o); err != nil {
					return err
				}
				// The tagged commit is of the tag's generation.
				if err := w.commits(ctx, []plumbing.Hash{t.Target}); err != nil {
					return err
				}
			case plumbing.CommitObject:
				c := new(object.Commit)
				if err := c.Decode(o); err != nil {
					return err
				}
				if fresh {
					if err := w.tree(c.TreeHash); err != nil {
						return err
					}
				} else if !w.shallow[h] || w.depth == 0 {
					continue
				}
				if depth == w.depth && c.NumParents() > 0 {
					w.shallow[h] = true
					continue
				}
				delete(w.shallow, h)
				next = append(next, c.ParentHashes...)
			case plumbing.TreeObject:
				if fresh {
					w.objects = w.objects[:len(w.objects)-1]
					delete(w.seen, h)
					if err := w.tree(h); err != nil {
						return err
					}
				}
			}
		}
		level = next
	}
	return nil
}

func (w *collector) tree(h plumbing.Hash) error {
	if !w.add(h) {
		return nil
	}
	o, err := w.l.st.EncodedObject(plumbing.TreeObject, h)
	if err != nil {
		return fmt.Errorf("object %s: %w", h, err)
	}
	b, err := content(o)
	if err != nil {
		return err
	}
	list, err := parseTree(b)
	if err != nil {
		return err
	}
	for _, e := range list {
		switch e.mode {
		case modeModule:
		case modeDir:
			if err := w.tree(e.hash); err != nil {
				return err
			}
		default:
			w.add(e.hash)
		}
	}
	return nil
}

func content(o plumbing.EncodedObject) ([]byte, error) {
	rd, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer rd.Close()
	return io.ReadAll(rd)
}

// writePack writes a pack of whole objects.
func (l *local) writePack(ctx context.Context, to io.Writer, objects []plumbing.Hash) error {
	sum := sha1.New()
	out := bufio.NewWriterSize(io.MultiWriter(to, sum), 64<<10)
	head := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(objects)))
	out.Write(head)
	z, err := zlib.NewWriterLevel(out, zlib.BestSpeed)
	if err != nil {
		return err
	}
	for _, h := range objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := l.st.EncodedObject(plumbing.AnyObject, h)
		if err != nil {
			return fmt.Errorf("object %s: %w", h, err)
		}
		out.Write(packEntry(o.Type(), o.Size()))
		z.Reset(out)
		rd, err := o.Reader()
		if err != nil {
			return err
		}
		n, err := io.Copy(z, rd)
		rd.Close()
		if err == nil && n != o.Size() {
			err = errors.New("its size is wrong")
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			return fmt.Errorf("object %s: %w", h, err)
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = to.Write(sum.Sum(nil))
	return err
}

// packEntry is the head of an object in a pack: its type and size.
func packEntry(t plumbing.ObjectType, size int64) []byte {
	b := byte(t)<<4 | byte(size&15)
	size >>= 4
	var out []byte
	for size > 0 {
		out = append(out, b|0x80)
		b = byte(size & 0x7f)
		size >>= 7
	}
	return append(out, b)
}
