package pyre

import (
	"encoding/json"
	"os"
	"testing"
)

// The cases are pattern, text, flags, template, and CPython 3.11's re.subn or
// the text of its exception.
func TestSub(t *testing.T) {
	b, err := os.ReadFile("testdata/sub.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][7]any
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		pattern, text, flags := c[0].(string), c[1].(string), Flags(c[2].(float64))
		var out string
		var n int
		re, err := Compile(pattern, flags)
		if err == nil {
			out, n, err = re.Sub(c[3].(string), text, 0)
		}
		msg := ""
		if err != nil {
			msg, out = err.Error(), ""
		}
		if msg != c[6] || out != c[4] || n != int(c[5].(float64)) {
			t.Errorf("sub(%q, %q, %q, %d) = %q %d %q, want %q %v %q", pattern, c[3], text, flags, out, n, msg, c[4], c[5], c[6])
		}
	}
}

func TestBytesStayWhole(t *testing.T) {
	re, err := CompileBytes(`(\w+)é`, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, n, err := re.Sub(`<\1>`, "\xff\xfe aé é", 0)
	if got != "\xff\xfe <a> é" || n != 1 || err != nil {
		t.Errorf("%q %d %v", got, n, err)
	}
	text := MustCompile(`b+`, 0)
	if got, _, _ := text.Sub("-", "a\xffébb\xfe", 0); got != "a\xffé-\xfe" {
		t.Errorf("%q", got)
	}
}

func TestAnchored(t *testing.T) {
	re := MustCompile(`a|ab`, 0)
	if re.Match("xab") != nil || re.Match("ab").Text() != "a" || re.FullMatch("ab").Text() != "ab" || re.FullMatch("abc") != nil {
		t.Error("a|ab")
	}
	lit := MustCompile(`ab`, 0)
	if lit.Match("xab") != nil || lit.Match("abc") == nil || lit.FullMatch("abc") != nil || lit.Search("xab") == nil {
		t.Error("ab")
	}
	if MustCompile(`^b`, Multiline).Match("a\nb") != nil {
		t.Error("match looks at the start only")
	}
}

func TestSplitAndEscape(t *testing.T) {
	got := MustCompile(`(,)\s*`, 0).Split("a, b,c", 1)
	if len(got) != 3 || got[0] != "a" || got[1] != "," || got[2] != "b,c" {
		t.Errorf("%q", got)
	}
	if Escape("a.b-c d/é") != `a\.b\-c\ d/é` {
		t.Error(Escape("a.b-c d/é"))
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{`(?P<a>x)[^]\w-]{2,}+`, `(?(1)a|b)`, `\u00e9\101`} {
		f.Add(s, "text")
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		re, err := build(pattern, 0, false)
		if err == nil && len(s) < 20 && len(pattern) < 20 {
			re.Search(s)
		}
	})
}

func BenchmarkSub(b *testing.B) {
	re := MustCompile(`^#?\s*Port .*$`, Multiline)
	text := "# a\n#Port 22\nListen 1\n"
	for b.Loop() {
		re.Sub("Port 2222", text, 0)
	}
}
