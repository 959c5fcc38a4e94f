package sys

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWithUmask(t *testing.T) {
	dir := t.TempDir()
	inside, outside := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	before := umask()
	if err := WithUmask(0o027, func() {
		if got := umask(); got != 0o027 {
			t.Errorf("umask inside %o", got)
		}
		// A goroutine may run on another thread, which keeps the old one.
		done := make(chan error)
		go func() { done <- os.WriteFile(outside, nil, 0o666) }()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(inside, nil, 0o666); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Skip("no unshare here: ", err)
	}
	for path, want := range map[string]os.FileMode{inside: 0o640, outside: 0o666 &^ before} {
		if i, err := os.Stat(path); err != nil || i.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, i.Mode(), err, want)
		}
	}
	if umask() != before {
		t.Error("umask stays changed")
	}
}
