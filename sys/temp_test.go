package sys

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// What a killed process left beside a file is cleared by the next write of it,
// and nothing else is.
func TestReplaceClearsLeftovers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write := func() {
		t.Helper()
		if err := WriteFile(Real{}, path, []byte("whole"), FileAttrs{}); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(path); string(b) != "whole" {
			t.Errorf("%s", b)
		}
	}
	left := func() int {
		l, err := filepath.Glob(dir + "/.*")
		if err != nil {
			t.Fatal(err)
		}
		return len(l)
	}
	for _, tt := range []struct {
		name string
		make func(name string) error
		left int
	}{
		{"of a dead process", func(name string) error { return os.WriteFile(name, []byte("half"), 0o600) }, 0},
		{"a directory", func(name string) error { return os.Mkdir(name, 0o700) }, 1},
		{"a link", func(name string) error { return os.Symlink("/dev/null", name) }, 1},
		{"a pipe", func(name string) error { return syscall.Mkfifo(name, 0o600) }, 1},
	} {
		if err := tt.make(tempName(path)); err != nil {
			t.Fatal(err)
		}
		write()
		if n := left(); n != tt.left {
			t.Errorf("%s: %d are left, want %d", tt.name, n, tt.left)
		}
		os.Remove(tempName(path))
	}
	long := filepath.Join(dir, strings.Repeat("n", 255))
	if err := WriteFile(Real{}, long, nil, FileAttrs{}); err != nil {
		t.Errorf("a name of 255 bytes: %v", err)
	}
}

// Somebody who writes the same file at the same time loses nothing.
func TestReplaceTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	err := Real{}.Replace(path, FileAttrs{}, func(w io.Writer) error {
		if err := WriteFile(Real{}, path, []byte("inner"), FileAttrs{}); err != nil {
			return err
		}
		if b, _ := os.ReadFile(path); string(b) != "inner" {
			return errors.New("the second writer wrote nothing")
		}
		_, err := io.WriteString(w, "outer")
		return err
	})
	if b, _ := os.ReadFile(path); err != nil || string(b) != "outer" {
		t.Errorf("%s %v", b, err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 200 {
				if err := WriteFile(Real{}, path, []byte(strings.Repeat(fmt.Sprint(i), 100)), FileAttrs{}); err != nil {
					t.Error(err)
				}
				b, err := os.ReadFile(path)
				if err != nil || string(b) != strings.Repeat(string(b[:1]), 100) {
					t.Errorf("%q %v", b, err)
				}
			}
		})
	}
	all.Wait()
	if l, _ := filepath.Glob(filepath.Dir(path) + "/.*"); len(l) > 0 {
		t.Errorf("left behind: %v", l)
	}
}
