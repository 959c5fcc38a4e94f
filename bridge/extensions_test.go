package bridge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/value"
)

// environment makes a virtual environment that shares the host's Python and
// has a package as pip installs it: its files by path below site-packages.
func environment(t *testing.T, files map[string]string) string {
	t.Helper()
	env := t.TempDir()
	put := func(path, text string) {
		path = filepath.Join(env, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put("pyvenv.cfg", "include-system-site-packages = false\n")
	site := "lib/python3.11/site-packages"
	put("bin/python3", "#!/bin/sh\nPYTHONPATH="+filepath.Join(env, site)+" exec python3 \"$@\"\n")
	for name, text := range files {
		put(filepath.Join(site, name), text)
	}
	return filepath.Join(env, "bin/python3")
}

// TestExtensions has Salt extensions among the packages of the host's Python.
// That a module of the tree comes first, then what is built in, is ours: in
// Salt the built-in one comes last.
func TestExtensions(t *testing.T) {
	exe := environment(t, map[string]string{
		"saltext_crane-1.2.dist-info/entry_points.txt": "[console_scripts]\ncrane = saltext.crane:main\n[salt.loader]\nsaltext.crane = saltext.crane\nother = saltext.crane:dirs\n",
		"plain-1.0.dist-info/entry_points.txt":         "[salt.loader]\nplain = plain\n",
		"plain/modules/plain.py":                       "def f(): return 1\n",
		"saltext/crane/__init__.py":                    "",
		"saltext/crane/words.py":                       "WORD = 'lifted'\n",
		"saltext/crane/modules/__init__.py":            "",
		"saltext/crane/modules/crane.py":               "from saltext.crane.words import WORD\ndef lift(what): return WORD + ' ' + what + ' ' + __salt__['hook.kind']()\n",
		"saltext/crane/modules/hook_mod.py":            "__virtualname__ = 'hook'\ndef __virtual__(): return __virtualname__\ndef kind(): return __utils__['rope.length'](2)\n",
		"saltext/crane/modules/gone.py":                "def __virtual__(): return (False, 'no gone here')\ndef f(): return 1\n",
		"saltext/crane/modules/test.py":                "def echo(text): return 'of the extension'\n",
		"saltext/crane/modules/m.py":                   "def f(): return 'of the extension'\n",
		"saltext/crane/utils/rope.py":                  "def length(n): return '%d m' % n\n",
		"saltext/crane/states/crane.py":                "def lifted(name): return {'name': name, 'result': True, 'changes': {}, 'comment': __salt__['crane.lift'](name)}\n",
		"saltext/crane/returners/box.py":               "def returner(ret): pass\n",
	})
	c := run(t, value.M("python", exe), map[string]string{"modules/m.py": "def f(): return 'of the tree'\n"})
	for _, tc := range []struct{ fun, arg, want string }{
		{"crane.lift", "box", "lifted box 2 m"},
		{"hook.kind", "", "2 m"},
		{"test.echo", "x", "x"},
		{"m.f", "", "of the tree"},
		{"gone.f", "", "'gone' __virtual__ returned False: no gone here"},
		{"plain.f", "", "'plain.f' is not available."},
		{"crane.drop", "", "'crane.drop' is not available."},
	} {
		var args []any
		if tc.arg != "" {
			args = []any{tc.arg}
		}
		v, err := c.Call(tc.fun, args...)
		got := value.Str(v)
		if err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.fun, got, tc.want)
		}
	}
	f, _, err := c.Registry().State(c, "crane.lifted")
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Call(c, []any{"box"}, nil)
	if m, ok := v.(*value.Map); err != nil || !ok || m.Str("comment") != "lifted box 2 m" {
		t.Errorf("the state: %v %v", v, err)
	}
	if got := c.Run.Custom.FileOf(c, "returners", "box"); got != "box" {
		t.Errorf("the returner's file: %q", got)
	}
	if names := strings.Join(c.Registry().Names(c, "exec"), " "); names != "crane.lift hook.kind m.f test.echo test.fail" {
		t.Errorf("names: %s", names)
	}
}
