package fileclient

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pinch/value"
)

// served is a master's answer to questions about files.
type served struct {
	files map[string]string
	names []string                                 // what _file_list tells; nil: the files
	piece func(name string, at int64) (any, error) // nil: from the files, 10 bytes each
	asked int                                      // pieces
}

func (s *served) ask(cmd string, q *value.Map) (any, error) {
	switch cmd {
	case "_file_list":
		return value.Strings(s.names), nil
	case "_symlink_list":
		return value.M("good", "x", "../bad", "y", "/abs", "z"), nil
	case "_file_hash_and_stat":
		text, ok := s.files[q.Str("path")]
		if !ok {
			return "", nil
		}
		sum := sha256.Sum256([]byte(text))
		st := value.L(int64(0o100755), int64(1), int64(1), int64(1), int64(0), int64(0), int64(len(text)), int64(0), 1.5, int64(0))
		return value.L(value.M("hsum", hex.EncodeToString(sum[:]), "hash_type", "sha256"), st), nil
	case "_serve_file":
		s.asked++
		at, _ := q.At("loc").(int64)
		if s.piece != nil {
			return s.piece(q.Str("path"), at)
		}
		text := s.files[q.Str("path")][at:]
		return value.M("data", text[:min(10, len(text))], "dest", "../../elsewhere"), nil
	}
	return new(value.List), nil
}

func remote(t *testing.T, s *served) (*Remote, string) {
	dir := t.TempDir()
	return &Remote{Ask: s.ask, CacheDir: dir}, dir
}

func read(r *Remote, name string) (string, error) {
	f, err := r.Find(name, "base")
	if err != nil || f == nil {
		return "", errors.Join(err, fs.ErrNotExist)
	}
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	return string(b), err
}

// all are the files below a folder, with their modes.
func all(t *testing.T, dir string) (out []string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if want := fs.FileMode(0o600); err == nil && (d.IsDir() && path != dir && i.Mode().Perm() != 0o700 || !d.IsDir() && i.Mode().Perm() != want) {
			t.Errorf("%s has the mode %o", path, i.Mode().Perm())
		}
		if !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRemote(t *testing.T) {
	s := &served{files: map[string]string{"web/x": strings.Repeat("0123456789", 3) + "end", "empty": ""}}
	r, dir := remote(t, s)
	for range 2 { // the second time from the cache
		if got, err := read(r, "web/x"); err != nil || got != s.files["web/x"] {
			t.Errorf("%q %v", got, err)
		}
	}
	if s.asked != 4 {
		t.Errorf("%d pieces were asked for, want 4", s.asked)
	}
	if got, err := read(r, "empty"); err != nil || got != "" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := read(r, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if got := all(t, dir); !slices.Equal(got, []string{"files/base/empty", "files/base/web/x"}) {
		t.Error(got)
	}
	s.files["web/x"] = "new" // the master's file changed
	if got, err := read(r, "web/x"); err != nil || got != "new" {
		t.Errorf("%q %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "files/base/web/x"), []byte("odd"), 0o600); err != nil { // or ours
		t.Fatal(err)
	}
	if got, err := read(r, "web/x"); err != nil || got != "new" {
		t.Errorf("%q %v", got, err)
	}
}

// No name and no link leads out of the cache.
func TestRemoteStays(t *testing.T) {
	s := &served{files: map[string]string{}, names: []string{"ok", "../up", "/abs", "a/../../b", "", ".."}}
	r, dir := remote(t, s)
	outside := t.TempDir()
	for _, name := range []string{"../up", "/abs", "a/../../b", "../../../etc/cron.d/x"} {
		s.files[name] = "evil"
		if _, err := read(r, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.files["link/x"] = "evil"
	if err := os.MkdirAll(filepath.Join(dir, "files/base"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "files/base/link")); err != nil {
		t.Fatal(err)
	}
	if got, err := read(r, "link/x"); err == nil {
		t.Errorf("through a link out of the cache: %q", got)
	}
	if e, _ := os.ReadDir(outside); len(e) > 0 {
		t.Error("something was written outside of the cache")
	}
	l, err := r.List("base")
	if err != nil || !slices.Equal(l.Files, []string{"ok"}) || len(l.Links) != 1 {
		t.Errorf("%+v %v", l, err)
	}
	if f, err := r.Find("ok", "../env"); f != nil || err != nil {
		t.Error(f, err)
	}
}

// What goes wrong on the way leaves nothing behind that looks like the file.
func TestRemoteFails(t *testing.T) {
	text := strings.Repeat("0123456789", 5)
	cut := errors.New("the master closed the connection")
	for name, piece := range map[string]func(string, int64) (any, error){
		"cut in mid-file": func(_ string, at int64) (any, error) {
			if at >= 20 {
				return nil, cut
			}
			return value.M("data", text[at:at+10]), nil
		},
		"ends early": func(_ string, at int64) (any, error) {
			return value.M("data", text[at:min(at+10, 30)]), nil
		},
		"goes on and on": func(string, int64) (any, error) { return value.M("data", "abcdefghij"), nil },
		"other content":  func(_ string, at int64) (any, error) { return value.M("data", strings.ToUpper("abcdefghij")), nil },
		"no map":         func(string, int64) (any, error) { return int64(3), nil },
	} {
		s := &served{files: map[string]string{"x": text}, piece: piece}
		r, dir := remote(t, s)
		if got, err := read(r, "x"); err == nil {
			t.Errorf("%s: %q", name, got)
		}
		if got := all(t, dir); len(got) > 0 {
			t.Errorf("%s: left behind: %v", name, got)
		}
		s.piece = nil
		if got, err := read(r, "x"); err != nil || got != text {
			t.Errorf("after %s: %q %v", name, got, err)
		}
	}
}

// A disk without room for the file: an error, and the old copy stays.
func TestRemoteFull(t *testing.T) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Skip(err)
	}
	s := &served{files: map[string]string{"x": "old"}}
	r, dir := remote(t, s)
	if _, err := read(r, "x"); err != nil {
		t.Fatal(err)
	}
	s.files["x"] = strings.Repeat("0123456789", 200_000)
	// The limit holds for the whole process: the log of the test program itself is far below it.
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: old.Max}); err != nil {
		t.Skip(err)
	}
	_, err := read(r, "x")
	if e := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); e != nil {
		t.Fatal(e)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Error(err)
	}
	if got := all(t, dir); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "files/base/x")); string(b) != "old" {
		t.Errorf("the old copy is %.20q", b)
	}
	if got, err := read(r, "x"); err != nil || got != s.files["x"] {
		t.Errorf("%.20q %v", got, err)
	}
}
