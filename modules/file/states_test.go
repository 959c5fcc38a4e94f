package file

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pinch/value"
)

// stateDifferences are results that we give on purpose in another way than Salt.
var stateDifferences = map[string]string{
	"serialize-212": "the comment names the file",
}

// TestStates makes states that were recorded with real Salt: the tree before,
// the return, the tree after.
func TestStates(t *testing.T) {
	b, err := os.ReadFile("testdata/states.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	data := v.(*value.Map)
	for i, it := range data.List("cases").Items {
		cs := it.(*value.Map)
		name := fmt.Sprintf("%s-%03d", cs.Str("fun"), i)
		t.Run(name, func(t *testing.T) {
			bad := runState(t, data.Map("tree"), cs)
			why, known := stateDifferences[name]
			switch {
			case bad != "" && !known:
				t.Errorf("%s\n%s", value.Repr(cs.Map("kwargs")), bad)
			case bad == "" && known:
				t.Errorf("no difference any more: %s", why)
			}
		})
	}
}

func runState(t *testing.T, tree, cs *value.Map) string {
	root := t.TempDir()
	w := root + "/w"
	os.Mkdir(w, 0o755)
	for path, text := range tree.Items() {
		put(t, root+"/srv/salt/"+path, text.(string))
	}
	for path, text := range cs.Map("files").Items() {
		put(t, w+"/"+path, text.(string))
	}
	c := testCtx(t, root)
	c.Opts.Set("user", "root")
	c.Test = cs.Truth("test")
	kw := swap(cs.Map("kwargs"), "ROOT", w).(*value.Map)
	r, err := c.CallState(c, "file."+cs.Str("fun"), kw)
	if err != nil {
		return err.Error()
	}
	got := r.Map("x")
	want := cs.Map("want")
	var bad []string
	for key, wv := range want.Items() {
		gv := plain(swap(got.At(key), w, "ROOT"))
		if key == "comment" && strings.Contains(value.Str(wv), "Traceback") {
			// Salt lets the exception through: its text is our comment.
			lines := strings.Split(strings.TrimSpace(value.Str(wv)), "\n")
			_, wv, _ = cut(lines[len(lines)-1])
		}
		gv, wv = steady(gv), steady(wv)
		if a, b := value.Repr(sortLists(gv)), value.Repr(sortLists(wv)); a != b && !value.Equal(sortLists(gv), sortLists(wv)) {
			bad = append(bad, key+"\n got "+a+"\nwant "+b)
		}
	}
	if a, b := value.Repr(treeOf(t, w)), cs.Map("after"); !value.Equal(treeOf(t, w), b) {
		bad = append(bad, "tree\n got "+a+"\nwant "+value.Repr(b))
	}
	return strings.Join(bad, "\n")
}

var chance = regexp.MustCompile(`__salt\.tmp\.\w+`)

// steady takes out what differs from run to run: process numbers, temporary
// names, and the order of the sections of a comment.
func steady(v any) any {
	switch v := v.(type) {
	case string:
		v = chance.ReplaceAllString(v, "__salt.tmp")
		if parts := strings.Split(v, "#### "); len(parts) > 2 {
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			slices.Sort(parts)
			return strings.Join(parts, "\n")
		}
		return v
	case *value.Map:
		m := value.NewMap(v.Len())
		for k, it := range v.All() {
			if k != "pid" {
				m.SetKey(k, steady(it))
			}
		}
		return m
	}
	return v
}

func cut(s string) (string, any, bool) { a, b, ok := strings.Cut(s, ": "); return a, b, ok }

func swap(v any, old, new string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, old, new)
	case *value.List:
		l := new_(v.Len())
		for i, it := range v.Items {
			l.Items[i] = swap(it, old, new)
		}
		return l
	case *value.Map:
		m := value.NewMap(v.Len())
		for k, it := range v.All() {
			m.SetKey(swap(k, old, new), swap(it, old, new))
		}
		return m
	}
	return v
}

func new_(n int) *value.List { return &value.List{Items: make([]any, n)} }

// sortLists orders lists whose order Salt leaves to chance.
func sortLists(v any) any {
	switch v := v.(type) {
	case *value.List:
		return sorted(v)
	case *value.Map:
		m := value.NewMap(v.Len())
		for k, it := range v.All() {
			m.SetKey(k, sortLists(it))
		}
		return m
	}
	return v
}

// treeOf describes what is below a folder: mode and content, byte by byte.
func treeOf(t *testing.T, root string) *value.Map {
	m := new(value.Map)
	filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		i, err := os.Lstat(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		mode := octal(i.Mode())
		switch {
		case i.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			m.Set(rel, "link "+strings.ReplaceAll(to, root, "ROOT"))
		case i.IsDir():
			m.Set(rel, "dir "+mode)
		case i.Mode().IsRegular():
			var b strings.Builder
			for _, c := range []byte(read(t, path)) {
				b.WriteRune(rune(c))
			}
			m.Set(rel, mode+" "+b.String())
		default:
			m.Set(rel, "node "+mode)
		}
		return nil
	})
	return m
}

// A mode that is none fails before the folder is made, with the text that Salt has for a folder that is there.
func TestDirectoryBadMode(t *testing.T) {
	root := t.TempDir()
	c := testCtx(t, root)
	r, err := c.CallState(c, "file.directory", value.M("name", root+"/d", "mode", "rwx"))
	if err != nil {
		t.Fatal(err)
	}
	ret := r.Map("x")
	if got := ret.Str("comment"); ret.At("result") != false || got != "Failed to change mode to 0rwx" {
		t.Errorf("result %v, comment %q", ret.At("result"), got)
	}
	if _, err := os.Lstat(root + "/d"); err == nil {
		t.Error("the folder was made")
	}
}
