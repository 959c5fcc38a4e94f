package ps

import (
	"context"
	"encoding/binary"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine is one whose /proc lies in a folder.
type machine struct {
	sys.Real
	root string
}

func (m machine) ReadFile(p string) ([]byte, error)       { return os.ReadFile(m.root + p) }
func (m machine) ReadDir(p string) ([]os.DirEntry, error) { return os.ReadDir(m.root + p) }
func (m machine) Lstat(p string) (os.FileInfo, error)     { return os.Lstat(m.root + p) }

func withProc(t *testing.T, files map[string]string) *salt.Ctx {
	root := t.TempDir()
	for p, text := range files {
		p = filepath.Join(root, p)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &salt.Ctx{Context: context.Background(), Sys: machine{root: root}, Log: slog.New(slog.DiscardHandler)}
}

// The values are psutil's for the same files.
func TestMachine(t *testing.T) {
	c := withProc(t, map[string]string{
		"proc/meminfo":     "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 750 kB\nBuffers: 10 kB\nCached: 200 kB\nActive: 5 kB\nInactive: 6 kB\nShmem: 7 kB\nSlab: 8 kB\nSReclaimable: 3 kB\nSwapTotal: 400 kB\nSwapFree: 300 kB\n",
		"proc/vmstat":      "pswpin 2\npswpout 3\n",
		"proc/stat":        "cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 100 0 50 800 50 0 0 0 0 0\nbtime 1700000000\n",
		"proc/net/dev":     "Inter-|   Receive\n face |bytes\n    lo: 10 1 0 0 0 0 0 0 20 2 0 0 0 0 0 0\n  eth0: 5 1 2 3 0 0 0 0 7 2 4 6 0 0 0 0\n",
		"proc/diskstats":   "   8       0 sda 10 1 20 3 40 5 60 7 0 8 9 0 0 0 0\n   8       1 sda1 1 1 1 1 1 1 1 1 0 1 1 0 0 0 0\n",
		"sys/block/sda/ro": "0",
	})
	for _, tt := range []struct {
		name string
		kw   *value.Map
		want string
	}{
		{"virtual_memory", nil, "{'total': 1024000, 'available': 768000, 'percent': 25.0, 'used': 256000, 'free': 102400, 'active': 5120, 'inactive': 6144, 'buffers': 10240, 'cached': 207872, 'shared': 7168, 'slab': 8192}"},
		{"swap_memory", nil, "{'total': 409600, 'used': 102400, 'free': 307200, 'percent': 25.0, 'sin': 8192, 'sout': 12288}"},
		{"cpu_times", nil, "{'user': 1.0, 'nice': 0.0, 'system': 0.5, 'idle': 8.0, 'iowait': 0.5, 'irq': 0.0, 'softirq': 0.0, 'steal': 0.0, 'guest': 0.0, 'guest_nice': 0.0}"},
		{"num_cpus", nil, "1"},
		{"boot_time", nil, "1700000000"},
		{"boot_time", value.M("time_format", "%Y"), "'2023'"},
		{"total_physical_memory", nil, "1024000"},
		{"network_io_counters", nil, "{'bytes_sent': 27, 'bytes_recv': 15, 'packets_sent': 4, 'packets_recv': 2, 'errin': 2, 'errout': 4, 'dropin': 3, 'dropout': 6}"},
		{"network_io_counters", value.M("interface", "nope"), "False"},
		{"disk_io_counters", nil, "{'read_count': 10, 'write_count': 40, 'read_bytes': 10240, 'write_bytes': 30720, 'read_time': 3, 'write_time': 7, 'read_merged_count': 1, 'write_merged_count': 5, 'busy_time': 8}"},
	} {
		v, err := Module.Exec()[tt.name].Call(c, nil, tt.kw)
		if got := value.Repr(v); err != nil || got != tt.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.name, err, got, tt.want)
		}
	}
}

func TestBusy(t *testing.T) {
	if got := busy(strings.Fields("10 0 10 80 0 0 0 0"), strings.Fields("20 0 20 140 20 0 0 0")); got != 20 {
		t.Error(got)
	}
}

// A real process is found by name, command line and state, and then ended.
func TestProcesses(t *testing.T) {
	cmd := exec.Command("sleep", "314159")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer cmd.Process.Kill()
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler)}
	pid := int64(cmd.Process.Pid)
	for end := time.Now().Add(5 * time.Second); ; { // until it has executed the program
		if p := open(c, int(pid)); p != nil && p.name() == "sleep" {
			break
		}
		if time.Now().After(end) {
			t.Fatal("sleep does not start")
		}
	}
	v, err := pgrep(c, pgrepArgs{Pattern: "sleep 314159", Full: true})
	if got := value.Repr(v); err != nil || got != value.Repr(value.L(pid)) {
		t.Error(got, err)
	}
	v, err = pgrep(c, pgrepArgs{Pattern: "^sleep 31415[0-9]$", Full: true, PatternIsRegex: true, User: "nobody-here"})
	if v != nil || err != nil {
		t.Error(v, err)
	}
	m, err := procInfo(c, procInfoArgs{int(pid), value.L("name", "cmdline", "ppid", "num_threads")})
	if got := value.Repr(m); err != nil || got != value.Repr(value.M("name", "sleep", "cmdline", value.L("sleep", "314159"), "ppid", int64(os.Getpid()), "num_threads", int64(1))) {
		t.Error(got, err)
	}
	if m, err = procInfo(c, procInfoArgs{int(pid), nil}); err != nil || m.Len() != len(attributes) {
		t.Error(m.Len(), err)
	}
	if _, err = procInfo(c, procInfoArgs{int(pid), value.L("nope")}); err == nil {
		t.Error("no error for an unknown attribute")
	}
	if v, err = pkill(c, pidArgs{Pattern: "sleep 314159", Signal: 15, Full: true}); err != nil || value.Repr(v) != value.Repr(value.M("killed", value.L(pid))) {
		t.Error(value.Repr(v), err)
	}
	if state, _ := cmd.Process.Wait(); state == nil || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		t.Error(state)
	}
	if ok, err := killPid(c, killPidArgs{int(pid), 15}); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestLogins(t *testing.T) {
	b := make([]byte, 2*384)
	binary.NativeEndian.PutUint16(b, 7)
	binary.NativeEndian.PutUint32(b[4:], 42)
	copy(b[8:], "pts/0")
	copy(b[44:], "jam")
	copy(b[76:], ":0")
	binary.NativeEndian.PutUint32(b[340:], 1700000000)
	if got := value.Repr(logins(b)); got != "[{'name': 'jam', 'terminal': 'pts/0', 'host': 'localhost', 'started': 1700000000.0, 'pid': 42}]" {
		t.Error(got)
	}
}
