package yaml

import (
	"testing"

	"pinch/value"
)

// The answers are those of salt.serializers.yamlex.
func TestLoadEx(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a: lol\nfoo: !aggregate hello\nbar: !aggregate [1, 2, 3]\nbaz: !aggregate\n  a: 42\n  b: 666\n", "{'a': 'lol', 'foo': ['hello'], 'bar': [1, 2, 3], 'baz': {'a': 42, 'b': 666}}"},
		{"p: !aggregate foo\np: !aggregate bar\np: !aggregate baz", "{'p': ['foo', 'bar', 'baz']}"},
		{"p: !aggregate foo\np: !aggregate [bar, baz]\np: !aggregate []\np: !aggregate ~", "{'p': ['foo', 'bar', 'baz']}"},
		{"p: !aggregate {foo: 42}\np: !aggregate {bar: null}\np: !aggregate {baz: inga}", "{'p': {'foo': 42, 'bar': None, 'baz': 'inga'}}"},
		{"p: {foo: !aggregate {foo: 42}}\np: {foo: !aggregate {bar: null}}\np: {foo: !aggregate {baz: inga}}", "{'p': {'foo': {'foo': 42, 'bar': None, 'baz': 'inga'}}}"},
		{"p: {!aggregate foo: {foo: 42}}\np: {!aggregate foo: {bar: null}}\np: {!aggregate foo: {baz: inga}}", "{'p': {'foo': {'foo': 42, 'bar': None, 'baz': 'inga'}}}"},
		{"p: {!aggregate foo: {foo: 42}}\np: {!aggregate foo: {bar: null}}\n!reset p: {!aggregate foo: {baz: inga}}", "{'p': {'foo': {'baz': 'inga'}}}"},
		{"a: 1\na: 2\nm: 0644\n", "{'a': 2, 'm': 644}"},
		{"a: {x: 1}\na: {y: 2}\n", "{'a': {'y': 2}}"},
		{"[1, 2]", "[1, 2]"},
		{"x", "'x'"},
		{"a: {x: [1]}\na: {x: !aggregate [2]}", "{'a': {'x': [2]}}"},
		{"", "None"},
		{"a: [&x {b: 1}]\nc: {<<: *x, d: 2}", "{'a': [{'b': 1}], 'c': {'b': 1, 'd': 2}}"},
	} {
		v, _, err := LoadEx(tt.text)
		if err != nil || value.Repr(v) != tt.want {
			t.Errorf("%s:\ngot  %s %v\nwant %s", tt.text, value.Repr(v), err, tt.want)
		}
	}
	for _, text := range []string{"a: !nosuch b", "a: [", "{[a]: b}", "- !!set {a}"} {
		if v, _, err := LoadEx(text); err == nil {
			t.Errorf("%s: got %s", text, value.Repr(v))
		}
	}
	// Two files, as a pillar merges them.
	a, marks, _ := LoadEx("a: first\nb: !aggregate first\nc:\n  subkey1: first\n  subkey2: !aggregate first\n")
	b, more, _ := LoadEx("a: second\nb: !aggregate second\nc:\n  subkey2: !aggregate second\n  subkey3: second\n")
	for c := range more {
		marks[c] = true
	}
	want := "{'a': 'second', 'b': ['first', 'second'], 'c': {'subkey2': ['first', 'second'], 'subkey3': 'second'}}"
	if got := value.Repr(value.Aggregate(a, b, 0, marks)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
