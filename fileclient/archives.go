package fileclient

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pinch/salt"
)

// Archives serve trees that lie packed on a web server: a folder of file_roots
// or pillar_roots may be the URL of a tar (plain or compressed with gzip, bzip2,
// xz, zstd) or zip file, or with a slash at its end that of a folder whose files
// the server lists.
//
//	file_roots:
//	  base:
//	    - https://example.com/states-1.2.tar.gz#dir=salt&sha256=9f86d0…
//	    - https://example.com/states/
//
// It is asked for once a run, fetched when it changed and unpacked below the
// cache; of a folder, the files that changed. While it cannot be had the last
// copy serves. After the #: dir, the
// folder in it that is the root (otherwise the only one at its top, as the
// archives of code forges have it); sha256, the digest that an archive must have.
type Archives struct {
	Dir     string // cachedir/archives
	HTTP    HTTPOptions
	Offline bool // nothing is fetched
	Log     *slog.Logger

	mu   sync.Mutex
	made map[string]func() (string, error) // by URL
}

// IsArchive reports whether a folder of a configuration is such a URL.
func IsArchive(root string) bool {
	return strings.HasPrefix(root, "https://") || strings.HasPrefix(root, "http://")
}

// Root is the folder on this machine that a URL stands for.
func (a *Archives) Root(raw string) (string, error) {
	bare, fragment, _ := strings.Cut(raw, "#")
	want, err := url.ParseQuery(fragment)
	if err != nil {
		return "", fmt.Errorf("%s: what follows # is not of the form dir=FOLDER&sha256=DIGEST", redact(raw))
	}
	for key := range want {
		if key != "dir" && key != "sha256" {
			return "", fmt.Errorf("%s: there is no option %s after the # (dir, sha256)", redact(raw), key)
		}
	}
	sum := strings.ToLower(want.Get("sha256"))
	a.mu.Lock()
	if a.made == nil {
		a.made = map[string]func() (string, error){}
	}
	tree := a.made[bare+"#"+sum]
	if tree == nil {
		tree = sync.OnceValues(func() (string, error) { return a.unpacked(bare, sum) })
		a.made[bare+"#"+sum] = tree
	}
	a.mu.Unlock()
	dir, err := tree()
	if err != nil {
		return "", err
	}
	sub := want.Get("dir")
	if sub == "" && strings.HasSuffix(bare, "/") {
		return dir, nil
	}
	if sub == "" {
		return onlyFolder(dir), nil
	}
	if !filepath.IsLocal(sub) {
		return "", fmt.Errorf("%s: dir=%s leads out of the archive", redact(raw), sub)
	}
	return filepath.Join(dir, sub), nil
}

// unpacked fetches an archive and unpacks it, if that has not been done. With
// an empty digest the newest is wanted, and the last one has to do when the
// server does not answer.
func (a *Archives) unpacked(raw, sum string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", err
	}
	home := DownloadPath(a.Dir, "", u) + ".d"
	if sum != "" {
		if dir := filepath.Join(home, sum); isFolder(dir) {
			return dir, nil
		}
	}
	last, _ := os.ReadFile(filepath.Join(home, "last"))
	dir := filepath.Join(home, string(last))
	have := len(last) > 0 && sum == "" && isFolder(dir)
	if a.Offline {
		if have {
			return dir, nil
		}
		return "", fmt.Errorf("%s is not here, and nothing is fetched (offline)", redact(raw))
	}
	var got string
	switch {
	case !strings.HasSuffix(u.Path, "/"):
		got, err = a.fetch(raw, sum, home)
	case sum != "":
		err = fmt.Errorf("%s: only an archive has a sha256", redact(raw))
	default:
		got, err = a.mirror(raw, home, string(last))
	}
	switch {
	case err != nil && have:
		a.Log.Warn(fmt.Sprintf("%s; the copy of %s is used", err, modified(dir)))
		return dir, nil
	case err != nil, sum != "", got == dir:
		return got, err
	}
	if err := writeFrom(filepath.Join(home, "last"), strings.NewReader(filepath.Base(got)), 0o600); err != nil {
		return "", err
	}
	sweep(home, filepath.Base(got), string(last))
	return got, nil
}

// fetch downloads an archive and unpacks it into home/DIGEST.
func (a *Archives) fetch(raw, sum, home string) (string, error) {
	c := New(Options{CacheDir: a.Dir, HTTP: a.HTTP})
	f, err := c.download(&salt.Ctx{Context: context.Background()}, raw, "", salt.GetOptions{UseETag: true})
	if err != nil {
		return "", fmt.Errorf("the tree of %s cannot be fetched: %w", redact(raw), err)
	}
	digest, err := digest(f, "sha256")
	if err != nil {
		return "", err
	}
	if sum != "" && sum != digest {
		return "", fmt.Errorf("the tree of %s has the sha256 %s, not %s", redact(raw), digest, sum)
	}
	dir := filepath.Join(home, digest)
	if isFolder(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(home, ".new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := unpack(f.Local, tmp); err != nil {
		return "", fmt.Errorf("the tree of %s cannot be unpacked: %w", redact(raw), err)
	}
	return dir, settle(tmp, dir)
}

// settle gives a tree that is complete its name; another run may have been
// quicker.
func settle(tmp, dir string) error {
	if err := os.Rename(tmp, dir); err != nil && !isFolder(dir) {
		return err
	}
	return nil
}

// sweep removes the trees that nobody needs any more: a run that began before
// may still read the one before.
func sweep(home string, keep ...string) {
	entries, _ := os.ReadDir(home)
	for _, e := range entries {
		i, err := e.Info()
		old := err == nil && time.Since(i.ModTime()) > time.Hour
		if e.IsDir() && old && e.Name() != keep[0] && e.Name() != keep[1] {
			os.RemoveAll(filepath.Join(home, e.Name()))
		}
	}
}

// onlyFolder is the only entry of a folder if that is one, or else the folder
// itself.
func onlyFolder(dir string) string {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) == 1 && entries[0].IsDir() {
		return filepath.Join(dir, entries[0].Name())
	}
	return dir
}

func isFolder(dir string) bool {
	i, err := os.Lstat(dir)
	return err == nil && i.IsDir()
}

func modified(dir string) string {
	i, err := os.Stat(dir)
	if err != nil {
		return "an earlier time"
	}
	return i.ModTime().Format(time.DateTime)
}
