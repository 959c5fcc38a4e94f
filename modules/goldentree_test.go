package modules

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"pinch/sys"
	"pinch/value"
)

// watched are the folders whose changes were recorded.
var watched = []string{"w", "etc/salt", "srv", "cache/files", "cache/extmods"}

// snapshot describes every path below the watched folders.
func (r *trial) snapshot() map[string]string {
	all := map[string]string{}
	for _, top := range watched {
		filepath.WalkDir(filepath.Join(r.root, top), func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				rel, _ := filepath.Rel(r.root, path)
				all[rel] = r.describe(path)
			}
			return nil
		})
	}
	return all
}

func (r *trial) describe(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return err.Error()
	}
	mode := fmt.Sprintf("%04o ", sys.Bits(info.Mode()))
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return "link " + strings.ReplaceAll(to, r.root, "<ROOT>")
	case info.IsDir():
		return mode + "dir"
	case !info.Mode().IsRegular():
		return mode + "text " // reading a pipe would wait
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return mode + content(strings.ReplaceAll(string(b), r.root, "<ROOT>"))
}

func content(s string) string {
	if !utf8.ValidString(s) {
		return "base64 " + base64.StdEncoding.EncodeToString([]byte(s))
	}
	return "text " + s
}

// after compares what the call left, where that was recorded. The file
// client's cache is ours: only files of it that Salt has are compared.
func (r *trial) after(before map[string]string) string {
	rec := r.tc.Map("after").Map("files")
	if rec == nil {
		return ""
	}
	now := r.snapshot()
	var bad []string
	for path, spec := range rec.Items() {
		m, _ := spec.(*value.Map)
		want := ""
		switch {
		case m == nil:
		case m.Has("link"):
			want = "link " + m.Str("link")
		case m.Truth("dir"):
			want = m.Str("mode") + " dir"
		case m.Has("base64"):
			b, _ := base64.StdEncoding.DecodeString(m.Str("base64"))
			want = m.Str("mode") + " " + content(string(b))
		default:
			want = m.Str("mode") + " " + content(m.Str("text"))
		}
		if strings.HasPrefix(path, "cache/files") {
			continue // a cache is no result
		}
		if now[path] != want {
			bad = append(bad, fmt.Sprintf("%s: %q\n   want %q", path, now[path], want))
		}
	}
	for path, is := range now {
		if before[path] != is && !rec.Has(path) && !strings.HasPrefix(path, "cache/files") && !strings.HasSuffix(is, " dir") {
			bad = append(bad, fmt.Sprintf("%s changed: %q, not in Salt", path, is))
		}
	}
	slices.Sort(bad)
	return strings.Join(bad, "\n")
}

// here puts the tree's folder for <ROOT>, and real values for special ones.
func (r *trial) here(v any) any { return replaced(special(v), "<ROOT>", r.root) }

// there is the reverse.
func (r *trial) there(v any) any { return replaced(v, r.root, "<ROOT>") }

func replaced(v any, from, to string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, from, to)
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(replaced(it, from, to))
		}
		return l
	case *value.Map:
		m := new(value.Map)
		for k, it := range v.All() {
			m.SetKey(replaced(k, from, to), replaced(it, from, to))
		}
		return m
	}
	return v
}

// special reads {"__bytes__": …} and its like.
func special(v any) any {
	switch v := v.(type) {
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(special(it))
		}
		return l
	case *value.Map:
		if v.Len() == 1 {
			for k, it := range v.Items() {
				switch k {
				case "__bytes__":
					b, _ := base64.StdEncoding.DecodeString(it.(string))
					return b
				case "__set__":
					s, _ := value.NewSet(special(it).(*value.List).Items...)
					return s
				case "__pairs__":
					m := new(value.Map)
					for _, p := range it.(*value.List).Items {
						m.SetKey(special(p.(*value.List).Items[0]), special(p.(*value.List).Items[1]))
					}
					return m
				}
			}
		}
		m := new(value.Map)
		for k, it := range v.Items() {
			m.Set(k, special(it))
		}
		return m
	}
	return v
}

// plain turns tuples into lists, as the recordings have them.
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

// canon writes a value so that equal ones are equal texts: mappings and sets
// sorted, 1, 1.0 and True apart.
func canon(v any) string {
	var parts []string
	switch v := v.(type) {
	case *value.Set:
		for _, it := range v.Items() {
			parts = append(parts, canon(it))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case *value.List:
		for _, it := range v.Items {
			parts = append(parts, canon(it))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *value.Map:
		for k, it := range v.All() {
			parts = append(parts, canon(k)+": "+canon(it))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return value.Repr(v)
}

// same compares an answer with the recorded one, where {"__any__": "int"}
// stands for any int and {"__str__": …} for the text of an object.
func same(v, want any) bool {
	switch w := want.(type) {
	case *value.List:
		l, ok := v.(*value.List)
		return ok && slices.EqualFunc(l.Items, w.Items, same)
	case *value.Map:
		if kind, ok := w.Get("__any__"); ok && w.Len() == 1 {
			return value.TypeName(v) == kind
		}
		if text, ok := w.Get("__str__"); ok && w.Len() == 1 {
			return value.Str(v) == text
		}
		m, ok := v.(*value.Map)
		if !ok || m.Len() != w.Len() {
			return false
		}
		for k, it := range w.All() {
			if is, ok := m.GetKey(k); !ok || !same(is, it) {
				return false
			}
		}
		return true
	}
	return canon(v) == canon(want)
}

func sorted(v any) any {
	l, ok := v.(*value.List)
	if !ok {
		return v
	}
	items := slices.Clone(l.Items)
	slices.SortFunc(items, func(a, b any) int { return strings.Compare(canon(a), canon(b)) })
	return value.L(items...)
}

// misshapen says where a value is not of the recorded shape, "" if it is.
func misshapen(v, shape any, at string) string {
	wrong := fmt.Sprintf("at %q: got %s, want the shape %s", at, value.Repr(v), value.Repr(shape))
	switch s := shape.(type) {
	case string:
		kind := value.TypeName(v)
		if v == nil {
			kind = "null"
		}
		if s != "any" && s != kind {
			return wrong
		}
	case *value.List:
		l, ok := plain(v).(*value.List)
		if !ok {
			return wrong
		}
		for i, it := range l.Items {
			if s.Len() > 0 && !slices.ContainsFunc(s.Items, func(k any) bool { return misshapen(it, k, "") == "" }) {
				return fmt.Sprintf("at %q[%d]: got %s, want one of %s", at, i, value.Repr(it), value.Repr(s))
			}
		}
	case *value.Map:
		m, ok := v.(*value.Map)
		if !ok {
			return wrong
		}
		for k, it := range m.All() {
			key := value.Str(k)
			want, ok := s.Get(key)
			if !ok {
				if want, ok = s.Get("*"); !ok {
					continue // another machine has other items
				}
			}
			if diff := misshapen(it, want, at+"/"+key); diff != "" {
				return diff
			}
		}
		if m.Len() == 0 && s.Len() > 0 && !s.Has("*") {
			return wrong
		}
	}
	return ""
}
