package gitfs

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// A Tree is one branch, tag or commit of one remote: what git_pillar uses
// instead of environments.
type Tree struct {
	c           *clone
	ref         string
	root, mount string
}

// At is the tree of a ref in the i-th remote, or of its fallback. It is nil,
// with the reason, when there is none or it lacks the remote's root folder.
func (f *FS) At(ctx context.Context, i int, ref string) (*Tree, error) {
	f.ready(ctx)
	c := f.clones[i]
	t := &Tree{c: c, ref: ref, root: c.r.root(""), mount: c.r.mountpoint("")}
	found := false
	err := c.with(ctx, func() error {
		for _, name := range []string{ref, c.r.Fallback} {
			if name == "" || c.repo == nil {
				continue
			}
			commit, err := c.at(ctx, name)
			if err != nil {
				return err
			}
			if commit == nil {
				continue
			}
			t.ref = name
			e, ok, err := c.repo.lookup(commit.TreeHash, t.root)
			found = ok && e.mode == modeDir
			if err == nil && !found {
				err = fmt.Errorf("Root path '%s' not present in %s remote '%s', skipping.", c.r.Root, c.r.Role, c.r.Label())
			}
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("Failed to checkout %s from %s remote '%s': remote ref does not exist", ref, c.r.Role, c.r.Label())
	}
	return t, nil
}

// Mounted reports whether the tree appears under a mountpoint.
func (t *Tree) Mounted() bool { return t.mount != "" }

func (t *Tree) commit(ctx context.Context) func() (*object.Commit, error) {
	return func() (*object.Commit, error) {
		if t.c.repo == nil {
			return nil, nil
		}
		return t.c.at(ctx, t.ref)
	}
}

// Find looks a path up; nil when it is not there.
func (t *Tree) Find(ctx context.Context, name string) (*File, error) {
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	inner, ok := below(name, t.mount)
	if !ok {
		return nil, nil
	}
	return t.c.findIn(ctx, path.Join(t.root, inner), t.commit(ctx))
}

// List is the whole tree.
func (t *Tree) List(ctx context.Context) (*Listing, error) {
	l, err := t.c.listIn(ctx, t.root, t.mount, t.commit(ctx))
	if l == nil {
		l = &Listing{}
	}
	return l, err
}
