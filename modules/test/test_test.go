package test

import (
	"context"
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func ctx(test bool) *salt.Ctx {
	return &salt.Ctx{
		Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Test: test, Run: salt.NewRun(),
		Pillar: value.M("t", "text", "n", "1", "i", int64(7), "b", true, "l", value.L(), "m", value.M("x", "y")),
		Opts:   value.M("hash_type", "sha256"), Grains: new(value.Map),
	}
}

// The returns are Salt's own.
func TestStates(t *testing.T) {
	const pretend = "{'testing': {'old': 'Unchanged', 'new': 'Something pretended to change'}}"
	for _, tt := range []struct {
		fun  string
		kw   *value.Map
		test bool
		want string
	}{
		{"nop", value.M("comment", "dropped"), false, "True {} Success!"},
		{"succeed_without_changes", value.M("comment", "fine"), false, "True {} fine"},
		{"fail_without_changes", nil, false, "False {} Failure!"},
		{"fail_without_changes", nil, true, "False {} If we weren't testing, this would be a failure!"},
		{"succeed_with_changes", nil, false, "True " + pretend + " Success!"},
		{"succeed_with_changes", nil, true, "None " + pretend + " If we weren't testing, this would be successful with changes"},
		{"fail_with_changes", nil, false, "False " + pretend + " Failure!"},
		{"fail_with_changes", nil, true, "None " + pretend + " If we weren't testing, this would be failed with changes"},
		{"configurable_test_state", value.M("result", false, "comment", "c"), false, "False " + pretend + " c"},
		{"configurable_test_state", value.M("changes", false, "result", false), true, "True {} This is a test"},
		{"configurable_test_state", value.M("changes", false, "result", false, "allow_test_mode_failure", true), true, "False {} This is a test"},
		{"configurable_test_state", value.M("comment", "configured"), true, "None " + pretend + " configured"},
		{"configurable_test_state", value.M("changes", "maybe"), false, "raised You have specified the state option 'changes' with invalid arguments. It must be either True, False, or 'Random'"},
		{"configurable_test_state", value.M("warnings", int64(1)), false, "raised You have specified the state option 'warnings' with invalid arguments. It must be a string or a list of strings"},
		{"show_notification", value.M("text", "look here"), true, "True {} look here"},
		{"show_notification", nil, false, "raised Missing required argument text."},
		{"check_pillar", value.M("present", "m:x", "boolean", value.L("b"), "listing", "l", "dictionary", "m", "string", "t", "integer", value.L("i", "b")), false, "True {} "},
		{"check_pillar", value.M("present", "missing", "integer", value.L("m:x")), false, "False {} Pillar key \"missing\" is missing.\nPillar key \"m:x\" is not <class 'int'>.\n"},
		{"check_pillar", value.M("present", "t", "string", "n", "verbose", true), false, "True {} Those keys passed the check:\n- t (None)\n- n ((<class 'str'>,))\n"},
		{"check_pillar", nil, false, "raised Missing required argument text."},
	} {
		kw := value.M("name", "x")
		kw.Update(tt.kw)
		if got := show(Module.States()[tt.fun].Call(ctx(tt.test), nil, kw)); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
	}
}

func show(v any, err error) string {
	if err != nil {
		return "raised " + err.Error()
	}
	m := v.(salt.Result).Map("x")
	return value.Repr(m.At("result")) + " " + value.Repr(m.At("changes")) + " " + m.Str("comment")
}

func TestModWatch(t *testing.T) {
	c := ctx(false)
	a := value.M("state", "test", "__id__", "a", "name", "a", "fun", "nop")
	b := value.M("state", "cmd", "__id__", "b", "name", "true", "fun", "run")
	c.Low = value.M("__reqs__", value.M("watch", value.L(a, b)))
	c.Run.Running = value.M(
		"test_|-a_|-a_|-nop", value.M("changes", new(value.Map)),
		"cmd_|-b_|-true_|-run", value.M("changes", value.M("pid", int64(1))))
	want := "True {'Requisites with changes': ['cmd: b']} Watch statement fired."
	if got := show(Module.Watch.Call(c, nil, value.M("name", "x", "sfun", "nop"))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestExec(t *testing.T) {
	for _, tt := range []struct {
		fun  string
		args []any
		want string
	}{
		{"arg_type", []any{"a", 1.5, nil, value.L()}, "{'args': [\"<class 'str'>\", \"<class 'float'>\", \"<class 'NoneType'>\", \"<class 'list'>\"], 'kwargs': {}}"},
		{"arg_repr", []any{"a", nil}, `{'args': "('a', None)", 'kwargs': '{}'}`},
		{"assertion", []any{""}, "raised "},
		{"exception", nil, "raised Test Exception"},
		{"raise_exception", []any{"KeyError", "k"}, "raised 'k'"},
		{"raise_exception", []any{"OSError", int64(2), "No such file"}, "raised [Errno 2] No such file"},
		{"raise_exception", []any{"nosuch", "msg"}, "False"},
		{"version", nil, "'3008.4'"},
	} {
		v, err := Module.Exec()[tt.fun].Call(ctx(false), tt.args, nil)
		got := value.Repr(v)
		if err != nil {
			got = "raised " + err.Error()
		}
		if got != tt.want {
			t.Errorf("%s%s: got %s, want %s", tt.fun, value.Repr(value.Tuple(tt.args)), got, tt.want)
		}
	}
	fib, _ := Module.Exec()["fib"].Call(ctx(false), []any{int64(100)}, nil)
	if got := value.Repr(fib.(value.Tuple)[0]); got != "354224848179261915075" {
		t.Error("fib", got)
	}
	collatz, _ := Module.Exec()["collatz"].Call(ctx(false), []any{int64(6)}, nil)
	if got := value.Repr(collatz.(value.Tuple)[0]); got != "[6, 3.0, 10.0, 5.0, 16.0, 8.0, 4.0, 2.0]" {
		t.Error("collatz", got)
	}
}
