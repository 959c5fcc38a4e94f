package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pinch/config"
	"pinch/events"
	"pinch/golden"
	"pinch/modules"
	"pinch/render/yaml"
	"pinch/value"
)

// load makes the configuration of a test: a root of its own, and more options.
func load(t *testing.T, more *value.Map) (root string, read func() (*config.Config, error)) {
	t.Helper()
	root = t.TempDir()
	o := value.M("root_dir", root, "id", "dm", "file_client", "local",
		"file_roots", value.M("base", value.L(root+"/srv/salt")), "pillar_roots", value.M("base", value.L(root+"/srv/pillar")))
	o.Update(more)
	text, err := yaml.Dump(o, yaml.DumpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"etc", "srv/salt", "srv/pillar"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, root, "etc/minion", text)
	return root, func() (*config.Config, error) {
		return config.Load(config.Options{Dir: filepath.Join(root, "etc")})
	}
}

func put(t *testing.T, root, path, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// newDaemon is a daemon whose jobs run in the process and whose bus has no
// sockets.
func newDaemon(t *testing.T, read func() (*config.Config, error)) *Daemon {
	t.Helper()
	var d *Daemon
	log := slog.New(slog.DiscardHandler)
	if testing.Verbose() {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	d, err := New(Options{
		Load: read, Registry: modules.Registry(), Log: log,
		Serve: func(ctx context.Context, _ *events.Bus, _ events.Paths) error { <-ctx.Done(); return nil },
		Work: func(ctx context.Context, j Job) (*value.Map, error) {
			return Perform(ctx, d.config(), modules.Registry(), log, d.bus, j), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// heard collects the events of a daemon.
type heard struct {
	mu  sync.Mutex
	all []events.Event
}

func listen(d *Daemon) *heard {
	h := new(heard)
	sub := d.bus.Subscribe(nil)
	go func() {
		for e := range sub.C {
			h.mu.Lock()
			h.all = append(h.all, e)
			h.mu.Unlock()
		}
	}()
	return h
}

func (h *heard) tagged(glob string) []events.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []events.Event
	for _, e := range h.all {
		if value.Fnmatch(e.Tag, glob) {
			out = append(out, e)
		}
	}
	return out
}

// normal is data as text, with placeholders for what differs from run to run.
func normal(v any) string {
	m, ok := value.Copy(v).(*value.Map)
	if !ok {
		return value.Repr(v)
	}
	return text(m)
}

func text(v any) string {
	switch v := v.(type) {
	case *value.Map:
		var keys []string
		for k := range v.Items() {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		var b strings.Builder
		for _, k := range keys {
			x := text(v.At(k))
			switch k {
			case "pid", "_stamp", "start_time", "duration", "_TS", "_TT", "_TOS", "diskusage", "memusage", "1m", "5m", "15m",
				"bytes_sent", "bytes_recv", "packets_sent", "packets_recv":
				x = "*"
			case "jid":
				if len(x) == 20 || x == "<JID>" {
					x = "*"
				}
			}
			fmt.Fprintf(&b, "%s: %s, ", k, x)
		}
		return "{" + b.String() + "}"
	case *value.List:
		var b strings.Builder
		for _, it := range v.Items {
			b.WriteString(text(it) + ", ")
		}
		return "[" + b.String() + "]"
	}
	return value.Str(v)
}

// returns of the scheduled jobs that were recorded from real Salt: the event,
// and what the job cache has.
func TestGoldenScheduleReturns(t *testing.T) {
	good := 0
	for _, it := range golden.Value(t, "daemon/cases.json").(*value.Map).List("cases").Items {
		tc := it.(*value.Map)
		if tc.Str("category") != "schedule-return" {
			continue
		}
		t.Run(tc.Str("name"), func(t *testing.T) {
			in, want := tc.Map("input"), tc.Map("expected")
			root, read := load(t, value.M("cache_jobs", true))
			put(t, root, "srv/salt/start.sls", "a:\n  test.succeed_with_changes: []\nb:\n  test.fail_without_changes: []\n")
			d := newDaemon(t, read)
			d.configure(t.Context())
			h := listen(d)
			for key, job := range in.Map("schedule").Items() {
				if job.(*value.Map).Str("function") == "test.sleep" {
					job.(*value.Map).Set("args", value.L(int64(0)))
				}
				d.table.Add(value.M(key, job))
				j, _, _ := d.table.Job(key)
				d.start(t.Context(), d.scheduled(j, j.Fun))
			}
			d.jobs.Wait()
			synced(d)
			got := h.tagged("__schedule_return")
			wantText := text(want.At("event"))
			gotText := "None"
			if len(got) > 0 {
				gotText = text(value.M("data", got[0].Data, "tag", got[0].Tag))
			}
			wantText = strings.Replace(wantText, "fun_args: [6, ]", "fun_args: [0, ]", 1)
			if gotText != wantText {
				t.Errorf("event:\n got %s\nwant %s", gotText, wantText)
			}
			dirs, _ := filepath.Glob(filepath.Join(d.opts().Str("cachedir"), "minion_jobs", "*", "return.p"))
			cached := "None"
			if len(dirs) > 0 {
				b, err := os.ReadFile(dirs[0])
				if err != nil {
					t.Fatal(err)
				}
				v, err := value.ParseMsgpack(b)
				if err != nil {
					t.Fatal(err)
				}
				v.(*value.Map).Set("_stamp", "*")
				cached = text(v)
			}
			if w := strings.Replace(text(want.At("job_cache")), "fun_args: [6, ]", "fun_args: [0, ]", 1); cached != w {
				t.Errorf("job cache:\n got %s\nwant %s", cached, w)
			}
			good++
		})
	}
	t.Logf("%d returns as in Salt", good)
}

// synced waits until the listeners have all events.
func synced(d *Daemon) {
	for {
		sub := d.bus.Subscribe(nil)
		d.bus.Fire("sync", new(value.Map))
		<-sub.C
		sub.Close()
		time.Sleep(5 * time.Millisecond)
		return
	}
}

// A day passes: each job runs as often as it must, states one at a time, and
// the end waits for the jobs.
func TestADay(t *testing.T) {
	root, read := load(t, value.M(
		"startup_states", "sls", "sls_list", value.L("one"), "loop_interval", int64(60),
		"schedule", value.M(
			"hourly", value.M("function", "test.ping", "hours", int64(1)),
			"cron", value.M("function", "test.ping", "cron", "*/30 * * * *"),
			"bad", "text",
			"drift", value.M("function", "state.apply", "args", value.L("one"), "kwargs", value.M("test", true), "cron", "0 12 * * *"))))
	put(t, root, "srv/salt/one.sls", "a:\n  test.succeed_with_changes: []\n")
	put(t, root, "srv/pillar/top.sls", "base:\n  '*': [p]\n")
	put(t, root, "srv/pillar/p.sls", "schedule:\n  from_pillar:\n    function: test.ping\n    hours: 6\n    run_on_start: false\n")
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon(t, read)
		h := listen(d)
		ctx, cancel := context.WithCancel(t.Context())
		var err error
		done := make(chan bool)
		go func() { err = d.Run(ctx); close(done) }()
		time.Sleep(24 * time.Hour)
		cancel()
		<-done
		synctest.Wait()
		if err != nil {
			t.Error(err)
		}
		count := map[string]int{}
		for _, e := range h.tagged("__schedule_return") {
			count[e.Data.Str("schedule")]++
		}
		for name, want := range map[string][2]int{"hourly": {24, 25}, "cron": {47, 49}, "from_pillar": {3, 4}, "drift": {1, 1}, "bad": {0, 0}} {
			if n := count[name]; n < want[0] || n > want[1] {
				t.Errorf("%s ran %d times in a day", name, n)
			}
		}
		for tag, want := range map[string]int{"salt/minion/dm/start": 1, "minion_start": 1} {
			if n := len(h.tagged(tag)); n != want {
				t.Errorf("%s: %d times", tag, n)
			}
		}
		states := 0
		for _, e := range h.tagged("salt/job/*/ret/dm") {
			if e.Data.Str("fun") == "state.sls" {
				states++
			}
		}
		if states != 1 {
			t.Errorf("startup states returned %d times", states)
		}
		h.closeAll(d)
	})
	b, err := os.ReadFile(filepath.Join(root, "var/cache/salt/minion/drift.json"))
	if err != nil || !strings.Contains(string(b), `"would_change": 1`) {
		t.Errorf("drift.json: %s %v", b, err)
	}
}

// closeAll ends the listeners, so that nothing of a test goes on.
func (h *heard) closeAll(d *Daemon) {
	d.bus.Close()
}
