package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pinch/value"
)

// recordedExample is what real Salt gave for the calls of exampleCalls.
const recordedExample = "testdata/custom-python.json"

// exampleCalls are made one after the other on a machine called as the ID says.
var exampleCalls = []struct {
	id    string
	words []string
}{
	{"shop7", []string{"saltutil.sync_all", "refresh=False"}},
	{"shop7", []string{"saltutil.list_extmods"}},
	{"shop7", []string{"grains.item", "role", "rack", "on", "software", "shells"}},
	{"shop7", []string{"grains.get", "called"}},
	{"shop7", []string{"agent.ident"}},
	{"shop7", []string{"agent.show", "you"}},
	{"shop7", []string{"agent.show", "you", "3", "a", "b", "k=1"}},
	{"shop7", []string{"agent.show", "name=you", "count=two"}},
	{"shop7", []string{"agent.show"}},
	{"shop7", []string{"agent.port", "admin"}},
	{"shop7", []string{"agent.port", "ftp"}},
	{"shop7", []string{"agent.nothing"}},
	{"shop7", []string{"pillar.items", "unmask=True"}},
	{"shop3", []string{"pillar.get", "ports", "unmask=True"}},
	{"shop1", []string{"pillar.get", "ports", "unmask=True"}},
	{"shop7", []string{"state.apply", "test=True"}},
	{"shop7", []string{"state.apply"}},
	{"shop7", []string{"state.apply"}},
	{"shop7", []string{"state.single", "agent.setting", "x", "value=1"}},
	{"store1", []string{"state.apply"}},
	{"shop7", []string{"--return=history", "test.echo", "one"}},
	{"shop7", []string{"--return=history", "agent.port", "web"}},
	{"shop7", []string{"--return=history", "state.single", "test.fail_without_changes", "name=bad"}},
	{"shop7", []string{"sys.doc", "agent.port"}},
	{"shop7", []string{"sys.argspec", "agent.show"}},
	{"shop7", []string{"sys.list_functions", "agent"}},
}

// TestExample runs examples/custom-python and compares with what Salt gave for
// it. With $PINCH_SALT_CALL, a salt-call, the record is made anew.
func TestExample(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	if salt := os.Getenv("PINCH_SALT_CALL"); salt != "" {
		text, err := json.MarshalIndent(example(t, salt), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(recordedExample, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(recordedExample)
	if err != nil {
		t.Fatal(err)
	}
	var want []exampleAnswer
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got := example(t, self)
	if len(got) != len(want) {
		t.Fatalf("%d answers, %d are recorded", len(got), len(want))
	}
	for i, w := range want {
		a, errA := value.ParseJSON(got[i].Out)
		b, errB := value.ParseJSON(w.Out)
		same := got[i].Out == w.Out || errA == nil && errB == nil && value.Equal(a, b)
		// The manual after wrong arguments and hints are ours.
		if w.Out != "" && errB != nil {
			same = errA != nil
		}
		if !same || got[i].Code != w.Code || !strings.Contains(got[i].Err, w.Err) {
			t.Errorf("%s:\n got %d %s %s\nwant %d %s %s", w.Call, got[i].Code, got[i].Out, got[i].Err, w.Code, w.Out, w.Err)
		}
	}
}

type exampleAnswer struct {
	Call string
	Code int
	Out  string
	Err  string // the last line of an error
}

var exampleVaries = regexp.MustCompile(`\b20\d{18}\b|"start_time": "[0-9:.]+"|"duration": [0-9.e-]+`)

// example makes the calls, and reads what the returner wrote.
func example(t *testing.T, salt string) []exampleAnswer {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("examples/custom-python")); err != nil {
		t.Fatal(err)
	}
	conf := "root_dir: " + dir + "/root\nfile_client: local\nfile_roots: {base: [" + dir + "/salt]}\npillar_roots: {base: [" + dir + "/pillar]}\n" +
		"log_file: /dev/null\nfileserver_list_cache_time: 0\ngrains: {os: Debian, os_family: Debian, ip_interfaces: {eth0: [192.0.2.7, '2001:db8::7']}}\n"
	if err := os.WriteFile(dir+"/minion/minion", []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ = strings.Cut(name, ".")
	normal := func(s string) string {
		s = strings.ReplaceAll(s, dir, "<DIR>")
		if s == "{\n    \"local\": \""+name+"\"\n}" {
			s = `{"local": "<HOST>"}`
		}
		return exampleVaries.ReplaceAllString(s, `"varies": 0`)
	}
	var out []exampleAnswer
	for _, call := range exampleCalls {
		cmd := exec.Command(salt)
		cmd.Args = append([]string{"salt-call", "-c", dir + "/minion", "--id", call.id, "--local", "--out=json", "-l", "error"}, call.words...)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.Env = &stdout, &stderr, append(os.Environ(), "NO_COLOR=1")
		_ = cmd.Run()
		a := exampleAnswer{Call: call.id + " " + strings.Join(call.words, " "), Code: cmd.ProcessState.ExitCode(), Out: normal(strings.TrimSpace(stdout.String()))}
		if a.Code != 0 && !strings.HasPrefix(a.Out, "{") {
			for line := range strings.Lines(strings.TrimSpace(normal(stderr.String()))) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "hint:") && line != "Usage:" {
					a.Err = line
				}
			}
		}
		out = append(out, a)
	}
	rows, err := exec.Command("python3", "-c", "import sqlite3, json, sys\nfor r in sqlite3.connect(sys.argv[1]).execute('select id, fun, success, data from runs'): print(json.dumps(r))",
		dir+"/root/var/cache/salt/minion/history.db").CombinedOutput()
	if err != nil {
		t.Fatalf("the returner's database: %v\n%s", err, rows)
	}
	return append(out, exampleAnswer{Call: "rows", Out: strings.ReplaceAll(normal(string(rows)), "\\\"", "'")})
}
