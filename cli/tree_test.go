package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pinch/gitfs"
)

func TestLayout(t *testing.T) {
	tests := []struct {
		files         []string
		state, pillar string
	}{
		{[]string{"pillar/top.sls", "top.sls", "web/init.sls"}, "", "pillar"},
		{[]string{"README", "pillar/top.sls", "salt/top.sls"}, "salt", "pillar"},
		{[]string{"srv/pillar/top.sls", "srv/salt/top.sls"}, "srv/salt", "srv/pillar"},
		{[]string{"states/web/init.sls"}, "states", ""},
		{[]string{"web/init.sls"}, "", ""},
		{[]string{"salt/pillar/top.sls", "salt/top.sls"}, "salt", "salt/pillar"},
		{[]string{"salt/top.sls", "top.sls"}, "", ""},
	}
	for _, c := range tests {
		l := &gitfs.Listing{Files: c.files}
		if s, p := layout(l.Files, stateRoots), layout(l.Files, pillarRoots); s != c.state || p != c.pillar {
			t.Errorf("%v: %q, %q, want %q, %q", c.files, s, p, c.state, c.pillar)
		}
	}
}

// A bench is a repository, a minion configuration and a place for a result.
type bench struct {
	t               *testing.T
	dir, repo, conf string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program")
	}
	b := &bench{t: t, dir: t.TempDir()}
	b.repo, b.conf = filepath.Join(b.dir, "repo"), filepath.Join(b.dir, "conf")
	b.write("conf/minion", "id: m\nroot_dir: "+b.dir+"/root\n")
	b.write("repo/salt/top.sls", "base:\n  '*': [web]\n")
	b.write("repo/salt/web.sls", "x:\n  file.managed:\n    - name: "+b.dir+"/out\n    - contents: {{ pillar['who'] }}\n")
	b.write("repo/pillar/top.sls", "base:\n  '*': [p]\n")
	b.write("repo/pillar/p.sls", "who: one\n")
	b.git("init", "-q", "-b", "main")
	b.commit()
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	full := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) git(args ...string) {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", b.repo, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (b *bench) commit() {
	b.t.Helper()
	b.git("add", "-A")
	b.git("commit", "-qm", "x")
}

// pinch runs the program; the result is its exit code, stdout and stderr.
func (b *bench) pinch(args ...string) (int, string, string) {
	b.t.Helper()
	var files [2]*os.File
	for i := range files {
		f, err := os.CreateTemp(b.dir, "out-")
		if err != nil {
			b.t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	p := &program{name: "pinch", stdin: strings.NewReader(""), stdout: files[0], stderr: files[1], getenv: func(string) string { return "" }}
	code := p.main(context.Background(), append(args, "-c", b.conf))
	var text [2]string
	for i, f := range files {
		raw, err := os.ReadFile(f.Name())
		if err != nil {
			b.t.Fatal(err)
		}
		text[i] = string(raw)
	}
	return code, text[0], text[1]
}

func (b *bench) want(text string) {
	b.t.Helper()
	got, _ := os.ReadFile(filepath.Join(b.dir, "out"))
	if string(got) != text {
		b.t.Errorf("the state left %q, want %q", got, text)
	}
}

func TestApplyFrom(t *testing.T) {
	b := newBench(t)
	url := "file://" + b.repo
	if code, out, err := b.pinch("apply", "--from", url); code != 0 {
		t.Fatalf("code %d\n%s%s", code, out, err)
	}
	b.want("one\n")
	b.git("tag", "v1")
	b.write("repo/pillar/p.sls", "who: two\n")
	b.commit()
	b.pinch("apply", "--from="+url, "web")
	b.want("two\n")
	b.pinch("apply", "--from", b.repo+"#v1")
	b.want("one\n")
	if code, _, err := b.pinch("apply", "--from", url+"#nosuch"); code == 0 || !strings.Contains(err, "no branch, tag or commit nosuch") {
		t.Errorf("code %d: %s", code, err)
	}
	if err := os.Rename(b.repo, b.repo+".away"); err != nil {
		t.Fatal(err)
	}
	if code, _, err := b.pinch("apply", "--from", url); code != 0 || !strings.Contains(err, "stays in use") {
		t.Errorf("code %d: %s", code, err)
	}
	b.want("two\n")
	if code, _, err := b.pinch("apply", "--offline", "--from", url+"#v1"); code != 0 || err != "" {
		t.Errorf("code %d: %s", code, err)
	}
	b.want("one\n")
}

// An archive of the same repository, by --from and as roots of a configuration.
func TestApplyArchive(t *testing.T) {
	b := newBench(t)
	server := httptest.NewServer(http.FileServer(http.Dir(b.dir)))
	defer server.Close()
	pack := func() {
		b.git("archive", "--format=tar.gz", "--prefix=states-1/", "-o", filepath.Join(b.dir, "t.tar.gz"), "HEAD")
	}
	pack()
	if code, out, errs := b.pinch("apply", "--from", server.URL+"/t.tar.gz"); code != 0 {
		t.Fatal(code, out, errs)
	}
	b.want("one\n")

	b.write("conf/minion", "id: m\nroot_dir: "+b.dir+"/root\nfile_roots: {base: ['"+server.URL+"/t.tar.gz#dir=states-1/salt']}\n"+
		"pillar_roots: {base: ['"+server.URL+"/t.tar.gz#dir=states-1/pillar']}\n")
	b.write("repo/pillar/p.sls", "who: two\n")
	b.commit()
	pack()
	if code, out, errs := b.pinch("apply"); code != 0 {
		t.Fatal(code, out, errs)
	}
	b.want("two\n")

	server.Close()
	if code, out, errs := b.pinch("apply"); code != 0 || !strings.Contains(errs, "is used") {
		t.Error(code, out, errs)
	}
	if code, _, errs := b.pinch("apply", "--from", server.URL+"/other.tar.gz"); code == 0 || !strings.Contains(errs, "cannot be fetched") {
		t.Error(code, errs)
	}
}

func TestTree(t *testing.T) {
	b := newBench(t)
	b.write("conf/minion", "id: m\nroot_dir: "+b.dir+"/root\nfileserver_backend: [gitfs]\ngit_pillar_base: main\ngitfs_base: main\ngitfs_root: salt\n"+
		"gitfs_remotes: ['file://"+b.repo+"']\next_pillar: [{git: ['main file://"+b.repo+"': [root: pillar]]}]\n")
	if code, out, _ := b.pinch("tree", "status"); code != 0 || strings.Count(out, "never fetched") != 2 {
		t.Errorf("code %d: %s", code, out)
	}
	if code, out, err := b.pinch("tree", "lock"); code != 0 || !strings.Contains(out, "2 remotes") {
		t.Errorf("code %d: %s%s", code, out, err)
	}
	b.write("repo/pillar/p.sls", "who: two\n")
	b.commit()
	if code, out, err := b.pinch("apply"); code != 0 {
		t.Errorf("code %d: %s%s", code, out, err)
	}
	b.want("one\n")
	if code, out, _ := b.pinch("tree", "status"); code != 0 || strings.Count(out, "locked by") != 2 {
		t.Errorf("code %d: %s", code, out)
	}
	if code, out, err := b.pinch("tree", "lock"); code != 0 {
		t.Errorf("code %d: %s%s", code, out, err)
	}
	b.pinch("apply")
	b.want("two\n")
	if code, _, err := b.pinch("tree", "nosuch"); code == 0 || !strings.Contains(err, "nosuch") {
		t.Errorf("code %d: %s", code, err)
	}
	if err := os.RemoveAll(b.repo); err != nil {
		t.Fatal(err)
	}
	if code, _, err := b.pinch("tree", "update"); code == 0 || !strings.Contains(err, "no git repository") {
		t.Errorf("code %d: %s", code, err)
	}
}
