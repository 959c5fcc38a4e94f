package args

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pinch/config"
	"pinch/golden"
	"pinch/value"
)

// signatures are the called functions of the goldens: see "signatures" there.
var signatures = map[string]Signature{
	"any": {Kwargs: true}, "none": {}, "two": {Names: []string{"a", "b"}}, "name_kw": {Names: []string{"name"}, Kwargs: true},
	"varargs": {}, "kwonly": {Names: []string{"a", "k"}},
}

// same is equality with types: 1, 1.0 and true differ.
func same(a, b any) bool {
	return value.Repr(a) == value.Repr(b) && value.TypeName(a) == value.TypeName(b)
}

func cases(t *testing.T, kind string) []*value.Map {
	var out []*value.Map
	for _, it := range golden.Value(t, "cli/cases.json").(*value.Map).List("cases").Items {
		if c := it.(*value.Map); c.Str("kind") == kind {
			out = append(out, c)
		}
	}
	return out
}

func words(l *value.List) []string {
	var out []string
	if l != nil {
		for _, it := range l.Items {
			out = append(out, it.(string))
		}
	}
	return out
}

// times are the cases in which Salt makes a number of a time of day ("16:34" is
// 994), which no one means: we keep the text.
var times = map[string]bool{"value_20": true, "value_21": true, "kwarg_61": true}

// TestArguments types the arguments of calls and compares with Salt.
func TestArguments(t *testing.T) {
	for _, c := range cases(t, "args") {
		t.Run(c.Str("name"), func(t *testing.T) {
			if times[c.Str("name")] {
				pos, kw := Parse(words(c.List("argv")), nil)
				if len(pos) == 1 && pos[0] != words(c.List("argv"))[0] || kw.Len() == 1 && kw.At("a") != "12:30" {
					t.Errorf("a time of day is not kept: %v, %s", pos, value.Repr(kw))
				}
				return
			}
			compare := func(what string, want *value.Map, pos []any, kw *value.Map) {
				if w := golden.Typed(want.At("args")); !same(value.L(pos...), w) {
					t.Errorf("%s: got %s, want %s", what, value.Repr(value.L(pos...)), value.Repr(w))
				}
				if w := golden.Typed(want.At("kwargs")); !same(kw, w) {
					t.Errorf("%s: got %s, want %s", what, value.Repr(kw), value.Repr(w))
				}
			}
			pos, kw := Parse(words(c.List("argv")), words(c.List("no_parse")))
			want := c.Map("expected")
			compare("parsed", want.Map("parsed"), pos, kw)
			pos, kw, err := Load(signatures[c.Str("sig")], Wire(pos, kw))
			call := want.Map("call")
			if e := call.Map("error"); e != nil {
				var x *value.Exception
				if !errors.As(err, &x) || x.Class != e.Str("class") || x.Msg != e.Str("message") {
					t.Errorf("got %v, want %s", err, e.Str("message"))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			compare("call", call, pos, kw)
		})
	}
}

// TestTyped holds readings that a short look at YAML gets wrong; the values are
// those of salt.utils.args.yamlify_arg.
func TestTyped(t *testing.T) {
	for word, want := range map[string]any{
		"x: y #c": value.M("x", "y"), "- #0x": value.L(nil), "x: y": "x: y", "a #c": "a #c", "#": "#", "true #x": true, "1 # one": int64(1),
		"!": "!", "y": "y", "Y": "Y", "off": false, "a/b.c_d": "a/b.c_d", "nan": "nan", "1e3": "1e3", "~": nil, "": "", " ": " ", "a\u00a0": "a\u00a0",
	} {
		if got := Typed(word); !same(got, want) {
			t.Errorf("%q: got %s, want %s", word, value.Repr(got), value.Repr(want))
		}
	}
}

// base are the options of the plain command line that the goldens compare
// with, after merging with the configuration.
func base(root string) *value.Map {
	return value.M("state_output", "full", "state_verbose", true, "master", "salt", "id", "box", "auth_timeout", int64(5), "log_level", "warning",
		"log_file", root+"/var/log/salt/minion", "log_level_logfile", "warning", "cachedir", root+"/var/cache/salt/minion", "no_parse", new(value.List),
		"resources_tgt", "*", "resources_tgt_type", "glob", "profiling_path", "/tmp/stats", "user", nil, "config_dir", root+"/conf")
}

// TestOptions parses whole command lines and compares with Salt's options.
func TestOptions(t *testing.T) {
	for _, c := range cases(t, "options") {
		t.Run(c.Str("name"), func(t *testing.T) { testOptions(t, c) })
	}
}

func dests(g *Grammar) []string {
	var out []string
	for _, gr := range g.Groups {
		for _, o := range gr.Options {
			if o.Dest != "" {
				out = append(out, o.Dest)
			}
		}
	}
	return out
}

func testOptions(t *testing.T, c *value.Map) {
	root := t.TempDir()
	place := func(s string) string { return strings.ReplaceAll(s, "<ROOT>", root) }
	if err := os.MkdirAll(filepath.Join(root, "conf"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "conf", "minion"), []byte("id: box\nroot_dir: "+root+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"SALT_CONFIG_DIR": root + "/conf", "HOME": root}
	for k, v := range c.Map("env").Items() {
		env[k] = v.(string)
	}
	var argv []string
	for _, w := range words(c.List("argv")) {
		argv = append(argv, place(w))
	}
	var stderr bytes.Buffer
	places := config.SystemPlaces()
	cmd := Command{Prog: "salt-call", Getenv: func(k string) string { return env[k] }, Stderr: &stderr, Stdin: strings.NewReader(""), Places: &places}
	call, err := cmd.Start(argv)
	want := c.Map("expected")
	if code := want.At("exit"); code != nil {
		var e *Exit
		if !errors.As(err, &e) {
			t.Fatalf("got %v, want exit %v", err, code)
		}
		if int64(e.Code) != code || e.Stderr != place(want.Str("stderr")) {
			t.Errorf("exit %d, stderr\n%s", e.Code, cmp.Diff(place(want.Str("stderr")), e.Stderr))
		}
		if s, ok := want.Get("stdout"); ok && e.Stdout != s || !strings.HasPrefix(e.Stdout, want.Str("stdout_starts")) {
			t.Errorf("stdout %q", e.Stdout)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if stderr.String() != place(want.Str("stderr")) {
		t.Errorf("stderr: %s", cmp.Diff(place(want.Str("stderr")), stderr.String()))
	}
	wanted := base(root)
	for k, v := range want.Map("options").Items() {
		if s, ok := v.(string); ok {
			v = place(s)
		}
		if l, ok := v.(*value.List); ok {
			v = value.Strings(strings.Split(place(strings.Join(words(l), "\x00")), "\x00"))
		}
		wanted.Set(k, v)
	}
	elsewhere := want.Map("options").Has("config_dir") // no configuration: the recording had the same paths from elsewhere
	for _, k := range dests(cmd.Grammar()) {
		w := wanted.At(k)
		if elsewhere && (k == "id" || k == "log_file" || k == "cachedir") || k == "user" && w == nil || k == "module_dirs" {
			continue
		}
		if got := call.Values.At(k); !same(got, w) && (value.Truth(got) || value.Truth(w)) {
			t.Errorf("%s = %s, want %s", k, value.Repr(got), value.Repr(w))
		}
	}
	if got, w := strings.Join(call.Args, "\x00"), strings.Join(words(want.List("args")), "\x00"); got != w {
		t.Errorf("args %q, want %q", got, w)
	}
	if call.Fun != want.Str("fun") || !cmp.Equal(append([]string{}, call.Arg...), append([]string{}, words(want.List("arg"))...)) {
		t.Errorf("fun %q %q", call.Fun, call.Arg)
	}
	if got := call.Opts.Str("log_level"); got != want.Str("log_level") {
		t.Errorf("log_level %q", got)
	}
	if dirs := want.List("module_dirs"); dirs != nil {
		if got := words(call.Opts.List("module_dirs")); place(strings.Join(words(dirs), " ")) != strings.Join(got, " ") {
			t.Errorf("module_dirs %q", got)
		}
	}
}

func start(t *testing.T, env map[string]string, stdin, conf string, argv ...string) (*Call, string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "minion"), []byte("id: box\nroot_dir: "+dir+"\n"+conf), 0o644); err != nil {
		t.Fatal(err)
	}
	if env == nil {
		env = map[string]string{}
	}
	env["HOME"] = dir
	var stderr bytes.Buffer
	cmd := Command{Prog: "salt-call", Getenv: func(k string) string { return env[k] }, Stderr: &stderr, Stdin: strings.NewReader(stdin)}
	call, err := cmd.Start(append([]string{"-c", dir}, argv...))
	return call, stderr.String(), err
}

// TestConfiguration checks which of option, configuration and default counts.
func TestConfiguration(t *testing.T) {
	conf := "output: json\nlocal: true\nstate_output: mixed\nlog_level: error\nretcode_passthrough: true\nauth_timeout: 9\nstates_dir: null\n"
	call, _, err := start(t, nil, "", conf, "state.apply", "--state-output=terse")
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{"output": "json", "local": true, "state_output": "terse", "log_level": "error", "log_level_logfile": "error",
		"retcode_passthrough": true, "auth_timeout": int64(9), "id": "box", "print_metadata": false} {
		if got := call.Values.At(k); got != want || call.Opts.At(k) != want {
			t.Errorf("%s: option %v, configuration %v, want %v", k, got, call.Opts.At(k), want)
		}
	}
	if call.Opts.Str("file_client") != "local" {
		t.Error("local: true in the configuration is not --local")
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"s1", "s2"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	call, _, err := start(t, nil, "", "", "--local", "--file-root", dir+"/s*", "--file-root=a,b", "--pillar-root=/p/", "--states-dir=x", "--cachedir=/c", "test.ping")
	if err != nil {
		t.Fatal(err)
	}
	if call.Warning != "" {
		t.Errorf("warned %q", call.Warning)
	}
	wd, _ := os.Getwd()
	root := call.Opts.Str("root_dir")
	for k, want := range map[string]any{
		"file_roots":   value.M("base", value.L(dir+"/s1", dir+"/s2", filepath.Join(wd, "a,b"))),
		"pillar_roots": value.M("base", value.L("/p")), "states_dirs": value.L(filepath.Join(wd, "x")), "file_client": "local",
		"cachedir": root + "/c", "extension_modules": root + "/c/extmods",
	} {
		if got := call.Opts.At(k); !value.Equal(got, want) {
			t.Errorf("%s = %s, want %s", k, value.Repr(got), value.Repr(want))
		}
	}
	call, _, err = start(t, nil, "", "", "--file-root=/s", "--pillar-root=/p", "test.ping")
	if err != nil {
		t.Fatal(err)
	}
	if w := call.Warning; !strings.HasPrefix(w, "Warning: --file-root, --pillar-root are ignored because --local was not specified;") {
		t.Errorf("warned %q", w)
	}
}

// TestTruncate checks that --out-file is emptied, with its permissions kept,
// and that --out-file-append leaves it.
func TestTruncate(t *testing.T) {
	for _, c := range []struct{ flag, want string }{{"", ""}, {"--out-file-append", "old"}} {
		file := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
		argv := []string{"--out-file", file, "test.ping"}
		if c.flag != "" {
			argv = append(argv, c.flag)
		}
		if _, _, err := start(t, nil, "", "", argv...); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(file)
		if info, _ := os.Stat(file); string(text) != c.want || info.Mode().Perm() != 0o640 {
			t.Errorf("%q: left %q, mode %v", c.flag, text, info.Mode())
		}
	}
}

func TestStdin(t *testing.T) {
	call, _, err := start(t, nil, "--out=yaml\ntest.arg\na b\r\nk=v\n", "", "--local", "--args-stdin", "--out=json")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(call.Args, "|"); got != "test.arg|a b|k=v" || call.Values.Str("output") != "yaml" || !call.Values.Truth("local") {
		t.Errorf("args %q, output %s, local %v", got, call.Values.Str("output"), call.Values.At("local"))
	}
}

func TestSaltfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Saltfile")
	if err := os.WriteFile(file, []byte("salt-call:\n  output: json\n  state_output: terse\n  log_level: error\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	call, _, err := start(t, map[string]string{"SALT_SALTFILE": file}, "", "output: yaml\n", "--state-output=full", "test.ping")
	if err != nil {
		t.Fatal(err)
	}
	if v := call.Values; v.Str("output") != "json" || v.Str("state_output") != "full" || v.Str("log_level") != "error" || call.Opts.Str("output") != "json" {
		t.Errorf("got %s", value.Repr(v))
	}
}

// TestBadConfiguration checks that a mistake in the minion file is shown with
// its line, and ends the run with 1.
func TestBadConfiguration(t *testing.T) {
	_, _, err := start(t, nil, "", "x: [1\ny: 2\n", "test.ping")
	var e *Exit
	if !errors.As(err, &e) || e.Code != 1 || !strings.Contains(e.Stderr, "minion:4:") || !strings.Contains(e.Stderr, "4 | y: 2") {
		t.Errorf("got %+v", e)
	}
}

// TestHelp checks that every option has its line.
func TestHelp(t *testing.T) {
	g := (&Command{Prog: "salt-call", Getenv: func(string) string { return "" }}).Grammar()
	text := g.Help()
	for _, gr := range g.Groups {
		for _, o := range gr.Options {
			if o.Help == "" || !strings.Contains(text, o.left()+" ") {
				t.Errorf("%v is not in the help", o.Names)
			}
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 140 {
			t.Errorf("a long line: %s", line)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	os.WriteFile(filepath.Join(dir, "minion"), []byte("id: box\nroot_dir: "+dir+"\n"), 0o644)
	cmd := Command{Prog: "salt-call", Getenv: func(string) string { return "" }, Stderr: &bytes.Buffer{}}
	for b.Loop() {
		if _, err := cmd.Start([]string{"-c", dir, "--local", "state.apply", "web", "test=True", "--out", "json"}); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzTyped(f *testing.F) {
	for _, s := range []string{"a=1", "{a: 1}", "[x", "'q", "!!int x", "0x_", "- a", "#", "*x", "é=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		pos, kw := Parse([]string{s}, nil)
		if len(pos)+kw.Len() != 1 {
			t.Errorf("%q became %d arguments", s, len(pos)+kw.Len())
		}
		Load(Signature{Kwargs: true}, Wire(pos, kw)) // any outcome but a panic
	})
}

func FuzzGrammar(f *testing.F) {
	f.Add("--out\x00json\x00-gd\x00--\x00x")
	f.Fuzz(func(t *testing.T, s string) {
		g := (&Command{Prog: "salt-call", Getenv: func(string) string { return "" }}).Grammar()
		g.Parse(strings.Split(s, "\x00")) // any outcome but a panic
	})
}
