package daemon

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

// A change in the state tree converges the machine once it was quiet, a reload
// takes the configuration anew, and the mine is kept fresh.
func TestWatchTreeAndReload(t *testing.T) {
	root, read := load(t, value.M("watch_tree", true, "watch_tree_delay", int64(3), "mine_functions", value.M("test.ping", value.L()), "mine_interval", int64(5)))
	put(t, root, "srv/salt/top.sls", "base:\n  '*': [one]\n")
	put(t, root, "srv/salt/one.sls", "a:\n  test.nop: []\n")
	d := newDaemon(t, read)
	h := listen(d)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	soon(t, "the mine's first job", func() bool { return len(h.tagged("salt/job/*/new")) > 0 })
	if got := h.tagged("salt/job/*/new")[0].Data; got.Str("fun") != "mine.update" {
		t.Errorf("the mine: %v", got)
	}
	runs := func() (n int) {
		for _, e := range h.tagged("salt/job/*/ret/dm") {
			if e.Data.Str("fun") == "state.apply" {
				n++
			}
		}
		return n
	}
	put(t, root, "srv/salt/one.sls", "b:\n  test.nop: []\n")
	put(t, root, "srv/salt/two/three.sls", "c:\n  test.nop: []\n")
	soon(t, "the run after the change", func() bool { return runs() > 0 })
	put(t, root, "etc/minion.d/more.conf", "schedule:\n  added: {function: test.ping, seconds: 1000}\n")
	d.Reload(ctx)
	soon(t, "the job of the new configuration", func() bool {
		for _, e := range h.tagged("__schedule_return") {
			if e.Data.Str("schedule") == "added" {
				return true
			}
		}
		return false
	})
	put(t, root, "etc/minion", "schedule: [\n")
	d.Reload(ctx)
	if !d.opts().Map("schedule").Has("added") {
		t.Error("a broken configuration came into force")
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if runs() != 1 {
		t.Errorf("two changes at once made %d runs", runs())
	}
}

// soon waits for something; the test's own time limit ends it.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for n := 0; !ok(); n++ {
		if n > 6000 {
			t.Fatalf("%s did not come", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// The scripts for OpenRC and SysV are scripts, with the paths as words.
func TestInitScripts(t *testing.T) {
	for _, manager := range []string{"openrc", "sysv"} {
		text := InitScript(manager, "/opt/my pinch", "daemon", "/etc/salt")
		if !strings.Contains(text, `"/opt/my pinch"`) || !strings.Contains(text, "daemon -c /etc/salt") {
			t.Errorf("%s:\n%s", manager, text)
		}
		cmd := exec.Command("sh", "-n")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s", manager, err, out)
		}
	}
}

// A new commit of a Git remote converges the machine as well.
func TestWatchTreeCommit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program")
	}
	repo := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "master")
	put(t, repo, "top.sls", "base:\n  '*': [one]\n")
	put(t, repo, "one.sls", "a:\n  test.nop: []\n")
	git("add", "-A")
	git("commit", "-qm", "first")
	_, read := load(t, value.M("watch_tree", true, "watch_tree_delay", int64(1), "fileserver_backend", value.L("gitfs"),
		"gitfs_remotes", value.L("file://"+repo), "gitfs_update_interval", int64(1)))
	d := newDaemon(t, read)
	h := listen(d)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	n := 0
	soon(t, "the run after the commit", func() bool {
		if n++; n%300 == 100 { // the daemon must have seen the one before
			git("commit", "-q", "--allow-empty", "-m", "next")
		}
		for _, e := range h.tagged("salt/job/*/ret/dm") {
			if e.Data.Str("fun") == "state.apply" && e.Data.At("retcode") == int64(0) {
				return true
			}
		}
		return false
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
