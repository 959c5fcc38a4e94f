package serializers

import (
	"testing"

	"pinch/value"
)

// The texts are those of Salt 3008 with the libraries at hand.
func TestSerialize(t *testing.T) {
	for _, tt := range []struct {
		name string
		data any
		opts *value.Map
		want string
	}{
		{"json", value.M("b", int64(1), "a", value.L()), value.M("sort_keys", true), `{"a": [], "b": 1}`},
		{"yaml", value.M("a", value.M("b", int64(1))), nil, "a: {b: 1}"},
		{"yaml", value.M("a", value.M("b", int64(1))), value.M("default_flow_style", false), "a:\n  b: 1"},
		{"configparser", value.M("s", value.M("A", int64(1))), nil, "[s]\na = 1\n\n"},
		{"keyvalue", value.M("a", int64(1), "b", "x"), nil, "a=1\nb=x"},
		{"toml", value.M("s", value.M("a", "x")), nil, "[s]\na = 'x'\n"},
		{"python", value.M("a", value.L(int64(1))), nil, "{'a': [1]}"},
	} {
		got, err := Serialize(tt.name, tt.data, tt.opts)
		if err != nil || got != tt.want {
			t.Errorf("%s: %q %v, want %q", tt.name, got, err, tt.want)
		}
		if formats[tt.name].load == nil {
			continue
		}
		if _, err := Deserialize(tt.name, tt.want, nil); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := Serialize("nosuch", nil, nil); err == nil || err.Error() != "Serializer 'nosuch' not found." {
		t.Error(err)
	}
}

func FuzzINI(f *testing.F) {
	f.Add("[s]\na = 1\n  more\n")
	f.Fuzz(func(t *testing.T, s string) { loadINI(s, nil) })
}
