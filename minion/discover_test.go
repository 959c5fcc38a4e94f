package minion

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pinch/config"
	"pinch/minion/mastertest"
	"pinch/modules"
	"pinch/render/yaml"
	"pinch/value"
)

// answerer is a network where each question is answered with these lines; it
// returns where it listens.
func answerer(t *testing.T, answers ...string) *net.UDPAddr {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	question := regexp.MustCompile(`^__salt_master_service\d{10}\.\d{1,6}$`)
	go func() {
		buf := make([]byte, 1024)
		for {
			n, from, err := c.ReadFromUDP(buf)
			if err != nil {
				return
			}
			if !question.Match(buf[:n]) {
				t.Errorf("the question is %q", buf[:n])
			}
			for _, a := range answers {
				_, _ = c.WriteToUDP([]byte(a), from)
			}
		}
	}()
	return c.LocalAddr().(*net.UDPAddr)
}

// Which master is taken, with the answers of Salt's SSDPDiscoveryServer.
func TestDiscover(t *testing.T) {
	const noise = "hello"
	one := `__salt_master_service:@:{"mapping": {"place": "here", "n": 1}, "master": "192.0.2.1"}`
	two := `__salt_master_service:@:{"mapping": {"place": "there", "n": 1}, "master": "192.0.2.2"}`
	bare := `__salt_master_service:@:{"master": "192.0.2.3"}`
	old := "__salt_master_service:E:Timestamp is too old"
	for _, c := range []struct {
		name, options string
		answers       []string
		want          string
	}{
		{"no mapping wanted", "{}", []string{noise, old, one, two}, "192.0.2.1:4506"},
		{"all", "{match: all, mapping: {place: there, n: 1}}", []string{one, two}, "192.0.2.2:4506"},
		{"all, and one does not fit", "{match: all, attempts: 1, pause: 0, mapping: {place: there, n: 2}}", []string{one, two, "stop"}, "salt:4506"},
		{"any", "{mapping: {place: elsewhere, n: 1}}", []string{bare, two, one}, "192.0.2.2:4506"},
		{"an unknown policy", "{match: some}", []string{one}, "salt:4506"},
		{"cut short", "{}", []string{one[:60], `__salt_master_service:@:{"master": 5}`, bare}, "192.0.2.3:4506"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			where := answerer(t, c.answers...)
			opts := value.M("master", "salt", "master_port", int64(4506))
			v, err := yaml.Load("test", "{attempts: 3, pause: 5, match: any, mapping: {}}")
			if err != nil {
				t.Fatal(err)
			}
			how := v.(*value.Map)
			more, err := yaml.Load("test", c.options)
			if err != nil {
				t.Fatal(err)
			}
			how.Update(more.(*value.Map))
			how.Set("port", int64(where.Port))
			opts.Set("discovery", how)
			l := &link{m: &Minion{opts: opts, o: Options{Log: slog.New(slog.DiscardHandler)}, everyone: where.IP}, addrs: []string{"salt:4506"}}
			l.discover(t.Context())
			if l.addr() != c.want {
				t.Errorf("%s, want %s", l.addr(), c.want)
			}
		})
	}
}

// master_type: func asks a function; what it says must name hosts.
func TestMasterFunc(t *testing.T) {
	for fun, want := range map[string]string{
		"test.version": "master 3008.4:4506",
		"test.ping":    "True returned from test.ping is not a string",
		"nope.nope":    "Failed to load module nope.nope",
	} {
		dir := t.TempDir()
		m, err := New(Options{Registry: modules.Registry(), Load: func() (*config.Config, error) {
			text := "root_dir: " + dir + "\nid: m\nmaster: " + fun + "\nmaster_type: func\n"
			if err := os.WriteFile(filepath.Join(dir, "minion"), []byte(text), 0o600); err != nil {
				return nil, err
			}
			return config.Load(config.Options{Dir: dir, Prog: "salt-minion"})
		}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = "master " + m.links[0].addr()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", fun, got, want)
		}
	}
}

// With scheduler_before_connect a job of the schedule that needs no master runs
// before there is one, and one that does fails; what came of them
// waits for the master.
func TestBeforeConnect(t *testing.T) {
	m := mastertest.New(t)
	m.Stop()
	w := start(t, value.M("scheduler_before_connect", true, "loop_interval", 0.05, "schedule", value.M(
		"early", value.M("function", "test.echo", "args", value.L("x"), "seconds", int64(3600), "run_on_start", true),
		"late", value.M("function", "cp.list_master", "seconds", int64(3600), "run_on_start", true),
	)), m.Addr)
	w.soon("schedule early (test.echo): ok")
	w.soon("schedule late (cp.list_master): failed")
	time.Sleep(time.Second)
	if m.Asked("_return") != 0 {
		t.Error("the master was there")
	}
	m.Start(t)
	if ret := m.Return(t, "early"); ret.At("return") != "x" {
		t.Error(value.Repr(ret))
	}
	if ret := m.Return(t, "late"); ret.At("return") != "Unhandled exception running cp.list_master" {
		t.Error(value.Repr(ret))
	}
}
