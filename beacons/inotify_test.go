//go:build linux

package beacons

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

// paths are the changes of a look, with the folder of the test left out.
func paths(dir string, events []Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, strings.TrimPrefix(e.Data.Str("path"), dir)+" "+e.Data.Str("change"))
	}
	return out
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What real Salt told of the same changes (a folder, mask create modify
// delete), and what it tells of folders below, excludes and replaced files.
func TestInotify(t *testing.T) {
	dir := t.TempDir()
	do(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	conf := value.M("/conf", value.M("mask", value.L("modify")))
	conf = value.M(dir, value.M("mask", value.L("create", "modify", "delete"), "recurse", true, "auto_add", true,
		"exclude", value.L(value.M(`\.swp$`, value.M("regex", true)), dir+"/no")), "/nosuch/file", value.M("mask", value.L("modify")), "/x", conf.Map("/conf"))
	s := set(env(nil), "inotify", value.M("files", conf))
	defer s.Close()
	if got := told(s.Look(time.Now())); got != "" {
		t.Fatalf("the first look tells %s", got)
	}
	f := filepath.Join(dir, "f1")
	do(t, os.WriteFile(f, []byte("x"), 0o644))
	do(t, os.Remove(f))
	do(t, os.WriteFile(filepath.Join(dir, "a.swp"), nil, 0o644))
	do(t, os.WriteFile(filepath.Join(dir, "no1"), nil, 0o644))
	do(t, os.WriteFile(filepath.Join(dir, "sub", "g"), nil, 0o644))
	do(t, os.Mkdir(filepath.Join(dir, "new"), 0o755))
	got := s.Look(time.Now())
	want := []string{"/f1 IN_CREATE", "/f1 IN_MODIFY", "/f1 IN_DELETE", "/sub/g IN_CREATE", "/new IN_CREATE|IN_ISDIR"}
	if p := paths(dir, got); !slices.Equal(p, want) {
		t.Errorf("got %q\nwant %q", p, want)
	}
	if len(got) > 0 && got[0].Tag != "salt/beacon/dm/inotify/"+dir {
		t.Errorf("tag %s", got[0].Tag)
	}
	do(t, os.WriteFile(filepath.Join(dir, "new", "h"), nil, 0o644))
	if p := paths(dir, s.Look(time.Now())); !slices.Equal(p, []string{"/new/h IN_CREATE"}) {
		t.Errorf("below a new folder: %q", p)
	}
}

// A file that is replaced counts as modified, again and again.
func TestInotifyReplaced(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "app.conf")
	do(t, os.WriteFile(file, []byte("1"), 0o644))
	s := set(env(nil), "inotify", value.M("files", value.M(file, value.M("mask", value.L("modify")))))
	defer s.Close()
	s.Look(time.Now())
	for range 3 {
		tmp := filepath.Join(dir, "tmp")
		do(t, os.WriteFile(tmp, []byte("2"), 0o644))
		do(t, os.Rename(tmp, file))
		if p := paths(dir, s.Look(time.Now())); !slices.Equal(p, []string{"/app.conf IN_MODIFY"}) {
			t.Fatalf("got %q", p)
		}
	}
}

// A hundred thousand changes are told or the overflow is.
func TestInotifyOverflow(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	dir := t.TempDir()
	s := set(env(nil), "inotify", value.M("files", value.M(dir, value.M("mask", value.L("create", "delete")))))
	defer s.Close()
	s.Look(time.Now())
	file := filepath.Join(dir, "f")
	for range 10000 {
		do(t, os.WriteFile(file, nil, 0o644))
		do(t, os.Remove(file))
	}
	got := s.Look(time.Now())
	last := ""
	if len(got) > 0 {
		last = got[len(got)-1].Data.Str("change")
	}
	if len(got) != 20000 && last != "IN_Q_OVERFLOW" {
		t.Errorf("%d events, the last %s", len(got), last)
	}
}

func TestWatchdog(t *testing.T) {
	dir := t.TempDir()
	s := set(env(nil), "watchdog", value.M("directories", value.M(dir, value.M("mask", value.L("create", "delete", "move")))))
	defer s.Close()
	s.Look(time.Now())
	do(t, os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644))
	do(t, os.Remove(filepath.Join(dir, "a")))
	if p := paths(dir, s.Look(time.Now())); !slices.Equal(p, []string{"/a created", "/a deleted"}) {
		t.Errorf("got %q", p)
	}
}
