package gitfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"pinch/sys"
)

// A source is where a remote's objects come from.
type source interface {
	// refs are the references by full name, and HEAD.
	refs(ctx context.Context) (map[string]plumbing.Hash, error)
	// pack puts the wanted commits and what they need into r.
	pack(ctx context.Context, r *repo, q request) error
	close()
}

// A request says what to get: depth 0 is all history.
type request struct {
	wants, haves []plumbing.Hash
	depth        int
}

const everything = 1<<31 - 1 // the depth that ends being shallow

// lockWait is how long a run waits for another one that fetches the same remote.
const lockWait = 60 * time.Second

// refresh opens the clone and fetches when it is due. What goes wrong is
// logged: the last good commit stays in use.
func (c *clone) refresh(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readState()
	err := c.open()
	if c.o.Offline {
		if c.err = err; err != nil {
			c.o.Log.Error(fmt.Sprintf("%s remote '%s' has no usable clone and the run is offline", c.r.Role, c.r.Label()))
		}
		return
	}
	if err == nil && !c.due() {
		return
	}
	if _, e := os.Stat(c.held()); e == nil {
		c.o.Log.Warn(fmt.Sprintf("Update lock file is present for %s remote '%s', skipping. Removing %s will allow updates to continue for this remote.", c.r.Role, c.r.Label(), c.held()))
		return
	}
	if c.err = c.fetch(ctx); c.err == nil {
		return
	}
	text := fmt.Sprintf("%s remote '%s' could not be fetched: %s", c.r.Role, c.r.Label(), c.err)
	if c.repo == nil || len(c.refs) == 0 {
		c.o.Log.Error(text + "; there is no earlier copy, its files are missing")
		return
	}
	c.o.Log.Warn(fmt.Sprintf("%s; the copy of %s stays in use", text, c.st.Fetched.Format(time.RFC3339)))
}

// due reports whether the time for a fetch has come.
func (c *clone) due() bool {
	if c.o.Force || c.st.Renew || c.st.URL != c.r.URL || c.r.Interval == 0 {
		return true
	}
	age := c.o.Now().Sub(c.st.Fetched)
	return age >= c.r.Interval || age < 0
}

// locked runs f while no other process fetches this remote. When another one
// has fetched meanwhile, f does not run.
func (c *clone) locked(ctx context.Context, f func() error) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	began := c.o.Now()
	for waited := time.Duration(0); ; waited += 100 * time.Millisecond {
		l, err := sys.TryLock(filepath.Join(c.dir, "lock"), fmt.Sprint(os.Getpid()))
		if err == nil {
			defer l.Unlock()
			break
		}
		if !errors.Is(err, sys.ErrLocked) {
			return err
		}
		if waited >= lockWait {
			return errors.New("another process is fetching it")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	old := c.st
	c.readState()
	if c.st.Fetched.After(began) && c.st.URL == c.r.URL && c.open() == nil {
		return nil
	}
	if c.st.Repo != old.Repo {
		c.open()
	}
	return f()
}

// fetch brings the clone up to date, or makes it.
func (c *clone) fetch(ctx context.Context) error {
	return c.locked(ctx, func() error {
		if c.repo != nil && !c.st.Renew && c.st.URL == c.r.URL && c.repo.packs() < maxPacks {
			err := c.update(ctx, c.repo, c.st.Repo)
			if d := new(damage); !errors.As(err, &d) {
				return err
			}
			c.o.Log.Warn(fmt.Sprintf("The clone of %s remote '%s' is made anew: %s", c.r.Role, c.r.Label(), err))
		}
		return c.replace(ctx)
	})
}

// renew clones anew, once a run.
func (c *clone) renew(ctx context.Context) error {
	c.renewed = true
	if c.o.Offline {
		return errors.New("the run is offline")
	}
	return c.locked(ctx, func() error { return c.replace(ctx) })
}

// replace fetches into a new repository and then uses that.
func (c *clone) replace(ctx context.Context) error {
	name := "git"
	for i := 2; ; i++ {
		full := filepath.Join(c.dir, name)
		if name != c.st.Repo {
			if err := os.RemoveAll(full); err != nil {
				return err
			}
			break
		}
		name = fmt.Sprintf("git-%d", i)
	}
	r, err := makeRepo(filepath.Join(c.dir, name))
	if err != nil {
		return err
	}
	if c.repo != nil && c.st.URL == c.r.URL {
		r.refs = map[string]plumbing.Hash{}
	}
	if err := c.update(ctx, r, name); err != nil {
		r.close()
		os.RemoveAll(r.dir)
		return err
	}
	return nil
}

// update fetches into r and makes it the one in use.
func (c *clone) update(ctx context.Context, r *repo, name string) error {
	v, err := c.fetchInto(ctx, r)
	st := c.st
	st.Tried = c.o.Now()
	if err != nil {
		if st.Error = err.Error(); st.Repo != "" {
			c.st = st
			_ = c.writeState()
		}
		return err
	}
	old := st.Repo
	st.Error, st.Fetched, st.URL, st.Repo = "", st.Tried, c.r.URL, name
	st.Renew = false
	st.Refused, st.Verified = v.refused, v.verified
	c.st = st
	if err := c.writeState(); err != nil {
		return err
	}
	if err := c.use(r); err != nil {
		return err
	}
	if old != "" && old != name {
		os.RemoveAll(filepath.Join(c.dir, old))
	}
	return nil
}

// fetchInto gets new objects and sets the references that may be moved.
func (c *clone) fetchInto(ctx context.Context, r *repo) (v verdict, err error) {
	src, err := c.dial()
	if err != nil {
		return v, err
	}
	defer src.close()
	remote, err := src.refs(ctx)
	if err != nil {
		return v, err
	}
	refs, err := mapRefs(remote, c.r.Refspecs)
	if err != nil {
		return v, err
	}
	if h, ok := remote["HEAD"]; ok && h != plumbing.ZeroHash {
		refs["refs/remotes/origin/HEAD"] = h
	}
	r.sweep()
	q := request{depth: c.r.Depth}
	for _, h := range refs {
		if !r.has(h) {
			q.wants = append(q.wants, h)
		}
	}
	if len(q.wants) > 0 {
		for _, h := range r.refs {
			if r.has(h) {
				q.haves = append(q.haves, h)
			}
		}
		if c.r.Trust.on() && (len(q.haves) > 0 || len(c.st.Verified) > 0) {
			q.depth = 0 // ancestry is asked for
		}
		q = q.unique()
		if err := src.pack(ctx, r, q); err != nil {
			return v, err
		}
		for _, h := range q.wants {
			if !r.has(h) {
				return v, fmt.Errorf("the remote did not send object %s", h)
			}
		}
	}
	if v, err = c.judge(r, refs); err != nil {
		return v, err
	}
	if !sameRefs(refs, r.refs) {
		return v, r.setRefs(refs)
	}
	return v, nil
}

func (q request) unique() request {
	plumbing.HashesSort(q.wants)
	plumbing.HashesSort(q.haves)
	q.wants, q.haves = slices.Compact(q.wants), slices.Compact(q.haves)
	return q
}

func sameRefs(a, b map[string]plumbing.Hash) bool {
	if len(a) != len(b) {
		return false
	}
	for k, h := range a {
		if b[k] != h {
			return false
		}
	}
	return true
}

// mapRefs gives the remote's references their local names.
func mapRefs(remote map[string]plumbing.Hash, specs []string) (map[string]plumbing.Hash, error) {
	out := map[string]plumbing.Hash{}
	for _, s := range specs {
		spec := config.RefSpec(s)
		if err := spec.Validate(); err != nil || spec.IsDelete() {
			return nil, fmt.Errorf("invalid refspec '%s'", s)
		}
		for name, h := range remote {
			if ref := plumbing.ReferenceName(name); spec.Match(ref) {
				out[string(spec.Dst(ref))] = h
			}
		}
	}
	return out, nil
}

// bySHA finds a commit by its hash or the start of it. A clone without the
// whole history gets it when it lacks the commit.
func (c *clone) bySHA(ctx context.Context, sha string) (*object.Commit, error) {
	sha = strings.ToLower(sha)
	if len(sha) < 4 || len(sha) > 40 || !isHex(sha) || strings.HasPrefix(sha, "0x") {
		return nil, nil
	}
	if commit, err := c.stored(sha); commit != nil || err != nil {
		return c.allowed(commit, err)
	}
	if len(sha) < 7 || c.deepened || c.o.Offline || len(c.repo.shallow()) == 0 {
		return nil, nil
	}
	c.deepened = true
	if err := c.deepen(ctx, sha); err != nil {
		c.o.Log.Warn(fmt.Sprintf("%s remote '%s': the history for commit %s could not be fetched: %s", c.r.Role, c.r.Label(), sha, err))
		return nil, nil
	}
	return c.allowed(c.stored(sha))
}

// allowed drops a commit that is not trusted.
func (c *clone) allowed(commit *object.Commit, err error) (*object.Commit, error) {
	if err != nil || commit == nil {
		return nil, err
	}
	if why := c.trusted(commit.Hash); why != nil {
		c.o.Log.Error(fmt.Sprintf("%s remote '%s': commit %s is refused: %s", c.r.Role, c.r.Label(), short(commit.Hash), why))
		return nil, nil
	}
	return commit, nil
}

func (c *clone) stored(sha string) (*object.Commit, error) {
	r := c.repo
	if len(sha) == 40 {
		if h := plumbing.NewHash(sha); r.has(h) {
			return r.commit(h)
		}
		return nil, nil
	}
	all, err := r.prefixed(sha)
	if err != nil {
		return nil, err
	}
	var found *object.Commit
	for _, h := range all {
		commit, err := r.commit(h)
		if err != nil {
			return nil, err
		}
		if commit != nil {
			if found != nil && found.Hash != commit.Hash {
				return nil, nil // ambiguous
			}
			found = commit
		}
	}
	return found, nil
}

// deepen fetches one commit, or all history when that is not to be had.
func (c *clone) deepen(ctx context.Context, sha string) error {
	return c.locked(ctx, func() error {
		src, err := c.dial()
		if err != nil {
			return err
		}
		defer src.close()
		if _, err := src.refs(ctx); err != nil {
			return err
		}
		q := request{depth: everything}
		for _, h := range c.repo.refs {
			q.wants, q.haves = append(q.wants, h), append(q.haves, h)
		}
		if len(sha) == 40 {
			one := request{wants: []plumbing.Hash{plumbing.NewHash(sha)}, depth: 1}
			if src.pack(ctx, c.repo, one) == nil && c.repo.has(one.wants[0]) {
				return nil
			}
			src.close()
			if src, err = c.dial(); err != nil {
				return err
			}
			if _, err := src.refs(ctx); err != nil {
				return err
			}
		}
		return src.pack(ctx, c.repo, q.unique())
	})
}
