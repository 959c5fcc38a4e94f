package py_test

import (
	"strings"
	"testing"

	"pinch/value"
	"pinch/value/py"
)

func TestShellSplit(t *testing.T) {
	for in, want := range map[string]string{
		`a 'b c' "d e"f`:   "['a', 'b c', 'd ef']",
		`a\ b "c\"d\x" ''`: `['a b', 'c"d\\x', '']`,
		"  \t\n":           "[]",
		`a#b # c`:          "['a#b', '#', 'c']",
		`a "b`:             "No closing quotation",
		`a\`:               "No escaped character",
	} {
		w, err := py.ShellSplit(in)
		got := value.Repr(value.Strings(w))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"": "''", "a/b:c": "a/b:c", "it's": `'it'"'"'s'`, "a b": "'a b'"} {
		if got := py.ShellQuote(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func FuzzShellSplit(f *testing.F) {
	f.Add(`a 'b c' "d\"e"`)
	f.Fuzz(func(t *testing.T, s string) {
		w, err := py.ShellSplit(s)
		if err != nil {
			return
		}
		q := make([]string, len(w))
		for i := range w {
			q[i] = py.ShellQuote(w[i])
		}
		again, err := py.ShellSplit(strings.Join(q, " "))
		if err != nil || value.Repr(value.Strings(again)) != value.Repr(value.Strings(w)) {
			t.Errorf("%q: %q, then %q %v", s, w, again, err)
		}
	})
}
