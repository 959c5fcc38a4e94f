package gitfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// A clone is the copy of one remote in the cache:
//
//	NAME/state.json   what is there and since when
//	NAME/lock         held while fetching; the kernel drops it with the process
//	NAME/git          the repository; git-2 … after it had to be cloned anew
type clone struct {
	r    *Remote
	o    *Options
	dir  string
	err  error // of the last fetch
	mu   sync.Mutex
	repo *repo
	st   state
	// renewed and deepened keep repairs to one a run.
	renewed, deepened bool
	refs              map[string]plumbing.Hash  // what may be used
	commits           map[string]*object.Commit // by ref
}

// A state is what is known about a clone.
type state struct {
	Repo     string            `json:"repo"` // folder of the repository
	URL      string            `json:"url"`
	Fetched  time.Time         `json:"fetched"`            // last good fetch
	Tried    time.Time         `json:"tried"`              // last fetch
	Error    string            `json:"error,omitempty"`    // of the last fetch
	Verified map[string]string `json:"verified,omitempty"` // last trusted commit of each ref
	Refused  map[string]string `json:"refused,omitempty"`  // why a ref is behind its remote
	Renew    bool              `json:"renew,omitempty"`    // the next fetch makes the clone anew
}

// maxPacks is how many packs may gather before the clone is made anew.
const maxPacks = 50

func newClone(r *Remote, o *Options) *clone {
	return &clone{r: r, o: o, dir: filepath.Join(o.Dir, r.dirName()), commits: map[string]*object.Commit{}}
}

// dirName is the name of the remote's folder in the cache.
func (r *Remote) dirName() string {
	name := r.Name
	if name != "" && !strings.ContainsAny(name, "/\\") && !strings.HasPrefix(name, ".") {
		return name
	}
	sum := sha256.Sum256([]byte(r.ID + "\x00" + name))
	last := strings.TrimSuffix(path.Base(strings.TrimRight(r.URL, "/")), ".git")
	last = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return -1
	}, last)
	return last + "-" + hex.EncodeToString(sum[:6])
}

func (c *clone) readState() {
	c.st = state{}
	if b, err := os.ReadFile(filepath.Join(c.dir, "state.json")); err == nil {
		if json.Unmarshal(b, &c.st) != nil || strings.ContainsAny(c.st.Repo, "/\\") {
			c.st = state{}
		}
	}
}

func (c *clone) writeState() error {
	b, err := json.MarshalIndent(c.st, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(c.dir, "state.json"), append(b, '\n'))
}

// held is the file whose presence keeps the remote from being fetched.
func (c *clone) held() string { return filepath.Join(c.dir, "update.lk") }

// markRenew has the next fetch make the clone anew.
func (c *clone) markRenew(ctx context.Context) error {
	if _, err := os.Stat(c.dir); err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.locked(ctx, func() error {
		c.st.Renew = true
		return c.writeState()
	})
}

// open opens the repository that the state names.
func (c *clone) open() error {
	if c.st.Repo == "" {
		return os.ErrNotExist
	}
	r, err := openRepo(filepath.Join(c.dir, c.st.Repo))
	if err != nil {
		return err
	}
	if err := c.use(r); err != nil {
		r.close()
		c.repo, c.refs = nil, nil
		return err
	}
	return nil
}

// use makes r the repository that is read. Its refs are judged once more, for
// what is trusted may have changed since they were fetched.
func (c *clone) use(r *repo) error {
	if c.repo != nil && c.repo != r {
		c.repo.close()
	}
	c.repo = r
	clear(c.commits)
	if lock := c.o.Locked[c.r.ID]; lock != nil {
		c.refs = map[string]plumbing.Hash{}
		for name, h := range lock {
			c.refs[name] = plumbing.NewHash(h)
		}
		return nil
	}
	c.refs = maps.Clone(r.refs)
	v, err := c.judge(r, c.refs)
	if err == nil && len(v.refused) > 0 {
		c.st.Refused = v.refused
	}
	return err
}

func (c *clone) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.repo != nil {
		c.repo.close()
		c.repo = nil
	}
}

// envs are the environments of the remote as it was last fetched.
func (c *clone) envs() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.repo == nil {
		return nil
	}
	refs := make([]string, 0, len(c.refs))
	for name := range c.refs {
		refs = append(refs, name)
	}
	return c.r.envs(refs)
}

// resolve finds the commit of an environment, nil when it has none.
func (c *clone) resolve(ctx context.Context, env string) (*object.Commit, error) {
	if c.repo == nil || !c.r.exposed(env) {
		return nil, nil
	}
	ref := c.r.ref(env)
	if ref == "" {
		return nil, nil
	}
	commit, err := c.at(ctx, ref)
	if commit == nil && err == nil && c.r.Fallback != "" {
		commit, err = c.at(ctx, c.r.Fallback)
	}
	return commit, err
}

// at finds the commit of a branch, tag or hash.
func (c *clone) at(ctx context.Context, ref string) (*object.Commit, error) {
	if commit, ok := c.commits[ref]; ok {
		return commit, nil
	}
	commit, err := c.find1(ctx, ref)
	if err == nil {
		c.commits[ref] = commit
	}
	return commit, err
}

func (c *clone) find1(ctx context.Context, ref string) (*object.Commit, error) {
	if pin := c.r.Trust.Pin; pin != "" {
		if h, ok := c.refs["refs/tags/"+pin]; ok {
			return c.repo.commit(h)
		}
		return c.bySHA(ctx, pin)
	}
	for _, kind := range c.r.RefTypes {
		var h plumbing.Hash
		ok := false
		switch kind {
		case "branch":
			h, ok = c.refs["refs/remotes/origin/"+ref]
		case "tag":
			h, ok = c.refs["refs/tags/"+ref]
		case "sha":
			if commit, err := c.bySHA(ctx, ref); commit != nil || err != nil {
				return commit, err
			}
		}
		if ok && c.o.Locked[c.r.ID] != nil {
			return c.bySHA(ctx, h.String())
		}
		if ok {
			if commit, err := c.repo.commit(h); commit != nil || err != nil {
				return commit, err
			}
		}
	}
	return nil, nil
}

// with runs f on the repository; when that shows it damaged it is cloned anew
// and f runs once more.
func (c *clone) with(ctx context.Context, f func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := f()
	var d *damage
	if !errors.As(err, &d) {
		return err
	}
	if c.renewed {
		return fmt.Errorf("%s remote '%s': %w", c.r.Role, c.r.Label(), err)
	}
	c.o.Log.Warn(fmt.Sprintf("The clone of %s remote '%s' is damaged and is made anew: %s", c.r.Role, c.r.Label(), d.err))
	if e := c.renew(ctx); e != nil {
		return fmt.Errorf("%s remote '%s': %w; it could not be cloned anew: %w", c.r.Role, c.r.Label(), err, e)
	}
	return f()
}

// find looks a path up in the tree of an environment.
func (c *clone) find(ctx context.Context, name, env string) (*File, error) {
	f, err := c.findIn(ctx, name, func() (*object.Commit, error) { return c.resolve(ctx, env) })
	if f != nil {
		f.Env = env
	}
	return f, err
}

func (c *clone) findIn(ctx context.Context, name string, commit func() (*object.Commit, error)) (file *File, err error) {
	err = c.with(ctx, func() error {
		file = nil
		commit, err := commit()
		if commit == nil || err != nil {
			return err
		}
		e, ok, err := c.repo.lookup(commit.TreeHash, name)
		if err != nil || !ok || e.mode == modeDir || e.mode == modeModule {
			return err
		}
		file, err = c.file(commit, e)
		return err
	})
	return file, err
}

// file describes the file of an entry. Its content is read when it is opened,
// and not kept: a run remembers the files that it found.
func (c *clone) file(commit *object.Commit, e entry) (*File, error) {
	size, err := c.repo.size(e.hash)
	if err != nil {
		return nil, err
	}
	f := &File{Remote: c.r, Commit: commit.Hash.String(), Mode: 0o644, Size: size, Time: commit.Committer.When}
	if e.mode == modeExec {
		f.Mode = 0o755
	}
	f.Open = func() (rd io.ReadCloser, err error) {
		err = c.with(context.Background(), func() error {
			if c.repo == nil {
				return os.ErrClosed
			}
			rd, err = c.repo.blob(e.hash)
			return err
		})
		return rd, err
	}
	return f, nil
}

// list is the tree of an environment, nil when the remote has none for it.
func (c *clone) list(ctx context.Context, env string) (*Listing, error) {
	return c.listIn(ctx, c.r.root(env), c.r.mountpoint(env), func() (*object.Commit, error) { return c.resolve(ctx, env) })
}

func (c *clone) listIn(ctx context.Context, root, mount string, commit func() (*object.Commit, error)) (l *Listing, err error) {
	err = c.with(ctx, func() error {
		l = nil
		commit, err := commit()
		if commit == nil || err != nil {
			return err
		}
		e, ok, err := c.repo.lookup(commit.TreeHash, root)
		if err != nil || !ok || e.mode != modeDir {
			return err
		}
		l, err = c.repo.list(e.hash, mount)
		return err
	})
	return l, err
}
