package salt

import (
	"io"
	"io/fs"
	"time"
)

// Files is the file client: salt:// trees and everything else that a source
// can be (http, https, ftp, file, a plain path, data).
type Files interface {
	// Envs are the environments there are, sorted.
	Envs(c *Ctx) ([]string, error)
	// List are the files of an environment below prefix ("" for all), sorted.
	List(c *Ctx, env, prefix string) ([]string, error)
	// Dirs and EmptyDirs are the directories, sorted.
	Dirs(c *Ctx, env, prefix string) ([]string, error)
	EmptyDirs(c *Ctx, env, prefix string) ([]string, error)
	// Symlinks are the links of an environment: path to target.
	Symlinks(c *Ctx, env, prefix string) (map[string]string, error)
	// Find looks a path of the tree up (without salt://); nil when it is not there.
	Find(c *Ctx, path, env string) (*File, error)
	// Get finds what a URL or path names, and downloads it when it is remote.
	// A salt:// URL may end in ?saltenv=NAME. The error is fs.ErrNotExist when
	// it is not there.
	Get(c *Ctx, url, env string, o GetOptions) (*File, error)
	// Cache is Get for those who need a file on the disk (cp.cache_file): its
	// path, below cachedir unless it is on this machine already and Local is allowed.
	Cache(c *Ctx, url, env string, o GetOptions) (string, error)
	// Hash is the hex digest of what the URL names.
	Hash(c *Ctx, url, env, algorithm string) (string, error)
	// Clear forgets lists and lookups, so that the next call sees the trees anew.
	Clear()
}

// A FileServer is the side of Files that a server's functions see: its
// backends, by the names of fileserver_backend. Files may be one.
type FileServer interface {
	Files
	Backends() []string
	// Only are the files of some backends.
	Only(names ...string) Files
	// Upkeep updates caches, clears them, and sets and removes the locks that
	// keep remotes from being fetched: "update", "clear_cache", "lock",
	// "clear_lock"; remote is a part of a URL.
	Upkeep(c *Ctx, what, remote string, names ...string) (done []string, errs []error)
}

// GetOptions are the arguments of a download.
type GetOptions struct {
	Hash      string // wanted digest ("sha256=…" or bare): a cached copy that matches is not downloaded again
	UseETag   bool
	VerifySSL bool // false only when a state says verify_ssl: False; see NoVerify
	NoVerify  bool
	CacheDir  string // instead of cachedir/files
}

// A File is one file of a tree, or a downloaded one.
type File struct {
	Path  string // below its root
	Env   string
	Local string // where it lies on the disk; "" when it is only in an object store
	Mode  fs.FileMode
	Size  int64
	Time  time.Time
	Open  func() (io.ReadCloser, error)
}

// Read is the whole content.
func (f *File) Read() ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
