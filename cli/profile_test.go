package cli

import (
	"os"
	"path/filepath"
	"testing"

	"pinch/value"
)

func TestProfile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stats")
	for _, on := range []bool{false, true} {
		stop, err := profile(value.M("profiling_enabled", on, "profiling_path", dir))
		if err != nil {
			t.Fatal(err)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"cpu", "heap"} {
			found, _ := filepath.Glob(filepath.Join(dir, "*."+kind+".pprof"))
			if !on && len(found) != 0 || on && len(found) != 1 {
				t.Fatalf("profiling %v: %s profiles %q", on, kind, found)
			}
			if on {
				if info, err := os.Stat(found[0]); err != nil || info.Size() == 0 {
					t.Errorf("%s: empty (%v)", found[0], err)
				}
			}
		}
	}
}
