package gitfs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// CheckedOut says what git rev-parse HEAD does: for a branch, packed refs, a
// detached head, a second work tree.
func TestCheckedOut(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir := t.TempDir()
	repo, sub := filepath.Join(dir, "repo"), filepath.Join(dir, "repo", "salt", "deep")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
		return strings.TrimSpace(string(out))
	}
	if got := CheckedOut(sub); got != "" {
		t.Skipf("the folder for temporary files is in a repository: %s", got)
	}
	git("init", "-q", "-b", "main")
	if got := CheckedOut(sub); got != "" {
		t.Errorf("without a commit: %s", got)
	}
	git("commit", "-q", "--allow-empty", "-m", "one")
	one := git("rev-parse", "HEAD")
	if got := CheckedOut(sub); got != one {
		t.Errorf("on a branch: %s, not %s", got, one)
	}
	git("pack-refs", "--all")
	if got := CheckedOut(sub); got != one {
		t.Errorf("packed: %s, not %s", got, one)
	}
	git("worktree", "add", "-q", "-b", "other", filepath.Join(dir, "other"))
	if got := CheckedOut(filepath.Join(dir, "other")); got != one {
		t.Errorf("a second work tree: %s, not %s", got, one)
	}
	git("commit", "-q", "--allow-empty", "-m", "two")
	git("checkout", "-q", "--detach", one)
	if got := CheckedOut(repo); got != one {
		t.Errorf("detached: %s, not %s", got, one)
	}
}
