package fileclient

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"pinch/salt"
)

const (
	maxIndex    = 16 << 20 // bytes of a page that lists a folder
	maxEntries  = 50_000   // files of a tree
	maxDepth    = 32       // folders in folders
	connections = 8
)

// A mirror copies a folder of a web server that lists what is in it: the index
// pages of nginx (also as JSON), Apache, Caddy or Python's http.server. Links
// that lead elsewhere are no part of it.
type mirror struct {
	client *http.Client
	user   *url.Userinfo
	agent  string
	before string // the copy of the last time, and what is known of its files
	known  map[string]webFile
	to     *os.Root
	left   int64

	mu  sync.Mutex
	now map[string]webFile
}

// A webFile is what says whether a file of a server has changed.
type webFile struct{ ETag, Modified, Sum string }

// mirror brings a folder below home, in a folder named for the digest of all
// that is in it. Files that did not change are not sent again.
func (a *Archives) mirror(raw, home, last string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", err
	}
	hc, err := New(Options{HTTP: a.HTTP}).client(salt.GetOptions{})
	if err != nil {
		return "", err
	}
	hc.Transport.(*http.Transport).MaxIdleConnsPerHost = connections
	defer hc.CloseIdleConnections()
	m := &mirror{client: hc, user: u.User, agent: a.HTTP.UserAgent, left: maxTree, now: map[string]webFile{}}
	u.User = nil
	notes := filepath.Join(home, "files.json")
	if b, err := os.ReadFile(notes); err == nil && last != "" {
		if json.Unmarshal(b, &m.known) == nil && treeSum(m.known) == last {
			m.before = filepath.Join(home, last)
		}
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(home, ".new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if m.to, err = os.OpenRoot(tmp); err != nil {
		return "", err
	}
	defer m.to.Close()
	if err := m.fetch(u); err != nil {
		return "", fmt.Errorf("the tree of %s cannot be fetched: %w", redact(raw), err)
	}
	sum := treeSum(m.now)
	b, err := json.Marshal(m.now)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(home, sum)
	if err := settle(tmp, dir); err != nil {
		return "", err
	}
	return dir, writeFrom(notes, strings.NewReader(string(b)), 0o600)
}

// treeSum is the digest of all names and contents.
func treeSum(files map[string]webFile) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s\x00%s\n", name, files[name].Sum)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// fetch walks the folders one after the other and fetches their files beside.
func (m *mirror) fetch(base *url.URL) error {
	g, ctx := errgroup.WithContext(context.Background())
	g.SetLimit(connections)
	n := 0
	var walk func(page *url.URL, dir string, depth int) error
	walk = func(page *url.URL, dir string, depth int) error {
		if depth > maxDepth {
			return fmt.Errorf("more than %d folders in each other", maxDepth)
		}
		entries, err := m.index(ctx, page)
		if err != nil {
			return err
		}
		for name, at := range entries {
			p := path.Join(dir, strings.TrimSuffix(name, "/"))
			if strings.HasSuffix(name, "/") {
				if err := m.to.MkdirAll(p, 0o700); err != nil {
					return err
				}
				if err := walk(at, p, depth+1); err != nil {
					return err
				}
				continue
			}
			if n++; n > maxEntries {
				return fmt.Errorf("it has more than %d files", maxEntries)
			}
			g.Go(func() error { return m.file(ctx, at, p) })
		}
		return ctx.Err()
	}
	err := walk(base, "", 0)
	if e := g.Wait(); e != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = e // what the walk was ended for
	}
	return err
}

func (m *mirror) get(ctx context.Context, u *url.URL, known webFile) (*http.Response, error) {
	req, err := request(ctx, u, m.user, m.agent)
	if err != nil {
		return nil, err
	}
	switch {
	case known.ETag != "":
		req.Header.Set("If-None-Match", known.ETag)
	case known.Modified != "":
		req.Header.Set("If-Modified-Since", known.Modified)
	}
	res, err := m.client.Do(req)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return nil, fmt.Errorf("%s: %w", u.Path, err)
	}
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotModified {
		res.Body.Close()
		return nil, fmt.Errorf("%s: HTTP %d: %s", u.Path, res.StatusCode, http.StatusText(res.StatusCode))
	}
	return res, nil
}

var hrefs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')`)
})

// index is what a folder holds: names, those of folders with a slash behind,
// and their addresses.
func (m *mirror) index(ctx context.Context, page *url.URL) (map[string]*url.URL, error) {
	res, err := m.get(ctx, page, webFile{})
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxIndex))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", page.Path, err)
	}
	var links []string
	switch kind := res.Header.Get("Content-Type"); {
	case strings.Contains(kind, "html"):
		for _, h := range hrefs().FindAllStringSubmatch(string(b), -1) {
			links = append(links, html.UnescapeString(h[1]+h[2]))
		}
	case strings.Contains(kind, "json"):
		var list []struct{ Name, Type string }
		if err := json.Unmarshal(b, &list); err != nil {
			return nil, fmt.Errorf("%s is no list of files: %w", page.Path, err)
		}
		for _, e := range list {
			link := (&url.URL{Path: "./" + e.Name}).String()
			if e.Type == "directory" {
				link += "/"
			}
			links = append(links, link)
		}
	default:
		return nil, fmt.Errorf("%s is no list of files: the server must show what is in the folder, or offer it as a tar or zip file", page.Path)
	}
	return entriesOf(res.Request.URL, links), nil
}

// entriesOf are the links of a page that lead to its own folder's entries.
func entriesOf(page *url.URL, links []string) map[string]*url.URL {
	folder := page.Path[:strings.LastIndexByte(page.Path, '/')+1]
	out := map[string]*url.URL{}
	for _, link := range links {
		at, err := page.Parse(link)
		if err != nil || at.RawQuery != "" || at.Host != page.Host || at.Scheme != page.Scheme {
			continue
		}
		name, ok := strings.CutPrefix(at.Path, folder)
		bare := strings.TrimSuffix(name, "/")
		if ok && filepath.IsLocal(bare) && bare != "." && bare != ".git" && !strings.ContainsAny(bare, "/\x00") {
			at.Fragment = ""
			out[name] = at
		}
	}
	return out
}

// file fetches one file, or takes that of the last time.
func (m *mirror) file(ctx context.Context, at *url.URL, name string) error {
	known := m.known[name]
	old := filepath.Join(m.before, name)
	if _, err := os.Lstat(old); m.before == "" || err != nil {
		known = webFile{}
	}
	res, err := m.get(ctx, at, known)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotModified {
		if err := os.Link(old, filepath.Join(m.to.Name(), name)); err != nil {
			return err
		}
		m.note(name, known, 0)
		return nil
	}
	f, err := m.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	h := sha256.New()
	m.mu.Lock()
	left := m.left
	m.mu.Unlock()
	n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(res.Body, left+1))
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at.Path, err)
	}
	if m.note(name, version(res.Header, hex.EncodeToString(h.Sum(nil))), n) < 0 {
		return fmt.Errorf("it has more than %d MB", maxTree>>20)
	}
	return nil
}

// version is what a later request may ask by. A file that was written in the
// second of the answer can change again without another time, and without
// another ETag, as servers make that from the time (RFC 9110, 8.8.2.2).
func version(h http.Header, sum string) webFile {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if sent, e := http.ParseTime(h.Get("Date")); err == nil && e == nil && sent.Sub(modified) <= time.Second {
		return webFile{Sum: sum}
	}
	return webFile{h.Get("ETag"), h.Get("Last-Modified"), sum}
}

// note keeps what is known of a file; left is how many bytes may still come.
func (m *mirror) note(name string, f webFile, size int64) (left int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now[name] = f
	m.left -= size
	return m.left
}
