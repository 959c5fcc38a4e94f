package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/jobs"
	"pinch/value"
)

// TestKill kills runs with SIGKILL at moments spread over their length. After
// each there is no lock, every file is whole, old or new, and the next run
// converges and leaves no temporary file. PINCH_KILLS sets how many there are (.ci/run: 20).
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of runs")
	}
	kills := 4
	if s := os.Getenv("PINCH_KILLS"); s != "" {
		fmt.Sscan(s, &kills)
	}
	dir := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const files = 20
	body := strings.Repeat("line of a file that is long enough to be caught half written\n", 2000)
	var sls strings.Builder
	for i := range files {
		fmt.Fprintf(&sls, "%[1]s/out/f%[2]d:\n  file.managed:\n    - source: salt://body\n    - template: jinja\n    - context: {n: {{ pillar['n'] }}}\n    - makedirs: true\n", dir, i)
	}
	fmt.Fprintf(&sls, "%[1]s/out/ini:\n  file.append:\n    - text: {{ range(0, 200) | list | json }}\n    - makedirs: true\nend:\n  cmd.run:\n    - name: sleep 0.05\n", dir)
	write("root/site.sls", sls.String())
	write("root/body", "value {{ n }}\n"+body)
	write("conf/minion", fmt.Sprintf("id: kill\nfile_client: local\nroot_dir: %[1]s/var\nlog_file: /dev/null\nfile_roots: {base: [%[1]s/root]}\n", dir))

	call := func(args ...string) *exec.Cmd {
		return exec.Command("pinch", append([]string{"--local", "-c", filepath.Join(dir, "conf"), "--out=json", "-l", "quiet"}, args...)...)
	}
	run := func(n int) time.Duration {
		start := time.Now()
		out, err := call("state.apply", "site", fmt.Sprintf("pillar={n: %d}", n), "--retcode-passthrough").Output()
		if err != nil {
			t.Fatalf("a run after a kill fails: %v\n%s", err, out)
		}
		return time.Since(start)
	}
	temporary := func() []string {
		left, err := filepath.Glob(filepath.Join(dir, "out", ".*"))
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	length := run(0)
	leftovers := 0
	for i := range kills {
		n := i + 1
		cmd := call("state.apply", "site", fmt.Sprintf("pillar={n: %d}", n))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(length * time.Duration(2*i+1) / time.Duration(2*kills))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		for f := range files {
			b, err := os.ReadFile(filepath.Join(dir, "out", fmt.Sprintf("f%d", f)))
			if err != nil {
				t.Fatal(err)
			}
			if s := string(b); s != fmt.Sprintf("value %d\n%s", n, body) && s != fmt.Sprintf("value %d\n%s", n-1, body) {
				t.Fatalf("kill %d: f%d is neither the old file nor the new one: %d bytes", i, f, len(s))
			}
		}
		var busy struct{ Local []string }
		if out, err := call("state.running").Output(); err != nil || json.Unmarshal(out, &busy) != nil || len(busy.Local) > 0 {
			t.Fatalf("kill %d: a run that is dead holds the lock: %s %v", i, out, err)
		}
		leftovers += len(temporary())
		run(n)
		if left := temporary(); len(left) > 0 {
			t.Fatalf("kill %d: the next run leaves %v", i, left)
		}
	}
	if out, err := call("state.apply", "site", fmt.Sprintf("pillar={n: %d}", kills), "test=True").Output(); err != nil || strings.Contains(string(out), `"diff"`) {
		t.Errorf("does not converge: %v\n%s", err, out)
	}
	t.Logf("%d of %d kills left a temporary file, which the next run cleared", leftovers, kills)
}

// TestKillReturns kills calls with SIGKILL while what they return is written:
// to the cache of jobs, a master's cache and a file of lines. What is there
// afterwards is whole, or is not taken for a return. It kills 50 times with
// $PINCH_KILLS set (.ci/run), 10 times without.
func TestKillReturns(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	dir := t.TempDir()
	lines := dir + "/lines"
	text := strings.Repeat("what a call returns, long enough to be caught half written\n", 4_000)
	conf := "id: kill\nfile_client: local\nroot_dir: " + dir + "/root\nlog_file: /dev/null\ncache_jobs: true\nrawfile_json.filename: " + lines + "\n"
	for name, text := range map[string]string{"minion": conf, "text": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call := func(args ...string) *exec.Cmd {
		return exec.Command("pinch", append([]string{"--local", "-c", dir, "--out=json", "-l", "quiet"}, args...)...)
	}
	read := []string{"--return=rawfile_json,local_cache", "file.read", dir + "/text"}
	start := time.Now()
	if out, err := call(read...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.500s", err, out)
	}
	length := time.Since(start)
	cache := dir + "/root/var/cache/salt/minion"
	want := 1 // whole lines at least
	kills, killed := 10, 0
	if os.Getenv("PINCH_KILLS") != "" {
		kills = 50
	}
	for i := range kills {
		cmd := call(read...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(length * time.Duration(2*i+1) / time.Duration(2*kills))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
		for _, jid := range jobs.List(cache) {
			m, err := jobs.Load(cache, jid)
			if err != nil || m.Str("fun") == "file.read" && m.Str("return") != text {
				t.Fatalf("kill %d: the cached return of %s: %v, %d bytes", i, jid, err, len(m.Str("return")))
			}
		}
		master, _ := filepath.Glob(cache + "/jobs/*/*/kill/return.p")
		for _, f := range master {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			v, err := value.ParseMsgpack(b)
			if m, ok := v.(*value.Map); !ok || err != nil || m.Str("return") != text {
				t.Fatalf("kill %d: %s has %d bytes: %v", i, f, len(b), err)
			}
		}
		whole := 0
		b, err := os.ReadFile(lines)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			var got struct{ Return string }
			if json.Unmarshal(line, &got) != nil {
				continue
			}
			if whole++; got.Return != text {
				t.Fatalf("kill %d: a line with a return of %d bytes", i, len(got.Return))
			}
		}
		if whole < want {
			t.Fatalf("kill %d: %d whole lines, there were %d", i, whole, want)
		}
		want = whole
		if out, err := call("saltutil.running").Output(); err != nil || !strings.Contains(string(out), "[]") {
			t.Fatalf("kill %d: %s %v", i, out, err)
		}
	}
	// All is as before after it: the next call's return is in all three places.
	if out, err := call(read...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.500s", err, out)
	}
	b, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	var got struct{ Return, JID string }
	if err := json.Unmarshal(last[len(last)-1], &got); err != nil || got.Return != text {
		t.Errorf("the line after the kills: %v, %d bytes", err, len(got.Return))
	}
	if m, err := jobs.Load(cache, got.JID); err != nil || m.Str("return") != text {
		t.Errorf("the job after the kills: %v", err)
	}
	t.Logf("%d of %d runs were killed before their end, %d lines are whole", killed, kills, want)
}
