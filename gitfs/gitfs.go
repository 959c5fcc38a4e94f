// Package gitfs serves the trees of Git repositories: each branch and tag of
// a remote is an environment. A remote is kept as a bare clone in the cache
// and files are read from its objects, without a checkout. The main type is FS.
//
//	remotes, err := gitfs.Parse("gitfs", opts, opts.List("gitfs_remotes"), nil)
//	fs := gitfs.New(gitfs.Options{Remotes: remotes, Dir: "/var/cache/salt/minion/gitfs"})
//	f, err := fs.Find(ctx, "web/init.sls", "base")
//
// The first question of a run fetches all remotes at once; a remote that
// cannot be reached is served from its last good commit.
package gitfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options are what an FS is made of.
type Options struct {
	Remotes []*Remote
	Dir     string // where the clones are, made when needed
	Offline bool   // never fetch
	Force   bool   // fetch even when the interval has not passed
	Locked  Lock   // commits that must be served, see ReadLock
	Log     *slog.Logger
	Home    string           // for .netrc and .ssh; empty: $HOME
	Now     func() time.Time // time.Now when nil
}

// An FS is the union of its remotes, the first that has a file wins. It lives
// for one run: refs are read once.
type FS struct {
	o      Options
	clones []*clone
	once   sync.Once
}

// A File is a file of a tree.
type File struct {
	Path   string // as it was asked for
	Env    string
	Remote *Remote
	Commit string
	Mode   fs.FileMode // permission bits: 0755 when executable, else 0644
	Size   int64
	Time   time.Time // of the commit
	Open   func() (io.ReadCloser, error)
}

// A Listing is everything in an environment, sorted, without leading slashes.
type Listing struct {
	Files, Dirs []string
	Links       map[string]string // path → target
}

// New makes an FS. Nothing is read or fetched yet.
func New(o Options) *FS {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	f := &FS{o: o}
	for _, r := range o.Remotes {
		f.clones = append(f.clones, newClone(r, &f.o))
	}
	return f
}

// ready fetches what is due, once.
func (f *FS) ready(ctx context.Context) { f.once.Do(func() { f.refresh(ctx) }) }

// refresh fetches what is due, all remotes at the same time.
func (f *FS) refresh(ctx context.Context) {
	var wg sync.WaitGroup
	for _, c := range f.clones {
		wg.Go(func() { c.refresh(ctx) })
	}
	wg.Wait()
}

// Envs are the environments of all remotes, sorted.
func (f *FS) Envs(ctx context.Context) ([]string, error) {
	f.ready(ctx)
	var all []string
	for _, c := range f.clones {
		all = append(all, c.envs()...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// serves reports whether an environment is one to look into: one that Envs
// names, a commit, or any when the remote has a fallback.
func (f *FS) serves(ctx context.Context, c *clone, env string) bool {
	if c.r.Fallback != "" || isHex(env) {
		return true
	}
	envs, _ := f.Envs(ctx)
	_, ok := slices.BinarySearch(envs, env)
	return ok
}

// Find looks a path up; nil when no remote has it in the environment.
func (f *FS) Find(ctx context.Context, name, env string) (*File, error) {
	f.ready(ctx)
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	for _, c := range f.clones {
		inner, ok := below(name, c.r.mountpoint(env))
		if !ok || !f.serves(ctx, c, env) {
			continue
		}
		file, err := c.find(ctx, path.Join(c.r.root(env), inner), env)
		if err != nil {
			return nil, err
		}
		if file != nil {
			file.Path = name
			return file, nil
		}
	}
	return nil, nil
}

// below takes a mountpoint off a path.
func below(name, mount string) (string, bool) {
	if mount == "" {
		return name, true
	}
	return strings.CutPrefix(name, mount+"/")
}

// List is the union of the remotes' trees.
func (f *FS) List(ctx context.Context, env string) (*Listing, error) {
	f.ready(ctx)
	all := &Listing{Links: map[string]string{}}
	for _, c := range f.clones {
		if !f.serves(ctx, c, env) {
			continue
		}
		l, err := c.list(ctx, env)
		if err != nil {
			return nil, err
		}
		if l == nil {
			continue
		}
		for p, target := range l.Links {
			if !contains(all.Files, p) {
				all.Links[p] = target
			}
		}
		all.Files = union(all.Files, l.Files)
		all.Dirs = union(all.Dirs, l.Dirs)
	}
	return all, nil
}

func contains(sorted []string, s string) bool {
	_, ok := slices.BinarySearch(sorted, s)
	return ok
}

func union(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	a = append(slices.Clone(a), b...)
	slices.Sort(a)
	return slices.Compact(a)
}

// Update fetches all remotes now and returns the errors of those that failed.
func (f *FS) Update(ctx context.Context) []error {
	f.o.Force = true
	again := true
	f.once.Do(func() { again = false; f.refresh(ctx) })
	if again {
		f.refresh(ctx)
	}
	var errs []error
	for _, c := range f.clones {
		if c.err != nil {
			errs = append(errs, fmt.Errorf("%s remote '%s': %w", c.r.Role, c.r.Label(), c.err))
		}
	}
	return errs
}

// Renew marks all clones to be made anew by the next fetch. Until that one
// succeeds, they are served as they are.
func (f *FS) Renew(ctx context.Context) error {
	var errs []error
	for _, c := range f.clones {
		errs = append(errs, c.markRenew(ctx))
	}
	return errors.Join(errs...)
}

// Hold keeps remotes from being fetched, until Release; pattern is a part of
// their URL, "" for all. The result names those that were changed.
func (f *FS) Hold(pattern string) (done []string, err error) {
	return f.eachHold(pattern, "Set", func(name string) error {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o600)
	})
}

// Release ends what Hold did.
func (f *FS) Release(pattern string) (done []string, err error) {
	return f.eachHold(pattern, "Removed", os.Remove)
}

func (f *FS) eachHold(pattern, did string, do func(name string) error) (done []string, err error) {
	var errs []error
	for _, c := range f.clones {
		if !strings.Contains(c.r.ID, pattern) {
			continue
		}
		err := do(c.held())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		done = append(done, fmt.Sprintf("%s update lock for %s remote '%s'", did, c.r.Role, c.r.Label()))
	}
	return done, errors.Join(errs...)
}

// Close gives the files of the clones back.
func (f *FS) Close() {
	for _, c := range f.clones {
		c.close()
	}
}
