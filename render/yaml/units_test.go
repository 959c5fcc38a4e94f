package yaml

import (
	"errors"
	"strings"
	"testing"

	"pinch/value"
)

// What Salt's own unit tests say of reading YAML: salt.utils.yamlloader, the
// yaml and yamlex renderers, salt.serializers.
func TestLoadUnits(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"p1:\n  - alpha\n  - beta", "{'p1': ['alpha', 'beta']}"},
		{"p1: &p1\n  v1: alpha\np2:\n  <<: *p1\n  v2: beta", "{'p1': {'v1': 'alpha'}, 'p2': {'v1': 'alpha', 'v2': 'beta'}}"},
		{"p1: &p1\n  v1: alpha\np2:\n  <<: *p1\n  v1: new_alpha", "{'p1': {'v1': 'alpha'}, 'p2': {'v1': 'new_alpha'}}"},
		{"p1: &p1\n  v1: &v1\n    - t1\n    - t2\np2:\n  v2: *v1", "{'p1': {'v1': ['t1', 't2']}, 'p2': {'v2': ['t1', 't2']}}"},
		{"foo:\n  b: {foo: bar, one: 1, list: [1, two, 3]}", "{'foo': {'b': {'foo': 'bar', 'one': 1, 'list': [1, 'two', 3]}}}"},
		{"vdata: !!binary a1b2c3==", `{'vdata': b'kV\xf6s'}`},
		{"string", "'string'"},
		{"!!python/unicode python unicode string", "'python unicode string'"},
		{"foo:\n  a: Д\n  b: {'a': u'\\u0414'}", `{'foo': {'a': 'Д', 'b': {'a': "u'\\u0414'"}}}`},
		{"{foo: 1, bar: 2, baz: {qux: true}}", "{'foo': 1, 'bar': 2, 'baz': {'qux': True}}"},
		{"{bar: 2, baz: true, foo: 1}", "{'bar': 2, 'baz': True, 'foo': 1}"},
	} {
		v, err := Load("", tt.text)
		if err != nil || value.Repr(v) != tt.want {
			t.Errorf("%s:\ngot  %s %v\nwant %s", tt.text, value.Repr(v), err, tt.want)
		}
	}
	for _, text := range []string{
		"p1: alpha\np1: beta",
		"p1: &p1\n  v1: alpha\np2:\n  <<: *p1\n  v2: beta\n  v2: betabeta",
		"vdata: !!binary \u00c3\u00b1",
	} {
		var e *Error
		if v, err := Load("", text); !errors.As(err, &e) || e.Class != "ConstructorError" {
			t.Errorf("%s: got %s %v, want a ConstructorError", text, value.Repr(v), err)
		}
	}
}

// What they say of writing it, and of the scalars of Salt's filters.
func TestDumpUnits(t *testing.T) {
	bar := value.M("foo", "bar")
	two := value.M("foo", "bar", "baz", "qux")
	numbers := value.M("foo", int64(1), "bar", int64(2), "baz", true)
	for _, tt := range []struct {
		v    any
		o    DumpOptions
		want string
	}{
		{bar, DumpOptions{}, "{foo: bar}\n"},
		{bar, DumpOptions{Flow: Block}, "foo: bar\n"},
		{two, DumpOptions{KeepOrder: true}, "{foo: bar, baz: qux}\n"},
		{value.M("foo", value.L("bar", "baz"), "qux", "quux"), DumpOptions{Flow: Block, KeepOrder: true}, "foo:\n- bar\n- baz\nqux: quux\n"},
		{value.M("foo", value.L("bar")), DumpOptions{}, "foo: [bar]\n"},
		{value.M("foo", nil), DumpOptions{}, "{foo: null}\n"},
		{numbers, DumpOptions{Flow: Flow}, "{bar: 2, baz: true, foo: 1}\n"},
		{numbers, DumpOptions{Flow: Flow, KeepOrder: true}, "{foo: 1, bar: 2, baz: true}\n"},
	} {
		if got, err := Dump(tt.v, tt.o); err != nil || got != tt.want {
			t.Errorf("%s %+v:\ngot  %q %v\nwant %q", value.Repr(tt.v), tt.o, got, err, tt.want)
		}
	}
	text := `"\ []{}"`
	if v, err := Load("", Dquote(text)); v != text || err != nil {
		t.Error(v, err)
	}
	if s := Squote(`"`); s != `'"'` {
		t.Error(s)
	}
	if s := Dquote(strings.Repeat(`"`, 100)) + Squote(strings.Repeat("'", 100)); strings.Contains(s, "\n") {
		t.Error(s)
	}
	for _, v := range []any{nil, true, false, "[7, 5]", `"monkey"`, int64(5), 7.5, "2014-06-02 15:30:29.7"} {
		s, err := Encode(v)
		if w, bad := Load("", s); err != nil || bad != nil || !same(v, w) {
			t.Errorf("%s: %q %v %v", value.Repr(v), s, err, bad)
		}
	}
	set, _ := value.NewSet()
	for _, v := range []any{value.M(), value.L(), set} {
		if s, err := Encode(v); err == nil || !strings.Contains(err.Error(), "yaml_encode() only works with YAML scalar data") {
			t.Errorf("%s: %q %v", value.Repr(v), s, err)
		}
	}
}

func TestLoadExUnits(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"    foo: bar\n    ", "{'foo': 'bar'}"},
		{"    p: {foo: !aggregate {foo: 42}}\n    p: {foo: !aggregate {bar: null}}\n    p: {foo: !aggregate {baz: inga}}\n    ", "{'p': {'foo': {'foo': 42, 'bar': None, 'baz': 'inga'}}}"},
		{"{foo: 1, bar: 2, baz: true}", "{'foo': 1, 'bar': 2, 'baz': True}"},
		{"{foo: bar, baz: qux}", "{'foo': 'bar', 'baz': 'qux'}"},
	} {
		if v, _, err := LoadEx(tt.text); err != nil || value.Repr(v) != tt.want {
			t.Errorf("%s:\ngot  %s %v\nwant %s", tt.text, value.Repr(v), err, tt.want)
		}
	}
}
