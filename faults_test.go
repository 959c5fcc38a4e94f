package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

// faults are states of a custom module, in the order of the run, with what the
// comment of the failed ones has; those without one succeed.
var faults = []struct{ fun, comment string }{
	{"good", ""},
	{"exits", "the Python process of the custom modules ended with exit code 3"},
	{"good", ""},
	{"segfaults", "the Python process of the custom modules was killed by signal SIGSEGV"},
	{"killed", "the Python process of the custom modules was killed by signal SIGKILL"},
	{"leaves", "SystemExit: 4"},
	{"prints", ""},
	{"floods", ""},
	{"loops", "a custom module did not answer within 5s (option custom_timeout)"},
	{"good", ""},
	{"sleeps", "a custom module did not answer within 5s (option custom_timeout)"},
	{"forks", ""},
	{"threads", ""},
	{"exits", "ended with exit code 3"},
	{"disturbs", ""},
	{"undisturbed", ""},
	{"number", "5"},
	{"tuple", "(1, None)"},
	{"textless", "fault.Textless: <exception str() failed>"},
	{"base", "Stop"},
	{"interrupts", "KeyboardInterrupt"},
	{"recursion", "maximum recursion depth exceeded"},
	{"memory", "MemoryError"},
	{"object", "an object"},
	{"circle", "..."},
	{"nothing", "Malformed state return"},
	{"words", "Malformed state return"},
	{"halfway", "'Changes' should be a dictionary."},
	{"wrongtype", "can only concatenate str (not \"int\") to str"},
	{"twice", ""},
	{"good", ""},
}

const faultModule = `
import ctypes, os, signal, subprocess, sys, threading, time

def ret(name, comment="", result=True, changes=None):
    return {"name": name, "changes": changes or {}, "result": result, "comment": comment}

def good(name): return ret(name)
def exits(name): os._exit(3)
def segfaults(name): ctypes.string_at(0)
def killed(name): os.kill(os.getpid(), signal.SIGKILL)
def leaves(name): sys.exit(4)
def prints(name):
    print("printed")
    os.write(1, b"raw\n")
    subprocess.run(["echo", "child"])
    return ret(name)
def floods(name):
    for _ in range(100):
        os.write(1, b"x" * (1 << 20))
    return ret(name)
def loops(name):
    while True: pass
def sleeps(name): time.sleep(600)
def forks(name):
    if os.fork() == 0:
        return ret(name, "of the child")
    return ret(name)
def twice(name):
    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(600)
        time.sleep(600)
    return ret(name)
def threads(name):
    threading.Thread(target=time.sleep, args=(600,)).start()
    return ret(name)
def disturbs(name):
    os.chdir("/"); os.umask(0); signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.alarm(1)
    sys.stdout = None
    return ret(name)
def undisturbed(name):
    mask = os.umask(0o22)
    os.umask(mask)
    return ret(name, result=os.getcwd() != "/" and mask == 0o22 and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL and signal.alarm(0) == 0)
def number(name): raise Exception(5)
def tuple(name): raise ValueError(1, None)
class Textless(Exception):
    def __str__(self): raise RuntimeError("no text")
def textless(name): raise Textless()
class Stop(BaseException): pass
def base(name): raise Stop("Stop")
def interrupts(name): raise KeyboardInterrupt()
def recursion(name): return recursion(name)
def memory(name): raise MemoryError()
class Thing:
    def __repr__(self): return "an object"
def object(name): return ret(name, Thing(), False, {"a": Thing(), "f": lambda: 1, "g": (i for i in [])})
def circle(name):
    l = []; l.append(l)
    return ret(name, l, False)
def nothing(name): return None
def words(name): return "all is well"
def halfway(name): return {"name": name, "result": True, "comment": ""}
def wrongtype(name): return ret(name + 1)
`

// TestCustomFaults has the states of a module misbehave: each fails by itself,
// with a comment that says why, the run goes on, and nothing of it is left.
func TestCustomFaults(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("short, or not Linux")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var sls strings.Builder
	for i, f := range faults {
		fmt.Fprintf(&sls, "s%02d:\n  fault.%s: []\n", i, f.fun)
	}
	for path, text := range map[string]string{"tree/_states/fault.py": faultModule, "tree/x.sls": sls.String(),
		"conf/minion": "id: faults\nfile_client: local\nroot_dir: " + dir + "/root\nlog_file: /dev/null\ncustom_timeout: 5\nfile_roots: {base: [" + dir + "/tree]}\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mark := "PINCH_TEST_MARK=" + dir
	cmd := exec.Command("pinch", "-c", dir+"/conf", "--local", "--out=json", "state.apply", "x", "concurrent=True")
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Env, cmd.Dir = &stdout, append(os.Environ(), mark, "NO_COLOR=1"), dir
	if cmd.Stderr, err = os.Create(dir + "/stderr"); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	v, err := value.ParseJSON(stdout.String())
	m, _ := v.(*value.Map)
	if err != nil || m.Map("local").Len() != len(faults) {
		text, _ := os.ReadFile(dir + "/stderr")
		t.Fatalf("%v: stdout %.2000s\nstderr %.2000s", err, stdout.String(), text)
	}
	for i, f := range faults {
		id := fmt.Sprintf("s%02d", i)
		got := m.Map("local").Map("fault_|-" + id + "_|-" + id + "_|-" + f.fun)
		comment := got.Str("comment")
		if got.At("result") != (f.comment == "") || !strings.Contains(comment, f.comment) {
			t.Errorf("%s: result %v, comment %q; want %q", f.fun, got.At("result"), comment, f.comment)
		}
	}
	for range 200 {
		if left := marked(mark); len(left) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("processes are left: %q", marked(mark))
}

// marked are the command lines of the processes with that in their environment.
func marked(mark string) (out []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, []byte(mark)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			out = append(out, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return out
}
