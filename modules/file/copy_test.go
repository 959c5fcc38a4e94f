package file

import (
	"os"
	"strings"
	"testing"

	"pinch/value"
)

// A copy never destroys what it copies, and a folder is not copied into itself.
func TestCopyIntoItself(t *testing.T) {
	for _, tt := range []struct{ name, source, comment string }{
		{"w/d/sub", "w/d", "a folder cannot hold itself"},
		{"w/d", "w/d/x", "the source is in what would be removed"},
		{"w/d/x", "w/d/x", "exists and will not be overwritten"},
		{"w/d", "w/d", "exists and will not be overwritten"},
		{"w/l/sub", "w/d", "a folder cannot hold itself"},
		{"w/to-x", "w/d/x", "Copied"},
	} {
		root := t.TempDir()
		put(t, root+"/w/d/x", "text")
		if err := os.Symlink(root+"/w/d", root+"/w/l"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(root+"/w/d/x", root+"/w/to-x"); err != nil {
			t.Fatal(err)
		}
		c := testCtx(t, root)
		r, err := c.CallState(c, "file.copy", value.M("name", root+"/"+tt.name, "source", root+"/"+tt.source, "force", true))
		if err != nil || !strings.Contains(r.Comment, tt.comment) {
			t.Errorf("%s from %s: %q, %v", tt.name, tt.source, r.Comment, err)
		}
		if b, err := os.ReadFile(root + "/w/d/x"); err != nil || string(b) != "text" {
			t.Errorf("%s from %s: the source is lost: %q, %v", tt.name, tt.source, b, err)
		}
	}
}
