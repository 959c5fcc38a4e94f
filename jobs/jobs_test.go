package jobs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"pinch/value"
)

func TestJID(t *testing.T) {
	jid := NewJID(time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC))
	if jid != "20260102030405678901" || Shown(jid) != "2026, Jan 02 03:04:05.678901" || Shown("x") != "" {
		t.Error(jid, Shown(jid))
	}
}

func TestProc(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("sh", "-c", "sleep 60; : salt")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := Start(dir, value.M("jid", "1", "fun", "state.apply", "pid", int64(cmd.Process.Pid)))
	defer done()
	Start(dir, value.M("jid", "2", "fun", "test.ping", "pid", int64(1<<22+1)))
	if l := Running(dir); len(l) != 1 || l[0].Str("fun") != "state.apply" {
		t.Errorf("running: %v", l)
	}
	if _, err := os.Stat(filepath.Join(dir, "proc", "2")); !os.IsNotExist(err) {
		t.Error("the note of a process that is gone stays")
	}
	Start(dir, value.M("jid", "3", "fun", "test.sleep", "pid", int64(1<<22+1)))
	if l := CutOff(dir); len(l) != 1 || l[0].Str("fun") != "test.sleep" {
		t.Errorf("cut off: %v", l)
	}
	if l := CutOff(dir); len(l) != 0 {
		t.Errorf("told again: %v", l)
	}
	want := "Signal 9 sent to job 1 at pid " + strconv.Itoa(cmd.Process.Pid)
	if got := Signal(dir, "1", syscall.SIGKILL); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_ = cmd.Wait()
	if got := Signal(dir, "1", syscall.SIGKILL); got != "" {
		t.Errorf("again: %q", got)
	}
}

// A job whose process ends with the first of those it started is signalled all
// the same, whoever of them dies first.
func TestSignalFamily(t *testing.T) {
	for range 5 {
		dir := t.TempDir()
		cmd := exec.Command("sh", "-c", "sleep 60 & first=$!; for i in $(seq 40); do sleep 60 & done; echo; wait $first; : salt")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		end := make(chan error)
		go func() { end <- cmd.Wait() }()
		done := Start(dir, value.M("jid", "1", "fun", "cmd.run", "pid", int64(cmd.Process.Pid)))
		want := "Signal 9 sent to job 1 at pid " + strconv.Itoa(cmd.Process.Pid)
		if got := Signal(dir, "1", syscall.SIGKILL); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		<-end
		done()
	}
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	ret := value.M("jid", "20260102030405678901", "fun", "test.ping", "return", value.M("a", value.L(true, nil)))
	if err := Save(value.M("cachedir", dir), "20260102030405678901", ret); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir, "20260102030405678901")
	if err != nil || value.Repr(got) != value.Repr(ret) {
		t.Errorf("%s %v", value.Repr(got), err)
	}
	if m, err := Load(dir, "../x"); m != nil || err != nil {
		t.Errorf("a path that leaves the folder: %v %v", m, err)
	}
	if err := Clear(dir, -time.Minute); err != nil || len(List(dir)) != 0 {
		t.Errorf("cleared: %v %v", List(dir), err)
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	opts := value.M("cachedir", dir)
	now := time.Now()
	save := func(age time.Duration) {
		t.Helper()
		jid := NewJID(now.Add(-age))
		if err := Save(opts, jid, value.M("jid", jid)); err != nil {
			t.Fatal(err)
		}
	}
	left := func(want int) {
		t.Helper()
		if got := len(List(dir)); got != want {
			t.Errorf("%d returns are left, want %d", got, want)
		}
	}
	save(50 * time.Hour)
	save(3 * time.Hour)
	left(2) // few are kept without an option
	opts.Set("keep_jobs", int64(24))
	save(0)
	left(2)
	opts.Set("keep_jobs_seconds", int64(3600))
	save(time.Minute)
	left(2)
	opts.Set("keep_jobs_seconds", int64(0)) // for ever
	save(9000 * time.Hour)
	left(3)
}
