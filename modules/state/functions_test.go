package state_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/modules/file"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const nop = "a:\n  test.nop: []\n"

// Who requires an SLS without states is refused where compiled states are
// shown, as by Salt, and runs.
func TestRequireOfNothing(t *testing.T) {
	files := map[string]string{
		"root/needs.sls": "include: [hollow]\nr:\n  test.nop:\n    - require:\n      - sls: hollow\n", "root/hollow.sls": "# nothing here\n",
		"root/deep.sls": "include: [only]\nr:\n  test.nop:\n    - require:\n      - sls: only\n", "root/only.sls": "include: [ok]\n", "root/ok.sls": nop,
		"root/top.sls": "base:\n  '*': [needs]\n",
	}
	refusal := `['Referenced state does not exist for requisite [require: (sls: hollow)] in state [r] in SLS [needs]']`
	for _, tt := range []struct {
		call, want string
		code       int
	}{
		{"state.show_low_sls needs", refusal, 1},
		{"state.show_lowstate", refusal, 0},
		{"state.id_exists r needs", "True", 0},
		{"state.id_exists a,r deep", "True", 0},
		{"state.apply needs", "test_|-r_|-r_|-nop: Success!", 0},
	} {
		h := newHost(t, files, nil)
		fun, rest, _ := strings.Cut(tt.call, " ")
		got, err := h.call(fun, callWords(rest)...)
		if err != nil {
			t.Errorf("%s: %v", tt.call, err)
			continue
		}
		if s := brief(value.Plain(got)); s != tt.want || h.run.Retcode() != tt.code {
			t.Errorf("%s:\ngot  %s, code %d\nwant %s, code %d", tt.call, s, h.run.Retcode(), tt.want, tt.code)
		}
	}
}

func TestFunctions(t *testing.T) {
	files := map[string]string{
		"root/top.sls": "base:\n  '*': [web]\n", "root/web.sls": nop + "b:\n  test.fail_without_changes:\n    - require:\n      - test: a\n",
		"root/ok.sls": nop, "root/empty.sls": "", "pillar/top.sls": "base:\n  '*': [p]\n", "pillar/p.sls": "port: 80\n",
		"root/pillar.sls": "p{{ pillar.port }}:\n  test.nop: []\n",
	}
	for _, tt := range []struct {
		call, want string
		code       int
	}{
		{"state.apply ok", "test_|-a_|-a_|-nop: Success!", 0},
		{"state.apply", "test_|-a_|-a_|-nop: Success!; test_|-b_|-b_|-fail_without_changes: Failure!", 2},
		{"state.test ok", "test_|-a_|-a_|-nop: Success!", 0},
		{"state.highstate exclude=web", "{}", 2},
		{"state.highstate whitelist=nosuch", "no_|-states_|-states_|-None: No states found for this minion", 2},
		{"state.apply empty", "{}", 0}, // Salt: 2
		{"state.apply nosuch", `["No matching sls found for 'nosuch' in env 'base'"]`, 1},
		{"state.apply pillar pillar={port: 81}", "test_|-p81_|-p81_|-nop: Success!", 0},
		{"state.apply pillar mock=True", "test_|-p80_|-p80_|-nop: Not called, mocked", 0},
		{"state.apply web terse=True", "test_|-b_|-b_|-fail_without_changes: Failure!", 2},
		{"state.sls_id b web", "test_|-a_|-a_|-nop: Success!; test_|-b_|-b_|-fail_without_changes: Failure!", 2},
		{"state.single test.nop x", "test_|-x_|-x_|-nop: Success!", 0},
		{"state.single test.nosuch x", `["Specified state 'test.nosuch' was not found"]`, 1},
		{"state.single nop x", "'Invalid function passed'", 1},
		{"state.high {x: {test: [nop]}}", "test_|-x_|-x_|-nop: Success!", 0},
		{"state.template_str x: test.nop", "test_|-x_|-x_|-nop: Success!", 0},
		{"state.show_sls ok", "{'a': {'test': ['nop', {'order': 10000}], '__sls__': 'ok', '__env__': 'base'}}", 0},
		{"state.show_low_sls ok", "[{'state': 'test', 'name': 'a', '__sls__': 'ok', '__env__': 'base', '__id__': 'a', 'order': 10000, 'fun': 'nop'}]", 0},
		{"state.show_top", "{'base': ['web']}", 0},
		{"state.show_states", "['web']", 0},
		{"state.show_state_usage", "{'base': {'used': ['web'], 'unused': ['empty', 'ok', 'pillar', 'top'], 'count_all': 5, 'count_used': 1, 'count_unused': 4}}", 0},
		{"state.sls_exists ok", "True", 0},
		{"state.sls_exists nosuch", "False", 1},
		{"state.id_exists a,b web", "True", 0},
		{"state.id_exists a,c web", "False", 0},
		{"state.running", "[]", 0},
		{"state.get_pauses", "{}", 0},
		{"state.check_request", "{}", 0},
		{"state.clear_request", "True", 0},
		{"state.run_request", "{}", 0},
		{"state.list_disabled", "''", 0},
		{"state.graph ok", "'digraph G {\\n  \"test_|-a_|-a_|-nop\" [label=\"test.nop\\\\na\"];\\n}'", 0},
	} {
		h := newHost(t, files, nil)
		fun, rest, _ := strings.Cut(tt.call, " ")
		got, err := h.call(fun, callWords(rest)...)
		if err != nil {
			t.Errorf("%s: %v", tt.call, err)
			continue
		}
		if s := brief(value.Plain(got)); s != tt.want || h.run.Retcode() != tt.code {
			t.Errorf("%s:\ngot  %s, code %d\nwant %s, code %d", tt.call, s, h.run.Retcode(), tt.want, tt.code)
		}
	}
}

// callWords splits at spaces outside of braces and behind colons.
func callWords(s string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range s {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ' ' && depth == 0 && s[i-1] != ':':
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	if s == "" {
		return nil
	}
	return append(out, s[start:])
}

// brief shows returns of states as "tag: comment".
func brief(v any) string {
	m, ok := v.(*value.Map)
	if !ok || m.Len() == 0 {
		return value.Repr(v)
	}
	var parts []string
	for k, x := range m.Items() {
		ret, ok := x.(*value.Map)
		if !ok || !ret.Has("comment") {
			return value.Repr(v)
		}
		parts = append(parts, k+": "+ret.Str("comment"))
	}
	return strings.Join(parts, "; ")
}

func TestBrokenPillar(t *testing.T) {
	h := newHost(t, map[string]string{"root/ok.sls": nop, "pillar/top.sls": "base:\n  '*': [nosuch]\n"}, nil)
	got, err := h.call("state.apply", "ok")
	l, _ := got.(*value.List)
	if err != nil || l.Len() != 2 || l.Items[0] != "Pillar failed to render with the following messages:" || h.run.Retcode() != 5 {
		t.Errorf("%s %v, code %d", value.Repr(got), err, h.run.Retcode())
	}
	if _, err := h.call("state.show_sls", "ok"); err == nil || !strings.HasPrefix(err.Error(), "Pillar failed to render. Additional info follows:\n\n- ") || h.run.Retcode() != 5 {
		t.Errorf("show_sls: %v, code %d", err, h.run.Retcode())
	}
	if got, err = h.call("state.apply", "ok", "force=True"); err != nil || brief(got) != "test_|-a_|-a_|-nop: Success!" {
		t.Errorf("force: %s %v", value.Repr(got), err)
	}
}

func TestQueue(t *testing.T) {
	h := newHost(t, map[string]string{"root/ok.sls": nop}, nil)
	dir := filepath.Join(h.dir, "var/var/cache/salt/minion/state_run")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := sys.TryLock(filepath.Join(dir, "lock"), "state.highstate\n4711\n20261130040306123456")
	if err != nil {
		t.Fatal(err)
	}
	busy := `['The function "state.highstate" is running as PID 4711 and was started at 2026, Nov 30 04:03:06.123456 with jid 20261130040306123456']`
	for _, words := range [][]string{{"ok"}, {"ok", "queue=False"}, {"ok", "queue=1"}} {
		if got, err := h.call("state.apply", words...); err != nil || value.Repr(got) != busy || h.run.Retcode() != 1 {
			t.Errorf("%v: %s %v, code %d", words, value.Repr(got), err, h.run.Retcode())
		}
	}
	if got, err := h.call("state.running"); err != nil || value.Repr(got) != busy {
		t.Errorf("running: %s %v", value.Repr(got), err)
	}
	if got, err := h.call("state.apply", "ok", "concurrent=True"); err != nil || brief(got) != "test_|-a_|-a_|-nop: Success!" {
		t.Errorf("concurrent: %s %v", value.Repr(got), err)
	}
	time.AfterFunc(150*time.Millisecond, lock.Unlock)
	if got, err := h.call("state.apply", "ok", "queue=True"); err != nil || brief(got) != "test_|-a_|-a_|-nop: Success!" {
		t.Errorf("queue: %s %v", value.Repr(got), err)
	}
}

func TestNestedRunSharesTheLock(t *testing.T) {
	h := newHost(t, map[string]string{"root/ok.sls": nop, "root/outer.sls": "x:\n  module.run:\n    - state.apply:\n      - ok\n"}, nil)
	ret := h.ret("state.apply", "outer")
	if r := ret.Map("module_|-x_|-x_|-run"); r.At("result") != true {
		t.Error(value.Repr(r))
	}
}

func TestRequestAndRun(t *testing.T) {
	h := newHost(t, map[string]string{"root/c.sls": "c:\n  test.succeed_with_changes: []\n"}, nil)
	ret := h.ret("state.request", "c")
	if r := ret.Map("test_|-c_|-c_|-succeed_with_changes"); r.At("result") != nil {
		t.Errorf("request: %s", value.Repr(r))
	}
	if v := h.ret("state.check_request"); v.Map("default").Str("mods") != "c" {
		t.Errorf("check_request: %s", value.Repr(v))
	}
	if r := h.ret("state.run_request").Map("test_|-c_|-c_|-succeed_with_changes"); r.At("result") != true {
		t.Errorf("run_request: %s", value.Repr(r))
	}
	if v := h.ret("state.check_request"); v.Len() != 0 {
		t.Errorf("after the run: %s", value.Repr(v))
	}
}

func TestSoftKill(t *testing.T) {
	h := newHost(t, map[string]string{"root/two.sls": nop + "b:\n  test.nop: []\n"}, nil)
	jid := "20261130040306123456"
	if _, err := h.call("state.soft_kill", "'"+jid+"'", "b"); err != nil {
		t.Fatal(err)
	}
	ret := h.ret("state.apply", "two", "__pub_jid='"+jid+"'")
	if brief(ret) != "test_|-a_|-a_|-nop: Success!" {
		t.Errorf("killed before b: %s", brief(ret))
	}
	if ret = h.ret("state.apply", "two", "__pub_jid='"+jid+"'"); ret.Len() != 2 {
		t.Errorf("the note outlives its run: %s", brief(ret))
	}
}

func TestTemplateAndPkg(t *testing.T) {
	h := newHost(t, nil, nil)
	h.extra = append(h.extra, &file.Module)
	h.write("try.sls", nop)
	if ret := h.ret("state.template", filepath.Join(h.dir, "try")); brief(ret) != "test_|-a_|-a_|-nop: Success!" {
		t.Errorf("template: %s", brief(ret))
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	sent := filepath.Join(h.dir, "sent")
	for name, text := range map[string]string{
		"lowstate.json": `[{"state": "file", "fun": "managed", "name": "` + sent + `", "source": "salt://sub/f", "__id__": "z", "__sls__": "s", "__env__": "base", "order": 1}]`,
		"base/sub/f":    "from the package",
	} {
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Typeflag: tar.TypeReg})
		_, _ = w.Write([]byte(text))
	}
	w.Close()
	z.Close()
	h.write("state.tgz", b.String())
	sum := md5.Sum(b.Bytes())
	if ret := h.ret("state.pkg", filepath.Join(h.dir, "state.tgz"), "'"+hex.EncodeToString(sum[:])+"'", "md5"); ret.Len() != 1 {
		t.Errorf("pkg: %s", brief(ret))
	}
	if b, _ := os.ReadFile(sent); string(b) != "from the package" {
		t.Errorf("a file of the package is %q: %s", b, brief(h.ret("state.pkg", filepath.Join(h.dir, "state.tgz"), "'"+hex.EncodeToString(sum[:])+"'", "md5")))
	}
	if ret := h.ret("state.pkg", filepath.Join(h.dir, "state.tgz"), "wrong", "md5"); ret.Len() != 0 {
		t.Errorf("pkg with a wrong sum: %s", brief(ret))
	}
}

type panicArgs struct {
	Name string `py:"name"`
}

// TestPanic: a state that panics fails alone.
func TestPanic(t *testing.T) {
	h := newHost(t, map[string]string{"root/a.sls": "x:\n  bad.state: []\ny:\n  test.nop: []\nz:\n  bad.state:\n    - parallel: true\n"}, nil)
	h.extra = []*salt.Module{{Name: "bad", States: func() salt.Funcs {
		return salt.Funcs{"state": salt.State(func(*salt.Ctx, panicArgs) salt.Result { panic("oops") })}
	}}}
	ret := h.ret("state.apply", "a")
	for _, tag := range []string{"bad_|-x_|-x_|-state", "bad_|-z_|-z_|-state"} {
		r := ret.Map(tag)
		if r.At("result") != false || !strings.HasPrefix(r.Str("comment"), "An exception occurred in this state: oops") {
			t.Error(value.Repr(r))
		}
	}
	if r := ret.Map("test_|-y_|-y_|-nop"); r.At("result") != true {
		t.Error(value.Repr(r))
	}
}

// TestArgumentBeforeAnyState: a bad argument is found before the first state
// runs, and its place is told.
func TestArgumentBeforeAnyState(t *testing.T) {
	h := newHost(t, nil, nil)
	out := filepath.Join(h.dir, "touched")
	h.write("root/a.sls", "one:\n  cmd.run:\n    - name: touch "+out+"\ntwo:\n  test.configurable_test_state:\n    - chnges: true\n")
	got, err := h.call("state.apply", "a")
	if err != nil || value.Repr(got) != `["'chnges' is an invalid keyword argument for 'test.configurable_test_state'"]` {
		t.Errorf("%s %v", value.Repr(got), err)
	}
	if sys.LExists(sys.Real{}, out) {
		t.Error("a state ran before")
	}
	l := h.run.Reports()
	if len(l) != 1 || l[0].Pos.Line != 6 || l[0].Hint != `did you mean "changes"?` {
		t.Errorf("%+v", l)
	}
}

// What state.single reads itself reaches a state that has such an argument, too.
func TestSingleArgumentsOfBoth(t *testing.T) {
	type probeArgs struct {
		Name  string `py:"name"`
		Force bool   `py:"force=False"`
	}
	h := newHost(t, nil, nil)
	h.extra = append(h.extra, &salt.Module{Name: "probe", States: func() salt.Funcs {
		return salt.Funcs{
			"both": salt.State(func(_ *salt.Ctx, a probeArgs) salt.Result { return salt.Correct("force=%v", a.Force) }),
		}
	}})
	for call, want := range map[string]string{
		"probe.both x force=True":             "probe_|-x_|-x_|-both: force=true",
		"probe.both x concurrent=True":        "probe_|-x_|-x_|-both: force=false",
		"test.nop x force=True pillar={a: 1}": "test_|-x_|-x_|-nop: Success!",
	} {
		got, err := h.call("state.single", callWords(call)...)
		if err != nil || brief(got) != want {
			t.Errorf("%s: %s, %v, want %s", call, brief(got), err, want)
		}
	}
}
