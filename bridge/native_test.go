package bridge_test

import (
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
