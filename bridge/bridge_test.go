package bridge_test

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pinch/bridge"
	"pinch/caller"
	"pinch/config"
	"pinch/salt"
	"pinch/value"
)

// run makes a run whose extension folder holds the given files by KIND/NAME.
func run(t testing.TB, opts *value.Map, files map[string]string) *salt.Ctx {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	root := t.TempDir()
	o := value.M("id", "minion", "extension_modules", root, "cachedir", root, "renderer", "jinja|yaml", "file_client", "local")
	o.Update(opts)
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if filepath.Ext(name) == "" {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	echo := salt.Exec(func(c *salt.Ctx, a struct {
		Text any `py:"text"`
	}) (any, error) {
		return a.Text, nil
	})
	fail := salt.Exec(func(c *salt.Ctx, a salt.NoArgs) (any, error) { return nil, salt.CommandError("said no") })
	r := caller.New(caller.Options{
		Config:   &config.Config{Opts: o, Dir: root},
		Registry: salt.NewRegistry(&salt.Module{Name: "test", Exec: func() salt.Funcs { return salt.Funcs{"echo": echo, "fail": fail} }}),
		Log:      slog.New(slog.NewTextHandler(testWriter{t}, nil)),
		Grains:   value.M("id", "minion", "os", "Debian"),
	})
	t.Cleanup(r.Close)
	c := r.Ctx(t.Context())
	c.Pillar = value.M("port", int64(80), "deep", value.M("a", value.L("x")))
	return c
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

const everything = `
import os
from salt.exceptions import CommandExecutionError
seen = []
def hello(name, greeting="hi", *args, **kwargs):
    """Greets."""
    return "%s %s" % (greeting, name)
def kinds():
    return {"t": (1, 2), "l": [1.5, None, True], "b": b"x", 5: {"s"}, "big": 2 ** 70, "neg": -2 ** 40}
def back(x): return [type(x).__name__, x]
def facts(): return [__grains__["os"], __pillar__["deep"]["a"][0], __opts__["id"], __grains__.get("none", 7), "os" in __grains__]
def via(): return __salt__["test.echo"]({"a": [1]})
def caught():
    try:
        __salt__["test.fail"]()
    except CommandExecutionError as error:
        return "caught " + str(error)
def other(): return __salt__["m.hello"]("me")
def object(): return os
def raises(): raise ValueError("no good")
def count():
    seen.append(1)
    return len(seen)
`

func TestCalls(t *testing.T) {
	c := run(t, nil, map[string]string{"modules/m.py": everything})
	for _, tc := range []struct {
		fun  string
		args []any
		want string // repr
	}{
		{"m.hello", []any{"you"}, "'hi you'"},
		{"m.kinds", nil, "{'t': (1, 2), 'l': [1.5, None, True], 'b': b'x', 5: {'s'}, 'big': 1180591620717411303424, 'neg': -1099511627776}"},
		{"m.back", []any{value.Tuple{int64(1)}}, "['tuple', (1,)]"},
		{"m.back", []any{value.M("a", nil)}, "['dict', {'a': None}]"},
		{"m.facts", nil, "['Debian', 'x', 'minion', 7, True]"},
		{"m.via", nil, "{'a': [1]}"},
		{"m.caught", nil, "'caught said no'"},
		{"m.other", nil, "'hi me'"},
		{"m.count", nil, "1"},
		{"m.count", nil, "2"},
	} {
		v, err := c.Call(tc.fun, tc.args...)
		if err != nil || value.Repr(v) != tc.want {
			t.Errorf("%s: %s, %v; want %s", tc.fun, value.Repr(v), err, tc.want)
		}
	}
	if v, err := c.Call("m.object"); err != nil || !strings.HasPrefix(value.Repr(v), "<module 'os'") {
		t.Errorf("object: %s, %v", value.Repr(v), err)
	}
}

func TestErrorHasPlace(t *testing.T) {
	c := run(t, nil, map[string]string{"modules/m.py": everything})
	_, err := c.Call("m.raises")
	e, ok := err.(*bridge.Error)
	if !ok || e.Class != "ValueError" || e.Msg != "no good" || filepath.Base(e.File) != "m.py" || e.Line != 20 {
		t.Fatalf("%#v", err)
	}
	if !strings.Contains(e.Traceback(), `raise ValueError("no good")`) || strings.Contains(e.Traceback(), "pinch_") {
		t.Errorf("traceback:\n%s", e.Traceback())
	}
	_, err = c.Call("m.hello")
	if err == nil || err.Error() != "hello() missing 1 required positional argument: 'name'" {
		t.Errorf("argument error: %v", err)
	}
}

// TestGrainsInside has a module read custom grains that nobody read before.
func TestGrainsInside(t *testing.T) {
	c := run(t, nil, map[string]string{
		"grains/site.py": "def role(grains): return {'role': 'web-' + grains['kernel']}\n",
		"modules/m.py":   "def __virtual__(): return __grains__['role'] == 'web-Linux'\ndef role(): return __grains__['role']\n",
	})
	host := caller.New(caller.Options{Config: &config.Config{Opts: c.Opts}, Registry: c.Registry()})
	t.Cleanup(host.Close)
	v, err := host.Ctx(t.Context()).Call("m.role")
	if err != nil || v != "web-Linux" {
		t.Errorf("%v %v", v, err)
	}
}

// TestPillarInside has a module read a pillar that needs a module itself.
func TestPillarInside(t *testing.T) {
	c := run(t, nil, map[string]string{"modules/m.py": "def made(): return 'made'\ndef port(): return __pillar__['port']\n"})
	c.Pillar.Reset(func() *value.Map {
		v, err := c.Call("m.made")
		return value.M("port", v, "err", err == nil)
	})
	if v, err := c.Call("m.port"); err != nil || v != "made" {
		t.Errorf("%v %v", v, err)
	}
}

// TestFaults has modules misbehave: each call fails by itself, and the next
// one works.
func TestFaults(t *testing.T) {
	c := run(t, nil, map[string]string{"modules/m.py": `
import os, sys, ctypes, time, signal, threading
def ok(): return "ok"
def exits(): os._exit(3)
def sysexit(): sys.exit(4)
def segfault(): ctypes.string_at(0)
def prints(): print("x" * 100); os.write(1, b"raw\n"); return "printed"
def garbage(): os.write(4, b"\xff\xff\xff\xff garbage"); return 1
def closes(): os.close(4); return 1
def much(): return "x" * (100 << 20)
def forks():
    pid = os.fork()
    if pid == 0: return "child"
    os.waitpid(pid, 0)
    return "parent"
def surroundings():
    os.chdir("/tmp"); os.umask(0); signal.signal(signal.SIGTERM, lambda *a: None); return True
def looks():
    m = os.umask(0o22); os.umask(m)
    return [os.getcwd() == "/tmp", m == 0, signal.getsignal(signal.SIGTERM) == signal.SIG_DFL]
def nostring(): raise Exception(5)
def noexception(): raise KeyboardInterrupt()
def generator(): yield 1
def circle():
    l = []; l.append(l); return l
def deep():
    l = []
    for i in range(100000): l = [l]
    return l
def recursion(): return recursion()
def alarm():
    signal.setitimer(signal.ITIMER_REAL, 0.1); time.sleep(5)
`})
	for _, tc := range []struct{ fun, want string }{
		{"exits", "the Python process of the custom modules ended with exit code 3"},
		{"sysexit", "4"},
		{"segfault", "the Python process of the custom modules was killed by signal SIGSEGV"},
		{"garbage", "the Python process of the custom modules wrote to the pipe that is pinch's own"},
		{"closes", "the Python process of the custom modules ended"},
		{"nostring", "5"},
		{"noexception", ""},
		{"recursion", "maximum recursion depth exceeded"},
		{"alarm", "the Python process of the custom modules"},
	} {
		_, err := c.Call("m." + tc.fun)
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: %v; want %s", tc.fun, err, tc.want)
		}
		if v, err := c.Call("m.ok"); err != nil || v != "ok" {
			t.Fatalf("after %s: %v %v", tc.fun, v, err)
		}
	}
	for fun, want := range map[string]string{
		"prints": "'printed'", "forks": "'parent'", "surroundings": "True", "looks": "[False, False, True]",
	} {
		if v, err := c.Call("m." + fun); err != nil || value.Repr(v) != want {
			t.Errorf("%s: %s %v", fun, value.Repr(v), err)
		}
	}
	for _, fun := range []string{"generator", "circle", "deep"} {
		if _, err := c.Call("m." + fun); err != nil {
			t.Errorf("%s: %v", fun, err)
		}
	}
	c.Opts.Set("custom_timeout", 60.0) // a busy machine may need more than a second
	if v, err := c.Call("m.much"); err != nil || len(v.(string)) != 100<<20 {
		t.Errorf("100 MB: %v", err)
	}
}

// TestHang has modules that never answer.
func TestHang(t *testing.T) {
	c := run(t, value.M("custom_timeout", int64(3)), map[string]string{"modules/m.py": `
import time
def ok(): return "ok"
def hangs():
    while True: pass
def sleeps(): time.sleep(60)
`})
	for _, fun := range []string{"m.hangs", "m.sleeps"} {
		_, err := c.Call(fun)
		if err == nil || err.Error() != "a custom module did not answer within 3s (option custom_timeout)" {
			t.Errorf("%s: %v", fun, err)
		}
		if v, err := c.Call("m.ok"); err != nil || v != "ok" {
			t.Fatalf("after %s: %v %v", fun, v, err)
		}
	}
}

func BenchmarkFirstCall(b *testing.B) {
	for b.Loop() {
		c := run(b, nil, map[string]string{"modules/m.py": everything})
		if _, err := c.Call("m.count"); err != nil {
			b.Fatal(err)
		}
		c.Run.Custom.(*bridge.Bridge).Close()
	}
}

func BenchmarkFurtherCall(b *testing.B) {
	c := run(b, nil, map[string]string{"modules/m.py": everything})
	if _, err := c.Call("m.count"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Call("m.via"); err != nil {
			b.Fatal(err)
		}
	}
}
