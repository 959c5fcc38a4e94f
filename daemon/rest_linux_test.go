package daemon

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Only mappings of files that cannot have changed are given back, proc_pid_smaps(5).
func TestProgramMaps(t *testing.T) {
	text := `00400000-015d5000 r-xp 00000000 fe:00 9987163                            /usr/bin/pinch
Size:              18260 kB
Anonymous:             0 kB
015d5000-02754000 r--p 011d5000 fe:00 9987163                            /usr/bin/pinch
Anonymous:             4 kB
02754000-028cb000 rw-p 02354000 fe:00 9987163                            /usr/bin/pinch
Anonymous:             0 kB
028cb000-04917000 r--p 00000000 00:00 0
Anonymous:             0 kB
7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
`
	if got := programMaps(strings.NewReader(text)); !slices.Equal(got, []mapping{{0x400000, 0x15d5000}}) {
		t.Errorf("%x", got)
	}
	before := resident(t, "RssFile")
	unmapProgram()
	if after := resident(t, "RssFile"); after > before-(1<<20) {
		t.Errorf("%d bytes of files in memory, %d after giving them back", before, after)
	}
}

// resident is how many bytes of a kind this process has in memory: RssFile,
// those of files, or VmRSS, all.
func resident(t *testing.T, kind string) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), kind+":")
	n := 0
	for _, c := range strings.TrimSpace(rest) {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n << 10
}
