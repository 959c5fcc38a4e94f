package serializers

import (
	"bytes"
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
		{"toml", value.M("s", value.M("a", "x")), nil, "[s]\na = \"x\"\n"},
		{"toml", value.M("foo", "bar"), nil, "foo = \"bar\"\n"},
		{"toml", value.M("s", value.M("n", int64(1), "l", value.L(int64(1), "b"), "e", value.M("q", "it's \"q\" \n\x07"), "k k", 1.5, "t", true), "top", int64(1), "aot", value.L(value.M("a", int64(1)), value.M("b", int64(2)))), nil,
			"top = 1\n[[aot]]\na = 1\n\n[[aot]]\nb = 2\n\n[s]\nn = 1\nl = [ 1, \"b\",]\n\"k k\" = 1.5\nt = true\n\n[s.e]\nq = \"it's \\\"q\\\" \\n\\u0007\"\n"},
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

// The text is that of Python's plistlib.
func TestPlist(t *testing.T) {
	data := value.M("foo", "a<b", "b", value.L(int64(1), 2.5, true, value.M()), "d", bytes.Repeat([]byte("x"), 80), "e", value.L(), "n", value.M("x", value.M("y", []byte("hello"))))
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>b</key>
	<array>
		<integer>1</integer>
		<real>2.5</real>
		<true/>
		<dict/>
	</array>
	<key>d</key>
	<data>
	eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
	eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHg=
	</data>
	<key>e</key>
	<array/>
	<key>foo</key>
	<string>a&lt;b</string>
	<key>n</key>
	<dict>
		<key>x</key>
		<dict>
			<key>y</key>
			<data>
			aGVsbG8=
			</data>
		</dict>
	</dict>
</dict>
</plist>
`
	got, err := Serialize("plist", data, nil)
	if b, _ := got.([]byte); err != nil || string(b) != want {
		t.Errorf("%s %v", b, err)
	}
	back, err := Deserialize("plist", want, nil)
	if err != nil || !value.Equal(back, data) {
		t.Errorf("%s %v", value.Repr(back), err)
	}
	for _, text := range []string{"", "<plist><dict><string>a</string></dict></plist>", "<plist><dict>", "bplist00", "<plist><integer>x</integer></plist>"} {
		if v, err := Deserialize("plist", text, nil); err == nil {
			t.Errorf("%q: got %s", text, value.Repr(v))
		}
	}
}

func FuzzINI(f *testing.F) {
	f.Add("[s]\na = 1\n  more\n")
	f.Fuzz(func(t *testing.T, s string) { loadINI(s, nil) })
}
