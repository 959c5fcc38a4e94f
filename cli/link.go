package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// runLink makes the names under which other programs look for Salt.
func runLink(p *program, _ context.Context, r *request) int {
	self, err := os.Executable()
	if err != nil {
		return report(err, p.stdout, p.stderr, false)
	}
	for _, name := range []string{"salt-call", "salt-minion"} {
		path := filepath.Join(r.words[0], name)
		if old, err := os.Readlink(path); err == nil && old == self {
			continue
		}
		if i, err := os.Lstat(path); err == nil {
			if i.Mode()&os.ModeSymlink == 0 {
				fmt.Fprintf(p.stderr, "error: %s is there already and is no link of ours: not touched\n", path)
				return exitGeneric
			}
			if err := os.Remove(path); err != nil {
				return report(err, p.stdout, p.stderr, false)
			}
		}
		if err := os.Symlink(self, path); err != nil {
			return report(err, p.stdout, p.stderr, false)
		}
		fmt.Fprintf(p.stdout, "%s -> %s\n", path, self)
	}
	return 0
}
