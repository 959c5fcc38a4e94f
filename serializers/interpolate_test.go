package serializers

import (
	"testing"

	"pinch/value"
)

// The answers are Salt 3008.4's.
func TestInterpolation(t *testing.T) {
	raw := value.M("interpolation", nil)
	for _, tt := range []struct {
		in   any // a text is read, a mapping written
		opts *value.Map
		want string
	}{
		{"[DEFAULT]\nx = 1\n[a]\nB = %(X)s%%\nc=%(b)s\n", nil, "{'a': {'x': '1', 'b': '1%', 'c': '1%'}}"},
		{"[a]\nb = %(x)s\n", nil, "Bad value substitution: option 'b' in section 'a' contains an interpolation key 'x' which is not a valid option name. Raw value: '%(x)s'"},
		{"[a]\nb = %(b)s\n", nil, "Recursion limit exceeded in value substitution: option 'b' in section 'a' contains an interpolation key which cannot be substituted in 10 steps. Raw value: '%(b)s'"},
		{"[a]\nb = 50% x\n", nil, "'%' must be followed by '%' or '(', found: '% x'"},
		{"[a]\nb = %(x\n", nil, "bad interpolation variable reference '%(x'"},
		{"[a]\nb = 50% x\n", raw, "{'a': {'b': '50% x'}}"},
		{"[a]\nb = %(x)s\n", value.M("defaults", value.M("X", "baz")), "{'a': {'x': 'baz', 'b': 'baz'}}"},
		{value.M("a", value.M("b", "50%")), nil, "invalid interpolation syntax in '50%' at position 2"},
		{value.M("a", value.M("b", "é 50%% %(x)s %z")), nil, "invalid interpolation syntax in 'é 50%% %(x)s %z' at position 6"},
		{value.M("a", value.M("b", "50%")), raw, "[a]\nb = 50%\n\n"},
		{value.M("a", value.M("b", nil)), nil, "option values must be strings"},
		{value.M("a", value.M("b", nil)), value.M("allow_no_value", true), "[a]\nb\n\n"},
		{value.M("a", value.M("b", "1"), "DEFAULT", value.M("Z", int64(1))), value.M("defaults", value.M("Y", "n")), "[DEFAULT]\ny = n\nz = 1\n\n[a]\nb = 1\n\n"},
	} {
		var v any
		var err error
		if s, ok := tt.in.(string); ok {
			if v, err = loadINI(s, tt.opts); err == nil {
				v = value.Repr(v)
			}
		} else {
			v, err = dumpINI(tt.in, tt.opts)
		}
		if err != nil {
			v = err.Error()
		}
		if v != tt.want {
			t.Errorf("%v:\ngot  %v\nwant %s", tt.in, v, tt.want)
		}
	}
}
