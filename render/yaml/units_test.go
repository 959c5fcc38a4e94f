package yaml

import (
	"errors"
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
		{"foo:\n  a: Д\n  b: {'a': u'\\u0414'}", ""},
		{"{foo: 1, bar: 2, baz: {qux: true}}", "{'foo': 1, 'bar': 2, 'baz': {'qux': True}}"},
		{"{bar: 2, baz: true, foo: 1}", "{'bar': 2, 'baz': True, 'foo': 1}"},
	} {
		v, err := Load("", tt.text)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s: got %s, want an error", tt.text, value.Repr(v))
			}
			continue
		}
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
