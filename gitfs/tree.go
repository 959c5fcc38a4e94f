package gitfs

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// An entry is one line of a tree object.
type entry struct {
	name string
	mode uint32 // Git's octal mode
	hash plumbing.Hash
}

// Git's modes.
const (
	modeDir    = 0o40000
	modeExec   = 0o100755
	modeLink   = 0o120000
	modeModule = 0o160000
)

// maxLinks is how many links a lookup follows.
const maxLinks = 100

// parseTree reads the content of a tree object.
func parseTree(b []byte) ([]entry, error) {
	text := string(b)
	out := make([]entry, 0, len(b)/32)
	for text != "" {
		head, rest, ok := strings.Cut(text, "\x00")
		mode, name, ok2 := strings.Cut(head, " ")
		m, err := strconv.ParseUint(mode, 8, 32)
		if !ok || !ok2 || err != nil || len(rest) < 20 {
			return nil, errors.New("malformed tree object")
		}
		e := entry{name: name, mode: uint32(m)}
		copy(e.hash[:], rest)
		out = append(out, e)
		text = rest[20:]
	}
	return out, nil
}

// tree reads a tree, once.
func (r *repo) tree(h plumbing.Hash) ([]entry, error) {
	r.tm.Lock()
	defer r.tm.Unlock()
	if t, ok := r.trees[h]; ok {
		return t, nil
	}
	b, err := r.read(plumbing.TreeObject, h)
	if err != nil {
		return nil, err
	}
	t, err := parseTree(b)
	if err != nil {
		return nil, &damage{err}
	}
	r.trees[h] = t
	return t, nil
}

// lookup walks a path from a tree, through links that stay inside it; ok is
// false when it leads nowhere.
func (r *repo) lookup(root plumbing.Hash, name string) (e entry, ok bool, err error) {
	top := entry{mode: modeDir, hash: root}
	for range maxLinks {
		name = path.Clean("/" + name)[1:]
		e = top
		rest, dir := name, ""
		for rest != "" {
			var part string
			part, rest, _ = strings.Cut(rest, "/")
			if e.mode != modeDir {
				return e, false, nil
			}
			list, err := r.tree(e.hash)
			if err != nil {
				return e, false, err
			}
			i := slices.IndexFunc(list, func(e entry) bool { return e.name == part })
			if i < 0 {
				return e, false, nil
			}
			if e = list[i]; e.mode == modeLink {
				break
			}
			dir = path.Join(dir, part)
		}
		if e.mode != modeLink {
			return e, true, nil
		}
		b, err := r.read(plumbing.BlobObject, e.hash)
		if err != nil {
			return e, false, err
		}
		target := path.Join(dir, string(b))
		if path.IsAbs(string(b)) || target == ".." || strings.HasPrefix(target, "../") {
			return e, false, nil
		}
		name = path.Join(target, rest)
	}
	return e, false, nil
}

// list collects what is below a tree; prefix is put before each path.
func (r *repo) list(root plumbing.Hash, prefix string) (*Listing, error) {
	key := listKey{root, prefix}
	r.tm.Lock()
	l := r.lists[key]
	r.tm.Unlock()
	if l != nil {
		return l, nil
	}
	l = &Listing{Links: map[string]string{}}
	if err := r.walk(root, prefix, l); err != nil {
		return nil, err
	}
	if prefix != "" {
		l.Dirs = append(l.Dirs, prefix)
	}
	slices.Sort(l.Files)
	slices.Sort(l.Dirs)
	r.tm.Lock()
	r.lists[key] = l
	r.tm.Unlock()
	return l, nil
}

func (r *repo) walk(h plumbing.Hash, dir string, l *Listing) error {
	list, err := r.tree(h)
	if err != nil {
		return err
	}
	for _, e := range list {
		full := e.name
		if dir != "" {
			full = dir + "/" + e.name
		}
		switch e.mode {
		case modeModule:
		case modeDir:
			l.Dirs = append(l.Dirs, full)
			if err := r.walk(e.hash, full, l); err != nil {
				return err
			}
		case modeLink:
			b, err := r.read(plumbing.BlobObject, e.hash)
			if err != nil {
				return err
			}
			l.Links[full] = string(b)
			fallthrough
		default:
			l.Files = append(l.Files, full)
		}
	}
	return nil
}

// A damage says that a clone lacks an object that it should have.
type damage struct{ err error }

func (d *damage) Error() string { return "damaged clone: " + d.err.Error() }
func (d *damage) Unwrap() error { return d.err }
