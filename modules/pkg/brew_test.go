package pkg

import (
	"os"
	"path/filepath"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A brewed machine has brew at a path, or none.
type brewed struct {
	sys.Sys
	brew string
}

func (b brewed) LookPath(string) string { return b.brew }

// The module loads on macOS where Homebrew is, and asks no command for its
// prefix that lies in its own.
func TestBrewVirtual(t *testing.T) {
	t.Setenv("HOMEBREW_PREFIX", "") // it is back after the test
	os.Unsetenv("HOMEBREW_PREFIX")
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "Library/Homebrew"), 0o755); err != nil {
		t.Fatal(err)
	}
	for brew, prefix := range map[string]string{"": "", filepath.Join(dir, "bin/brew"): dir} {
		c := &salt.Ctx{Sys: brewed{sys.Real{}, brew}, Run: salt.NewRun(), Grains: value.M("os", "MacOS", "os_family", "MacOS")}
		if err := virtual(c, "modules"); (err == nil) != (prefix != "") {
			t.Errorf("%q: %v", brew, err)
		}
		if got, _ := homebrewPrefix(c, salt.NoArgs{}); got != prefix {
			t.Errorf("%q: prefix %q", brew, got)
		}
	}
	t.Setenv("HOMEBREW_PREFIX", "/opt/homebrew")
	c := &salt.Ctx{Sys: brewed{sys.Real{}, ""}, Run: salt.NewRun(), Grains: value.M("os", "MacOS")}
	if got, err := homebrewPrefix(c, salt.NoArgs{}); got != "/opt/homebrew" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

// The answers are those of Salt's version_cmp, which brew has none of its own for.
func TestBrewVersions(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1.7.1", "1.7.1", 0}, {"1.10", "1.9", 1}, {"3007.1", "3007.1_2", -1}, {"2.2.0,122", "2.3.6,123-jan-18-2021", -1},
		{"1.0", "1.0.1", -1}, {"1.0a", "1.0", 1}, {"1.0.1", "1.0a", -1}, {"0.10.0", "0.9.5_1", 1},
	} {
		for _, x := range []struct {
			a, b string
			want int
		}{{tt.a, tt.b, tt.want}, {tt.b, tt.a, -tt.want}} {
			n, ok := (brew{}).compare(x.a, x.b, false)
			if !ok || min(1, max(-1, n)) != x.want {
				t.Errorf("%s %s: %d, not %d", x.a, x.b, n, x.want)
			}
		}
	}
}
