package docker

import (
	"archive/tar"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pinch/decompress"
	"pinch/modules/docker/dockertest"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func world(t *testing.T, f http.HandlerFunc) *salt.Ctx {
	return dockertest.World(t, "docker.url", dockertest.Serve(t, f), "docker.version", "1.41", "docker.update_mine", false)
}

// A shell of the container gets what only a shell understands; the words are
// those of Python's shlex.
func TestArgv(t *testing.T) {
	clear := []string{"env", "-i", searched}
	t.Setenv("KEPT", "a b")
	for _, tc := range []struct {
		a    cmdArgs
		want []string
	}{
		{cmdArgs{Cmd: `echo 'a  b' "c" d\ e`, PythonShell: true}, append(clear, "echo", "a  b", "c", "d e")},
		{cmdArgs{Cmd: `sh -c "echo out; exit 3"`, PythonShell: true}, append(clear, "sh", "-c", "echo out; exit 3")},
		{cmdArgs{Cmd: `echo '$HOME;'`, PythonShell: true}, append(clear, "echo", "$HOME;")},
		{cmdArgs{Cmd: `echo "$HOME"`, PythonShell: true}, append(clear, "sh", "-c", `echo "$HOME"`)},
		{cmdArgs{Cmd: `cat x | wc`, PythonShell: true}, append(clear, "sh", "-c", "cat x | wc")},
		{cmdArgs{Cmd: `A=1 env`, PythonShell: true}, append(clear, "sh", "-c", "A=1 env")},
		{cmdArgs{Cmd: `env --x=1`, PythonShell: true}, append(clear, "env", "--x=1")},
		{cmdArgs{Cmd: `ls *; x`, PythonShell: false}, append(clear, "ls", "*;", "x")},
		{cmdArgs{Cmd: value.L("a b", int64(1)), PythonShell: true}, append(clear, "a b", "1")},
		{cmdArgs{Cmd: "x", PythonShell: true, KeepEnv: true}, []string{"x"}},
		{cmdArgs{Cmd: "x", PythonShell: true, KeepEnv: false}, append(clear, "x")},
		{cmdArgs{Cmd: "x", PythonShell: true, KeepEnv: "KEPT,NOT_SET"}, append(clear, "KEPT=a b", "x")},
		{cmdArgs{Cmd: "x", PythonShell: true, KeepEnv: value.L("PATH")}, []string{"env", "-i", "PATH=" + os.Getenv("PATH"), "x"}},
	} {
		if got, err := tc.a.argv(); err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%v: %q %v", tc.a.Cmd, got, err)
		}
	}
	if _, err := (&cmdArgs{Cmd: "a 'b", PythonShell: false}).argv(); err == nil {
		t.Error("an open quote is taken")
	}
}

// What Docker's own command would send.
func TestBuildContext(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ctx/Dockerfile": "FROM x\n", "ctx/.dockerignore": "# no logs\n*.log\nsecret\n!secret/kept\nDockerfile\n", "ctx/a": "1", "ctx/b.log": "2", "ctx/sub/c.log": "3", "ctx/secret/key": "4", "ctx/secret/kept": "5", "other": "FROM y\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "ctx/link")); err != nil {
		t.Fatal(err)
	}
	var names []string
	query := ""
	c := world(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/build") {
			_, _ = io.WriteString(w, "[]")
			return
		}
		query, names = r.URL.Query().Get("dockerfile"), nil
		for in := tar.NewReader(r.Body); ; {
			h, err := in.Next()
			if err != nil {
				break
			}
			names = append(names, h.Name+h.Linkname)
		}
		_, _ = io.WriteString(w, `{"errorDetail": {"code": 2, "message": "stop"}, "error": "stop"}`)
	})
	for _, tc := range []struct {
		dockerfile any
		query      string
		names      []string
	}{
		{nil, "", []string{".dockerignore", "Dockerfile", "a", "link/etc/passwd", "secret/kept", "sub/", "sub/c.log"}},
		{"a", "a", []string{".dockerignore", "a", "link/etc/passwd", "secret/kept", "sub/", "sub/c.log"}},
		{filepath.Join(dir, "ctx/sub/c.log"), "sub/c.log", []string{".dockerignore", "a", "link/etc/passwd", "secret/kept", "sub/", "sub/c.log"}},
	} {
		_, err := build(c, buildArgs{Path: filepath.Join(dir, "ctx"), Repository: "x", Cache: true, Rm: true, Dockerfile: tc.dockerfile})
		if want := "Build failed for " + dir + "/ctx. Error(s) follow:\n\n2: stop"; err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
		if query != tc.query || !slices.Equal(names, tc.names) {
			t.Errorf("%v: %q %q", tc.dockerfile, query, names)
		}
	}
	_, _ = build(c, buildArgs{Path: filepath.Join(dir, "ctx"), Dockerfile: "../other"})
	if !slices.Contains(names, query) || !strings.HasSuffix(query, ".dockerfile") {
		t.Errorf("a Dockerfile from elsewhere: %q %q", query, names)
	}
	if _, err := build(c, buildArgs{Path: dir, Repository: "Bad Name"}); err == nil || err.Error() != "invalid tag 'Bad Name:latest': invalid reference format" {
		t.Error(err)
	}
}

func TestExportCompressed(t *testing.T) {
	const content = "an archive of files\n"
	c := world(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/none/") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"message": "No such container: none"}`)
			return
		}
		_, _ = io.WriteString(w, content)
	})
	dir := t.TempDir()
	for _, name := range []string{"a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2", "a.tbz2", "a.tar.xz", "a.txz"} {
		path := filepath.Join(dir, name)
		m, err := export(c, exportArgs{Name: "x", Path: path})
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := f.Stat()
		if m.At("Size") != i.Size() || m.Str("Path") != path {
			t.Errorf("%s: %v", name, value.Repr(m))
		}
		head := make([]byte, 16)
		n, _ := f.ReadAt(head, 0)
		r, err := decompress.Reader(head[:n], f)
		if err != nil {
			t.Fatal(err)
		}
		var in io.Reader = f
		if r != nil {
			in = r
		}
		if b, err := io.ReadAll(in); err != nil || string(b) != content {
			t.Errorf("%s: %q %v", name, b, err)
		}
		if (r != nil) != (name != "a.tar") {
			t.Errorf("%s: compressed %v", name, r != nil)
		}
		f.Close()
	}
	if _, err := export(c, exportArgs{Name: "none", Path: filepath.Join(dir, "b.tar")}); err == nil || sys.LExists(sys.Real{}, filepath.Join(dir, "b.tar")) {
		t.Errorf("half an archive stays: %v", err)
	}
}

// A daemon that breaks off leaves the old file.
func TestExportBroken(t *testing.T) {
	c := world(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
	})
	path := filepath.Join(t.TempDir(), "a.tar")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := export(c, exportArgs{Name: "x", Path: path, Overwrite: true})
	if b, _ := os.ReadFile(path); err == nil || !strings.HasPrefix(err.Error(), "Error occurred during container export: ") || string(b) != "old" {
		t.Errorf("%q %v", b, err)
	}
	if l, _ := os.ReadDir(filepath.Dir(path)); len(l) != 1 {
		t.Errorf("files stay: %v", l)
	}
}

// Copying out of a container never follows a link of this machine, and finds
// what a link in the container leads to.
func TestFetch(t *testing.T) {
	archive := func(w io.Writer, h tar.Header, text string) {
		out := tar.NewWriter(w)
		h.Size = int64(len(text))
		_ = out.WriteHeader(&h)
		_, _ = io.WriteString(out, text)
		_ = out.Close()
	}
	c := world(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("path") {
		case "/d/link":
			archive(w, tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "../e/file"}, "")
		case "/e/file":
			archive(w, tar.Header{Name: "../../../file", Typeflag: tar.TypeReg, Mode: 0o640}, "text")
		case "/loop":
			archive(w, tar.Header{Name: "loop", Typeflag: tar.TypeSymlink, Linkname: "/loop"}, "")
		case "/dir":
			archive(w, tar.Header{Name: "dir/", Typeflag: tar.TypeDir}, "")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	d, err := open(c)
	if err != nil {
		t.Fatal(err)
	}
	dest := filepath.Join(t.TempDir(), "got")
	if err := d.fetch("x", "/d/link", dest); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(dest); string(b) != "text" {
		t.Errorf("%q", b)
	}
	for source, want := range map[string]string{"/loop": "Source file /loop has too many links", "/dir": "Source must be a regular file", "/none": "Source file /none does not exist"} {
		if err := d.fetch("x", source, dest); err == nil || err.Error() != want {
			t.Errorf("%s: %v", source, err)
		}
	}
}
