package grains

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pinch/salt"
	"pinch/value"
)

// TestStates compares returns and the grains file with those of real Salt.
func TestStates(t *testing.T) {
	b, err := os.ReadFile("testdata/states.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	f := v.(*value.Map)
	for i, it := range f.List("cases").Items {
		tc := it.(*value.Map)
		t.Run(fmt.Sprintf("%02d_%s", i, tc.Str("fun")), func(t *testing.T) {
			c, conf := newCtx(t, nil, f.Str("static"))
			c.Test = tc.Truth("test")
			got, err := Module.States()[tc.Str("fun")].Call(c, nil, tc.Map("kw"))
			if err != nil {
				t.Fatal(err)
			}
			r := got.(salt.Result).Map("")
			for _, k := range []string{"result", "comment", "changes"} {
				if !value.Equal(r.At(k), tc.At(k)) {
					t.Errorf("%s test=%v: %s: got %s, want %s", value.Repr(tc.Map("kw")), c.Test, k, value.Repr(r.At(k)), value.Repr(tc.At(k)))
				}
			}
			if b, _ := os.ReadFile(filepath.Join(conf, "grains")); string(b) != tc.Str("file") {
				t.Errorf("%s test=%v: file: got %q, want %q", value.Repr(tc.Map("kw")), c.Test, b, tc.Str("file"))
			}
		})
	}
}

// TestListPresentOnNone: Salt ends in a traceback here, after it did nothing.
func TestListPresentOnNone(t *testing.T) {
	c, conf := newCtx(t, nil, "n: null\n")
	got, err := Module.States()["list_present"].Call(c, nil, value.M("name", "n", "value", "q"))
	if err != nil {
		t.Fatal(err)
	}
	if r := got.(salt.Result); !r.OK() || r.Comment != "Append value q to grain n" {
		t.Errorf("got %s", value.Repr(r.Map("n")))
	}
	if b, _ := os.ReadFile(filepath.Join(conf, "grains")); string(b) != "n:\n- q\n" {
		t.Errorf("file: %q", b)
	}
}
