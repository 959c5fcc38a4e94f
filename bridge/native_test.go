package bridge_test

import (
	"os"
	"strings"
	"testing"

	"pinch/value"
)

func TestNative(t *testing.T) {
	c := run(t, nil, map[string]string{
		"modules/star.star": `
def greet(name, word = "hello"):
    return "%s %s on %s" % (word, name, grains("os"))
def twice(x): return salt("test.echo", [x, x])
def port(): return pillar("deep:a", [])
def wrong(): return 1 + "a"
`,
		"modules/prog": `#!/bin/sh
read -r q
case "$q" in
*describe*) echo '{"return": {"functions": {"greet": {"params": ["name", "word=\"hi\""]}, "bad": {"params": []}, "junk": {"params": []}}}}';;
*'"function": "greet"'*) echo '{"return": "greeted"}';;
*'"function": "bad"'*) echo '{"error": "said no"}';;
*) echo no json;;
esac
`,
	})
	for _, tc := range []struct {
		fun  string
		args []any
		want string
	}{
		{"star.greet", []any{"you"}, "'hello you on Debian'"},
		{"star.twice", []any{int64(2)}, "[2, 2]"},
		{"star.port", nil, "['x']"},
		{"prog.greet", []any{"you"}, "'greeted'"},
	} {
		if v, err := c.Call(tc.fun, tc.args...); err != nil || value.Repr(v) != tc.want {
			t.Errorf("%s: %s, %v; want %s", tc.fun, value.Repr(v), err, tc.want)
		}
	}
	for fun, want := range map[string]string{
		"star.wrong": "star.star:6)", "prog.bad": "said no", "prog.junk": "the answer is not JSON",
	} {
		if _, err := c.Call(fun); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", fun, err, want)
		}
	}
}

// TestManual runs the examples of docs/extending.md.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{}
	for _, name := range []string{"Starlark", "Programs"} {
		_, part, ok := strings.Cut(string(text), "\n## "+name+"\n")
		_, part, ok2 := strings.Cut(part, "\n\n    ")
		if !ok || !ok2 {
			t.Fatalf("no example of %s", name)
		}
		var lines []string
		for line := range strings.Lines("    " + part) {
			code, ok := strings.CutPrefix(line, "    ")
			if !ok {
				break
			}
			lines = append(lines, code)
		}
		code[name] = strings.Join(lines, "")
	}
	c := run(t, nil, map[string]string{"modules/site.star": code["Starlark"], "modules/disk": code["Programs"]})
	if v, err := c.Call("site.greet", "you"); err != nil || v != "hello you on Debian" {
		t.Errorf("site.greet: %v %v", v, err)
	}
	if v, err := c.Call("disk.free"); err != nil {
		t.Errorf("disk.free: %v", err)
	} else if n, ok := v.(int64); !ok || n <= 0 {
		t.Errorf("disk.free: %v", v)
	}
	if _, err := c.Call("disk.other"); err == nil {
		t.Error("disk.other is there")
	}
}

// TestSaltPackage imports what public formulas import. The answers of
// parse_function are Salt's.
func TestSaltPackage(t *testing.T) {
	c := run(t, value.M("custom_salt", "own"), map[string]string{"modules/m.py": `
import salt.cache, salt.crypt, salt.utils.systemd, salt.utils.beacons, salt.pillar, salt.utils.args
from salt.exceptions import CheckError, InvalidConfigError, VMwareNotFoundError, NxosCliError
from salt.pillar import get_pillar
def parse(text): return list(salt.utils.args.parse_function(text))
def beacon(): return salt.utils.beacons.list_to_dict([{"a": 1}, {"b": 2}])
def hidden(): return salt.utils.beacons.remove_hidden_options([{"_a": 1}, {"b": 2}, {"_c": 3}], ["_c"])
def cache():
    c = salt.cache.factory(__opts__)
    before = [c.fetch("b/d", "k"), c.updated("b/d", "k"), c.flush("b/d", "k"), c.list("b/d"), c.contains("b/d")]
    c.store("b/d", "k", {"a": [1, None]})
    after = [c.fetch("b/d", "k"), c.updated("b/d", "k") > 0, c.list("b/d"), c.contains("b/d", "k"), c.cache("b/d", "k", None), c.cache("b/d", "n", lambda: 3), c.flush("b")]
    try:
        c.store("../..", "k", 1)
    except salt.exceptions.SaltCacheError as error:
        return before + after + [str(error)]
def systemd(): return [salt.utils.systemd.booted(__context__) in (True, False), "salt.utils.systemd.booted" in __context__]
`})
	for _, tc := range []struct{ fun, arg, want string }{
		{"m.parse", "a.b(1, k=2)", "['a.b', ['1'], {'k': '2'}]"},
		{"m.parse", `x("a b", [1,2], d={1:2})`, "['x', ['a b', '[1,2]'], {'d': '{1:2}'}]"},
		{"m.parse", "x(a", "[None, None, None]"},
		{"m.parse", "f(g(1), 2)", "['f', ['g(1)', '2'], {}]"},
		{"m.parse", "f(a])", "[None, None, None]"},
		{"m.beacon", "", "{'a': 1, 'b': 2}"},
		{"m.hidden", "", "[{'b': 2}, {'_c': 3}]"},
		{"m.systemd", "", "[True, True]"},
		{"m.cache", "", "[{}, None, False, [], False, {'a': [1, None]}, True, ['k'], True, {'a': [1, None]}, 3, True, '../../k.p leaves the cache']"},
	} {
		var args []any
		if tc.arg != "" {
			args = append(args, tc.arg)
		}
		if v, err := c.Call(tc.fun, args...); err != nil || value.Repr(v) != tc.want {
			t.Errorf("%s %s: %s, %v; want %s", tc.fun, tc.arg, value.Repr(v), err, tc.want)
		}
	}
}
