package fileclient

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// entry is one entry of an archive; to makes it a link.
type entry struct{ name, text, to string }

func tarOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o755, Size: int64(len(e.text)), Typeflag: tar.TypeReg}
		if e.to != "" {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, e.to, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packed(t *testing.T, data []byte, with func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := with(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A site serves one body under every name, and counts what it sends.
type site struct {
	body  []byte
	sent  int
	asked int
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked++
	sum := sha256.Sum256(s.body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.sent++
	_, _ = w.Write(s.body)
}

func TestArchives(t *testing.T) {
	tree := tarOf(t, entry{name: "states-1/top.sls", text: "base: {}\n"}, entry{name: "states-1/web/run.sh", text: "#!/bin/sh\n"}, entry{name: "states-1/same.sls", to: "top.sls"})
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"states-1/top.sls", "states-1/web/run.sh", "states-1/same.sls"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, "base: {}\n")
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for format, body := range map[string][]byte{
		"tar":  tree,
		"gzip": packed(t, tree, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
		"xz":   packed(t, tree, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
		"zstd": packed(t, tree, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
		"zip":  zipped.Bytes(),
	} {
		t.Run(format, func(t *testing.T) {
			s := &site{body: body}
			server := httptest.NewServer(s)
			defer server.Close()
			r := &Roots{Dirs: map[string][]string{"base": {server.URL + "/states"}}, Archives: &Archives{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}}
			l, err := r.List("base")
			if err != nil || strings.Join(l.Files, " ") != "same.sls top.sls web/run.sh" {
				t.Fatalf("%+v %v", l, err)
			}
			f, err := r.Find("same.sls", "base")
			if err != nil || f == nil {
				t.Fatal(f, err)
			}
			if b, err := f.Read(); err != nil || string(b) != "base: {}\n" {
				t.Errorf("%q %v", b, err)
			}
			if s.asked != 1 {
				t.Errorf("the server was asked %d times", s.asked)
			}
			if i, err := os.Stat(f.Local); err != nil || i.Mode().Perm()&0o022 != 0 {
				t.Error(i, err)
			}
		})
	}
}

// What changes is fetched once; what is away is served from the last copy; a
// digest binds.
func TestArchivesAreKept(t *testing.T) {
	s := &site{body: tarOf(t, entry{name: "a.sls", text: "one"})}
	server := httptest.NewServer(s)
	dir := t.TempDir()
	var log strings.Builder
	read := func(suffix string, offline bool) (string, error) {
		a := &Archives{Dir: dir, Offline: offline, Log: slog.New(slog.NewTextHandler(&log, nil))} // as in another run
		root, err := a.Root(server.URL + "/t.tar" + suffix)
		if err != nil {
			return "", err
		}
		b, err := os.ReadFile(filepath.Join(root, "a.sls"))
		return string(b), err
	}
	want := func(text string, sent int) {
		t.Helper()
		if got, err := read("", false); err != nil || got != text || s.sent != sent {
			t.Errorf("%q %v, sent %d times; want %q, %d times", got, err, s.sent, text, sent)
		}
	}
	want("one", 1)
	want("one", 1)
	first := sha256.Sum256(s.body)
	s.body = tarOf(t, entry{name: "a.sls", text: "two"})
	want("two", 2)
	asked := s.asked
	if got, err := read("#sha256="+hex.EncodeToString(first[:]), false); err != nil || got != "one" || s.asked != asked {
		t.Errorf("pinned: %q %v", got, err)
	}
	if got, err := read("", true); err != nil || got != "two" || s.asked != asked {
		t.Errorf("offline: %q %v", got, err)
	}
	if _, err := read("#sha256="+strings.Repeat("0", 64), false); err == nil || !strings.Contains(err.Error(), "has the sha256") {
		t.Errorf("wrong digest: %v", err)
	}
	for suffix, text := range map[string]string{"#dir=../..": "leads out", "#ref=main": "no option ref", "#%zz": "not of the form"} {
		if _, err := read(suffix, false); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", suffix, err)
		}
	}
	s.body = []byte("<html>")
	want("two", 3) // what cannot be unpacked is not used
	server.Close()
	want("two", 3)
	if !strings.Contains(log.String(), "is used") {
		t.Errorf("no warning: %s", log.String())
	}
	if _, err := (&Archives{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}).Root(server.URL + "/t.tar"); err == nil || !strings.Contains(err.Error(), "cannot be fetched") {
		t.Errorf("nothing there: %v", err)
	}
}

// Nothing of an archive lands outside its folder.
func TestArchivesStayInside(t *testing.T) {
	for name, entries := range map[string][]entry{
		"path":          {{name: "../out", text: "x"}},
		"absolute":      {{name: "/tmp/pinch-out", text: "x"}},
		"link":          {{name: "l", to: "../../out"}},
		"absolute link": {{name: "l", to: "/etc"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "t.tar")
			if err := os.WriteFile(file, tarOf(t, entries...), 0o600); err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(dir, "in", "to")
			if err := os.MkdirAll(to, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := unpack(file, to); err == nil || !strings.Contains(err.Error(), "leads out of it") {
				t.Error(err)
			}
			if out, _ := filepath.Glob(filepath.Join(dir, "*", "out")); out != nil {
				t.Error(out)
			}
		})
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Add(bytes.Repeat([]byte{0}, 1024))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "t")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, "in")
		if err := os.Mkdir(to, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = unpack(file, to)
		if entries, _ := os.ReadDir(dir); len(entries) != 2 {
			t.Errorf("%v", entries)
		}
	})
}
