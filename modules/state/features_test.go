package state_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/value"
)

// TestIncludes: relative, of another environment, by glob, missing ones.
func TestIncludes(t *testing.T) {
	files := map[string]string{
		"root/a/init.sls": "include: [.b, ..c, d.*]\na: test.nop\n", "root/a/b.sls": "include: [.deep.x]\nb: test.nop\n", "root/a/deep/x.sls": "x: test.nop\n",
		"root/c.sls": "c: test.nop\n", "root/d/one.sls": "one: test.nop\n", "root/d/two.sls": "two: test.nop\n",
		"root/up.sls": "include: [..x]\n", "root/loop.sls": "include: [loop2]\nl: test.nop\n", "root/loop2.sls": "include: [loop]\nl2: test.nop\n",
		"dev/e.sls": "e: test.nop\n", "root/env.sls": "include:\n  - dev: e\n", "root/noenv.sls": "include:\n  - prod: e\n",
	}
	for sls, want := range map[string]string{
		"a": "['x', 'b', 'c', 'one', 'two', 'a']",
		"a.init": "['Specified SLS a.init.b in saltenv base is not available on the salt master or through a configured fileserver'," +
			" 'Specified SLS a.c in saltenv base is not available on the salt master or through a configured fileserver']",
		"loop":  "['l2', 'l']",
		"env":   "['e']",
		"up":    `["Attempted relative include of '..x' within SLS 'base:up' goes beyond top level package "]`,
		"noenv": `["Nonexistent saltenv 'prod' found in include of 'e' within SLS 'base:noenv'"]`,
	} {
		h := newHost(t, files, nil)
		h.opts.Set("file_roots", value.M("base", value.L(filepath.Join(h.dir, "root")), "dev", value.L(filepath.Join(h.dir, "dev"))))
		got, err := h.call("state.show_low_sls", sls)
		if err != nil {
			t.Fatal(err)
		}
		ids := new(value.List)
		for _, it := range got.(*value.List).Items {
			if m, ok := it.(*value.Map); ok {
				ids.Append(m.At("__id__"))
			} else {
				ids.Append(it)
			}
		}
		if value.Repr(ids) != want {
			t.Errorf("%s: got %s, want %s", sls, value.Repr(ids), want)
		}
	}
}

// TestConditions: onlyif, unless and creates, with commands and functions.
func TestConditions(t *testing.T) {
	const skipOnly, skipUnless = "onlyif condition is false", "unless condition is true"
	for in, want := range map[string]string{
		"onlyif: 'true'": runs, "onlyif: 'false'": skipOnly, "onlyif: ['true', 'false']": skipOnly,
		"unless: 'true'": skipUnless, "unless: ['true', 'false']": runs, "unless: 'false'": runs,
		"creates: /": "/ exists", "creates: [/, /tmp]": "All files in creates exist", "creates: [/, /nonexistent/x]": runs,
		"onlyif: [{fun: test.true}]": runs, "onlyif: [{fun: test.false}]": skipOnly, "unless: [{fun: test.true}]": skipUnless,
		"onlyif: [{fun: test.arg, k: {a: 0}, get_return: 'kwargs:k:a'}]": skipOnly, "onlyif: [{fun: test.echo, args: [x]}]": runs,
		"onlyif: [{fun: test.echo, args: ['__slot__:salt:test.echo(y)']}]": runs,
		"onlyif: [{fun: no.such}]": "An exception occurred in this state: KeyError: 'no.such'",
		"onlyif: 1":                runs,
	} {
		h := newHost(t, map[string]string{"root/a.sls": "a:\n  test.succeed_without_changes:\n    - " + in + "\n"}, nil)
		r := h.ret("state.apply", "a").Map("test_|-a_|-a_|-succeed_without_changes")
		if got := r.Str("comment"); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
		if skipped := want == skipOnly || want == skipUnless || strings.Contains(want, "exist"); skipped != (r.At("skip_watch") == true) {
			t.Errorf("%s: skip_watch %v", in, r.At("skip_watch"))
		}
	}
}

func TestRetryAndCheckCmd(t *testing.T) {
	h := newHost(t, nil, nil)
	count := filepath.Join(h.dir, "count")
	h.write("root/a.sls", "a:\n  cmd.run:\n    - name: echo x >> "+count+"; test $(wc -l < "+count+") = 3\n    - retry: {attempts: 5, interval: 0}\nb:\n  test.fail_without_changes:\n    - check_cmd: ['true']\nc:\n  test.succeed_without_changes:\n    - check_cmd: ['true', 'false']\n")
	ret := h.ret("state.apply", "a")
	b, _ := os.ReadFile(count)
	if string(b) != "x\nx\nx\n" {
		t.Errorf("tried %d times, want 3", len(b)/2)
	}
	for tag, want := range map[string]string{"test_|-b_|-b_|-fail_without_changes": "check_cmd determined the state succeeded", "test_|-c_|-c_|-succeed_without_changes": "check_cmd determined the state failed"} {
		if got := ret.Map(tag).Str("comment"); got != want {
			t.Errorf("%s: %q", tag, got)
		}
	}
}

func TestReloadPillar(t *testing.T) {
	h := newHost(t, map[string]string{"pillar/top.sls": "base:\n  '*': [p]\n", "pillar/p.sls": "v: old\n"}, nil)
	file := filepath.Join(h.dir, "pillar/p.sls")
	h.write("root/a.sls", "a:\n  cmd.run:\n    - name: 'echo v: new > "+file+"'\n    - reload_pillar: true\nb:\n  test.succeed_without_changes:\n    - comment: __slot__:salt:pillar.get(v)\n    - require: [cmd: a]\n")
	if got := h.ret("state.apply", "a").Map("test_|-b_|-b_|-succeed_without_changes").Str("comment"); got != "new" {
		t.Errorf("pillar after reload_pillar: %q", got)
	}
}

// A slot may stand for the name: the return keeps its tag and has the name
// that the function was called with.
func TestSlotAsName(t *testing.T) {
	h := newHost(t, map[string]string{"root/a.sls": "a: {test.nop: [{name: '__slot__:salt:test.echo(dyn)'}]}\nb: {cmd.run: [{name: '__slot__:salt:test.echo(true)'}]}\nc: {test.nop: [{require: [{cmd: b}]}]}\n"}, nil)
	ret := h.ret("state.apply", "a")
	for tag, want := range map[string]string{
		"test_|-a_|-__slot__:salt:test.echo(dyn)_|-nop": "dyn", "cmd_|-b_|-__slot__:salt:test.echo(true)_|-run": "true", "test_|-c_|-c_|-nop": "c",
	} {
		if r := ret.Map(tag); r.Str("name") != want || r.At("result") != true {
			t.Errorf("%s: %s", tag, value.Repr(r))
		}
	}
}

// A parallel state whose check_cmd fails ends the run with failhard, and is the
// failed one; without, what it came to counts (both as in Salt).
func TestParallelCheckCmd(t *testing.T) {
	for hard, want := range map[string][2]any{"true": {false, false}, "false": {true, true}} {
		h := newHost(t, map[string]string{"root/a.sls": "a:\n  test.succeed_with_changes:\n    - check_cmd: ['false']\n    - parallel: true\n    - failhard: " + hard + "\nb: test.nop\n"}, nil)
		ret := h.ret("state.apply", "a")
		if got := [2]any{ret.Map("test_|-a_|-a_|-succeed_with_changes").At("result"), ret.Has("test_|-b_|-b_|-nop")}; got != want {
			t.Errorf("failhard %s: %v, want %v", hard, got, want)
		}
	}
}

func TestNoLog(t *testing.T) {
	h := newHost(t, map[string]string{"root/a.sls": "a:\n  test.succeed_with_changes:\n    - comment: secret\n    - no_log: true\n"}, nil)
	r := h.ret("state.apply", "a").Map("test_|-a_|-a_|-succeed_with_changes")
	if r.Str("comment") != "**********" || r.Str("name") != "**********" || strings.Contains(value.Repr(r.At("changes")), "pretended") {
		t.Error(value.Repr(r))
	}
}

func TestGlobalConditions(t *testing.T) {
	const off = "Failed to meet global state conditions. State not called."
	for cond, want := range map[string]string{"web*": runs, "db*": off} {
		h := newHost(t, map[string]string{"root/a.sls": "a: test.succeed_without_changes\n"}, value.M("global_state_conditions", value.M("test", value.L(cond))))
		if got := h.ret("state.apply", "a").Map("test_|-a_|-a_|-succeed_without_changes").Str("comment"); got != want {
			t.Errorf("%s: %q", cond, got)
		}
	}
}

type bagArgs struct {
	Name string      `py:"name"`
	Pkgs *value.List `py:"pkgs=None"`
	Rest *value.Map  `py:"**kwargs"`
}

// TestAggregate: the first of a group is called with what the others want,
// unless a requisite stands between them.
func TestAggregate(t *testing.T) {
	h := newHost(t, map[string]string{"root/a.sls": "a: bag.fill\nb:\n  bag.fill:\n    - require: [bag: a]\nc: bag.fill\n"}, value.M("state_aggregate", true))
	bag := salt.Module{Name: "bag", States: func() salt.Funcs {
		return salt.Funcs{"fill": salt.State(func(_ *salt.Ctx, a bagArgs) salt.Result {
			if a.Pkgs == nil {
				return salt.Correct("alone")
			}
			return salt.Correct("%s", value.Repr(a.Pkgs))
		})}
	}}
	bag.Aggregate = func(_ *salt.Ctx, low *value.Map, chunks []*value.Map, running *value.Map) *value.Map {
		pkgs := new(value.List)
		for _, ch := range chunks {
			if !running.Has("bag_|-" + ch.Str("__id__") + "_|-" + ch.Str("name") + "_|-fill") {
				pkgs.Append(ch.At("name"))
				ch.Set("__agg__", true)
			}
		}
		low.Set("pkgs", pkgs)
		return low
	}
	h.extra = []*salt.Module{&bag}
	ret := h.ret("state.apply", "a")
	for id, want := range map[string]string{"a": "['a', 'c']", "b": "alone", "c": "alone"} {
		if got := ret.Map("bag_|-" + id + "_|-" + id + "_|-fill").Str("comment"); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

func TestDisabled(t *testing.T) {
	h := newHost(t, map[string]string{"root/web.sls": nop, "root/db/x.sls": nop}, nil)
	h.grains = value.M("id", "web1", "state_runs_disabled", value.L("web", "db.*", "test.succeed*"))
	for sls, want := range map[string]string{
		"web":  `['The state file "web" is currently disabled, to re-enable, run state.enable web.']`,
		"db.x": `['The state file "db.x" is currently disabled by "db.*", to re-enable, run state.enable db.*.']`,
	} {
		if got, err := h.call("state.apply", sls); err != nil || value.Repr(got) != want || h.run.Retcode() != 1 {
			t.Errorf("%s: %s %v", sls, value.Repr(got), err)
		}
	}
	ret := h.ret("state.template_str", "x: test.succeed_without_changes")
	if r := ret.Map("test_|-x_|-x_|-succeed_without_changes"); r.At("result") != false || !strings.Contains(r.Str("comment"), `is currently disabled by "test.succeed*"`) {
		t.Error(value.Repr(ret))
	}
}
