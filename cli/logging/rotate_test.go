package logging

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// As Python's RotatingFileHandler(maxBytes=20, backupCount=2): lines of eight
// bytes, two to a file.
func TestRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log", "minion")
	l, err := openFile(path, Rotation{20, 2})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range 7 {
		if _, err := fmt.Fprintf(l, "line %d.\n", i); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"": "line 6.\n", ".1": "line 4.\nline 5.\n", ".2": "line 2.\nline 3.\n"} {
		if b, err := os.ReadFile(path + name); err != nil || string(b) != want {
			t.Errorf("minion%s: %q %v, want %q", name, b, err, want)
		}
	}
	if _, err := os.Stat(path + ".3"); err == nil {
		t.Error("a third copy")
	}
}

// Without Backups nothing is put aside; a file that somebody else puts aside or
// removes is followed.
func TestMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "minion")
	l, err := openFile(path, Rotation{MaxBytes: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	write := func(text string) {
		t.Helper()
		if _, err := l.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("one\n")
	write("two\n")
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	write("three\n")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write("four\n")
	old, _ := os.ReadFile(path + ".old")
	now, _ := os.ReadFile(path)
	if string(old) != "one\ntwo\n" || string(now) != "four\n" {
		t.Errorf("%q %q", old, now)
	}
}

// Several writers lose nothing and put aside once.
func TestRotateTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "minion")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l, err := openFile(path, Rotation{500, 1000})
			if err != nil {
				t.Error(err)
				return
			}
			defer l.Close()
			for i := range 200 {
				if _, err := fmt.Fprintf(l, "%d %03d\n", w, i); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	files, _ := filepath.Glob(path + "*")
	lines := 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(b), "\n")
	}
	if lines != 800 {
		t.Errorf("%d lines of 800 in %d files", lines, len(files))
	}
}
