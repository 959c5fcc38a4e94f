package file

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pinch/golden"
	"pinch/sys"
	"pinch/value"
)

// differences are the cases that we answer on purpose in another way than Salt.
var differences = map[string]string{
	"file.check_managed_changes-01": "nothing of the tree is copied into the cache to compare with it",
	"file.find-29":                  "delete=True removes files; Salt ends in a TypeError",
	"file.get_diff-07":              "what lies in the cache is private",
	"file.get_managed-01":           "nothing of the tree is copied into the cache",
	"file.get_managed-03":           "the engine of this test renders no Jinja",
	"file.get_source_sum-04":        "a hash file of the tree is read in its place",
	"file.psed-03":                  "limit works; Salt ends in a TypeError",
	"file.seek_write-01":            "text can be written; Salt ends in a TypeError",
}

// TestGolden makes calls that were recorded with real Salt.
func TestGolden(t *testing.T) {
	data := golden.Value(t, "exec/cases.json").(*value.Map)
	ran := 0
	for _, it := range data.List("cases").Items {
		cs := it.(*value.Map)
		if !strings.HasPrefix(cs.Str("function"), "file.") {
			continue
		}
		ran++
		t.Run(cs.Str("name"), func(t *testing.T) {
			bad := runGolden(t, cs)
			why, known := differences[cs.Str("name")]
			switch {
			case bad != "" && !known:
				t.Error(bad)
			case bad == "" && known:
				t.Errorf("no difference any more: %s", why)
			}
		})
	}
	if ran == 0 {
		t.Error("no cases")
	}
}

func runGolden(t *testing.T, cs *value.Map) string {
	root := t.TempDir()
	os.Chmod(root, 0o755)
	t.Setenv("HOME", root)
	t.Setenv("TZ", "UTC")
	w := filepath.Join(root, "w")
	for _, d := range []string{"w", "cache/files", "srv/salt"} {
		os.MkdirAll(filepath.Join(root, d), 0o755)
	}
	lay(t, root, cs.Map("files"))
	t.Chdir(w)
	if s := cs.List("setup"); s != nil {
		cmd := exec.Command("bash", "-ec", strings.ReplaceAll(strings.Join(strs(s.Items), "\n"), "<ROOT>", root))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("setup: %v %s", err, out)
		}
	}
	c := testCtx(t, root)
	c.Opts.Set("user", "root")
	var args []any
	if l := cs.List("args"); l != nil {
		for _, a := range l.Items {
			args = append(args, rooted(a, root))
		}
	}
	kw, _ := rooted(cs.At("kwargs"), root).(*value.Map)
	got, err := c.CallFunc(c, cs.Str("function"), args, kw)
	want := cs.Map("expected")
	if e := want.Map("error"); e != nil {
		var ex *value.Exception
		if err == nil {
			return "got " + value.Repr(got) + ", want error " + value.Repr(e)
		}
		msg := strings.ReplaceAll(err.Error(), root, "<ROOT>")
		if !errors.As(err, &ex) || ex.Class != e.Str("class") || msg != e.Str("message") {
			return "got error " + value.Repr(msg) + " " + value.TypeName(err) + ", want " + value.Repr(e)
		}
		return sameTree(root, cs)
	}
	if err != nil {
		return "error " + err.Error() + ", want " + value.Repr(want)
	}
	if want.Has("shape") {
		return sameTree(root, cs)
	}
	wanted := rooted(want.At("value"), root)
	if cs.Str("compare") == "unordered" {
		got, wanted = sorted(got), sorted(wanted)
	}
	if a, b := value.Repr(plain(got)), value.Repr(wanted); a != b && !like(plain(got), wanted) {
		return "got  " + strings.ReplaceAll(a, root, "<ROOT>") + "\nwant " + strings.ReplaceAll(b, root, "<ROOT>")
	}
	return sameTree(root, cs)
}

// lay makes the tree of a case.
func lay(t *testing.T, root string, files *value.Map) {
	var aged []func()
	for path, f := range files.Items() {
		full := filepath.Join(root, path)
		os.MkdirAll(filepath.Dir(full), 0o755)
		m, ok := f.(*value.Map)
		if !ok {
			m = value.M("text", f)
		}
		mode := os.FileMode(0o644)
		switch {
		case m.Truth("dir"):
			mode = 0o755
			os.MkdirAll(full, 0o755)
		case m.Has("link"):
			os.Symlink(strings.ReplaceAll(m.Str("link"), "<ROOT>", root), full)
			continue
		default:
			b := []byte(strings.ReplaceAll(m.Str("text"), "<ROOT>", root))
			if m.Has("base64") {
				b, _ = base64.StdEncoding.DecodeString(m.Str("base64"))
			}
			os.WriteFile(full, b, 0o644)
		}
		if m.Has("mode") {
			n, _ := strconv.ParseUint(m.Str("mode"), 8, 32)
			mode = sys.Mode(uint32(n))
		}
		os.Chmod(full, mode)
		if age, err := intArg(m.At("age")); err == nil {
			aged = append(aged, func() {
				when := time.Now().Add(-time.Duration(age) * time.Second)
				os.Chtimes(full, when, when)
			})
		}
	}
	for _, f := range aged {
		f()
	}
}

// rooted puts the folder into the values of a case and reads its special values.
func rooted(v any, root string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "<ROOT>", root)
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(rooted(it, root))
		}
		return l
	case *value.Map:
		if b, ok := v.Get("__bytes__"); ok {
			out, _ := base64.StdEncoding.DecodeString(b.(string))
			return out
		}
		m := new(value.Map)
		if p := v.List("__pairs__"); p != nil {
			for _, it := range p.Items {
				kv := it.(*value.List).Items
				m.SetKey(rooted(kv[0], root), rooted(kv[1], root))
			}
			return m
		}
		for k, it := range v.All() {
			m.SetKey(k, rooted(it, root))
		}
		return m
	}
	return v
}

// plain makes lists of tuples, as JSON has no other.
func plain(v any) any {
	switch v := v.(type) {
	case value.Tuple:
		return plain(value.L(v...))
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(plain(it))
		}
		return l
	case *value.Map:
		m := new(value.Map)
		for k, it := range v.All() {
			m.SetKey(k, plain(it))
		}
		return m
	}
	return v
}

func sorted(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	out := value.L(slices.Clone(l.Items)...)
	slices.SortFunc(out.Items, func(a, b any) int { return strings.Compare(value.Repr(a), value.Repr(b)) })
	return out
}

// like compares where the case says that any value of a kind will do.
func like(got, want any) bool {
	switch w := want.(type) {
	case *value.Map:
		if w.Has("__any__") {
			return true
		}
		g, ok := got.(*value.Map)
		if !ok || g.Len() != w.Len() {
			return false
		}
		for k, v := range w.All() {
			x, ok := g.GetKey(k)
			if !ok || !like(x, v) {
				return false
			}
		}
		return true
	case *value.List:
		g, ok := got.(*value.List)
		if !ok || g.Len() != w.Len() {
			return false
		}
		for i := range w.Items {
			if !like(g.Items[i], w.Items[i]) {
				return false
			}
		}
		return true
	}
	return value.Equal(got, want) && value.TypeName(got) == value.TypeName(want)
}

// sameTree compares what the call left on the disk.
func sameTree(root string, cs *value.Map) string {
	after := cs.Map("after")
	if after == nil {
		return ""
	}
	for path, f := range after.Map("files").Items() {
		full := filepath.Join(root, path)
		i, err := os.Lstat(full)
		if f == nil {
			if err == nil {
				return path + " is still there"
			}
			continue
		}
		if err != nil {
			return path + ": " + err.Error()
		}
		m, ok := f.(*value.Map)
		if !ok {
			m = value.M("text", f)
		}
		if l := m.Str("link"); l != "" {
			if to, _ := os.Readlink(full); to != strings.ReplaceAll(l, "<ROOT>", root) {
				return path + " leads to " + to
			}
			continue
		}
		if mode := m.Str("mode"); mode != "" && mode != octal(i.Mode()) {
			return path + " has mode " + octal(i.Mode()) + ", want " + mode
		}
		want := []byte(strings.ReplaceAll(m.Str("text"), "<ROOT>", root))
		if m.Has("base64") {
			want, _ = base64.StdEncoding.DecodeString(m.Str("base64"))
		}
		if m.Has("text") || m.Has("base64") {
			if b, _ := os.ReadFile(full); !bytes.Equal(b, want) {
				return path + " holds " + strconv.Quote(string(b)) + ", want " + strconv.Quote(string(want))
			}
		}
	}
	return ""
}
