package file

import (
	"os"
	"testing"
)

// A link that is not followed is replaced; what it led to counts as what was there.
func TestManagedLink(t *testing.T) {
	root := t.TempDir()
	put(t, root+"/srv/salt/a", "x\n")
	c := testCtx(t, root)
	const would = "The file ROOT/l is set to be changed\nNote: No changes made, actual changes may\nbe different due to other states."
	const diff = `'--- \n+++ \n@@ -1 +1 @@\n-y\n+x\n'`
	for _, tt := range []struct {
		target, mode, dry, real string
	}{
		{"y\n", "0640", "None {'diff': " + diff + ", 'mode': '0640'} " + would, "True {'diff': " + diff + ", 'mode': '0640'} File ROOT/l updated"},
		{"y\n", "0600", "None {'diff': " + diff + ", 'mode': '0600'} " + would, "True {'diff': " + diff + "} File ROOT/l updated"},
		{"y\n", "", "None {'diff': " + diff + "} " + would, "True {'diff': " + diff + "} File ROOT/l updated"},
		{"x\n", "0644", "None {'diff': 'Replace symbolic link with regular file', 'mode': '0644'} " + would, "True {'diff': 'Replace symbolic link with regular file', 'mode': '0644'} File ROOT/l updated"},
		{"", "0640", "None {'diff': '--- \\n+++ \\n@@ -0,0 +1 @@\\n+x\\n', 'mode': '0640'} " + would, "True {'diff': '--- \\n+++ \\n@@ -0,0 +1 @@\\n+x\\n', 'mode': '0640'} File ROOT/l updated"},
	} {
		os.Remove(root + "/t")
		os.Remove(root + "/l")
		if tt.target != "" {
			put(t, root+"/t", tt.target)
			os.Chmod(root+"/t", 0o600)
		}
		if err := os.Symlink("t", root+"/l"); err != nil {
			t.Fatal(err)
		}
		kv := []any{"name", root + "/l", "source", "salt://a", "follow_symlinks", false}
		if tt.mode != "" {
			kv = append(kv, "mode", tt.mode)
		}
		c.Test = true
		if got := outcome(state(t, c, "managed", kv...), root); got != tt.dry {
			t.Errorf("%v\n got %s\nwant %s", kv, got, tt.dry)
		}
		c.Test = false
		if got := outcome(state(t, c, "managed", kv...), root); got != tt.real {
			t.Errorf("%v\n got %s\nwant %s", kv, got, tt.real)
		}
		if i, err := os.Lstat(root + "/l"); err != nil || !i.Mode().IsRegular() {
			t.Error(i.Mode(), err)
		}
	}
}
