package daemon

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// unmapProgram takes the pages of the program's file, of which the start uses
// many and the waiting few, out of this process: they stay in the page cache,
// from where each comes back when it is used, but no longer count as used.
func unmapProgram() {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer f.Close()
	for _, m := range programMaps(f) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, m.from, m.to-m.from, unix.MADV_DONTNEED)
	}
}

// A mapping is a part of this process's memory.
type mapping struct{ from, to uintptr }

// programMaps are the mappings of files that nothing can be written to, and never
// was (Anonymous): a page with relocations would come back without them.
func programMaps(smaps io.Reader) []mapping {
	var out []mapping
	var at mapping
	for in := bufio.NewScanner(smaps); in.Scan(); {
		w := strings.Fields(in.Text())
		switch {
		case len(w) >= 5 && !strings.HasSuffix(w[0], ":"):
			at = mapping{}
			if len(w) > 5 && w[5][0] == '/' && w[1][1] == '-' {
				_, _ = fmt.Sscanf(w[0], "%x-%x", &at.from, &at.to)
			}
		case at.to > at.from && len(w) > 1 && w[0] == "Anonymous:" && w[1] == "0":
			out = append(out, at)
		}
	}
	return out
}
