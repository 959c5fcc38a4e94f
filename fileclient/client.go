// Package fileclient finds what a source names: salt:// paths in the trees of
// the configured backends (roots, gitfs …), http(s) and ftp URLs, and plain
// files. A Client lives for one run and remembers what it looked up.
//
//	c := fileclient.New(fileclient.Options{Backends: []fileclient.Backend{roots}, CacheDir: dir})
//	f, err := c.Get(ctx, "salt://web/nginx.conf", "base", salt.GetOptions{})
package fileclient

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"pinch/salt"
)

// A Backend serves the trees of some environments.
type Backend interface {
	// Envs are the environments it has, sorted.
	Envs() ([]string, error)
	// Find returns nil when the path is not in the environment.
	Find(path, env string) (*salt.File, error)
	// List is everything in an environment.
	List(env string) (*Listing, error)
}

// A Listing is what an environment holds. Paths have no leading slash.
type Listing struct {
	Files, Dirs, EmptyDirs []string          // sorted
	Links                  map[string]string // path → target
}

// Options configure a Client.
type Options struct {
	Backends []Backend // in the order of fileserver_backend: the first that has a file wins
	CacheDir string    // the minion's cachedir
	HashType string    // sha256 by default
	HTTP     HTTPOptions
}

// A Client is a salt.Files.
type Client struct {
	o     Options
	mu    sync.Mutex
	lists map[string]*Listing
	found map[findKey]*salt.File
}

type findKey struct{ path, env string }

var _ salt.Files = (*Client)(nil)

// New makes a client.
func New(o Options) *Client {
	if o.HashType == "" {
		o.HashType = "sha256"
	}
	c := &Client{o: o}
	c.Clear()
	return c
}

// Backends are the names of the backends, in their order.
func (c *Client) Backends() []string {
	var out []string
	for _, b := range c.o.Backends {
		name := "other"
		if n, ok := b.(interface{ Name() string }); ok {
			name = n.Name()
		}
		out = append(out, name)
	}
	return out
}

// Only is the client over some of the backends.
func (c *Client) Only(names ...string) salt.Files {
	o := c.o
	o.Backends = nil
	for i, name := range c.Backends() {
		if slices.Contains(names, name) {
			o.Backends = append(o.Backends, c.o.Backends[i])
		}
	}
	return New(o)
}

// Upkeep does one of the things that a file server is told to do ("update",
// "clear_cache", "lock", "clear_lock") with the named backends; remote is a
// part of the URLs of those that lock and clear_lock are for.
func (c *Client) Upkeep(ctx *salt.Ctx, what, remote string, names ...string) (done []string, errs []error) {
	for i, name := range c.Backends() {
		k, ok := c.o.Backends[i].(keeper)
		if !ok || !slices.Contains(names, name) {
			continue
		}
		d, err := k.upkeep(ctx, what, remote)
		done = append(done, d...)
		if err != nil {
			errs = append(errs, err)
		}
	}
	c.Clear()
	return done, errs
}

// A keeper is a backend with a cache of its own.
type keeper interface {
	upkeep(ctx context.Context, what, remote string) (done []string, err error)
}

// Clear forgets lists and lookups.
func (c *Client) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists, c.found = map[string]*Listing{}, map[findKey]*salt.File{}
}

// Envs are the environments of all backends.
func (c *Client) Envs(*salt.Ctx) ([]string, error) {
	var envs []string
	for _, b := range c.o.Backends {
		e, err := b.Envs()
		if err != nil {
			return nil, err
		}
		envs = append(envs, e...)
	}
	slices.Sort(envs)
	return slices.Compact(envs), nil
}

func (c *Client) listing(env string) (*Listing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.lists[env]; l != nil {
		return l, nil
	}
	all := &Listing{Links: map[string]string{}}
	for _, b := range c.o.Backends {
		l, err := b.List(env)
		if err != nil {
			return nil, err
		}
		all.Files = append(all.Files, l.Files...)
		all.Dirs = append(all.Dirs, l.Dirs...)
		all.EmptyDirs = append(all.EmptyDirs, l.EmptyDirs...)
		for k, v := range l.Links {
			if _, ok := all.Links[k]; !ok {
				all.Links[k] = v
			}
		}
	}
	for _, s := range []*[]string{&all.Files, &all.Dirs, &all.EmptyDirs} {
		slices.Sort(*s)
		*s = slices.Compact(*s)
	}
	c.lists[env] = all
	return all, nil
}

// below are the sorted paths at or under prefix.
func below(paths []string, prefix string) []string {
	prefix = strings.Trim(prefix, "/")
	if prefix == "" || prefix == "." {
		return paths
	}
	var out []string
	i, _ := slices.BinarySearch(paths, prefix)
	for ; i < len(paths) && strings.HasPrefix(paths[i], prefix); i++ {
		if len(paths[i]) == len(prefix) || paths[i][len(prefix)] == '/' {
			out = append(out, paths[i])
		}
	}
	return out
}

// A Prefixed backend can list a folder without listing the whole environment.
type Prefixed interface {
	// Below are the files at or under a folder.
	Below(env, prefix string) ([]string, error)
}

// below asks the backends for one folder, as long as the whole environment
// was not listed anyway. ok is false when one cannot answer that.
func (c *Client) below(env, prefix string) (files []string, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lists[env] != nil || strings.Trim(prefix, "/.") == "" {
		return nil, false, nil
	}
	for _, b := range c.o.Backends {
		p, can := b.(Prefixed)
		if !can {
			return nil, false, nil
		}
		more, err := p.Below(env, strings.Trim(prefix, "/"))
		if err != nil {
			return nil, false, err
		}
		files = append(files, more...)
	}
	slices.Sort(files)
	return slices.Compact(files), true, nil
}

// List are the files of an environment below prefix.
func (c *Client) List(_ *salt.Ctx, env, prefix string) ([]string, error) {
	if files, ok, err := c.below(env, prefix); ok || err != nil {
		return files, err
	}
	l, err := c.listing(env)
	if err != nil {
		return nil, err
	}
	return below(l.Files, prefix), nil
}

// Dirs are the directories of an environment below prefix.
func (c *Client) Dirs(_ *salt.Ctx, env, prefix string) ([]string, error) {
	l, err := c.listing(env)
	if err != nil {
		return nil, err
	}
	return below(l.Dirs, prefix), nil
}

// EmptyDirs are the directories with nothing in them.
func (c *Client) EmptyDirs(_ *salt.Ctx, env, prefix string) ([]string, error) {
	l, err := c.listing(env)
	if err != nil {
		return nil, err
	}
	return below(l.EmptyDirs, prefix), nil
}

// Symlinks are the links of an environment below prefix.
func (c *Client) Symlinks(_ *salt.Ctx, env, prefix string) (map[string]string, error) {
	l, err := c.listing(env)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for k, v := range l.Links {
		if len(below([]string{k}, prefix)) == 1 {
			out[k] = v
		}
	}
	return out, nil
}

// Find looks a path of the tree up. A path that would leave its root is not there.
func (c *Client) Find(_ *salt.Ctx, name, env string) (*salt.File, error) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "salt://"), "|")
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if env == "" {
		env = "base"
	}
	k := findKey{name, env}
	c.mu.Lock()
	f, ok := c.found[k]
	c.mu.Unlock()
	if ok {
		return f, nil
	}
	for _, b := range c.o.Backends {
		var err error
		if f, err = b.Find(name, env); err != nil {
			return nil, err
		}
		if f != nil {
			break
		}
	}
	c.mu.Lock()
	c.found[k] = f
	c.mu.Unlock()
	return f, nil
}

// split takes ?saltenv=NAME off a salt:// URL.
func split(u, env string) (string, string) {
	rest := strings.TrimPrefix(u, "salt://")
	if strings.HasPrefix(rest, "|") {
		return rest[1:], env
	}
	name, query, ok := strings.Cut(rest, "?")
	if ok {
		if q, err := url.ParseQuery(query); err == nil && q.Has("saltenv") {
			return name, q.Get("saltenv")
		}
	}
	return rest, env
}

// Get finds what a URL or path names.
func (c *Client) Get(ctx *salt.Ctx, u, env string, o salt.GetOptions) (*salt.File, error) {
	switch scheme(u) {
	case "salt":
		name, env := split(u, env)
		f, err := c.Find(ctx, name, env)
		if err == nil && f == nil {
			err = &fs.PathError{Op: "find", Path: u, Err: fs.ErrNotExist}
		}
		return f, err
	case "", "file":
		return local(strings.TrimPrefix(u, "file://"))
	case "http", "https":
		return c.download(ctx, u, env, o)
	case "ftp":
		return c.ftp(ctx, u, env, o)
	}
	return nil, fmt.Errorf("unsupported URL scheme in %s", u)
}

// scheme is the scheme of a URL, "" for a path.
func scheme(u string) string {
	s, _, ok := strings.Cut(u, "://")
	if !ok || strings.ContainsAny(s, "/ ") {
		return ""
	}
	return strings.ToLower(s)
}

func local(name string) (*salt.File, error) {
	if !filepath.IsAbs(name) {
		return nil, salt.CommandError("Path '%s' is not absolute", name)
	}
	i, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	return onDisk(name, name, "", i), nil
}

// onDisk describes a file that lies on this machine.
func onDisk(name, full, env string, i fs.FileInfo) *salt.File {
	return &salt.File{
		Path: name, Env: env, Local: full, Mode: i.Mode(), Size: i.Size(), Time: i.ModTime(),
		Open: func() (io.ReadCloser, error) { return os.Open(full) },
	}
}

// Cache puts what the URL names below cachedir/files/ENV, as cp.cache_file
// does, and returns that path. A file of this machine is its own cache.
func (c *Client) Cache(ctx *salt.Ctx, u, env string, o salt.GetOptions) (string, error) {
	f, err := c.Get(ctx, u, env, o)
	if err != nil {
		return "", err
	}
	if scheme(u) != "salt" {
		return f.Local, nil
	}
	dir := o.CacheDir
	if dir == "" {
		dir = filepath.Join(c.o.CacheDir, "files")
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.o.CacheDir, dir, "files")
	} else {
		dir = filepath.Join(dir, "files")
	}
	dest := filepath.Join(dir, f.Env, filepath.FromSlash(f.Path))
	return dest, store(f, dest)
}

// store copies f to dest unless dest is that file already.
func store(f *salt.File, dest string) error {
	if i, err := os.Stat(dest); err == nil && i.Size() == f.Size && same(f, dest) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dest), 0o700); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	return writeFrom(dest, r, 0o600|f.Mode&0o100)
}

// same reports whether dest holds f's content, a piece at a time.
func same(f *salt.File, dest string) bool {
	a, err := f.Open()
	if err != nil {
		return false
	}
	defer a.Close()
	b, err := os.Open(dest)
	if err != nil {
		return false
	}
	defer b.Close()
	var p, q [32 << 10]byte
	for {
		n, err1 := io.ReadFull(a, p[:])
		m, err2 := io.ReadFull(b, q[:])
		if !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if err1 != nil || err2 != nil {
			return ended(err1) && ended(err2)
		}
	}
}

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// writeFrom fills dest through a temporary file beside it.
func writeFrom(dest string, r io.Reader, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(dest), ".pinch-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = io.Copy(tmp, r)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), dest)
	}
	return err
}
