package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
