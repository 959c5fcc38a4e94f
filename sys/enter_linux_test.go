package sys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program of another user starts in a folder that is open to that user,
// though the way to it is not (as Python's subprocess goes there before it
// changes the user); a folder that is closed itself is an error.
func TestRunAsInFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	way := t.TempDir()
	open, closed := filepath.Join(way, "way", "open"), filepath.Join(way, "way", "closed")
	for _, dir := range []string{open, closed} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(open, 0o711); err != nil {
		t.Fatal(err)
	}
	nobody := &Identity{UID: 65534, GID: 65534}
	r, err := Real{}.Run(t.Context(), Cmd{Argv: []string{"pwd"}, Dir: open, As: nobody})
	if got := strings.TrimSpace(string(r.Stdout)); err != nil || r.Code != 0 || got != open {
		t.Errorf("%q %d %v %s", got, r.Code, err, r.Stderr)
	}
	if r, err := (Real{}).Run(t.Context(), Cmd{Argv: []string{"pwd"}, Dir: closed, As: nobody}); err == nil {
		t.Errorf("a closed folder: %q %d", r.Stdout, r.Code)
	}
	if r, err := (Real{}).Run(t.Context(), Cmd{Argv: []string{"sh", "-c", "ls -l /proc/self/fd | grep -c open"}, Dir: open, As: nobody}); err != nil || strings.TrimSpace(string(r.Stdout)) != "0" {
		t.Errorf("the folder stays open in the program: %q %v", r.Stdout, err)
	}
}
