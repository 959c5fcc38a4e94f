package jmespath

import (
	"errors"
	"os"
	"testing"

	"pinch/value"
)

// TestAgainstPython compares with what Python's jmespath gives
// (testdata/ask.py).
func TestAgainstPython(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(text))
	if err != nil {
		t.Fatal(err)
	}
	root := v.(*value.Map)
	for _, x := range root.List("cases").Items {
		c := x.(*value.Map)
		got, err := Search(c.Str("expr"), root.At("data"))
		if err != nil {
			var e *value.Exception
			if !errors.As(err, &e) || e.Class+": "+e.Msg != c.Str("error") {
				t.Errorf("%s\n got %v\nwant %s%s", c.Str("expr"), err, c.Str("error"), c.Str("want"))
			}
			continue
		}
		if r := value.Repr(got); r != c.At("want") {
			t.Errorf("%s\n got %s\nwant %s%s", c.Str("expr"), r, c.Str("error"), c.Str("want"))
		}
	}
}

func FuzzSearch(f *testing.F) {
	for _, s := range []string{"a[?b > `1`].c[] | sort(@)", "{a: b, c: [d, e]}", "[1:2:-1].*", "map(&a, @)"} {
		f.Add(s)
	}
	data := value.M("a", value.L(int64(1), "x", value.M("b", nil)))
	f.Fuzz(func(t *testing.T, s string) { _, _ = Search(s, data) })
}
