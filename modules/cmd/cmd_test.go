package cmd

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// host has the files of one directory, and templates that know one variable.
type host struct {
	salt.Host
	dir string
}

func (h host) Files() salt.Files { return files{dir: h.dir} }
func (h host) Render(c *salt.Ctx, t salt.Template) (string, error) {
	return strings.ReplaceAll(t.Text, "{{ what }}", t.Vars.Str("what")), nil
}

type files struct {
	salt.Files
	dir string
}

func (f files) Get(c *salt.Ctx, url, env string, o salt.GetOptions) (*salt.File, error) {
	path := filepath.Join(f.dir, strings.TrimPrefix(url, "salt://"))
	if _, err := os.Stat(path); err != nil {
		return nil, fs.ErrNotExist
	}
	return &salt.File{Local: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}, nil
}

func ctx(t testing.TB, test bool) *salt.Ctx {
	dir := t.TempDir()
	t.Setenv("SHELL", "/bin/sh")
	t.Setenv("HOME", dir)
	c := &salt.Ctx{
		Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Env: "base", Run: salt.NewRun(),
		Grains: value.M("shell", "/bin/sh"), Opts: new(value.Map), Pillar: new(value.Map), Host: host{dir: dir},
	}
	return c.With(test)
}

func show(m *value.Map) string {
	m = m.Shallow()
	m.Pop("name")
	if ch := m.Map("changes"); ch != nil && ch.Has("pid") {
		ch.Set("pid", "P")
	}
	return value.Repr(m)
}

// The returns are Salt's own.
func TestRunState(t *testing.T) {
	const ran = "{'changes': {'pid': 'P', 'retcode': %CODE, 'stdout': '%OUT', 'stderr': '%ERR'}, 'result': %RES, 'comment': 'Command \"%CMD\" run'}"
	want := func(cmd, code, out, errs, res string) string {
		return strings.NewReplacer("%CODE", code, "%OUT", out, "%ERR", errs, "%RES", res, "%CMD", cmd).Replace(ran)
	}
	for _, tt := range []struct {
		name string
		kw   *value.Map
		test bool
		want string
	}{
		{"echo a | tr a b", nil, false, want("echo a | tr a b", "0", "b", "", "True")},
		{"echo oops >&2; exit 3", nil, false, want("echo oops >&2; exit 3", "3", "", "oops", "False")},
		{"exit 3", value.M("success_retcodes", value.L(int64(3))), false, want("exit 3", "0", "", "", "True")},
		{"echo fine; exit 1", value.M("success_stdout", value.L("fine")), false, want("echo fine; exit 1", "0", "fine", "", "True")},
		{"echo password", value.M("hide_output", true), false, want("echo password", "0", "", "", "True")},
		{"echo $G", value.M("env", value.L(value.M("G", "hi"), value.M("O", int64(1)))), false, want("echo $G", "0", "hi", "", "True")},
		{"umask", value.M("umask", "027"), false, want("umask", "0", "0027", "", "True")},
		{"cat", value.M("stdin", `a\nb`), false, want("cat", "0", `a\nb`, "", "True")},
		{"exit 3", nil, true, `{'changes': {'cmd': 'exit 3'}, 'result': None, 'comment': 'Command "exit 3" would have been executed'}`},
		{"pwd", value.M("cwd", "/nosuch/dir"), false, `{'changes': {}, 'result': False, 'comment': 'Desired working directory "/nosuch/dir" is not available'}`},
		{"id", value.M("runas", "nobodyhere"), false, `{'changes': {}, 'result': False, 'comment': "User 'nobodyhere' is not available"}`},
		{"id", value.M("umask", "000"), false, `{'changes': {}, 'result': False, 'comment': 'Zero umask is not allowed.'}`},
		{"id", value.M("env", "A=b"), false, `{'changes': {}, 'result': False, 'comment': "Invalidly-formatted 'env' parameter. See documentation."}`},
		{"sleep 20", value.M("timeout", 0.1), false, `{'changes': {'stdout': 'sleep 20 : Timed out after 0.1 seconds', 'stderr': '', 'retcode': 1, 'pid': 'P'}, 'result': False, 'comment': 'Command "sleep 20" run'}`},
		{"sleep 20", value.M("timeout", 0.1, "ignore_timeout", true), false, `{'changes': {'stdout': 'sleep 20 : Timed out after 0.1 seconds', 'stderr': '', 'retcode': 0, 'pid': 'P'}, 'result': True, 'comment': 'Command "sleep 20" run'}`},
		{`echo work; echo; echo 'changed=yes comment="all is well" answer=42'`, value.M("stateful", true), false,
			`{'changes': {'changed': 'yes', 'answer': '42', 'pid': 'P', 'retcode': 0, 'stdout': 'work\n', 'stderr': ''}, 'result': True, 'comment': 'all is well'}`},
		{`echo '{"changed":false, "comment":"json here"}'`, value.M("stateful", true), false, `{'changes': {}, 'result': True, 'comment': 'json here'}`},
		{`echo '[1]'`, value.M("stateful", true), false, `{'changes': {}, 'result': False, 'comment': 'script JSON output must be a JSON object (e.g., {})!'}`},
		{`echo text`, value.M("stateful", true), false, `{'changes': {'pid': 'P', 'retcode': 0, 'stdout': 'text', 'stderr': ''}, 'result': False, 'comment': 'Failed parsing script output! Stdout must be JSON or a line of name=value pairs.'}`},
		{`echo changed=no`, value.M("stateful", value.L(value.M("test_name", "echo; echo changed=yes comment=would"))), true,
			`{'changes': {'changed': 'yes', 'pid': 'P', 'retcode': 0, 'stdout': '', 'stderr': ''}, 'result': None, 'comment': 'would'}`},
	} {
		kw := value.M("name", tt.name)
		kw.Update(tt.kw)
		v, err := Module.States()["run"].Call(ctx(t, tt.test), nil, kw)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := show(v.(salt.Result).Map("")); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.name, value.Repr(tt.kw), got, tt.want)
		}
	}
}

func TestWatch(t *testing.T) {
	c := ctx(t, false)
	for sfun, want := range map[string]string{
		"wait":        "True Command \"true\" run",
		"script":      "False Unable to cache script true from saltenv 'base'",
		"wait_call":   "False cmd.wait_call needs a named parameter func",
		"wait_nosuch": "False cmd.wait_nosuch does not work with the watch requisite, please use cmd.wait or cmd.wait_script",
	} {
		v, err := Module.Watch.Call(c, nil, value.M("name", "true", "sfun", sfun))
		if err != nil {
			t.Fatal(err)
		}
		m := v.(salt.Result).Map("")
		if got := value.Repr(m.At("result")) + " " + m.Str("comment"); got != want {
			t.Errorf("%s: %s, want %s", sfun, got, want)
		}
	}
}

func TestScriptState(t *testing.T) {
	c := ctx(t, false)
	dir := c.Host.(host).dir
	os.WriteFile(dir+"/s.sh", []byte("#!/bin/sh\necho \"$# $1 / $2 {{ what }}\"\nstat -c %a \"$0\"\n"), 0o644)
	kw := value.M("name", "s.sh", "source", "salt://s.sh", "args", `one "two words"`, "cwd", dir, "template", "jinja", "context", value.M("what", "ok"))
	v, err := Module.States()["script"].Call(c, nil, kw)
	if err != nil {
		t.Fatal(err)
	}
	want := `{'changes': {'pid': 'P', 'retcode': 0, 'stdout': '2 one / two words ok\n500', 'stderr': ''}, 'result': True, 'comment': "Command 's.sh' run"}`
	if got := show(v.(salt.Result).Map("")); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestExecRun(t *testing.T) {
	for _, tt := range []struct {
		fun  string
		cmd  any
		kw   *value.Map
		want string
		code int
	}{
		{"run", "echo a | tr a b", nil, "'a | tr a b'", 0},
		{"run", "echo a | tr a b", value.M("__pub_jid", "1"), "'b'", 0},
		{"run", value.L("echo", int64(1), "$HOME"), nil, "'1 $HOME'", 0},
		{"run", "exit 3", value.M("python_shell", true), "''", 3},
		{"run", "exit 3", value.M("python_shell", true, "ignore_retcode", true), "''", 0},
		{"run", "exit 1", value.M("python_shell", true, "raise_err", true), "CommandExecutionError ", 1},
		{"run", "kill -9 $$", value.M("python_shell", true), "''", -9},
		{"run", "printf '\\377\\342\\202'", value.M("python_shell", true), "'��'", 0},
		{"run", "printf '\\344'", value.M("python_shell", true, "output_encoding", "latin-1"), "'ä'", 0},
		{"run", "x", value.M("shell", "/nonexistent/sh"), "CommandExecutionError The shell /nonexistent/sh is not available", 0},
		{"run", "rm x", value.M("__pub_jid", "1"), "CommandExecutionError The shell command \"rm x\" is not permitted", 0},
		{"run", "", nil, "IndexError list index out of range", 0},
		{"run", "a 'b", nil, "ValueError No closing quotation", 0},
		{"retcode", "false", nil, "1", 1},
		{"shell", "echo $((1+2)) | cat", nil, "'3'", 0},
		{"run_stderr", "echo out; echo err >&2", value.M("python_shell", true), "'err'", 0},
		{"which_bin", value.L("nosuch"), nil, "None", 0},
	} {
		c := ctx(t, false)
		c.Opts.Set("cmd_blacklist_glob", value.L("rm *"))
		kw := tt.kw
		if kw == nil {
			kw = new(value.Map)
		}
		v, err := Module.Exec()[tt.fun].Call(c, []any{tt.cmd}, kw)
		got := value.Repr(v)
		if e, ok := err.(*value.Exception); ok {
			got = e.Class + " " + e.Msg
		}
		if got != tt.want || c.Run.Retcode() != tt.code {
			t.Errorf("%s(%s): got %s (%d) %v, want %s (%d)", tt.fun, value.Repr(tt.cmd), got, c.Run.Retcode(), err, tt.want, tt.code)
		}
	}
}

// The text shows Python's view of the call; programs match on its start.
func TestMissingProgram(t *testing.T) {
	c := ctx(t, false)
	_, err := Module.Exec()["run"].Call(c, []any{"nosuchcommand x"}, nil)
	want := "Unable to run command '['nosuchcommand', 'x']' with the context '{'cwd': '" + os.Getenv("HOME") +
		"', 'shell': False, 'stdout': -1, 'stderr': -2, 'with_communicate': True, 'timeout': None, 'bg': False, 'close_fds': True}', reason: [Errno 2] No such file or directory: 'nosuchcommand'"
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// A secret in the arguments must not reach the log.
func TestLogHidesArguments(t *testing.T) {
	var b strings.Builder
	c := ctx(t, false)
	c.Log = slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug - 8}))
	Module.Exec()["run"].Call(c, []any{"false --password hunter2"}, nil)
	if strings.Contains(b.String(), "hunter2") || !strings.Contains(b.String(), "Command 'false' failed with return code: 1") {
		t.Error(b.String())
	}
}

// Expected values are those of Python 3.11's shlex.
func BenchmarkRunTrue(b *testing.B) {
	c := ctx(b, false)
	for b.Loop() {
		if _, err := Module.Exec()["run"].Call(c, []any{"/bin/true"}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStateTrue(b *testing.B) {
	c := ctx(b, false)
	for b.Loop() {
		if _, err := Module.States()["run"].Call(c, nil, value.M("name", "true")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBareSpawn(b *testing.B) {
	for b.Loop() {
		if _, err := (sys.Real{}).Run(context.Background(), sys.Cmd{Argv: []string{"/bin/true"}}); err != nil {
			b.Fatal(err)
		}
	}
}
