package gitfs

import (
	"os"
	"path/filepath"
	"strings"
)

// CheckedOut is the commit that the Git work tree around a folder has checked
// out, "" when there is none (gitrepository-layout(5)).
func CheckedOut(dir string) string {
	for {
		at := filepath.Join(dir, ".git")
		if text, err := os.ReadFile(at); err == nil { // of git worktree, or a submodule
			_, path, _ := strings.Cut(strings.TrimSpace(string(text)), "gitdir: ")
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			return headOf(path)
		}
		if fi, err := os.Stat(at); err == nil && fi.IsDir() {
			return headOf(at)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func headOf(git string) string {
	head := firstLine(filepath.Join(git, "HEAD"))
	ref, ok := strings.CutPrefix(head, "ref: ")
	if !ok {
		return head
	}
	if common := firstLine(filepath.Join(git, "commondir")); common != "" {
		git = filepath.Join(git, common)
	}
	if commit := firstLine(filepath.Join(git, filepath.FromSlash(ref))); commit != "" {
		return commit
	}
	packed, _ := os.ReadFile(filepath.Join(git, "packed-refs"))
	for line := range strings.Lines(string(packed)) {
		if commit, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return commit
		}
	}
	return ""
}

func firstLine(path string) string {
	b, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}
