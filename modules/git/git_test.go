package git

import (
	"strings"
	"testing"

	"pinch/value"
)

// The output is that of git 2.39.
func TestFetched(t *testing.T) {
	out := "From /srv/app\n   a27b4ee..1473511  main       -> origin/main\n * [new branch]      dev        -> origin/dev\n * [new tag]         v2         -> v2\n t [tag update]      v1         -> v1\n"
	want := "{'updated branches': {'main': {'old': 'a27b4ee', 'new': '1473511'}}, 'new branches': ['dev'], 'new tags': ['v2']}"
	if got := value.Repr(fetched(out)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestWithAuth(t *testing.T) {
	for _, tt := range []struct {
		url        string
		user, pass any
		want       string
	}{
		{"https://h/r", nil, nil, "https://h/r"},
		{"https://h/r", "u@x", "p/ w", "https://u%40x:p%2F%20w@h/r"},
		{"https://h/r", "u", nil, "https://u@h/r"},
		{"ssh://h/r", "u", nil, "Basic Auth only supported for HTTPS"},
	} {
		got, err := withAuth(tt.url, tt.user, tt.pass)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.url, got, tt.want)
		}
	}
	if got := redact("fatal: https://u:p@h/r not found"); strings.Contains(got, "u:p") {
		t.Error(got)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{"--a 'b c' --": "['--a', 'b c']", "": "[]", `a\ b "c\"d"`: `['a b', 'c"d']`} {
		w, err := words(in)
		if got := value.Repr(value.Strings(w)); got != want || err != nil {
			t.Errorf("%s: got %s %v, want %s", in, got, err, want)
		}
	}
	if _, err := words("a 'b"); err == nil {
		t.Error("an open quote was accepted")
	}
}
