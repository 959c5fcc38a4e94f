package file

import (
	"os"
	"testing"

	"pinch/value"
)

func TestManaged(t *testing.T) {
	root := t.TempDir()
	put(t, root+"/srv/salt/a.conf", "one\ntwo\n")
	put(t, root+"/srv/salt/t.conf", "name {{ name }} port {{ port }} mode {{ mode }} x {{ x }}\n")
	put(t, root+"/f", "one\n2\n")
	c := testCtx(t, root)
	c.Pillar = value.M("app", value.M("conf", "from pillar"))
	for _, tt := range []struct {
		test bool
		kv   []any
		want string
	}{
		{true, []any{"name", root + "/f", "source", "salt://a.conf"}, "None {'diff': '--- \\n+++ \\n@@ -1,2 +1,2 @@\\n one\\n-2\\n+two\\n'} The file ROOT/f is set to be changed\nNote: No changes made, actual changes may\nbe different due to other states."},
		{false, []any{"name", root + "/f", "source", "salt://a.conf", "show_changes", false}, "True {'diff': '<show_changes=False>'} File ROOT/f updated"},
		{false, []any{"name", root + "/f", "source", "salt://a.conf"}, "True {} File ROOT/f is in the correct state"},
		{false, []any{"name", root + "/f", "source", "salt://a.conf", "mode", int64(600)}, "True {'mode': '0600'} File ROOT/f updated"},
		{false, []any{"name", root + "/n", "source", "salt://a.conf"}, "True {'diff': 'New file', 'mode': '0644'} File ROOT/n updated"},
		{false, []any{"name", root + "/n2", "contents", "x"}, "True {'diff': 'New file'} File ROOT/n2 updated"},
		{false, []any{"name", root + "/n3", "contents", "x", "mode", "0644"}, "True {'diff': 'New file', 'mode': '0644'} File ROOT/n3 updated"},
		{false, []any{"name", root + "/n4", "contents", "x", "mode", "0600"}, "True {'diff': 'New file'} File ROOT/n4 updated"},
		{true, []any{"name", root + "/n5", "contents", "x"}, "None {'newfile': 'ROOT/n5'} The file ROOT/n5 is set to be changed\nNote: No changes made, actual changes may\nbe different due to other states."},
		{false, []any{"name", root + "/t", "source", "salt://t.conf", "template", "jinja", "context", value.M("port", int64(80)), "defaults", value.M("port", int64(1)), "mode", "640", "x", "why"}, "True {'diff': 'New file', 'mode': '0640'} File ROOT/t updated"},
		{false, []any{"name", root + "/e"}, "True {'new': 'file ROOT/e created'} Empty file"},
		{false, []any{"name", root + "/e"}, "True {} File ROOT/e exists with proper permissions. No changes made."},
		{false, []any{"name", root + "/no/f", "contents", "x"}, "False {} Parent directory not present"},
		{false, []any{"name", root + "/yes/f", "contents", "x", "makedirs", true, "mode", "0640"}, "True {'diff': 'New file', 'mode': '0640'} File ROOT/yes/f updated"},
		{false, []any{"name", root + "/p", "contents_pillar", "app:conf"}, "True {'diff': 'New file'} File ROOT/p updated"},
		{false, []any{"name", root + "/p", "contents_pillar", "app:no"}, "False {} Pillar app:no does not exist"},
		{false, []any{"name", root + "/p", "source", "salt://no"}, "False {} Unable to manage file: Source file salt://no not found in saltenv 'base'"},
		{true, []any{"name", root + "/p", "source", "salt://no"}, "False {} Source file salt://no not found in saltenv 'base'"},
		{false, []any{"name", root + "/p", "source", root + "/f", "source_hash", "md5=0123456789abcdef0123456789abcdef"}, "False {} Specified md5 checksum for ROOT/f (0123456789abcdef0123456789abcdef) does not match actual checksum (2094b601daac3d68f5aed51d3c20f7cd). If the 'source_hash' value refers to a remote file with multiple possible matches, then it may be necessary to set 'source_hash_name'."},
		{false, []any{"name", root + "/x", "contents", "x", "check_cmd", "false"}, "False {} check_cmd execution failed"},
		{false, []any{"name", root + "/x", "contents", "x", "check_cmd", "grep -q x"}, "True {'diff': 'New file'} File ROOT/x updated"},
		{false, []any{"name", "rel", "contents", "x"}, "False {} Specified file rel is not an absolute path"},
		{false, []any{"name", root, "contents", "x"}, "False {} Specified target ROOT is a directory"},
		{false, []any{"name", root + "/x", "contents", "x", "source", "salt://a.conf"}, "False {} 'source' cannot be used in combination with 'contents', 'contents_pillar', or 'contents_grains'"},
	} {
		c.Test = tt.test
		if got := outcome(state(t, c, "managed", tt.kv...), root); got != tt.want {
			t.Errorf("%v\n got %s\nwant %s", tt.kv, got, tt.want)
		}
	}
	if got := read(t, root+"/t"); got != "name "+root+"/t port 80 mode 0640 x why\n" {
		t.Error(got)
	}
	if i, err := os.Stat(root + "/yes"); err != nil || i.Mode().Perm() != 0o750 {
		t.Error(i.Mode(), err)
	}
}

func TestContents(t *testing.T) {
	for _, tt := range []struct {
		in      any
		newline bool
		want    string
	}{
		{"a", true, "a\n"}, {"a\n", true, "a\n"}, {"a\n\n", true, "a\n\n"}, {"", true, ""}, {"a\r\nb", true, "a\nb\n"}, {"a\n\n", false, "a"},
		{value.L("a", int64(1), "b\nc"), true, "a\n1\nb\nc\n"}, {"a\fb", true, "a\nb\n"}, {"é\u2028x", true, "é\nx\n"}, {int64(5), false, "5"},
		{"\n", true, "\n"}, {" a \n b", true, " a \n b\n"},
	} {
		if got := joinContents(stringList(tt.in), tt.newline); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func BenchmarkManagedUnchanged(b *testing.B) {
	root := b.TempDir()
	c := testCtx(b, root)
	kw := value.M("name", root+"/f", "contents", "one\ntwo\nthree\n", "mode", "0644", "user", "root", "__id__", "x", "__sls__", "y", "__env__", "base", "order", int64(10000))
	c.CallState(c, "file.managed", kw)
	b.ReportAllocs()
	for b.Loop() {
		r, err := c.CallState(c, "file.managed", kw)
		if err != nil || r.Changes.Len() > 0 {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkManagedSourceUnchanged(b *testing.B) {
	root := b.TempDir()
	put(b, root+"/srv/salt/a", "one\ntwo\nthree\n")
	c := testCtx(b, root)
	kw := value.M("name", root+"/f", "source", "salt://a", "mode", "0644")
	c.CallState(c, "file.managed", kw)
	b.ReportAllocs()
	for b.Loop() {
		r, err := c.CallState(c, "file.managed", kw)
		if err != nil || r.Changes.Len() > 0 {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkManagedChanged(b *testing.B) {
	root := b.TempDir()
	c := testCtx(b, root)
	texts := []string{"one\ntwo\n", "one\n2\n"}
	kw := value.M("name", root+"/f", "contents", "")
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		kw.Set("contents", texts[i&1])
		i++
		if r, err := c.CallState(c, "file.managed", kw); err != nil || r.Changes.Len() == 0 {
			b.Fatal(r, err)
		}
	}
}
