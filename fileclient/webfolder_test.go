package fileclient

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What nginx (fancy or not), Apache, Caddy and Python's http.server show of
// the same folder: in.sls, "a b&c.sls", web/.
var indexPages = map[string][2]string{
	"nginx": {"text/html", `<html>
<head><title>Index of /t/</title></head>
<body>
<h1>Index of /t/</h1><hr><pre><a href="../">../</a>
<a href="web/">web/</a>                                               30-Nov-2026 15:00                   -
<a href="a%20b%26c.sls">a b&amp;c.sls</a>                                          30-Nov-2026 15:00                   4
<a href="in.sls">in.sls</a>                                             30-Nov-2026 15:00                   4
</pre><hr></body>
</html>`},
	"nginx json": {"application/json", `[
{ "name":"web", "type":"directory", "mtime":"Mon, 30 Nov 2026 15:00:00 GMT" },
{ "name":"a b&c.sls", "type":"file", "mtime":"Mon, 30 Nov 2026 15:00:00 GMT", "size":4 },
{ "name":"in.sls", "type":"file", "mtime":"Mon, 30 Nov 2026 15:00:00 GMT", "size":4 }
]`},
	"apache": {"text/html;charset=UTF-8", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html><body><h1>Index of /t</h1>
  <table>
   <tr><th valign="top"><img src="/icons/blank.gif" alt="[ICO]"></th><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr>
<tr><td valign="top"><img src="/icons/back.gif" alt="[PARENTDIR]"></td><td><a href="/">Parent Directory</a></td></tr>
<tr><td valign="top"><img src="/icons/unknown.gif" alt="[   ]"></td><td><a href="a%20b&amp;c.sls">a b&amp;c.sls</a></td></tr>
<tr><td valign="top"><img src="/icons/unknown.gif" alt="[   ]"></td><td><a href="in.sls">in.sls</a></td></tr>
<tr><td valign="top"><img src="/icons/folder.gif" alt="[DIR]"></td><td><a href="web/">web/</a></td></tr>
</table></body></html>`},
	"caddy": {"text/html; charset=utf-8", `<a href="../">Up</a> <a href="./web/"><svg></svg><span class="name">web</span></a>
<a class="file" href="./a%20b&amp;c.sls">a b&amp;c.sls</a> <a href='./in.sls'>in.sls</a> <a href="https://caddyserver.com">Caddy</a>`},
	"python": {"text/html; charset=utf-8", `<!DOCTYPE HTML>
<ul>
<li><a href="a%20b%26c.sls">a b&amp;c.sls</a></li>
<li><a href="in.sls">in.sls</a></li>
<li><a href="web/">web/</a></li>
<li><a href=".git/">.git/</a></li>
</ul>`},
	"hostile": {"text/html", `<a href="a%20b&amp;c.sls">x</a><a href="/t/in.sls#top">x</a><a href="web/">x</a>
<a href="..%2f..%2fout">x</a><a href="%2e%2e/%2e%2e/out">x</a><a href="/etc/passwd">x</a><a href="//elsewhere/t/x">x</a><a href="web/deep.sls">x</a>
<a href="./">x</a><a href="">x</a><a href="%00">x</a><a href="ftp:x">x</a><a href="https://127.0.0.1/t/y">x</a>`},
}

func TestIndexPages(t *testing.T) {
	for kind, page := range indexPages {
		t.Run(kind, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", page[0])
				fmt.Fprint(w, page[1])
			}))
			defer server.Close()
			u, _ := url.Parse(server.URL + "/t/")
			got, err := (&mirror{client: http.DefaultClient}).index(t.Context(), u)
			if err != nil {
				t.Fatal(err)
			}
			paths := map[string]string{}
			for name, at := range got {
				paths[name] = at.Path
			}
			if d := cmp.Diff(map[string]string{"in.sls": "/t/in.sls", "a b&c.sls": "/t/a b&c.sls", "web/": "/t/web/"}, paths); d != "" {
				t.Error(d)
			}
		})
	}
}

// A folder is fetched whole, then only what changed; while the server is away,
// or tells half of it, the last copy serves.
func TestFolderOnTheWeb(t *testing.T) {
	src := t.TempDir()
	at := time.Now().Add(-time.Hour)
	write := func(name, text string) {
		t.Helper()
		p := filepath.Join(src, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Minute)
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write("top.sls", "one")
	write("web/files/a b.conf", "x")
	var sent, failing atomic.Int32
	other := make(chan struct{})
	files := http.FileServer(http.Dir(src))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".conf") && failing.Load() > 0 {
			select { // the other file has been sent by then
			case <-other:
			case <-r.Context().Done():
			}
			http.Error(w, "oops", http.StatusInternalServerError)
			return
		}
		if user, password, _ := r.BasicAuth(); user != "joe" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		rec := httptest.NewRecorder()
		files.ServeHTTP(rec, r)
		if rec.Code == http.StatusOK && !strings.HasSuffix(r.URL.Path, "/") {
			sent.Add(1)
			if failing.Load() > 0 {
				close(other)
			}
		}
		for k, v := range rec.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	}))
	address := strings.Replace(server.URL, "//", "//joe:secret@", 1) + "/"
	dir := t.TempDir()
	var log strings.Builder
	want := func(top string, files int32, names ...string) {
		t.Helper()
		log.Reset()
		before := sent.Load()
		a := &Archives{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))} // as in another run
		r := &Roots{Dirs: map[string][]string{"base": {address}}, Archives: a}
		l, err := r.List("base")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(names, l.Files); d != "" {
			t.Error(d)
		}
		f, err := r.Find("top.sls", "base")
		if err != nil || f == nil {
			t.Fatal(f, err)
		}
		if b, err := f.Read(); err != nil || string(b) != top {
			t.Errorf("%q %v, want %q", b, err, top)
		}
		if n := sent.Load() - before; n != files {
			t.Errorf("%d files were sent, want %d", n, files)
		}
	}
	want("one", 2, "top.sls", "web/files/a b.conf")
	want("one", 0, "top.sls", "web/files/a b.conf")
	write("top.sls", "three")
	write("new/init.sls", "n")
	want("three", 2, "new/init.sls", "top.sls", "web/files/a b.conf")
	if err := os.RemoveAll(filepath.Join(src, "new")); err != nil {
		t.Fatal(err)
	}
	want("three", 0, "top.sls", "web/files/a b.conf")
	failing.Store(1)
	write("top.sls", "four")
	want("three", 1, "top.sls", "web/files/a b.conf") // half of it was fetched, nothing of that is used
	if !strings.Contains(log.String(), "is used") || strings.Contains(log.String(), "secret") {
		t.Error(log.String())
	}
	failing.Store(0)
	want("four", 1, "top.sls", "web/files/a b.conf")
	at = time.Now()
	write("top.sls", "five") // the same second may bring another one
	want("five", 1, "top.sls", "web/files/a b.conf")
	want("five", 1, "top.sls", "web/files/a b.conf")
	server.Close()
	want("five", 0, "top.sls", "web/files/a b.conf")
	if !strings.Contains(log.String(), "is used") {
		t.Errorf("no warning: %s", log.String())
	}
}

func TestFolderOnTheWebMistakes(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/text/":
			w.Header().Set("Content-Type", "text/plain")
		case "/ring/":
			w.Header().Set("Content-Type", "text/html")
		default:
			if !strings.HasPrefix(r.URL.Path, "/ring/") {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
		}
		fmt.Fprint(w, `<a href="more/">more</a>`)
	}))
	defer server.Close()
	for path, text := range map[string]string{
		"/gone/": "HTTP 404",
		"/text/": "no list of files",
		"/ring/": "folders in each other",
		"/ring/#sha256=" + strings.Repeat("0", 64): "only an archive has a sha256",
	} {
		_, err := (&Archives{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}).Root(server.URL + path)
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q", path, err, text)
		}
	}
}
