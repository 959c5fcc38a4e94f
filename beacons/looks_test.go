package beacons

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pinch/sys"
	"pinch/value"
)

// A host is a machine with file systems, commands and logs of a test.
type host struct {
	machine
	full     map[string][3]int64 // by mount point: blocks, free, available
	commands map[string]string
	logs     map[string]string
}

func (h host) Statfs(path string) (sys.FileSystem, error) {
	f, ok := h.full[path]
	if !ok {
		return sys.FileSystem{}, fs.ErrNotExist
	}
	return sys.FileSystem{Blocks: f[0], BlocksFree: f[1], BlocksAvailable: f[2]}, nil
}

func (h host) LookPath(name string) string { return h.commands[name] }

func (h host) Open(path string) (io.ReadSeekCloser, error) {
	if to := h.logs[path]; to != "" {
		path = to
	}
	return h.machine.Open(path)
}

// TestDiskUsage has the answers that Salt's beacon gives for the same file
// systems: half full, 91.5 % and 90 % full, and one that is away.
func TestDiskUsage(t *testing.T) {
	e := env(map[string]string{"/proc/self/mounts": "a / ext4 rw 0 0\nb /home ext4 rw 0 0\nc /mnt/x ext4 rw 0 0\nd /dead ext4 rw 0 0\n"})
	e.Sys = host{machine: e.Sys.(machine), full: map[string][3]int64{"/": {120, 70, 50}, "/home": {1000, 85, 85}, "/mnt/x": {100, 10, 10}}}
	event := func(p, mount string) string {
		return "salt/beacon/dm/diskusage/ {'diskusage': " + p + ", 'mount': '" + mount + "', 'id': 'dm'}"
	}
	root, home, x := event("50.0", "/"), event("91.5", "/home"), event("90.0", "/mnt/x")
	for _, tt := range []struct {
		conf []any
		want []string
	}{
		{[]any{value.M("/", "50%")}, []string{root}},
		{[]any{value.M("/", 50.1)}, nil},
		{[]any{value.M("/.*", "90%")}, []string{home, x}},
		{[]any{value.M(`^\/(?!home).*$`, "40%")}, []string{root, x}},
		{[]any{value.M("/mnt", "1%")}, nil},
		{[]any{value.M("/", "10%"), value.M("/.*", "90%")}, []string{root, home, x}},
		{[]any{value.M("/home", int64(91))}, []string{home}},
		{[]any{value.M("/dead", int64(1))}, nil},
	} {
		if got := told(set(e, "diskusage", tt.conf...).Look(time.Now())); got != strings.Join(tt.want, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", value.Repr(value.L(tt.conf...)), got, strings.Join(tt.want, "\n"))
		}
	}
}

// TestStatus has the answers that Salt's beacon gives of the same functions.
func TestStatus(t *testing.T) {
	e := env(nil)
	e.Call = func(fun string, _ ...any) (any, error) {
		switch fun {
		case "status.loadavg":
			return value.M("1-min", 0.1, "5-min", 0.2), nil
		case "status.time":
			return "now", nil
		case "status.list":
			return value.L("a", "b"), nil
		}
		return nil, fs.ErrNotExist
	}
	for _, tt := range []struct {
		conf []any
		want string
	}{
		{[]any{value.M("loadavg", value.L("1-min"))}, "{'loadavg': {'1-min': 0.1}}"},
		{[]any{value.M("loadavg", "all"), value.M("time", value.L("all"))}, "{'loadavg': {'1-min': 0.1, '5-min': 0.2}, 'time': 'now'}"},
		{[]any{value.M("loadavg", value.L("nope"))}, `{'loadavg': "Status beacon is incorrectly configured: 'nope'"}`},
		{[]any{value.M("list", value.L(int64(1)))}, "{'list': {1: 'b'}}"},
		{[]any{value.M("nofunction", value.L("all")), value.M("time", value.L("all"))}, "{'nofunction': {}, 'time': 'now'}"},
	} {
		got := set(e, "status", tt.conf...).Look(time.Now())
		if len(got) != 1 || value.Repr(got[0].Data.At("data")) != tt.want || !strings.HasPrefix(got[0].Tag, "salt/beacon/dm/status/20") {
			t.Errorf("%s: got %s\nwant %s", value.Repr(value.L(tt.conf...)), told(got), tt.want)
		}
	}
}

// TestCertInfo has names, times and the first extensions as Salt's beacon shows
// them, the texts of the others as openssl prints them.
func TestCertInfo(t *testing.T) {
	e := env(nil)
	look := func(now string, conf ...any) *value.List {
		t.Helper()
		at, err := time.Parse(time.DateOnly, now)
		if err != nil {
			t.Fatal(err)
		}
		e.Now = func() time.Time { return at }
		events := set(e, "cert_info", conf...).Look(at)
		if len(events) == 0 {
			return nil
		}
		return events[0].Data.List("certificates")
	}
	const file = "testdata/cert.pem"
	l := look("2026-12-01", value.M("files", value.L(file)), value.M("notify_days", int64(-1)))
	if l.Len() != 1 {
		t.Fatal("the certificate is not told of")
	}
	const name = `C="DE",O="Example",OU="Ops",CN="www.example.com"`
	const parts = "{'C': 'DE', 'O': 'Example', 'OU': 'Ops', 'CN': 'www.example.com'}"
	const id = "70:05:85:C9:E6:E3:90:DA:A6:54:38:31:F0:8C:A4:48:4C:F0:96:CC"
	want := "{'cert_path': '" + file + "', 'issuer': '" + name + "', 'issuer_dict': " + parts + ", 'notAfter_raw': '20361127152240Z', 'notAfter': '2036-11-27 15:22:40Z', " +
		"'notBefore_raw': '20261130152240Z', 'notBefore': '2026-11-30 15:22:40Z', 'serial_number': 176502287937640444170220724404400092090586615558, " +
		"'signature_algorithm': 'sha256WithRSAEncryption', 'subject': '" + name + "', 'subject_dict': " + parts + ", 'version': 2, 'extensions': [" +
		"{'ext_name': 'subjectKeyIdentifier', 'ext_data': '" + id + "'}, {'ext_name': 'authorityKeyIdentifier', 'ext_data': '" + id + "'}, " +
		"{'ext_name': 'subjectAltName', 'ext_data': 'DNS:www.example.com, IP Address:10.0.0.1, email:a@b.c, URI:https://x/y'}, " +
		"{'ext_name': 'basicConstraints', 'ext_data': 'CA:TRUE, pathlen:0'}, " +
		"{'ext_name': 'keyUsage', 'ext_data': 'Digital Signature, Certificate Sign'}, " +
		"{'ext_name': 'extendedKeyUsage', 'ext_data': 'TLS Web Server Authentication, TLS Web Client Authentication'}], 'has_expired': False}"
	if got := value.Repr(l.Items[0]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, tt := range []struct {
		now  string
		conf any
		n    int
	}{
		{"2036-10-01", value.M("files", value.L(file)), 0},
		{"2036-11-01", value.M("files", value.L(file)), 1},
		{"2036-11-01", value.M("files", value.L(value.M(file, value.M("notify_days", int64(5))))), 0},
		{"2036-11-25", value.M("files", value.L(value.M(file, value.M("notify_days", int64(5))), "/nosuch.pem")), 1},
		{"2040-01-01", value.M("files", value.L(file)), 1},
	} {
		l := look(tt.now, tt.conf)
		if l.Len() != tt.n {
			t.Errorf("%s %s: %d certificates, want %d", tt.now, value.Repr(tt.conf), l.Len(), tt.n)
		}
		if l.Len() == 1 && l.Items[0].(*value.Map).At("has_expired") != (tt.now > "2036-11-28") {
			t.Errorf("%s: %s", tt.now, value.Repr(l.Items[0]))
		}
	}
}

// TestJournald has entries as journalctl writes them; what it tells is what
// Salt's beacon tells of the entry, with numbers where Python has them.
func TestJournald(t *testing.T) {
	script := filepath.Join(t.TempDir(), "journalctl")
	text := `#!/bin/sh
echo '{"SYSLOG_IDENTIFIER":"sshd","PRIORITY":"6","MESSAGE":"hi","_PID":"12"}'
echo 'no JSON'
echo '{"SYSLOG_IDENTIFIER":"cron","PRIORITY":"3","MESSAGE":null}'
exec sleep 100
`
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	e := env(nil)
	e.Sys = host{machine: e.Sys.(machine), commands: map[string]string{"journalctl": script}}
	s := set(e, "journald", value.M("services", value.M("sshd", value.M("SYSLOG_IDENTIFIER", "sshd", "PRIORITY", int64(6)),
		"all", new(value.Map), "bad", value.M("PRIORITY", "3"), "no", value.M("NOSUCH", "1"))))
	defer s.Close()
	var got []string
	for end := time.Now().Add(time.Minute); len(got) < 4 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, ev := range s.Look(time.Now()) {
			got = append(got, told([]Event{ev}))
		}
	}
	first := "{'SYSLOG_IDENTIFIER': 'sshd', 'PRIORITY': 6, 'MESSAGE': 'hi', '_PID': 12, 'id': 'dm'}"
	second := "{'SYSLOG_IDENTIFIER': 'cron', 'PRIORITY': 3, 'MESSAGE': None, 'id': 'dm'}"
	want := []string{"salt/beacon/dm/journald/sshd " + first, "salt/beacon/dm/journald/all " + first, "salt/beacon/dm/journald/all " + second, "salt/beacon/dm/journald/bad " + second}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestFailedLogins reads /var/log/btmp: what was there before is not told, a
// file that is made anew is read from its start.
func TestFailedLogins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "btmp")
	record := func(user string, at uint32) []byte {
		b := make([]byte, utmpSize) // utmp(5)
		binary.NativeEndian.PutUint16(b, 6)
		binary.NativeEndian.PutUint32(b[4:], 99)
		copy(b[8:], "ssh:notty")
		copy(b[44:], user)
		copy(b[76:], "2001:db8::1")
		binary.NativeEndian.PutUint32(b[340:], at)
		copy(b[348:], []byte{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
		return b
	}
	write := func(b ...[]byte) {
		t.Helper()
		if err := os.WriteFile(file, slices.Concat(b...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := env(nil)
	e.Now = func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.Local) }
	e.Sys = host{machine: e.Sys.(machine), logs: map[string]string{"/var/log/btmp": file}}
	event := func(user, at string) string {
		return "salt/beacon/dm/btmp/ {'type': 6, 'PID': 99, 'line': 'ssh:notty', 'inittab': '', 'user': '" + user + "', 'hostname': '2001:db8::1', " +
			"'exit_status': 0, 'session': 0, 'time': " + at + ", 'addr': '2001:db8::1', 'id': 'dm'}"
	}
	all := set(e, "btmp")
	some := set(e, "btmp", value.M("users", value.M("ann", value.M("time_range", value.M("start", "8am", "end", "4pm")), "bob", value.M("time_range", value.M("start", "8pm", "end", "4am")))))
	write(record("old", 1))
	for _, s := range []*Set{all, some} {
		if got := told(s.Look(e.Now())); got != "" {
			t.Errorf("old records are told: %s", got)
		}
	}
	write(record("old", 1), record("ann", 2), record("bob", 3), record("eve", 4)[:100])
	if got, want := told(all.Look(e.Now())), event("ann", "2")+"\n"+event("bob", "3"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := told(some.Look(e.Now())), event("ann", "2"); got != want {
		t.Errorf("by users: got %s\nwant %s", got, want)
	}
	write(record("new", 5))
	if got, want := told(all.Look(e.Now())), event("new", "5"); got != want {
		t.Errorf("a new file: got %s\nwant %s", got, want)
	}
}

// TestNetworkChanges has the documented rules: wanted attributes that changed,
// with onvalue those that changed to it.
func TestNetworkChanges(t *testing.T) {
	old := value.M("mtu", int64(1500), "operstate", "UP", "ipaddr", value.L("10.0.0.1/24"))
	now := value.M("mtu", int64(1400), "operstate", "UP", "ipaddr", value.L("10.0.0.2/24"))
	for _, tt := range []struct {
		wanted *value.Map
		want   string
	}{
		{value.M("mtu", nil), "{'mtu': 1400}"},
		{value.M("operstate", nil), "{}"},
		{value.M("mtu", value.M("onvalue", int64(1400)), "ipaddr", nil), "{'mtu': 1400, 'ipaddr': ['10.0.0.2/24']}"},
		{value.M("mtu", value.M("onvalue", int64(9000))), "{}"},
		{value.M("carrier", nil), "{}"},
	} {
		if got := value.Repr(changes(old, now, tt.wanted)); got != tt.want {
			t.Errorf("%s: got %s, want %s", value.Repr(tt.wanted), got, tt.want)
		}
	}
}

// TestNetworkSettings watches the loopback, whose name and index all systems
// agree on, with a group that changes in the kernel's files.
func TestNetworkSettings(t *testing.T) {
	files := map[string]string{"/sys/class/net/lo/netdev_group": "0\n"}
	s := set(env(files), "network_settings", value.M("interfaces", value.M("l*", value.M("group", nil, "index", nil))))
	c := set(env(files), "network_settings", value.M("coalesce", true), value.M("interfaces", value.M("lo", value.M("group", nil))))
	for i, want := range [][2]string{
		{"", ""},
		{"", ""},
		{"salt/beacon/dm/network_settings/lo {'interface': 'lo', 'change': {'group': 7}, 'id': 'dm'}", "salt/beacon/dm/network_settings/result {'changes': {'lo': {'group': 7}}, 'id': 'dm'}"},
		{"", ""},
	} {
		if i == 2 {
			files["/sys/class/net/lo/netdev_group"] = "0x7\n"
		}
		if got := [2]string{told(s.Look(time.Now())), told(c.Look(time.Now()))}; got != want {
			t.Errorf("look %d: got %q\nwant %q", i, got, want)
		}
	}
}

// TestShell runs a command in a shell and is told of it by the kernel.
func TestShell(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root is told what runs")
	}
	s := set(env(nil), "sh")
	defer s.Close()
	if got := s.Look(time.Now()); len(got) > 0 && got[0].Error != "" {
		t.Skipf("the kernel does not tell: %s", got[0].Error)
	}
	cmd := exec.Command("sh", "-c", "sleep 0.01 pinch-test-of-the-beacon; sleep 60; true")
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL); _ = cmd.Wait() })
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, ev := range s.Look(time.Now()) {
			m := ev.Data
			if args := m.List("args"); args.Len() == 2 && args.Items[0] == "sleep" && args.Items[1] == "60" {
				if filepath.Base(m.Str("cmd")) == "" || m.Str("user") != "root" {
					t.Errorf("told %s", told([]Event{ev}))
				}
				return
			}
		}
	}
	t.Error("the command is not told of")
}
