package gitfs

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

func TestHistoryIsFetchedForACommit(t *testing.T) {
	for _, kind := range []string{"file", "http"} {
		t.Run(kind, func(t *testing.T) {
			w := newWork(t)
			old := w.commit("web/init.sls", "old\n")
			for range 3 {
				w.commit("web/init.sls", "new\n", "--allow-empty")
			}
			url := w.url()
			if kind == "http" {
				url = w.serve(nil)
			}
			s := newSetup(t, remote(url))
			s.want("web/init.sls", "base", "new\n")
			s.want("web/init.sls", old[:9], "old\n")
			s.want("web/init.sls", old, "old\n")
			s.want("web/init.sls", "abcdef0123", "")
			s = newSetup(t, "gitfs_base: '"+old+"'\n"+remote(url))
			s.want("web/init.sls", "base", "old\n")
		})
	}
}

func TestRemoteAway(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, remote(w.url()))
	s.want("web/init.sls", "base", "one\n")
	if err := os.Rename(w.dir, w.dir+".away"); err != nil {
		t.Fatal(err)
	}
	s.want("web/init.sls", "base", "one\n")
	s.wantLog("level=WARN", "is no git repository", "stays in use")
	s.o.Offline = true
	s.want("web/init.sls", "base", "one\n")
	if s.log.Len() > 0 {
		t.Errorf("offline is no fault: %s", s.log.String())
	}
	s.o.Dir = t.TempDir()
	s.want("web/init.sls", "base", "")
	s.wantLog("level=ERROR", "the run is offline")
}

func TestOneBadRemote(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, "gitfs_remotes: ['file:///nonexistent/nosuch', '"+w.url()+"']")
	s.want("web/init.sls", "base", "one\n")
	s.wantLog("level=ERROR", "nosuch")
}

func TestInterval(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, "gitfs_remotes:\n- '"+w.url()+"':\n  - update_interval: 60\n")
	now := time.Now()
	s.o.Now = func() time.Time { return now }
	s.want("web/init.sls", "base", "one\n")
	w.commit("web/init.sls", "two\n")
	now = now.Add(50 * time.Second)
	s.want("web/init.sls", "base", "one\n")
	now = now.Add(11 * time.Second)
	s.want("web/init.sls", "base", "two\n")
	w.commit("web/init.sls", "three\n")
	f := s.run()
	if errs := f.Update(context.Background()); len(errs) > 0 {
		t.Fatal(errs)
	}
	s.want("web/init.sls", "base", "three\n")
}

// repoDir is the folder of the only clone.
func (s *setup) repoDir() string {
	s.t.Helper()
	m, _ := filepath.Glob(filepath.Join(s.o.Dir, "*", "git*"))
	if len(m) != 1 {
		s.t.Fatalf("repositories: %v", m)
	}
	return m[0]
}

func TestDamage(t *testing.T) {
	damages := map[string]func(dir string) error{
		"empty HEAD":   func(dir string) error { return os.Truncate(filepath.Join(dir, "HEAD"), 0) },
		"no objects":   func(dir string) error { return os.RemoveAll(filepath.Join(dir, "objects")) },
		"no refs":      func(dir string) error { return os.Remove(filepath.Join(dir, "packed-refs")) },
		"refs cut":     func(dir string) error { return os.Truncate(filepath.Join(dir, "packed-refs"), 30) },
		"pack cut":     func(dir string) error { return each(dir, "objects/pack/*.pack", cut) },
		"index cut":    func(dir string) error { return each(dir, "objects/pack/*.idx", cut) },
		"pack zeroed":  func(dir string) error { return each(dir, "objects/pack/*.pack", zero) },
		"no pack":      func(dir string) error { return each(dir, "objects/pack/*.pack", os.Remove) },
		"no index":     func(dir string) error { return each(dir, "objects/pack/*.idx", os.Remove) },
		"state broken": func(dir string) error { return os.WriteFile(filepath.Join(dir, "../state.json"), []byte("{"), 0o600) },
		"everything":   os.RemoveAll,
	}
	for name, f := range damages {
		t.Run(name, func(t *testing.T) {
			w := newWork(t)
			s := newSetup(t, remote(w.url()))
			s.want("web/init.sls", "base", "one\n")
			if err := f(s.repoDir()); err != nil {
				t.Fatal(err)
			}
			s.want("web/init.sls", "base", "one\n")
			w.commit("web/init.sls", "two\n")
			s.want("web/init.sls", "base", "two\n")
		})
	}
}

// A file that was found before the damage is read from the new clone; one of a
// closed FS is an error.
func TestOpenHealsAndCloses(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, remote(w.url()))
	fs := s.run()
	f, err := fs.Find(context.Background(), "web/init.sls", "base")
	if err != nil || f == nil {
		t.Fatal(err)
	}
	if err := each(s.repoDir(), "objects/pack/*.pack", zero); err != nil {
		t.Fatal(err)
	}
	rd, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(rd)
	if string(b) != "one\n" || err != nil {
		t.Errorf("%q %v", b, err)
	}
	s.wantLog("is damaged and is made anew")
	fs.Close()
	if _, err := f.Open(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("of a closed FS: %v", err)
	}
}

func each(dir, pattern string, f func(string) error) error {
	m, err := filepath.Glob(filepath.Join(dir, pattern))
	for _, name := range m {
		if err := f(name); err != nil {
			return err
		}
	}
	return err
}

func cut(name string) error {
	os.Chmod(name, 0o600)
	i, err := os.Stat(name)
	if err != nil {
		return err
	}
	return os.Truncate(name, i.Size()/2)
}

func zero(name string) error {
	os.Chmod(name, 0o600)
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	clear(b[12:])
	return os.WriteFile(name, b, 0o600)
}

// A killed fetch leaves a half pack, or an index whose pack has no name yet.
func TestKilledFetch(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, remote(w.url()))
	s.want("web/init.sls", "base", "one\n")
	dir := filepath.Join(s.repoDir(), "objects", "pack")
	for _, name := range []string{"tmp_pack_123", "pack-" + strings.Repeat("0", 40) + ".idx"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.commit("web/init.sls", "two\n")
	s.want("web/init.sls", "base", "two\n")
	left, _ := os.ReadDir(dir)
	if len(left) != 4 { // two packs and their indexes
		t.Errorf("%v are left", left)
	}
}

func TestManyPacksAreGathered(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, remote(w.url()))
	s.want("web/init.sls", "base", "one\n")
	dir := filepath.Join(s.repoDir(), "objects", "pack")
	for i := range maxPacks {
		name := filepath.Join(dir, "pack-"+strings.Repeat("0", 38)+string([]byte{'0' + byte(i/10), '0' + byte(i%10)}))
		for _, ext := range []string{".idx", ".pack"} {
			if err := os.WriteFile(name+ext, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.want("web/init.sls", "base", "one\n")
	if m, _ := filepath.Glob(filepath.Join(s.repoDir(), "objects/pack/*.pack")); len(m) != 1 {
		t.Errorf("%d packs are left", len(m))
	}
}

func TestHTTPAuth(t *testing.T) {
	w := newWork(t)
	url := w.serve(func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) {
			if u, p, _ := q.BasicAuth(); u != "joe" || p != "secret" {
				rw.Header().Set("WWW-Authenticate", `Basic realm="git"`)
				http.Error(rw, "who are you", http.StatusUnauthorized)
				return
			}
			h.ServeHTTP(rw, q)
		})
	})
	login := "\n  - user: joe\n  - password: secret"
	tests := []struct{ name, url, conf, text, log string }{
		{"none", url, "\n  - base: master", "", "wants a user and password"},
		{"wrong", url, "\n  - user: joe\n  - password: no\n  - insecure_auth: true", "", "wants a user and password"},
		{"plain http", url, login, "", "insecure_auth"},
		{"right", url, login + "\n  - insecure_auth: true", "one\n", ""},
		{"in the url", strings.Replace(url, "//", "//joe:secret@", 1), "\n  - base: master", "one\n", ""},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := newSetup(t, "gitfs_remotes:\n- '"+c.url+"':"+c.conf+"\n")
			s.want("web/init.sls", "base", c.text)
			s.wantLog(c.log)
			if strings.Contains(s.log.String(), "secret") {
				t.Errorf("the password is in the log: %s", s.log.String())
			}
		})
	}
	s := newSetup(t, remote(url))
	if err := os.WriteFile(filepath.Join(s.o.Home, ".netrc"), []byte("machine 127.0.0.1 login joe password secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.want("web/init.sls", "base", "one\n")
}

func TestBadServers(t *testing.T) {
	w := newWork(t)
	hang := make(chan struct{})
	serve := func(h http.HandlerFunc) string {
		srv := httptest.NewServer(h)
		t.Cleanup(srv.CloseClientConnections)
		return srv.URL + "/repo"
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	real := w.serve(nil)
	urls := map[string][2]string{
		"hangs":   {serve(func(http.ResponseWriter, *http.Request) { <-hang }), "no answer for 1s"},
		"404":     {serve(http.NotFound), "no such repository"},
		"500":     {serve(func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "oops", 500) }), "500"},
		"html":    {serve(func(rw http.ResponseWriter, _ *http.Request) { rw.Write([]byte("<html>hello</html>")) }), "not that of a git server"},
		"refuses": {"http://" + closed.Addr().String() + "/repo", "refused"},
		"hangs late": {w.serve(func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) {
				if q.Method == http.MethodPost {
					rw.WriteHeader(200)
					rw.(http.Flusher).Flush()
					<-hang
				}
				h.ServeHTTP(rw, q)
			})
		}), "no answer for 10s"},
		"dies late": {w.serve(func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) {
				if q.Method == http.MethodPost {
					rw.Write([]byte("0008NAK\n0040\x01PACK\x00\x00\x00\x02"))
					return
				}
				h.ServeHTTP(rw, q)
			})
		}), "could not be fetched"},
	}
	t.Cleanup(func() { close(hang) }) // before the servers are closed
	for name, u := range urls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetup(t, "gitfs_remotes:\n- '"+real+"':\n  - name: x\n  - timeout: 1\n")
			s.want("web/init.sls", "base", "one\n")
			s2 := newSetup(t, "gitfs_remotes:\n- '"+u[0]+"':\n  - name: x\n  - timeout: 1\n")
			s2.o.Dir = s.o.Dir
			s2.want("web/init.sls", "base", "one\n")
			s2.wantLog("level=WARN", u[1], "stays in use")
			s.want("web/init.sls", "base", "one\n")
		})
	}
}

func TestRedirect(t *testing.T) {
	w := newWork(t)
	real := w.serve(nil)
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, q *http.Request) {
		http.Redirect(rw, q, strings.TrimSuffix(real, "/repo")+q.URL.RequestURI(), http.StatusMovedPermanently)
	}))
	t.Cleanup(srv.Close)
	s := newSetup(t, remote(srv.URL+"/repo"))
	s.want("web/init.sls", "base", "one\n")
}

// The library that Salt would use makes no difference, nor does the reach of
// its locks: one clone has one lock, which dies with its holder.
func TestProviderAndGlobalLock(t *testing.T) {
	w := newWork(t)
	for _, conf := range []string{"gitfs_provider: GitPython\n", "gitfs_provider: pygit2\n", "gitfs_provider: gitcli\n", "gitfs_global_lock: False\n", "gitfs_global_lock: True\n"} {
		newSetup(t, conf+remote(w.url())).want("web/init.sls", "base", "one\n")
	}
}

func TestLock(t *testing.T) {
	w := newWork(t)
	s := newSetup(t, remote(w.url()))
	done := make(chan string)
	for range 4 {
		fs := s.run()
		go func() {
			f, err := fs.Find(context.Background(), "web/init.sls", "base")
			if err != nil || f == nil {
				done <- "not found"
				return
			}
			done <- ""
		}()
	}
	for range 4 {
		if e := <-done; e != "" {
			t.Error(e)
		}
	}
	s.repoDir()
}

func TestConfigMistakes(t *testing.T) {
	tests := []struct{ conf, want string }{
		{"gitfs_remotes:\n- 'https://x/y':\n", "there may be a trailing colon"},
		{"gitfs_remotes:\n- 'https://x/y':\n  - bsae: x\n", "Invalid gitfs configuration parameter 'bsae' in remote 'https://x/y'"},
		{"gitfs_provider: Dulwich\n" + remote("https://x/y"), "Invalid gitfs_provider 'dulwich'. Valid choices are: pygit2, gitpython, gitcli"},
		{"gitfs_remotes: [1]", "Remotes must be strings"},
		{"gitfs_remotes:\n- 'https://x/y':\n  - ref_types: [branch, sah]\n", "invalid: sah"},
		{"gitfs_remotes:\n- 'https://x/y':\n  - name: a\n- 'https://x/z':\n  - name: a\n", "conflicting cachedirs"},
		{"gitfs_remotes:\n- 'https://x/y':\n  - depth: few\n", "not a number"},
		{"gitfs_remotes:\n- 'https://x/y':\n  - verify: {require: tag}\n", "allowed_signers or gpg_keyring"},
	}
	pillar := value.L(value.M("master https://x/y", value.M("base", "foo")))
	if _, err := Parse("git_pillar", new(value.Map), pillar, nil); err == nil || !strings.Contains(err.Error(), "base can only be specified if __env__") {
		t.Errorf("base of a branch: %v", err)
	}
	for _, c := range tests {
		s := newSetup(t, c.conf)
		_, err := Parse("gitfs", s.opts, s.opts.List("gitfs_remotes"), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.conf, err, c.want)
		}
	}
}
