package sys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"", "a\n", strings.Repeat("0123456789", 10_000)} {
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := Real{}.ReadFile(path)
		if err != nil || string(b) != text || b == nil {
			t.Errorf("%d bytes: %d read (%v)", len(text), len(b), err)
		}
	}
	if b, err := (Real{}).ReadFile("/proc/self/stat"); err == nil && len(b) == 0 {
		t.Error("a file of /proc is read as empty")
	}
	var at *fs.PathError
	if _, err := (Real{}).Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &at) || at.Op != "open" {
		t.Errorf("no file: %v", err)
	}
	if _, err := (Real{}).ReadFile(dir); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder: %v", err)
	}
}
