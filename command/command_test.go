package command

import (
	"slices"
	"testing"
)

func TestAnswer(t *testing.T) {
	for _, tt := range []struct {
		a         Answer
		all, text string
	}{
		{Answer{Out: "out"}, "out", "out"},
		{Answer{Err: "no"}, "no", "no"},
		{Answer{Out: "out", Err: "no"}, "out\nno", "no"},
		{Answer{}, "", ""},
	} {
		if tt.a.All() != tt.all || tt.a.Text() != tt.text {
			t.Errorf("%+v: %q, %q", tt.a, tt.a.All(), tt.a.Text())
		}
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{`tcp dport { 22 } log prefix "a b"`: {"tcp", "dport", "{", "22", "}", "log", "prefix", "a b"}, `it's`: {"it's"}} {
		if got := Words(line); !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}
