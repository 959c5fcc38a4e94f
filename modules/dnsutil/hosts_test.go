package dnsutil

import (
	"os"
	"path/filepath"
	"testing"

	"pinch/salt"
	"pinch/sys"
)

// TestHostsAppend has Salt's answers: a file that is missing is made.
func TestHostsAppend(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	c := &salt.Ctx{Sys: sys.Real{}}
	line := "\n127.0.0.1 ad1.yuk.co ad2.yuk.co"
	for _, want := range []string{"The following line was added to " + file + ":" + line, "No additional hosts were added to " + file} {
		got, err := hostsAppend(c, appendArgs{Hostsfile: file, IPAddr: "127.0.0.1", Entries: "ad1.yuk.co,ad2.yuk.co"})
		if err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	if b, _ := os.ReadFile(file); string(b) != line {
		t.Errorf("the file is %q", b)
	}
}
