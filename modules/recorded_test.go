package modules

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// A recorded case is a call of one function on a machine whose commands answer
// what the case says; ret, error, ran and after are what real Salt 3008.4 did
// there (see testdata/record.py).
//
//	{"fun": "xfs.info", "args": ["/dev/sda1"], "answers": {"xfs_info /dev/sda1": {"out": "…", "err": "", "rc": 0}},
//	 "files": {"/proc/mounts": "…"}, "absent": ["xfsdump"] or (for all) "programs": ["xfs_info"], "grains": {…}, "ret": {…}, "ran": ["a command without an answer"]}
//
// devices (for all) are paths that are block devices. after_change are answers from the first command on that has none, or is among
// changing. differs says why our answer is another one, which want holds then.
type recordedCase struct {
	doc, m   *value.Map
	t        *testing.T
	registry *salt.Registry
	answers  map[string][]any
	ran      []string
	changed  bool
	root     string
	files    []string
	sys.Sys
	salt.Host
}

// wordLine is a command as one line: the program without its folder.
func wordLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if i == 0 {
			w = filepath.Base(w)
		}
		if temporary().MatchString(w) {
			w = "TMP"
		}
		out[i] = py.ShellQuote(w)
	}
	return strings.Join(out, " ")
}

var temporary = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/tmp/(tmp|__salt\.tmp\.)\w+(\.\w+)?$`) })

func commandLine(t *testing.T, line string) string {
	words, err := py.ShellSplit(line)
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return wordLine(words)
}

func (r *recordedCase) answer(line, stdin string) (out, errs string, code int64) {
	next, ok := r.answers[line]
	if !r.changed && (!ok || r.changes(line)) {
		r.changed = true
		for query, a := range r.m.Map("after_change").Items() {
			r.answers[commandLine(r.t, query)] = []any{a}
		}
		next, ok = r.answers[line]
	}
	if !ok {
		if stdin != "" {
			line += " <<< " + stdin
		}
		r.ran = append(r.ran, line)
		return "", "", 0
	}
	if len(next) > 1 {
		r.answers[line] = next[1:]
	}
	switch a := next[0].(type) {
	case string:
		return a, "", 0
	case *value.Map:
		code, _ = a.At("rc").(int64)
		return a.Str("out"), a.Str("err"), code
	}
	return "", "", 0
}

// changes says that a command with an answer changes the machine.
func (r *recordedCase) changes(line string) bool {
	l := r.m.List("changing")
	return l != nil && slices.ContainsFunc(l.Items, func(v any) bool { return commandLine(r.t, v.(string)) == line })
}

func (r *recordedCase) Run(_ context.Context, cmd sys.Cmd) (sys.CmdResult, error) {
	stdin := ""
	if cmd.Stdin != nil {
		b, _ := io.ReadAll(cmd.Stdin)
		stdin = string(b)
	}
	out, errs, code := r.answer(wordLine(cmd.Argv), stdin)
	if cmd.Merge {
		out, errs = out+errs, ""
	}
	return sys.CmdResult{Stdout: []byte(out), Stderr: []byte(errs), Code: int(code), PID: 1}, nil
}

func (r *recordedCase) LookPath(name string) string {
	if l := r.doc.List("programs"); l != nil && !slices.Contains(l.Items, any(filepath.Base(name))) {
		return ""
	}
	for _, m := range []*value.Map{r.m, r.doc} {
		if l := m.List("absent"); l != nil {
			if slices.Contains(l.Items, any(filepath.Base(name))) {
				return ""
			}
			break
		}
	}
	return "/usr/sbin/" + filepath.Base(name)
}

func (r *recordedCase) Registry() *salt.Registry                   { return r.registry }
func (r *recordedCase) Sleep(context.Context, time.Duration) error { return nil }
func (r *recordedCase) Lstat(p string) (fs.FileInfo, error)        { return r.Sys.Lstat(r.to(p)) }
func (r *recordedCase) ReadFile(p string) ([]byte, error)          { return r.Sys.ReadFile(r.to(p)) }
func (r *recordedCase) Open(p string) (io.ReadSeekCloser, error)   { return r.Sys.Open(r.to(p)) }
func (r *recordedCase) ReadDir(p string) ([]fs.DirEntry, error)    { return r.Sys.ReadDir(r.to(p)) }
func (r *recordedCase) Access(p string, mode uint32) error         { return r.Sys.Access(r.to(p), mode) }
func (r *recordedCase) Remove(p string) error                      { return r.Sys.Remove(r.to(p)) }
func (r *recordedCase) Mkdir(p string, m fs.FileMode) error        { return r.Sys.Mkdir(r.to(p), m) }
func (r *recordedCase) Chmod(p string, m fs.FileMode) error        { return r.Sys.Chmod(r.to(p), m) }
func (r *recordedCase) Append(p string) (io.WriteCloser, error)    { return r.Sys.Append(r.to(p)) }
func (r *recordedCase) WriteAt(p string, b []byte, at int64) (int, error) {
	return r.Sys.WriteAt(r.to(p), b, at)
}
func (r *recordedCase) Replace(p string, a sys.FileAttrs, f func(io.Writer) error) error {
	return r.Sys.Replace(r.to(p), a, f)
}

// Stat takes what the case names as devices for such.
func (r *recordedCase) Stat(p string) (fs.FileInfo, error) {
	if l := r.doc.List("devices"); l != nil && slices.Contains(l.Items, any(p)) {
		info, err := r.Sys.Stat(r.root)
		return blockDevice{info}, err
	}
	return r.Sys.Stat(r.to(p))
}

type blockDevice struct{ fs.FileInfo }

func (blockDevice) Mode() fs.FileMode { return fs.ModeDevice | 0o660 }

// to is where a file of the case lies.
func (r *recordedCase) to(path string) string {
	for _, f := range r.files {
		if f = strings.TrimSuffix(f, "/"); path == f || strings.HasPrefix(path, f+"/") || path == filepath.Dir(f) {
			return r.root + path
		}
	}
	return path
}

func (r *recordedCase) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	for _, m := range []*value.Map{r.m, r.doc} {
		if v, ok := m.Map("stubs").Get(fun); ok {
			return value.Copy(v), nil
		}
	}
	if kw == nil {
		kw = new(value.Map)
	}
	if name, ok := strings.CutPrefix(fun, "cmd."); ok {
		return r.cmd(name, args, kw)
	}
	f, err := r.registry.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

func (r *recordedCase) CallState(c *salt.Ctx, fun string, kw *value.Map) (salt.Result, error) {
	f, _, err := r.registry.State(c, fun)
	if err != nil {
		return salt.Result{}, err
	}
	v, err := f.Call(c, nil, kw)
	if err != nil {
		return salt.Result{}, err
	}
	return v.(salt.Result), nil
}

// cmd is what a function of the cmd module gives for the answer of a command.
func (r *recordedCase) cmd(name string, args []any, kw *value.Map) (any, error) {
	if len(args) == 0 {
		v, _ := kw.Get("cmd")
		args = []any{v}
	}
	if name == "has_exec" {
		return r.LookPath(args[0].(string)) != "", nil
	}
	line := ""
	if l, ok := args[0].(*value.List); ok {
		words := make([]string, l.Len())
		for i, w := range l.Items {
			words[i] = value.Str(w)
		}
		line = wordLine(words)
	} else {
		line = commandLine(r.t, value.Str(args[0]))
	}
	out, errs, code := r.answer(line, kw.Str("stdin"))
	out, errs = strings.TrimRight(out, "\n"), strings.TrimRight(errs, "\n")
	switch name {
	case "run", "shell":
		if errs != "" {
			out = strings.Trim(out+"\n"+errs, "\n")
		}
		return out, nil
	case "run_stdout":
		return out, nil
	case "run_stderr":
		return errs, nil
	case "retcode":
		return code, nil
	case "run_all":
		return value.M("pid", int64(1), "retcode", code, "stdout", out, "stderr", errs), nil
	}
	r.t.Errorf("cmd.%s is not recorded", name)
	return nil, nil
}

// TestRecorded runs the recorded calls and compares what they return, the
// commands that they run and the files that they leave with real Salt.
func TestRecorded(t *testing.T) {
	docs, err := filepath.Glob("*/testdata/recorded*.json")
	if err != nil || len(docs) == 0 {
		t.Fatal("no recordings", err)
	}
	same, differs := 0, 0
	for _, path := range docs {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		v, err := value.ParseJSON(string(b))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		doc := v.(*value.Map)
		for _, it := range doc.List("cases").Items {
			m := it.(*value.Map)
			if m.Has("differs") {
				differs++
			} else {
				same++
			}
			t.Run(filepath.Base(filepath.Dir(filepath.Dir(path)))+"/"+m.Str("fun"), func(t *testing.T) { recorded(t, doc, m) })
		}
	}
	t.Logf("%d calls as real Salt's, %d differ on purpose", same, differs)
}

func recorded(t *testing.T, doc, m *value.Map) {
	r := &recordedCase{doc: doc, m: m, t: t, registry: Registry(), answers: map[string][]any{}, root: t.TempDir(), Sys: sys.Real{}}
	for _, from := range []*value.Map{doc.Map("answers"), m.Map("answers")} {
		for line, a := range from.Items() {
			if l, ok := a.(*value.List); ok {
				r.answers[commandLine(t, line)] = slices.Clone(l.Items)
			} else {
				r.answers[commandLine(t, line)] = []any{a}
			}
		}
	}
	for path, text := range m.Map("files").Items() {
		r.files = append(r.files, path)
		if text == nil {
			continue
		}
		dir := r.root + path
		if !strings.HasSuffix(path, "/") {
			dir = filepath.Dir(dir)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, "/") {
			if err := os.WriteFile(r.root+path, []byte(text.(string)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	grains := value.M("os_family", "Debian", "os", "Debian", "kernel", "Linux", "osarch", "amd64")
	if doc.Has("grains") {
		grains = doc.Map("grains").Shallow()
	}
	grains.Update(m.Map("grains"))
	opts := value.M("test", m.Truth("test"), "id", "m", "cachedir", r.root+"/cache")
	opts.Update(doc.Map("opts"))
	opts.Update(m.Map("opts"))
	c := &salt.Ctx{Context: context.Background(), Sys: r, Host: r, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler),
		Grains: grains, Pillar: m.Map("pillar"), Opts: opts, Env: "base", Test: m.Truth("test")}
	got, failed := r.call(c)
	want, fails := m.At("ret"), m.Str("error")
	if m.Has("differs") {
		want, fails = m.At("want"), m.Str("fails")
	}
	args := value.Repr(m.At("args")) + " " + value.Repr(m.At("kwargs"))
	switch {
	case failed != fails:
		t.Errorf("%s\n fails with %q\nnot         %q\n (got %s)", args, failed, fails, value.Repr(got))
	case failed == "" && !value.Equal(normal(t, got), want):
		t.Errorf("%s\n got %s\nwant %s", args, value.Repr(normal(t, got)), value.Repr(want))
	}
	r.effects(m)
}

// call makes the call; failed is "Class: text" of its error.
func (r *recordedCase) call(c *salt.Ctx) (got any, failed string) {
	kw := r.m.Map("kwargs")
	if kw == nil {
		kw = new(value.Map)
	}
	var err error
	if r.m.Truth("state") {
		var res salt.Result
		if res, err = r.CallState(c, r.m.Str("fun"), kw); err == nil {
			got = res.Map(kw.Str("name"))
		}
	} else {
		var args []any
		if l := r.m.List("args"); l != nil {
			args = l.Items
		}
		var f *salt.Func
		if f, err = r.registry.Exec(c, r.m.Str("fun")); err == nil {
			got, err = f.Call(c, args, kw)
		}
	}
	return got, errorText(err)
}

func errorText(err error) string {
	var e *value.Exception
	var l *salt.LookupError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Class + ": " + e.Msg
	case errors.As(err, &l):
		return "KeyError: '" + l.Name + "'"
	}
	return err.Error()
}

// effects compares the commands that ran and the files that are left.
func (r *recordedCase) effects(m *value.Map) {
	ran := "ran"
	if m.Has("ours") {
		ran = "ours"
	}
	var want []string
	if l := m.List(ran); l != nil {
		for _, w := range l.Items {
			want = append(want, w.(string))
		}
	}
	if !slices.Equal(r.ran, want) {
		r.t.Errorf("%s runs\n    %s\nnot\n    %s", m.Str("fun"), strings.Join(r.ran, "\n    "), strings.Join(want, "\n    "))
	}
	after := m.Map("after")
	for path, text := range m.Map("files").Items() {
		want, changes := after.Get(path)
		if !changes {
			want = text
		}
		if strings.HasSuffix(path, "/") {
			continue
		}
		b, err := os.ReadFile(r.root + path)
		if now := any(string(b)); err != nil && want != nil || err == nil && now != want {
			r.t.Errorf("%s is\n%s\nnot\n%v", path, b, want)
		}
	}
}

// normal is v as JSON has it: keys are texts.
func normal(t *testing.T, v any) any {
	switch v := v.(type) {
	case *value.Map:
		out := new(value.Map)
		for k, x := range v.All() {
			out.Set(value.Str(k), normal(t, x))
		}
		return out
	case *value.List:
		out := value.L()
		for _, x := range v.Items {
			out.Append(normal(t, x))
		}
		return out
	case value.Tuple:
		return normal(t, value.L(v...))
	case *value.Set, []byte:
		b, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		got, err := value.ParseJSON(string(b))
		if err != nil {
			t.Error(err)
		}
		return got
	}
	return v
}
