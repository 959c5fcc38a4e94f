package py

import (
	"testing"

	"pinch/value"
)

func TestSignature(t *testing.T) {
	f := &Signature{Name: "f", Required: []string{"a", "b", "c"}, Optional: []Default{{"d", int64(1)}}}
	g := &Signature{Name: "g", Hidden: 1, Optional: []Default{{"b", int64(1)}}}
	h := &Signature{Name: "h"}
	m := &Signature{Name: "m", Required: []string{"a"}, Args: true, Kwargs: true}
	one := int64(1)
	for _, tt := range []struct {
		s    *Signature
		args []any
		kw   *value.Map
		want string
	}{
		{f, nil, nil, "f() missing 3 required positional arguments: 'a', 'b', and 'c'"},
		{f, []any{one}, nil, "f() missing 2 required positional arguments: 'b' and 'c'"},
		{f, []any{one, one}, nil, "f() missing 1 required positional argument: 'c'"},
		{f, []any{one, one, one, one, one}, nil, "f() takes from 3 to 4 positional arguments but 5 were given"},
		{f, []any{one}, value.M("a", one), "f() got multiple values for argument 'a'"},
		{f, []any{one}, value.M("x", one), "f() got an unexpected keyword argument 'x'"},
		{f, []any{one, "x"}, value.M("d", nil, "c", true), "[1, 'x', True, None]"},
		{g, []any{one, one}, nil, "g() takes from 1 to 2 positional arguments but 3 were given"},
		{h, []any{one}, nil, "h() takes 0 positional arguments but 1 was given"},
		{m, []any{one, one}, value.M("k", one), "[1, (1,), {'k': 1}]"},
		{m, []any{value.L()}, nil, "[[], (), {}]"},
	} {
		got, err := tt.s.Bind(tt.args, tt.kw)
		text := value.Repr(value.L(got...))
		if err != nil {
			text = err.Error()
		}
		if text != tt.want {
			t.Errorf("got %s, want %s", text, tt.want)
		}
	}
}
