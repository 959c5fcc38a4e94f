package config

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pinch/diag"
	"pinch/value"
)

func getenv(string) string { return "" }

// TestLoad reads configurations and compares every option with what Salt makes
// of the same files. The first case holds all options, the others what differs
// from it.
func TestLoad(t *testing.T) {
	file, err := os.ReadFile("testdata/load.json")
	if err != nil {
		t.Fatal(err)
	}
	all, err := value.ParseJSON(string(file))
	if err != nil {
		t.Fatal(err)
	}
	var base *value.Map
	for _, it := range all.(*value.List).Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			root := t.TempDir()
			place := func(s string) string { return strings.ReplaceAll(s, "<ROOT>", root) }
			for name, text := range c.Map("files").Items() {
				write(t, filepath.Join(root, "conf"), name, place(text.(string)))
			}
			os.MkdirAll(filepath.Join(root, "conf"), 0o755)
			var log bytes.Buffer
			places := SystemPlaces()
			conf, err := Load(Options{Dir: filepath.Join(root, "conf"), Prog: "salt-call", Places: &places, Getenv: getenv, Log: slog.New(lines{&log})})
			if err != nil {
				t.Fatal(err)
			}
			if base == nil {
				base = c.Map("opts")
			}
			want := base.Shallow()
			want.Update(c.Map("opts"))
			for _, k := range c.List("gone").Items {
				want.PopKey(k)
			}
			if want.At("pillar_mask_output") == true {
				want.PopKey("pillar_mask_output") // not set: values are shown on request, and secrets hidden in results
			}
			if c.Str("name") == "id_bom" {
				want.Set("id", "cached") // Salt looks for UTF-16's byte order mark, and keeps that of UTF-8 in the name
			}
			for k, w := range want.Items() {
				w := substitute(w, root)
				got, ok := conf.Opts.Get(k)
				if !ok || !value.Equal(got, w) && !sameRoots(k, got, w) {
					t.Errorf("%s = %s, want %s", k, value.Repr(got), value.Repr(w))
				}
			}
			for k := range conf.Opts.Items() {
				if !want.Has(k) {
					t.Errorf("%s = %s, Salt has no such option", k, value.Repr(conf.Opts.At(k)))
				}
			}
			var wantLog []string
			for _, m := range c.List("log").Items {
				_, text, _ := strings.Cut(m.(string), " ")
				wantLog = append(wantLog, place(text))
				if n := len(wantLog); n > 1 && wantLog[n-1] == wantLog[n-2] {
					wantLog = wantLog[:n-1] // Salt logs a bad include twice
				}
			}
			if got := gotLog(log.String()); !cmp.Equal(got, wantLog) {
				t.Errorf("log: %s", cmp.Diff(wantLog, got))
			}
			if got, want := files(t, root), words(c.At("left")); !cmp.Equal(got, want) {
				t.Errorf("files: %s", cmp.Diff(want, got))
			}
		})
	}
}

// gotLog is the log without the hints of ours and the warnings that Salt lacks.
func gotLog(text string) []string {
	var out []string
	for _, m := range strings.SplitAfter(text, "\n") {
		m = strings.TrimSuffix(m, "\n")
		switch {
		case m == "", strings.Contains(m, "are not a list, ignoring"):
		case len(out) > 0 && (strings.HasPrefix(m, "  in ") || strings.HasPrefix(m, "did not") || strings.HasPrefix(m, "expected")):
			out[len(out)-1] += "\n" + m
		default:
			out = append(out, m)
		}
	}
	for i, m := range out {
		m, _, _ = strings.Cut(m, " (the configuration is made of")
		m, _, _ = strings.Cut(m, " (a [ or { is not closed")
		out[i] = m
	}
	return out
}

// sameRoots compares folders without their order: Salt lists what a glob
// matches in the order of the directory.
func sameRoots(option string, a, b any) bool {
	x, ok1 := a.(*value.Map)
	y, ok2 := b.(*value.Map)
	if !strings.HasSuffix(option, "_roots") || !ok1 || !ok2 || x.Len() != y.Len() {
		return false
	}
	for k, v := range x.Items() {
		p, q := words(v), words(y.At(k))
		slices.Sort(p)
		slices.Sort(q)
		if !slices.Equal(p, q) {
			return false
		}
	}
	return true
}

func substitute(v any, root string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "<ROOT>", root)
	case *value.List:
		l := new(value.List)
		for _, it := range v.Items {
			l.Append(substitute(it, root))
		}
		return l
	case *value.Map:
		m := new(value.Map)
		for k, it := range v.Items() {
			m.Set(k, substitute(it, root))
		}
		return m
	}
	return v
}

func files(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// TestWrong checks that a mistake in the minion file names its line.
func TestWrong(t *testing.T) {
	for _, c := range []struct {
		name, text, summary, hint string
		line                      int
	}{
		{"a tab", "id: a\n\tx: 1\n", "while scanning", "tab", 2},
		{"not a map", "- a\n", "conf should be a document, not <class 'list'>.", "lines such as", 1},
		{"a number for a path", "id: a\ncachedir: 5\n", "config option 'cachedir' must be a string, not 5", "quotes", 2},
		{"an unknown algorithm", "id: a\n\nencryption_algorithm: rot13\n", "The encryption algorithm 'rot13' is not valid.", "", 3},
		{"an unknown discovery option", "id: a\ndiscovery: {x: 1}\n", "Unknown discovery option: x", "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "minion", c.text)
			_, err := Load(Options{Dir: dir, Getenv: getenv})
			var d *diag.Diagnostic
			if !errors.As(err, &d) {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(d.Summary, c.summary) || d.Pos.Line != c.line || !strings.Contains(d.Hint, c.hint) {
				t.Errorf("got %v, hint %q", d, d.Hint)
			}
		})
	}
}

// TestID checks how a name is made when none is configured.
func TestID(t *testing.T) {
	names := func() []string {
		return []string{"localhost.localdomain", "ip6-x", "", "Web1.Example.COM", "web1"}
	}
	for _, c := range []struct{ name, conf, cached, want, left string }{
		{"the first usable name, cached", "", "", "Web1.Example.COM", "Web1.Example.COM"},
		{"the cached one", "", "old\n", "old", "old\n"},
		{"localhost is no cached name", "", "localhost", "Web1.Example.COM", "Web1.Example.COM"},
		{"no caching", "minion_id_caching: false", "old", "Web1.Example.COM", "old"},
		{"lower case", "minion_id_lowercase: true", "", "web1.example.com", "web1.example.com"},
		{"without any domain", "minion_id_remove_domain: true", "", "Web1", "Web1"},
		{"without this domain", "minion_id_remove_domain: example.com", "", "Web1", "Web1"},
		{"another domain stays", "minion_id_remove_domain: example.org", "", "Web1.Example.COM", "Web1.Example.COM"},
		{"with a domain", "append_domain: lan", "", "Web1.Example.COM.lan", "Web1.Example.COM"},
		{"by a function", "id_function: {test.echo: {text: x}}", "", "fun-test.echo-x", "fun-test.echo-x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "conf/minion", "root_dir: "+root+"\n"+c.conf+"\n")
			file := filepath.Join(root, "etc/salt/minion_id")
			if c.cached != "" {
				write(t, root, "etc/salt/minion_id", c.cached)
			}
			conf, err := Load(Options{Dir: filepath.Join(root, "conf"), Getenv: getenv, Hosts: names})
			if err != nil {
				t.Fatal(err)
			}
			conf.Call = func(fun string, kw *value.Map) (any, error) { return "fun-" + fun + "-" + kw.Str("text"), nil }
			if c.cached == "" {
				if _, err := os.Stat(file); err == nil {
					t.Error("the name was found before anybody asked")
				}
			}
			if got := conf.ID(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			left, _ := os.ReadFile(file)
			if string(left) != c.left {
				t.Errorf("cached %q, want %q", left, c.left)
			}
		})
	}
}

func TestSDB(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "minion", "id: a\npw: sdb://env/PW\ndeep: [{x: sdb://env/X}, y]\nauth_timeout: sdb://env/T\n")
	c, err := Load(Options{Dir: dir, Getenv: getenv, Over: value.M("pw2", "sdb://env/Q")})
	if err != nil || !c.HasSDB() {
		t.Fatal(err)
	}
	if err := c.ResolveSDB(func(uri string) (any, error) { return "<" + strings.TrimPrefix(uri, "sdb://env/") + ">", nil }); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{"pw": "<PW>", "pw2": "<Q>", "deep": value.L(value.M("x", "<X>"), "y")} {
		if got := c.Opts.At(k); !value.Equal(got, want) {
			t.Errorf("%s = %s", k, value.Repr(got))
		}
	}
	err = c.ResolveSDB(func(string) (any, error) { return nil, errors.New("gone") })
	if err != nil {
		t.Errorf("resolved twice: %v", err)
	}
	if !Known("pillar_roots") || !Known("extension_modules") || Known("pillar_rots") {
		t.Error("Known does not know")
	}
}

func TestFullName(t *testing.T) {
	const hosts = "127.0.0.1 localhost\n127.0.1.1 web1.example.com web1 # me\n10.0.0.1 db1 db1.lan\n10.0.0.2 plain\n"
	for name, want := range map[string]string{"web1": "web1.example.com", "db1": "db1.lan", "plain": "plain", "localhost": "localhost"} {
		if got := fullName(name, hosts); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestGlob(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.conf", "b.conf", ".c.conf", "d/e.conf", "f/g.conf"} {
		write(t, dir, f, "")
	}
	for pattern, want := range map[string][]string{
		"*.conf": {"a.conf", "b.conf"}, ".*.conf": {".c.conf"}, "*/*.conf": {"d/e.conf", "f/g.conf"}, "[!a]*.conf": {"b.conf"},
		"a.conf": {"a.conf"}, "none": nil, "?/e.conf": {"d/e.conf"}, "x*/y": nil,
	} {
		got := glob(filepath.Join(dir, pattern))
		for i := range got {
			got[i], _ = filepath.Rel(dir, got[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", pattern, got, want)
		}
	}
}

func TestUserPlaces(t *testing.T) {
	env := map[string]string{"HOME": "/home/u", "XDG_CACHE_HOME": "/tmp/c", "XDG_STATE_HOME": "relative"}
	p := UserPlaces(func(k string) string { return env[k] })
	want := Places{Config: "/home/u/.config/pinch", PKI: "/home/u/.config/pinch/pki/minion", Cache: "/tmp/c/pinch", Sock: "/tmp/c/pinch/run/minion",
		Log: "/home/u/.local/state/pinch/minion.log", PID: "/tmp/c/pinch/run/minion.pid", User: true}
	if p != want {
		t.Errorf("got %+v", p)
	}
	dir := t.TempDir()
	write(t, dir, "minion", "id: a\n")
	c, err := Load(Options{Dir: dir, Places: &p, Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	if c.CacheDir() != "/tmp/c/pinch" || c.IDFile() != "/home/u/.config/pinch/minion_id" || c.Opts.Str("extension_modules") != "/tmp/c/pinch/extmods" {
		t.Errorf("cachedir %s, minion_id %s", c.CacheDir(), c.IDFile())
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	write(b, dir, "minion", "file_client: local\nfile_roots: {base: [/srv/salt]}\n")
	write(b, dir, "minion.d/a.conf", "log_level: info\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(Options{Dir: dir, Getenv: getenv}); err != nil {
			b.Fatal(err)
		}
	}
}
