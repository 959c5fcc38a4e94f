package service

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A machine is a tree of files and the commands that ran on the real one, in
// their order.
type machine struct {
	sys.Sys
	salt.Host
	t     *testing.T
	tree  fstest.MapFS
	ran   []any // what is still to come
	asked []string
}

// TestRecorded replays what Salt's modules for OpenRC and runit answered on
// machines with the real tools: same answers, same changing commands, same
// files left. See testdata/README.md.
func TestRecorded(t *testing.T) {
	for _, name := range []string{"openrc", "runit"} {
		b, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		v, err := value.ParseJSON(string(b))
		if err != nil {
			t.Fatal(err)
		}
		doc := v.(*value.Map)
		same, differ, asks := 0, 0, 0
		for i, it := range doc.List("cases").Items {
			c := it.(*value.Map)
			if c.Has("differs") {
				differ++
			} else {
				same++
			}
			t.Run(name+"/"+strings.TrimPrefix(c.Str("fun"), "service."), func(t *testing.T) {
				if replay(t, doc, c) {
					asks++
				}
				if t.Failed() {
					t.Logf("case %d: %s %s", i, value.Repr(c.At("args")), value.Repr(c.At("kwargs")))
				}
			})
		}
		t.Logf("%s: %d calls as Salt's, %d differ on purpose, in %d a command was asked for what no file tells", name, same, differ, asks)
	}
}

func replay(t *testing.T, doc, m *value.Map) (asked bool) {
	mach := &machine{t: t, tree: fstest.MapFS{}}
	mach.change(doc.Map("tree"), nil)
	mach.change(m.Map("tree").Map("set"), m.Map("tree").List("gone"))
	if l := m.List("ran"); l != nil {
		mach.ran = l.Items
	}
	before := mach.files()
	mach.settle()

	grains := doc.Map("grains").Shallow()
	grains.Update(m.Map("grains"))
	c := &salt.Ctx{Context: context.Background(), Sys: mach, Host: mach, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler), Grains: grains, Test: m.Truth("test")}
	if c.Test {
		c.Sys = sys.ReadOnly{Sys: mach}
	}
	got, err := call(c, m)
	want := m.At("ret")
	if m.Has("differs") {
		want = m.At("want")
	}
	switch {
	case failure(err) != m.Str("error") && !m.Has("differs"):
		t.Errorf("fails with %q, not %q", failure(err), m.Str("error"))
	case err == nil && !value.Equal(got, want):
		t.Errorf("\n got %s\nwant %s", value.Repr(got), value.Repr(want))
	}
	for _, e := range mach.ran {
		if cmd := e.(*value.Map).Str("cmd"); !asks(cmd) {
			t.Errorf("does not run %s", cmd)
		}
	}
	left := before
	for p, v := range m.Map("after").Map("set").Items() {
		left.Set(p, v)
	}
	if gone := m.Map("after").List("gone"); gone != nil {
		for _, p := range gone.Items {
			left.Pop(p.(string))
		}
	}
	if now := mach.files(); !value.Equal(now, left) {
		t.Errorf("leaves\n%s\nnot\n%s", value.Repr(now), value.Repr(left))
	}
	return len(mach.asked) > 0
}

func call(c *salt.Ctx, m *value.Map) (any, error) {
	kw := new(value.Map)
	kw.Update(m.Map("kwargs"))
	var args []any
	if l := m.List("args"); l != nil {
		args = l.Items
	}
	name := strings.TrimPrefix(m.Str("fun"), "service.")
	if !m.Truth("state") {
		v, err := Module.Functions("exec")[name].Call(c, args, kw)
		if s, ok := v.([]string); ok {
			v = value.Strings(s)
		}
		return v, err
	}
	v, err := Module.Functions("states")[name].Call(c, args, kw)
	if err != nil {
		return nil, err
	}
	r := v.(salt.Result)
	if err := r.Err(); err != nil {
		return nil, err
	}
	out := value.M("name", args[0], "changes", r.Changes, "result", nil, "comment", r.Comment)
	if r.Changes == nil {
		out.Set("changes", new(value.Map))
	}
	if r.Result != nil {
		out.Set("result", *r.Result)
	}
	return out, nil
}

func failure(err error) string {
	var e *value.Exception
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Class + ": " + e.Msg
	}
	return err.Error()
}

// asks says that a command only looks.
func asks(cmd string) bool {
	return cmd == "rc-update -v show" || strings.HasPrefix(cmd, "sv status ") || strings.HasSuffix(cmd, " status")
}

// run is the answer to a command. Time does not pass by itself here: what went
// on until the next change is there at once.
func (m *machine) run(argv []string, query bool) (out string, code int64) {
	cmd := strings.Join(argv, " ")
	if query != asks(cmd) {
		m.t.Errorf("%s: query is %t", cmd, query)
	}
	if query {
		m.asked = append(m.asked, cmd)
	}
	for i, it := range m.ran {
		e := it.(*value.Map)
		if e.Str("cmd") == cmd {
			m.ran = m.ran[i+1:]
			m.change(e.Map("set"), e.List("gone"))
			m.settle()
			code, _ = e.At("code").(int64)
			return e.Str("out"), code
		}
		if !asks(e.Str("cmd")) {
			break
		}
	}
	m.t.Errorf("runs %s", cmd)
	return "", 1
}

func (m *machine) settle() {
	for _, it := range m.ran {
		e := it.(*value.Map)
		if !asks(e.Str("cmd")) {
			return
		}
		m.change(e.Map("set"), e.List("gone"))
	}
}

func (m *machine) change(set *value.Map, gone *value.List) {
	if gone != nil {
		for _, p := range gone.Items {
			delete(m.tree, p.(string)[1:])
		}
	}
	for path, v := range set.Items() {
		m.tree[path[1:]] = file(v)
	}
}

// file is what a recording says of one: its text, or what else it is.
func file(v any) *fstest.MapFile {
	f, _ := v.(*value.Map)
	text, mode := f.Str("program"), fs.FileMode(0o755)
	switch {
	case f.Has("dir"):
		mode |= fs.ModeDir
	case f.Has("link"):
		return &fstest.MapFile{Data: []byte(f.Str("link")), Mode: 0o777 | fs.ModeSymlink}
	case f == nil:
		text, mode = v.(string), 0o644
	}
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = append(b, byte(r))
	}
	return &fstest.MapFile{Data: b, Mode: mode}
}

// files are all but those that the service managers write.
func (m *machine) files() *value.Map {
	out := new(value.Map)
	for path, f := range m.tree {
		switch {
		case strings.HasPrefix(path, "run/") || strings.HasPrefix(path, "proc/") || strings.Contains(path, "/supervise"):
		case f.Mode.IsDir():
			out.Set("/"+path, value.M("dir", true))
		case f.Mode.Type() == fs.ModeSymlink:
			out.Set("/"+path, value.M("link", string(f.Data)))
		case f.Mode&0o111 != 0:
			out.Set("/"+path, value.M("program", string(f.Data)))
		default:
			out.Set("/"+path, string(f.Data))
		}
	}
	return out
}

// virtual is the path with its links followed, the last one only when follow
// says so.
func (m *machine) virtual(path string, follow bool) string {
	at, left := "/", strings.Split(strings.Trim(path, "/"), "/")
	for hops := 0; len(left) > 0; {
		next := filepath.Join(at, left[0])
		left = left[1:]
		f := m.tree[next[1:]]
		if f == nil || f.Mode.Type() != fs.ModeSymlink || len(left) == 0 && !follow {
			at = next
			continue
		}
		if hops++; hops > 40 {
			return "/loop"
		}
		if filepath.IsAbs(string(f.Data)) {
			at = "/"
		}
		left = append(strings.Split(strings.Trim(string(f.Data), "/"), "/"), left...)
	}
	return at
}

func (m *machine) on(path string) string { return m.virtual(path, true)[1:] }
func (m *machine) at(path string) string { return m.virtual(path, false)[1:] }

func (m *machine) Lstat(p string) (fs.FileInfo, error)     { return m.tree.Lstat(m.at(p)) }
func (m *machine) Stat(p string) (fs.FileInfo, error)      { return m.tree.Lstat(m.on(p)) }
func (m *machine) ReadFile(p string) ([]byte, error)       { return m.tree.ReadFile(m.on(p)) }
func (m *machine) ReadDir(p string) ([]fs.DirEntry, error) { return m.tree.ReadDir(m.on(p)) }
func (m *machine) Readlink(p string) (string, error)       { return m.tree.ReadLink(m.at(p)) }
func (m *machine) EvalSymlinks(p string) (string, error)   { return m.virtual(p, true), nil }

func (m *machine) Access(p string, mode uint32) error {
	i, err := m.Stat(p)
	if err == nil && mode&1 != 0 && i.Mode()&0o111 == 0 {
		return fs.ErrPermission
	}
	return err
}

func (m *machine) Symlink(target, p string) error {
	if m.tree[m.at(p)] != nil {
		return fs.ErrExist
	}
	m.tree[m.at(p)] = file(value.M("link", target))
	return nil
}

func (m *machine) Remove(p string) error {
	_, err := m.Lstat(p)
	delete(m.tree, m.at(p))
	return err
}

func (m *machine) Append(p string) (io.WriteCloser, error) {
	if m.tree[m.on(p)] == nil {
		m.tree[m.on(p)] = file("")
	}
	return closed{io.Discard}, nil
}

type closed struct{ io.Writer }

func (closed) Close() error { return nil }

func (m *machine) Sleep(context.Context, time.Duration) error { return nil }
func (m *machine) LookPath(name string) string {
	if name == "sv" || name == "rc-update" {
		return "/sbin/" + name
	}
	return ""
}

func (m *machine) Run(_ context.Context, cmd sys.Cmd) (sys.CmdResult, error) {
	out, code := m.run(cmd.Argv, cmd.Query)
	return sys.CmdResult{Stdout: []byte(out), Code: int(code)}, nil
}

func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, _ *value.Map) (any, error) {
	switch fun {
	case "cmd.retcode":
		var argv []string
		for _, w := range args[0].(*value.List).Items {
			argv = append(argv, w.(string))
		}
		_, code := m.run(argv, false)
		return code, nil
	case "status.pid":
		if args[0] == "there" {
			return "12", nil
		}
		return "", nil
	}
	m.t.Errorf("calls %s", fun)
	return nil, nil
}
