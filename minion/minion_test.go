package minion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pinch/config"
	"pinch/minion/mastertest"
	"pinch/minion/session"
	"pinch/minion/wire"
	"pinch/modules"
	"pinch/render/yaml"
	"pinch/value"
)

// TestMain runs a job when the minion under test starts this program for one.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == JobVerb {
		conf, err := config.Load(config.Options{Dir: os.Args[2], ID: os.Args[3], Prog: "salt-minion"})
		if err == nil {
			err = Job(context.Background(), conf, modules.Registry(), slog.New(slog.NewTextHandler(os.Stderr, nil)), os.Stdin, os.NewFile(3, "return"))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// world is a minion of a master.
type world struct {
	t    testing.TB
	root string
	log  *log
	end  func() error // ends the minion
}

type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *log) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.b.String(), text)
}

// soon waits for a line of the log.
func (w *world) soon(text string) {
	w.t.Helper()
	for range 1000 {
		if w.log.has(text) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.t.Fatalf("the log never says %q:\n%s", text, w.log.b.String())
}

// start starts a minion of the masters at those addresses.
func start(t testing.TB, more *value.Map, addrs ...string) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir(), log: new(log)}
	w.run(more, addrs...)
	return w
}

func (w *world) run(more *value.Map, addrs ...string) {
	w.t.Helper()
	o := value.M("root_dir", w.root, "id", "m", "master", value.Strings(addrs), "transport", "tcp", "recon_default", int64(20), "recon_max", int64(50),
		"acceptance_wait_time", int64(1), "random_reauth_delay", int64(0))
	if more != nil {
		o.Update(more)
	}
	text, err := yaml.Dump(o, yaml.DumpOptions{})
	if err == nil {
		if err = os.MkdirAll(filepath.Join(w.root, "etc"), 0o755); err == nil {
			err = os.WriteFile(filepath.Join(w.root, "etc/minion"), []byte(text), 0o644)
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
	m, err := New(Options{
		Load: func() (*config.Config, error) {
			return config.Load(config.Options{Dir: filepath.Join(w.root, "etc"), Prog: "salt-minion"})
		},
		Registry: modules.Registry(), Log: slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	w.end = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(20 * time.Second):
			return errors.New("it does not end")
		}
	})
	w.t.Cleanup(func() {
		if err := w.end(); err != nil && !w.t.Failed() {
			w.t.Log(err)
		}
	})
}

func jid(n int) string { return fmt.Sprintf("202601010000000%05d", n) }

func TestJobs(t *testing.T) {
	m := mastertest.New(t)
	m.Files = map[string]string{"web/init.sls": "{{ pillar['name'] }}:\n  file.managed:\n    - source: salt://web/x\n    - makedirs: True\n", "web/x": "text\n"}
	w := start(t, nil, m.Addr)
	out := filepath.Join(w.root, "out/x")
	m.Pillar = value.M("name", out)
	if e := m.Event(t, "salt/minion/m/start"); !strings.HasPrefix(e.Str("data"), "Minion m started at ") {
		t.Error(value.Repr(e))
	}
	for i, c := range []struct {
		fun  string
		arg  []any
		want string // of return, retcode and success
	}{
		{"test.ping", nil, "[True, 0, True]"},
		{"test.echo", []any{"hi"}, "['hi', 0, True]"},
		{"test.arg", []any{int64(1), value.M("__kwarg__", true, "__pub", int64(2))}, ""},
		{"cmd.run", []any{"echo $((1+1)); exit 3"}, "['2', 3, False]"},
		{"no.such", nil, "[\"'no.such' is not available.\", 1, False]"},
		{"test.raise_exception", []any{"ValueError", "no"}, ""},
		{"state.apply", []any{"web"}, ""},
	} {
		m.Publish(t, mastertest.Job(jid(i), c.fun, c.arg...))
		ret := m.Return(t, jid(i))
		if got := value.Repr(value.L(ret.At("return"), ret.At("retcode"), ret.At("success"))); c.want != "" && got != c.want {
			t.Errorf("%s: %s, want %s", c.fun, got, c.want)
		}
		if ret.Str("id") != "m" || ret.Str("user") != "root" || ret.Str("fun") != c.fun {
			t.Error(value.Repr(ret))
		}
	}
	if b, err := os.ReadFile(out); err != nil || string(b) != "text\n" {
		t.Errorf("%q %v", b, err)
	}
	// The private key is for its owner alone, and so is what the master sent.
	for name, want := range map[string]fs.FileMode{"etc/salt/pki/minion/minion.pem": 0o400, "etc/salt/pki/minion": 0o700, "var/cache/salt/minion/files/base/web/x": 0o600, "var/cache/salt/minion/files": 0o700, "var/cache/salt/minion/files/base/web": 0o700} {
		if i, err := os.Stat(filepath.Join(w.root, name)); err != nil || i.Mode().Perm() != want {
			t.Errorf("%s: %v, want %o: %v", name, i.Mode(), want, err)
		}
	}
}

// What a minion keeps is for its owner alone, and what the master names never
// leaves the cache.
func TestCacheModes(t *testing.T) {
	m := mastertest.New(t)
	m.Files = map[string]string{
		"web/init.sls": "{{ pillar['out'] }}:\n  file.managed:\n    - source: salt://web/x\n    - makedirs: True\n", "web/x": "text\n", "_modules/mine.star": "def f(): return 1\n",
		"../../../escaped": "no", "/escaped": "no", "web/../../../escaped2": "no",
	}
	w := start(t, value.M("cache_jobs", true, "minion_pillar_cache", true), m.Addr)
	m.Pillar = value.M("out", filepath.Join(w.root, "out/x"))
	for i, c := range [][]any{
		{"saltutil.refresh_pillar"}, {"saltutil.sync_all"}, {"state.apply", "web"}, {"cp.cache_dir", "salt://"}, {"cp.cache_file", "salt://../../../escaped"}, {"cp.cache_file", "salt:///escaped"},
		{"cmd.run", "echo hi"}, {"schedule.add", "j", value.M("__kwarg__", true, "function", "test.ping", "seconds", int64(3600))}, {"data.update", "a", "b"}, {"test.ping"}, {"state.single", "test.nop", "x"},
	} {
		m.Publish(t, mastertest.Job(jid(i), c[0].(string), c[1:]...))
		m.Return(t, jid(i))
	}
	cache := filepath.Join(w.root, "var/cache/salt/minion")
	seen := 0
	for _, top := range []string{cache, filepath.Join(w.root, "etc/salt/pki")} {
		err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			if err != nil || p == cache {
				return err
			}
			i, err := os.Lstat(p)
			if err != nil {
				return err
			}
			seen++
			rel, _ := filepath.Rel(w.root, p)
			switch bits := i.Mode().Perm(); {
			case strings.HasSuffix(p, "minion.pub"), strings.HasSuffix(p, "minion_master.pub"): // for everybody
			case d.Name() == "minion.pem" && bits != 0o400, bits&0o077 != 0:
				t.Errorf("%s: %s", rel, i.Mode())
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if seen < 20 {
		t.Errorf("only %d files are there", seen)
	}
	_ = filepath.WalkDir(w.root, func(p string, _ fs.DirEntry, _ error) error {
		if strings.Contains(p, "escaped") && !strings.HasPrefix(p, cache+"/files/") {
			t.Error("outside of the cache: " + p)
		}
		return nil
	})
}

// A state run whose pillar does not come in time says so.
func TestLatePillar(t *testing.T) {
	m := mastertest.New(t)
	m.Files = map[string]string{"web.sls": "t:\n  test.nop: []\n"}
	var slow atomic.Bool
	m.Wrong = func(cmd string, load *value.Map) (any, bool) {
		return mastertest.Silence, slow.Load() && cmd == "_pillar"
	}
	start(t, value.M("request_channel_timeout", int64(1), "request_channel_tries", int64(1), "return_retry_tries", int64(100), "return_retry_timer", int64(1), "return_retry_timer_max", int64(1)), m.Addr)
	m.Publish(t, mastertest.Job(jid(0), "test.ping"))
	m.Return(t, jid(0))
	slow.Store(true)
	m.Publish(t, mastertest.Job(jid(1), "state.apply", "web"))
	late := regexp.MustCompile(`Pillar timed out after [1-9][0-9]* seconds$`) // more than one on a busy machine
	if ret := m.Return(t, jid(1)); !late.MatchString(ret.Str("return")) || ret.At("retcode") != int64(1) || ret.At("success") != false {
		t.Error(value.Repr(ret))
	}
}

// The master's master_tops are asked for, with the minion's grains.
func TestMasterTops(t *testing.T) {
	m := mastertest.New(t)
	m.Files = map[string]string{"web.sls": "t:\n  test.succeed_without_changes: []\n"}
	m.Wrong = func(cmd string, load *value.Map) (any, bool) {
		opts := load.Map("opts")
		return value.M("base", value.L("web")), cmd == "_master_tops" && opts.Str("id") == "m" && opts.Map("grains").Has("os")
	}
	start(t, nil, m.Addr)
	m.Publish(t, mastertest.Job(jid(0), "state.show_top"))
	if ret := m.Return(t, jid(0)); value.Repr(ret.At("return")) != "{'base': ['web']}" {
		t.Error(value.Repr(ret))
	}
	m.Publish(t, mastertest.Job(jid(1), "state.highstate"))
	if ret := m.Return(t, jid(1)); ret.At("retcode") != int64(0) || ret.Map("return").Len() != 1 {
		t.Error(value.Repr(ret))
	}
}

// Targets are matched here; a job comes once, and its ID is no path.
func TestNotForUs(t *testing.T) {
	m := mastertest.New(t)
	start(t, nil, m.Addr)
	other := mastertest.Job(jid(1), "test.ping")
	other.Set("tgt", "other")
	m.Publish(t, other)
	for _, bad := range []string{"../../x", "a/b", "", "x"} {
		m.Publish(t, mastertest.Job(bad, "test.ping"))
	}
	m.Publish(t, mastertest.Job(jid(2), "test.ping"))
	m.Return(t, jid(2))
	for _, id := range []string{jid(1), "../../x", "a/b", "", "x"} {
		if m.Returned(id) {
			t.Errorf("job %q was run", id)
		}
	}
}

// What is not the master's own word is not run, and nothing of it ends the
// minion.
func TestFalse(t *testing.T) {
	m, false_ := mastertest.New(t), mastertest.New(t)
	w := start(t, nil, m.Addr)
	m.Publish(t, mastertest.Job(jid(0), "test.ping"))
	m.Return(t, jid(0))
	mark := filepath.Join(w.root, "mark")
	n := 0
	evil := func() *value.Map { n++; return m.Sealed(mastertest.Job(jid(n), "cmd.run", "touch "+mark)) }
	change := func(key string, v any) *value.Map { p := evil(); p.Set(key, v); return p }
	unsigned := evil()
	unsigned.Pop("sig")
	forged := evil()
	sig, _ := wire.Sign(false_.Key, wire.Bytes(forged.At("load")), wire.SignSHA1)
	forged.Set("sig", sig)
	tampered := evil()
	raw := bytes.Clone(wire.Bytes(tampered.At("load")))
	raw[20]++
	tampered.Set("load", raw)
	clear := value.M("enc", "clear", "load", mastertest.Job(jid(90), "cmd.run", "touch "+mark))
	for name, p := range map[string]any{"unsigned": unsigned, "forged": forged, "tampered": tampered, "clear": clear, "of another": false_.Sealed(mastertest.Job(jid(91), "cmd.run", "touch "+mark)),
		"odd algorithm": change("sig_algo", "none"), "no load": change("load", nil), "nothing": nil, "a list": value.L("enc"), "a number": int64(7)} {
		t.Log(name)
		m.Send(t, p)
	}
	old := m.Sealed(mastertest.Job(jid(50), "test.ping"))
	m.Send(t, old)
	m.Return(t, jid(50))
	replayed := m.Asked("_return")
	m.Send(t, old)
	again := mastertest.Job(jid(50), "test.ping") // a new message for the same job
	m.Send(t, m.Sealed(again))
	m.Send(t, m.Sealed(mastertest.Job(jid(51), "test.ping")))
	m.Return(t, jid(51))
	if got := m.Asked("_return") - replayed; got != 1 {
		t.Errorf("%d returns after a replay, want 1", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("an unverified command was run")
	}
	// Frames that are cut off or too large end the connection; a new one works.
	for i, b := range []string{"\xdb\x7f\xff\xff\xff", "\xdd\xff\xff\xff\xff", "\xc1", strings.Repeat("\x91", 300), "\x82\xa4head\x80\xa4body\xda\x00\x05ab"} {
		m.Listeners(t, 1)
		m.SendBytes([]byte(b))
		m.Cut()
		m.Publish(t, mastertest.Job(jid(60+i), "test.ping"))
		m.Return(t, jid(60+i))
	}
}

// Keys are renewed by themselves: after a rotation, a restart and a cut.
func TestRenewed(t *testing.T) {
	m := mastertest.New(t)
	w := start(t, nil, m.Addr)
	for i, happens := range []func(){func() {}, m.Rotate, m.Cut, func() { m.Stop(); m.Rotate(); time.Sleep(50 * time.Millisecond); m.Start(t) }, m.Rotate} {
		happens()
		m.Publish(t, mastertest.Job(jid(2*i), "test.ping"))
		m.Return(t, jid(2*i))
		m.Publish(t, mastertest.Job(jid(2*i+1), "cmd.run", "echo hi")) // a process asks with the new keys
		if ret := m.Return(t, jid(2*i+1)); ret.Str("return") != "hi" {
			t.Error(i, value.Repr(ret))
		}
	}
	if err := w.end(); err != nil {
		t.Error(err)
	}
}

// A master with another key is refused, and that is told.
func TestChangedKey(t *testing.T) {
	m := mastertest.New(t)
	w := start(t, nil, m.Addr)
	m.Listeners(t, 1)
	other := mastertest.New(t)
	m.Key = other.Key
	m.Rotate()
	m.Cut()
	w.soon("has another key than it had")
	m.Send(t, m.Sealed(mastertest.Job(jid(1), "test.ping")))
	var fatal *session.FatalError
	if err := w.end(); err != nil && !errors.As(err, &fatal) {
		t.Error(err)
	}
	if m.Returned(jid(1)) {
		t.Error("a job of a false master was run")
	}
}

// States of the key: it waits, and stops when it is rejected.
func TestAccepted(t *testing.T) {
	m := mastertest.New(t)
	m.State = true
	began := time.Now()
	w := start(t, value.M("acceptance_wait_time", 0.5, "grains", value.M("role", value.L("web"), "other", "x"), "autosign_grains", value.L("role", "none")), m.Addr)
	w.soon("nobody has accepted it")
	if got := value.Repr(m.Autosign()); got != "{'role': ['web'], 'none': None}" {
		t.Error("autosign_grains:", got)
	}
	n := m.Asked("_auth")
	if most := 1 + int(time.Since(began)/(500*time.Millisecond)); n < 1 || n > most { // acceptance_wait_time lies between
		t.Errorf("asked %d times within %s", n, time.Since(began))
	}
	m.State = nil
	m.Publish(t, mastertest.Job(jid(1), "test.ping"))
	m.Return(t, jid(1))
	m.State = false
	m.Rotate()
	m.Cut()
	w.soon("has rejected this minion's key")
}

// With a list for failover the next master is taken.
func TestFailover(t *testing.T) {
	first, second := mastertest.New(t), mastertest.New(t)
	second.Key = first.Key // one key for all, as masters in failover have
	first.Stop()
	start(t, value.M("master_type", "failover"), first.Addr, second.Addr)
	second.Publish(t, mastertest.Job(jid(1), "test.ping"))
	second.Return(t, jid(1))
	first.Start(t)
	second.Stop()
	first.Publish(t, mastertest.Job(jid(2), "test.ping"))
	first.Return(t, jid(2))
}

// With master_failback it goes back to the first master, though the second lives.
func TestFailback(t *testing.T) {
	first, second := mastertest.New(t), mastertest.New(t)
	second.Key = first.Key
	first.Stop()
	w := start(t, value.M("master_type", "failover", "master_failback", true, "master_failback_interval", 0.05), first.Addr, second.Addr)
	second.Publish(t, mastertest.Job(jid(1), "test.ping"))
	second.Return(t, jid(1))
	first.Start(t)
	w.soon("going back to it")
	first.Publish(t, mastertest.Job(jid(2), "test.ping"))
	first.Return(t, jid(2))
}

// In which order the masters are tried. The CRC-32 of "123456789" is the check value 0xcbf43926, that of "a" is 0xe8b7be43.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		id, want string
		more     *value.Map
	}{
		{"a", "a:1 b:1 c:1", value.M("master_type", "failover")},
		{"a", "a:1 b:1 c:1", value.M("master_type", "distributed")},
		{"123456789", "c:1 a:1 b:1", value.M("master_type", "distributed")},
	} {
		o := value.M("id", c.id, "master", value.L("a", "b", "c"), "master_port", int64(1))
		o.Update(c.more)
		got, err := Masters(o)
		if err != nil || len(got) != 1 || strings.Join(got[0], " ") != c.want {
			t.Errorf("%s %s: %v %v, not %s", c.id, value.Repr(c.more), got, err, c.want)
		}
	}
	seen := map[string]bool{}
	for range 100 {
		got, err := Masters(value.M("id", "a", "master", value.L("a", "b", "c"), "master_port", int64(1), "master_type", "failover", "master_failback", true, "random_master", true))
		if err != nil {
			t.Fatal(err)
		}
		seen[strings.Join(got[0], " ")] = true
	}
	if len(seen) != 2 || !seen["a:1 b:1 c:1"] || !seen["a:1 c:1 b:1"] {
		t.Error(seen)
	}
}

// Whom a signing policy means by a compound expression, the master tells.
func TestPolicyCompound(t *testing.T) {
	m := mastertest.New(t)
	policies := value.M("web", value.M("minions", "G@role:web", "days_valid", int64(7)))
	m.Pillar = value.M("x509_signing_policies", policies, "ssh_signing_policies", policies)
	m.Wrong = func(cmd string, load *value.Map) (any, bool) {
		if cmd != "minion_runner" {
			return nil, false
		}
		if got := value.Repr(load.At("fun")) + value.Repr(load.At("arg")); !strings.HasPrefix(got, "'match.compound_matches'['G@role:web', ") {
			t.Error(got)
		}
		if value.Equal(load.At("arg"), value.L("G@role:web", "web1")) {
			return value.M("res", "web1"), true
		}
		return value.M("res", false), true
	}
	start(t, nil, m.Addr)
	n := 0
	for _, fun := range []string{"x509.sign_remote_certificate", "ssh_pki.sign_remote_certificate"} {
		for _, c := range [][2]string{{"web1", "[]"}, {"db1", "['minion not permitted to use specified signing policy']"}} {
			n++
			job := mastertest.Job(jid(n), fun, "web", new(value.Map), true)
			job.Set("id", c[0])
			m.Publish(t, job)
			if got := value.Repr(m.Return(t, jid(n)).Map("return").At("errors")); got != c[1] {
				t.Errorf("%s for %s: %s, not %s", fun, c[0], got, c[1])
			}
		}
	}
}

// With a list of masters the minion belongs to all of them.
func TestSeveral(t *testing.T) {
	first, second := mastertest.New(t), mastertest.New(t)
	second.Key = first.Key
	start(t, nil, first.Addr, second.Addr)
	for i, m := range []*mastertest.Master{first, second} {
		m.Publish(t, mastertest.Job(jid(i), "test.ping"))
		m.Return(t, jid(i))
	}
}

// Thousand jobs at once all come back; of those with a process only some run
// at a time, and find_job tells of the others.
func TestThousand(t *testing.T) {
	m := mastertest.New(t)
	start(t, value.M("process_count_max", int64(2), "minion_jid_queue_hwm", int64(2000)), m.Addr)
	for i := range 1000 {
		m.Publish(t, mastertest.Job(jid(i), "test.echo", int64(i)))
	}
	end := filepath.Join(t.TempDir(), "end") // what the jobs with a process wait for
	for i := 1000; i < 1010; i++ {
		m.Publish(t, mastertest.Job(jid(i), "cmd.run", "until [ -e "+end+" ]; do sleep 0.05; done"))
	}
	for i := 2000; ; i++ { // until the minion has come to the last of them
		m.Publish(t, mastertest.Job(jid(i), "saltutil.find_job", jid(1009)))
		if m.Return(t, jid(i)).Map("return").Str("jid") == jid(1009) {
			break
		}
	}
	if err := os.WriteFile(end, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if ret := m.Return(t, jid(i)); ret.At("return") != int64(i) {
			t.Fatal(value.Repr(ret))
		}
	}
	for i := 1000; i < 1010; i++ {
		m.Return(t, jid(i))
	}
}

// A job's time says nothing: a clock that is a day off does not matter.
func TestClock(t *testing.T) {
	m := mastertest.New(t)
	m.Wrong = func(cmd string, load *value.Map) (any, bool) {
		at, _ := load.At("ts").(int64)
		if now := time.Now().Unix(); at < now-60 || at > now+60 {
			t.Error("the time of a question is not ours")
		}
		return nil, false
	}
	start(t, nil, m.Addr)
	for _, day := range []string{"20250101", "20991231"} {
		m.Publish(t, mastertest.Job(day+"000000000001", "test.ping"))
		m.Return(t, day+"000000000001")
	}
}

// A job under way is found and can be stopped.
func TestKill(t *testing.T) {
	m := mastertest.New(t)
	start(t, nil, m.Addr)
	m.Publish(t, mastertest.Job(jid(1), "cmd.run", "sleep 60"))
	found := new(value.Map)
	for i := 10; found.Len() == 0; i++ {
		m.Publish(t, mastertest.Job(jid(i), "saltutil.find_job", jid(1)))
		found = m.Return(t, jid(i)).Map("return")
		time.Sleep(20 * time.Millisecond)
	}
	if found.Str("fun") != "cmd.run" || found.At("pid") == nil {
		t.Error(value.Repr(found))
	}
	m.Publish(t, mastertest.Job(jid(5), "saltutil.kill_job", jid(1)))
	if ret := m.Return(t, jid(5)); !strings.HasPrefix(ret.Str("return"), "Signal 9 sent to job "+jid(1)) {
		t.Error(value.Repr(ret))
	}
}

// A master that is slow or answers nonsense is asked again; the return is not
// lost.
func TestSlow(t *testing.T) {
	m := mastertest.New(t)
	var mu sync.Mutex
	asked := 0
	m.Wrong = func(cmd string, load *value.Map) (any, bool) {
		if cmd != "_return" {
			return nil, false
		}
		mu.Lock()
		defer mu.Unlock()
		asked++
		return mastertest.Silence, asked == 1
	}
	start(t, value.M("request_channel_timeout", int64(1), "return_retry_timer", int64(1)), m.Addr)
	m.Publish(t, mastertest.Job(jid(1), "test.ping"))
	m.Return(t, jid(1))
}

// The return of a job that ends while the master is away waits for it.
func TestAway(t *testing.T) {
	m := mastertest.New(t)
	w := start(t, value.M("return_retry_timer", int64(1), "return_retry_timer_max", int64(1), "return_retry_tries", int64(1)), m.Addr)
	m.Publish(t, mastertest.Job(jid(1), "test.sleep", 0.5))
	w.soon("Executing command test.sleep") // a connection that is cut loses what was not read
	m.Stop()
	time.Sleep(2500 * time.Millisecond)
	m.Start(t)
	m.Return(t, jid(1))
}

// The schedule and the beacons of the master's pillar are in force, and their
// returns and events go to the master.
func TestLocal(t *testing.T) {
	m := mastertest.New(t)
	m.Pillar = value.M("schedule", value.M("often", value.M("function", "test.echo", "args", value.L("hi"), "seconds", int64(1), "run_on_start", true)),
		"beacons", value.M("status", value.L(value.M("interval", int64(1)), value.M("loadavg", value.L("1-min")))))
	start(t, nil, m.Addr)
	ret := m.Return(t, "often")
	if ret.Str("return") != "hi" || ret.Str("id") != "m" || ret.At("retcode") != int64(0) {
		t.Error(value.Repr(ret))
	}
	m.Event(t, "salt/beacon/m/status/")
}
