package file

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/fileclient"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// testHost is an engine with this module and what it calls of others.
type testHost struct {
	reg   *salt.Registry
	files salt.Files
}

func (h *testHost) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := h.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

func (h *testHost) CallState(c *salt.Ctx, fun string, kw *value.Map) (salt.Result, error) {
	f, _, err := h.reg.State(c, fun)
	if err != nil {
		return salt.Result{}, err
	}
	r, err := f.Call(c, nil, kw)
	if err != nil {
		return salt.Result{}, err
	}
	return r.(salt.Result), nil
}

func (h *testHost) Registry() *salt.Registry { return h.reg }
func (h *testHost) Files() salt.Files        { return h.files }

// Render replaces {{ name }} by variables: enough for what a module passes on.
func (h *testHost) Render(c *salt.Ctx, t salt.Template) (string, error) {
	if strings.Contains(t.Text, "{{ broken") {
		return "", value.Errorf("SaltRenderError", "Jinja syntax error: it is broken")
	}
	out := t.Text
	for k, v := range t.Vars.Items() {
		out = strings.ReplaceAll(out, "{{ "+k+" }}", value.Str(v))
	}
	return out, nil
}

func (h *testHost) RenderData(*salt.Ctx, salt.Template) (*salt.Data, error) { return nil, nil }
func (h *testHost) CompilePillar(*salt.Ctx, salt.PillarOptions) (*value.Map, error) {
	return nil, nil
}

type cmdArgs struct {
	Cmd    any        `py:"cmd"`
	Kwargs *value.Map `py:"**kwargs"`
}

// runCmd stands for cmd.run_all: words are split at spaces.
func runCmd(c *salt.Ctx, a cmdArgs) (*value.Map, error) {
	argv := stringList(a.Cmd)
	if s, ok := a.Cmd.(string); ok {
		argv = strings.Fields(s)
	}
	res, err := c.Sys.Run(c, sys.Cmd{Argv: argv})
	if err != nil {
		return nil, err
	}
	return value.M("pid", int64(res.PID), "retcode", int64(res.Code), "stdout", strings.TrimRight(string(res.Stdout), "\n"), "stderr", strings.TrimRight(string(res.Stderr), "\n")), nil
}

// cmdOutput stands for cmd.run.
func cmdOutput(c *salt.Ctx, a cmdArgs) (string, error) {
	m, err := runCmd(c, a)
	return m.Str("stdout"), err
}

func testCtx(t testing.TB, root string) *salt.Ctx {
	t.Helper()
	cmd := &salt.Module{Name: "cmd", Exec: func() salt.Funcs { return salt.Funcs{"run_all": salt.Exec(runCmd), "run": salt.Exec(cmdOutput)} }}
	srv, cache := filepath.Join(root, "srv/salt"), filepath.Join(root, "cache")
	h := &testHost{reg: salt.NewRegistry(&Module, cmd)}
	h.files = fileclient.New(fileclient.Options{Backends: []fileclient.Backend{&fileclient.Roots{Dirs: map[string][]string{"base": {srv}}}}, CacheDir: cache})
	return &salt.Ctx{
		Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Grains: new(value.Map), Pillar: new(value.Map), Opts: value.M("cachedir", cache), Env: "base", Low: new(value.Map), Run: salt.NewRun(), Host: h,
	}
}

// put writes a file below a test's folder.
func put(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// state calls a state function as a run does.
func state(t testing.TB, c *salt.Ctx, fun string, kv ...any) salt.Result {
	t.Helper()
	r, err := c.CallState(c, "file."+fun, value.M(kv...))
	if err != nil {
		t.Fatalf("file.%s: %v", fun, err)
	}
	return r
}

// outcome is a result on one line: True {changes} comment.
func outcome(r salt.Result, root string) string {
	res := "None"
	if r.Result != nil {
		res = value.Repr(*r.Result)
	}
	changes := r.Changes
	if changes == nil {
		changes = new(value.Map)
	}
	return strings.ReplaceAll(res+" "+value.Repr(changes)+" "+r.Comment, root, "ROOT")
}
