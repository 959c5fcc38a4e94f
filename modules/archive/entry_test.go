package archive

import (
	"strings"
	"testing"
)

// An archive must not write outside of its folder: CWE-22, and the tricks of
// links that GNU tar and Python's tarfile were attacked with.
func TestGuard(t *testing.T) {
	for _, tt := range []struct {
		about   string
		strip   int
		entries []entry
		want    string // part of the reason for the last entry; "" is allowed
	}{
		{"plain", 0, []entry{{name: "a/b"}}, ""},
		{"dot", 0, []entry{{name: "./a"}, {name: "./"}}, ""},
		{"dots in a name", 0, []entry{{name: "a/..b/c.."}}, ""},
		{"absolute", 0, []entry{{name: "/etc/passwd"}}, "absolute"},
		{"absolute, stripped", 1, []entry{{name: "/etc/passwd"}}, ""},
		{"up", 0, []entry{{name: "../x"}}, "has .."},
		{"up inside", 0, []entry{{name: "a/../../x"}}, "has .."},
		{"up at the end", 0, []entry{{name: "a/.."}}, "has .."},
		{"up left by strip", 1, []entry{{name: "a/../x"}}, "has .."},
		{"only up", 1, []entry{{name: ".."}}, "has .."},
		{"null", 0, []entry{{name: "a\x00b"}}, "null"},
		{"a link out is only a link", 0, []entry{{name: "l", kind: symlink, link: "/etc"}}, ""},
		{"through a link out", 0, []entry{{name: "l", kind: symlink, link: "/etc"}, {name: "l/passwd"}}, "link 'l' leads out"},
		{"through a relative link out", 0, []entry{{name: "a/l", kind: symlink, link: "../../x"}, {name: "a/l/y"}}, "leads out"},
		{"through two links", 0, []entry{{name: "a", kind: symlink, link: "."}, {name: "a/b", kind: symlink, link: ".."}, {name: "a/b/c"}}, "leads out"},
		{"through a link inside", 0, []entry{{name: "lib64", kind: symlink, link: "lib"}, {name: "lib64/x"}}, ""},
		{"circle", 0, []entry{{name: "a", kind: symlink, link: "b"}, {name: "b", kind: symlink, link: "a"}, {name: "a/x"}}, "circles"},
		{"link replaced by a folder", 0, []entry{{name: "l", kind: symlink, link: "/etc"}, {name: "l/", kind: folder}, {name: "l/x"}}, ""},
		{"hard link out", 0, []entry{{name: "h", kind: hardlink, link: "/etc/shadow"}}, "hard link to '/etc/shadow'"},
		{"hard link up", 0, []entry{{name: "h", kind: hardlink, link: "../shadow"}}, "hard link"},
		{"hard link through a link", 0, []entry{{name: "l", kind: symlink, link: "/etc"}, {name: "h", kind: hardlink, link: "l/shadow"}}, "leads out"},
		{"hard link inside", 1, []entry{{name: "r/a"}, {name: "r/h", kind: hardlink, link: "r/a"}}, ""},
	} {
		g, why := guard{strip: tt.strip}, ""
		for i := range tt.entries {
			why = g.check(&tt.entries[i])
		}
		if (tt.want == "") != (why == "") || !strings.Contains(why, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.about, why, tt.want)
		}
	}
}

func TestStrip(t *testing.T) {
	for _, tt := range []struct {
		name string
		n    int
		want string
	}{{"a/b/c", 0, "a/b/c"}, {"a/b/c", 1, "b/c"}, {"a/b/c", 2, "c"}, {"a/b/c", 3, ""}, {"a/", 1, ""}, {"./a/b", 1, "a/b"}} {
		if got := strip(tt.name, tt.n); got != tt.want {
			t.Errorf("%s by %d: got %q, want %q", tt.name, tt.n, got, tt.want)
		}
	}
}

// Which options need no tar, and what GNU tar would be called with otherwise.
func TestTarOptions(t *testing.T) {
	for _, tt := range []struct {
		options string
		native  bool
		strip   int
		command string
	}{
		{"z", true, 0, "tar xvz -f a"},
		{"xzf", true, 0, "tar xvz -f a"},
		{"v --strip-components=1", true, 1, "tar xv --strip-components=1 -f a"},
		{"--strip 2 -J", true, 2, "tar xv --strip 2 -J -f a"},
		{"--strip-components", false, 0, "tar xv --strip-components -f a"},
		{"z --exclude=x", false, 0, "tar xvz --exclude=x -f a"},
		{"-C sub", false, 0, "tar xv -C sub -f a"},
		{"z member", false, 0, "tar xvz member -f a"},
		{"--no-same-owner --numeric-owner", false, 0, "tar xv --no-same-owner --numeric-owner -f a"},
		{"-I zstd", false, 0, "tar xv -I zstd -f a"},
	} {
		w, err := tarWords(tt.options)
		if err != nil {
			t.Fatal(err)
		}
		o, ok := native(w, true)
		if ok != tt.native || ok && o.strip != tt.strip {
			t.Errorf("%s: native %v, strip %d", tt.options, ok, o.strip)
		}
		if got := strings.Join(tarCommand(w, "a"), " "); got != tt.command {
			t.Errorf("%s: got %s, want %s", tt.options, got, tt.command)
		}
	}
	// As GNU tar 1.34 prints it with LC_ALL=C.
	if got := shown("a b\n\\é"); got != `a b\n\\\303\251` {
		t.Error(got)
	}
}
