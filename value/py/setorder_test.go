package py

import (
	"fmt"
	"strings"
	"testing"
)

// Hashes and orders are those of Python 3.11 with PYTHONHASHSEED=0.
func TestStrHash(t *testing.T) {
	for s, want := range map[string]uint64{
		"":                  0,
		"a":                 4644417185603328019,
		"test_|-main_6_|-é": 5728812010441796243,
		"日本":                6243316497235261705,
		"😀x":                9520015811591012698,
	} {
		if got := strHash(s); got != want {
			t.Errorf("hash of %q: got %d, want %d", s, got, want)
		}
	}
}

func TestSetOrder(t *testing.T) {
	for _, tt := range []struct {
		format  string
		n, step int
		want    string
	}{
		{"w%d", 12, 1, "w4 w1 w8 w11 w3 w9 w0 w2 w6 w5 w10 w7"},
		{"pkg_%d", 40, 7, "pkg_126 pkg_35 pkg_91 pkg_168 pkg_224 pkg_14 pkg_231 pkg_63"},
		{"n%d", 300, 1, "n269 n58 n283 n299 n270 n100 n153 n259"},
	} {
		var words []string
		for i := range tt.n {
			words = append(words, fmt.Sprintf(tt.format, i*tt.step))
		}
		words = append(words, words[0]) // a duplicate changes nothing
		got := SetOrder(words)
		if len(got) != tt.n || !strings.HasPrefix(strings.Join(got, " "), tt.want) {
			t.Errorf("%d words %s: got %v, want %s", tt.n, tt.format, got, tt.want)
		}
	}
}
