package beacons

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pinch/sys"
	"pinch/value"
)

// TestValidate compares verdicts and texts with those of real Salt's beacons.
func TestValidate(t *testing.T) {
	b, err := os.ReadFile("testdata/validate.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range v.(*value.List).Items {
		m := it.(*value.Map)
		ok, text := Validate(nil, m.Str("beacon"), m.At("config"))
		if ok != m.Truth("valid") || text != m.Str("comment") {
			t.Errorf("%s %s: %v %q, want %v %q", m.Str("beacon"), value.Repr(m.At("config")), ok, text, m.At("valid"), m.Str("comment"))
		}
	}
}

// machine is this machine with some files of a test in the place of its own.
type machine struct {
	sys.Sys
	files map[string]string
}

func (m machine) ReadFile(path string) ([]byte, error) {
	if text, ok := m.files[path]; ok {
		return []byte(text), nil
	}
	return m.Sys.ReadFile(path)
}

func env(files map[string]string) *Env {
	return &Env{ID: "dm", Sys: machine{sys.Real{}, files}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
}

func set(e *Env, name string, conf ...any) *Set {
	return &Set{Config: value.M(name, value.L(conf...)), Env: e}
}

// told is what a look gives, as text.
func told(events []Event) string {
	var out []string
	for _, e := range events {
		out = append(out, strings.TrimSpace(e.Tag+" "+value.Repr(e.Data)+" "+e.Error))
	}
	return strings.Join(out, "\n")
}

func TestThresholds(t *testing.T) {
	files := map[string]string{
		"/proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 250 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
		"/proc/loadavg": "1.50 0.70 0.10 1/100 99\n",
		"/sys/class/net/eth7/statistics/tx_bytes": "100\n",
	}
	for _, k := range counters() {
		if k[1] != "tx_bytes" {
			files["/sys/class/net/eth7/statistics/"+k[1]] = "0\n"
		}
	}
	limits := func(lo, hi float64) *value.List { return value.L(lo, hi) }
	averages := func(a, b, c *value.List) *value.Map { return value.M("averages", value.M("1m", a, "5m", b, "15m", c)) }
	network := "{'interface': 'eth7', 'network_info': {'bytes_sent': 100, 'bytes_recv': 0, 'packets_sent': 0, 'packets_recv': 0, 'errin': 0, 'errout': 0, 'dropin': 0, 'dropout': 0}, 'id': 'dm'}"
	for _, tt := range []struct {
		name string
		conf []any
		want string
	}{
		{"memusage", []any{value.M("percent", "75%")}, "salt/beacon/dm/memusage/ {'memusage': 75.0, 'id': 'dm'}"},
		{"memusage", []any{value.M("percent", 75.1)}, ""},
		{"swapusage", []any{value.M("percent", "1%")}, ""},
		{"load", []any{averages(limits(0, 2), limits(0, 2), limits(0, 2))}, ""},
		{"load", []any{averages(limits(0, 1), limits(0, 2), limits(0, 2))}, "salt/beacon/dm/load/ {'1m': 1.5, '5m': 0.7, '15m': 0.1, 'id': 'dm'}"},
		{"load", []any{averages(limits(0, 2), limits(0, 2), limits(0.5, 2))}, "salt/beacon/dm/load/ {'1m': 1.5, '5m': 0.7, '15m': 0.1, 'id': 'dm'}"},
		{"network_info", []any{value.M("interfaces", value.M("eth7", value.M("type", "greater", "bytes_sent", int64(99))))}, "salt/beacon/dm/network_info/ " + network},
		{"network_info", []any{value.M("interfaces", value.M("eth7", value.M("type", "greater", "bytes_sent", int64(100))))}, ""},
		{"network_info", []any{value.M("interfaces", value.M("eth7", value.M("type", "equal", "bytes_sent", int64(100))))}, "salt/beacon/dm/network_info/ " + network},
		{"ps", []any{value.M("processes", value.M("nosuchproc", "stopped", "nosuchproc2", "running"))}, "salt/beacon/dm/ps/ {'nosuchproc': 'Stopped', 'id': 'dm'}"},
	} {
		if got := told(set(env(files), tt.name, tt.conf...).Look(time.Now())); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.name, value.Repr(value.L(tt.conf...)), got, tt.want)
		}
	}
}

// With onchangeonly a beacon tells of crossings.
func TestLoadOnChange(t *testing.T) {
	files := map[string]string{"/proc/loadavg": "0.5 0 0 1/1 1\n"}
	s := set(env(files), "load", value.M("averages", value.M("1m", value.L(0.0, 1.0), "5m", value.L(0.0, 9.0), "15m", value.L(0.0, 9.0))), value.M("onchangeonly", true))
	var got []int
	for _, x := range []string{"0.5", "1.5", "1.6", "0.4", "1.2"} {
		files["/proc/loadavg"] = x + " 0 0 1/1 1\n"
		got = append(got, len(s.Look(time.Now())))
	}
	if want := []int{0, 1, 0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
}

func TestService(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	running := true
	e := env(nil)
	e.Now = func() time.Time { return now }
	e.Call = func(fun string, args ...any) (any, error) {
		if fun != "service.status" || args[0] != "nginx" {
			return nil, fmt.Errorf("%s %v", fun, args)
		}
		return running, nil
	}
	conf := value.M("onchangeonly", true, "delay", int64(30), "uncleanshutdown", "/nosuch.pid", "emitatstartup", false)
	s := set(e, "service", value.M("services", value.M("nginx", conf)))
	var got []string
	for i := range 6 {
		running = i == 0
		got = append(got, told(s.Look(now)))
		now = now.Add(20 * time.Second)
	}
	want := "salt/beacon/dm/service/nginx {'nginx': {'running': False, 'uncleanshutdown': False}, 'service_name': 'nginx', 'id': 'dm'}"
	if !slices.Equal(got, []string{"", "", "", want, "", ""}) {
		t.Errorf("told %q", got)
	}
	s = set(e, "service", value.M("services", value.M("nginx", new(value.Map))))
	if got := told(s.Look(now)) + told(s.Look(now)); strings.Count(got, "'running': False") != 2 {
		t.Errorf("without onchangeonly each look tells: %s", got)
	}
}

// Interval, switches, and one bad beacon beside good ones.
func TestSet(t *testing.T) {
	e := env(map[string]string{"/proc/meminfo": "MemTotal: 100 kB\nMemAvailable: 1 kB\n"})
	mem := value.L(value.M("percent", int64(1)))
	s := &Set{Env: e, Config: value.M("bad", "text", "memusage", mem, "slow", value.L(value.M("percent", int64(1)), value.M("beacon_module", "memusage"), value.M("interval", int64(10))),
		"once", value.L(value.M("percent", int64(1)), value.M("beacon_module", "memusage"), value.M("run_once", true)), "log", value.L(value.M("file", "/nosuch/file")))}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	count := map[string]int{}
	for range 31 {
		for _, ev := range s.Look(now) {
			count[ev.Tag+ev.Error]++
		}
		now = now.Add(time.Second)
	}
	if count["salt/beacon/dm/memusage/"] != 31 || count["salt/beacon/dm/slow/"] != 3 || count["salt/beacon/dm/once/"] != 1 {
		t.Errorf("told %v", count)
	}
	if count["salt/beacon/dm/log/open /nosuch/file: no such file or directory"] != 31 {
		t.Errorf("the failing beacon is not told of: %v", count)
	}
	s.Manage(value.M("func", "disable"))
	if len(s.Look(now)) != 0 {
		t.Error("disabled beacons look")
	}
}

func TestLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	write := func(text string, flag int) {
		f, err := os.OpenFile(file, flag|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write("old bye\n", os.O_APPEND)
	s := set(env(nil), "log", value.M("file", file), value.M("tags", value.M("bye/world", value.M("regex", ".*bye"), "broken", value.M("regex", "("))))
	if got := told(s.Look(time.Now())); got != "" {
		t.Errorf("old lines are told: %s", got)
	}
	write("good bye\nhello\nhalf bye", os.O_APPEND)
	bad := "salt/beacon/dm/log/broken {'match': 'no', 'raw': '', 'error': 'bad regex', 'id': 'dm'}\n"
	if got, want := told(s.Look(time.Now())), bad+"salt/beacon/dm/log/bye/world {'match': 'yes', 'raw': 'good bye', 'error': '', 'id': 'dm'}"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	write("new bye\n", os.O_TRUNC)
	if got, want := told(s.Look(time.Now())), bad+"salt/beacon/dm/log/bye/world {'match': 'yes', 'raw': 'new bye', 'error': '', 'id': 'dm'}"; got != want {
		t.Errorf("after a new file: got %s\nwant %s", got, want)
	}
}

func TestLogins(t *testing.T) {
	e := env(nil)
	w := &logins{e: e, conf: new(value.Map), name: "wtmp", path: filepath.Join(t.TempDir(), "wtmp"), reading: reading{begun: true}}
	rec := make([]byte, utmpSize)
	binary.NativeEndian.PutUint16(rec, 7)
	binary.NativeEndian.PutUint32(rec[4:], 42)
	copy(rec[8:], "pts/0")
	copy(rec[44:], "ann")
	copy(rec[76:], "host")
	binary.NativeEndian.PutUint32(rec[340:], 1773144020)
	copy(rec[348:], []byte{10, 0, 0, 1})
	out := slices.Clone(rec)
	binary.NativeEndian.PutUint16(out, 8)
	boot := slices.Clone(rec)
	binary.NativeEndian.PutUint16(boot, 2)
	if err := os.WriteFile(w.path, slices.Concat(rec, boot, out, rec[:100]), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := w.Look()
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	want := "{'type': 7, 'PID': 42, 'line': 'pts/0', 'inittab': '', 'user': 'ann', 'hostname': 'host', 'exit_status': 0, 'session': 0, 'time': 1773144020, 'addr': '10.0.0.1', 'action': 'login'}"
	if value.Repr(got[0]) != want || got[1].Str("action") != "logout" {
		t.Errorf("got %s\nwant %s", value.Repr(got[0]), want)
	}
	w.at, w.conf = 0, value.M("users", value.M("bob", nil))
	if got, err := w.Look(); err != nil || len(got) != 0 {
		t.Errorf("another user is told of: %v %v", got, err)
	}
}

func TestPackages(t *testing.T) {
	version, latest := "", ""
	e := env(nil)
	e.Call = func(fun string, _ ...any) (any, error) {
		switch fun {
		case "pkg.version":
			return version, nil
		case "pkg.latest_version":
			return latest, nil
		}
		return nil, errors.New(fun)
	}
	s := set(e, "pkg", value.M("pkgs", value.L("zsh")))
	var got []string
	for _, v := range [][2]string{{"", "1"}, {"1", ""}, {"1", ""}, {"1", "2"}, {"", "2"}} {
		version, latest = v[0], v[1]
		got = append(got, told(s.Look(time.Now())))
	}
	event := func(version, status string) string {
		return "salt/beacon/dm/pkg/ {'pkg': 'zsh', 'version': " + version + ", 'status': '" + status + "', 'id': 'dm'}"
	}
	if want := []string{"", event("'1'", "installed"), "", event("'2'", "upgrade"), event("None", "not-installed")}; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
