package gitfs

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pinch/render/yaml"
	"pinch/value"
)

// A work is a repository that a test changes with the git program.
type work struct {
	t   testing.TB
	dir string
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program")
	}
}

// newWork makes a repository with one commit on master.
func newWork(t testing.TB) *work {
	t.Helper()
	needGit(t)
	w := &work{t, filepath.Join(t.TempDir(), "repo")}
	if err := os.Mkdir(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, w.dir, "init", "-q", "-b", "master")
	w.commit("web/init.sls", "one\n")
	return w
}

// commit writes a file and commits it; the result is the commit.
func (w *work) commit(name, text string, flags ...string) string {
	w.t.Helper()
	full := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	git(w.t, w.dir, "add", "-A")
	git(w.t, w.dir, append([]string{"commit", "-qm", "change"}, flags...)...)
	return git(w.t, w.dir, "rev-parse", "HEAD")
}

func (w *work) url() string { return "file://" + w.dir }

// serve offers the folder of the repository through git http-backend.
func (w *work) serve(wrap func(http.Handler) http.Handler) string {
	w.t.Helper()
	base, _ := w.backend(wrap)
	return base + "repo"
}

// backend is what the addresses of the folder's repositories begin with, and
// what stops the server.
func (w *work) backend(wrap func(http.Handler) http.Handler) (base string, stop func()) {
	w.t.Helper()
	core := git(w.t, w.dir, "--exec-path")
	var h http.Handler = &cgi.Handler{
		Path: filepath.Join(core, "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + filepath.Dir(w.dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null", "REMOTE_USER="},
	}
	if wrap != nil {
		h = wrap(h)
	}
	s := httptest.NewServer(h)
	w.t.Cleanup(s.Close)
	return s.URL + "/", s.Close
}

// A setup is a cache and the options of the runs that use it.
type setup struct {
	t    testing.TB
	o    Options
	opts *value.Map
	log  bytes.Buffer
}

// newSetup reads options as a minion file has them.
func newSetup(t testing.TB, conf string) *setup {
	t.Helper()
	v, err := yaml.Load("minion", conf)
	if err != nil {
		t.Fatal(err)
	}
	s := &setup{t: t, opts: v.(*value.Map)}
	if !s.opts.Has("gitfs_base") {
		s.opts.Set("gitfs_base", "master")
	}
	s.o = Options{Dir: filepath.Join(t.TempDir(), "gitfs"), Home: t.TempDir()}
	return s
}

func remote(url string) string { return "gitfs_remotes: ['" + url + "']\n" }

// run starts a new run.
func (s *setup) run() *FS {
	s.t.Helper()
	remotes, err := Parse("gitfs", s.opts, s.opts.List("gitfs_remotes"), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	o := s.o
	o.Remotes = remotes
	s.log.Reset()
	o.Log = slog.New(slog.NewTextHandler(&s.log, nil))
	f := New(o)
	s.t.Cleanup(f.Close)
	return f
}

// read is what a new run reads at a path, "" when it is not there.
func (s *setup) read(name, env string) string {
	s.t.Helper()
	return read(s.t, s.run(), name, env)
}

func read(t testing.TB, fs *FS, name, env string) string {
	t.Helper()
	f, err := fs.Find(context.Background(), name, env)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		return ""
	}
	rd, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(rd); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (s *setup) want(name, env, text string) {
	s.t.Helper()
	if got := s.read(name, env); got != text {
		s.t.Errorf("%s in %s is %q, want %q\n%s", name, env, got, text, s.log.String())
	}
}

func (s *setup) wantLog(parts ...string) {
	s.t.Helper()
	for _, p := range parts {
		if !strings.Contains(s.log.String(), p) {
			s.t.Errorf("the log lacks %q:\n%s", p, s.log.String())
		}
	}
}
