package serializers

import (
	"testing"

	"pinch/value"
)

// The facts of Salt's own tests of the serializer yamlex.
func TestYamlex(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"{foo: 1, bar: 2, baz: {qux: true}}", "{'foo': 1, 'bar': 2, 'baz': {'qux': True}}"},
		{"a: lol\nfoo: !aggregate hello\nbar: !aggregate [1, 2, 3]\nbaz: !aggregate\n  a: 42\n  b: 666\n  c: the beast\n",
			"{'a': 'lol', 'foo': ['hello'], 'bar': [1, 2, 3], 'baz': {'a': 42, 'b': 666, 'c': 'the beast'}}"},
		{"p: !aggregate foo\np: !aggregate bar\np: !aggregate baz\n", "{'p': ['foo', 'bar', 'baz']}"},
		{"p: !aggregate foo\np: !aggregate [bar, baz]\np: !aggregate []\np: !aggregate ~\n", "{'p': ['foo', 'bar', 'baz']}"},
		{"p: !aggregate {foo: 42}\np: !aggregate {bar: null}\np: !aggregate {baz: inga}\n", "{'p': {'foo': 42, 'bar': None, 'baz': 'inga'}}"},
		{"p: {foo: !aggregate {foo: 42}}\np: {foo: !aggregate {bar: null}}\np: {foo: !aggregate {baz: inga}}\n", "{'p': {'foo': {'foo': 42, 'bar': None, 'baz': 'inga'}}}"},
		{"p: {!aggregate foo: {foo: 42}}\np: {!aggregate foo: {bar: null}}\np: {!aggregate foo: {baz: inga}}\n", "{'p': {'foo': {'foo': 42, 'bar': None, 'baz': 'inga'}}}"},
		{"p: {!aggregate foo: {foo: 42}}\np: {!aggregate foo: {bar: null}}\n!reset p: {!aggregate foo: {baz: inga}}\n", "{'p': {'foo': {'baz': 'inga'}}}"},
	} {
		got, err := Deserialize("yamlex", tt.text, nil)
		if s := value.Repr(value.Plain(got)); err != nil || s != tt.want {
			t.Errorf("%q:\ngot  %s %v\nwant %s", tt.text, s, err, tt.want)
		}
	}
	v, err := Deserialize("yamlex", "a: lol\nfoo: !aggregate hello\nbar: !aggregate [1, 2, 3]\nbaz: !aggregate {a: 42, b: 666, c: the beast}\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Serialize("yamlex", v, nil); err != nil || got != "a: lol\nfoo: [hello]\nbar: [1, 2, 3]\nbaz: {a: 42, b: 666, c: the beast}" {
		t.Errorf("%q %v", got, err)
	}
}
