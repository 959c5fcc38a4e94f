package daemon

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pinch/caller"
	"pinch/config"
	"pinch/events"
	"pinch/golden"
	"pinch/jobs"
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
	if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
		t.Fatal(err)
	}
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
			return Perform(ctx, d.options(ctx, false), j), nil
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

// text is data as text, with placeholders for what differs from run to run.
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
			d.configure(t.Context(), false)
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
			synced(d, h)
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

// synced waits until the listener has all events.
func synced(d *Daemon, h *heard) {
	d.bus.Fire("sync", new(value.Map))
	for len(h.tagged("sync")) == 0 {
		time.Sleep(time.Millisecond)
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

// Beacons tell what real Salt's told.
func TestGoldenBeacons(t *testing.T) {
	good := 0
	for _, it := range golden.Value(t, "daemon/cases.json").(*value.Map).List("cases").Items {
		tc := it.(*value.Map)
		name := tc.Str("name")
		if tc.Str("category") != "beacon" || name == "beacon-mybeacon" { // that one is a Python module
			continue
		}
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.Mkdir(filepath.Join(root, "watch"), 0o755); err != nil {
				t.Fatal(err)
			}
			conf := replaced(tc.Map("input").Map("beacons"), root).(*value.Map)
			_, read := load(t, value.M("beacons", conf))
			d := newDaemon(t, read)
			d.configure(t.Context(), false)
			h := listen(d)
			d.lookAround() // with an interval the first look only begins to count
			file := filepath.Join(root, "watch", "f1")
			if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			d.o.Clock = later(time.Minute)
			d.beacons.set.Env.Now = d.o.Clock.Now
			d.lookAround()
			synced(d, h)
			want := map[string]bool{}
			for _, e := range list(replaced(tc.Map("expected").List("entries"), root)) {
				want[text(e)] = true
			}
			if name == "beacon-one-bad-config-stops-all" { // ours go on
				want["{beacon_name: ps, data: {bash: Running, id: dm, }, tag: salt/beacon/dm/ps/, }"] = true
				want["{beacon_name: ps, data: {id: dm, nosuchproc_x: Stopped, }, tag: salt/beacon/dm/ps/, }"] = true
			}
			got := map[string]bool{}
			for _, e := range h.tagged("__beacons_return") {
				for _, b := range list(e.Data.At("beacons")) {
					got[text(b)] = true
				}
			}
			for w := range want {
				if !got[w] && !strings.Contains(w, "bash: Running") { // a machine may have no bash
					t.Errorf("missing: %s", w)
				}
			}
			for g := range got {
				if !want[g] {
					t.Errorf("not in Salt's: %s", g)
				}
			}
			good++
		})
	}
	t.Logf("%d beacons as in Salt", good)
}

// replaced puts a folder in the place of <ROOT>.
func replaced(v any, root string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "<ROOT>", root)
	case *value.Map:
		m := new(value.Map)
		for k, x := range v.Items() {
			m.Set(strings.ReplaceAll(k, "<ROOT>", root), replaced(x, root))
		}
		return m
	case *value.List:
		l := new(value.List)
		for _, x := range v.Items {
			l.Append(replaced(x, root))
		}
		return l
	}
	return v
}

// later is a clock that is ahead.
type later time.Duration

func (l later) Now() time.Time                         { return time.Now().Add(time.Duration(l)) }
func (l later) After(d time.Duration) <-chan time.Time { return time.After(d) }

// The startup states of real Salt's cases run, and what they did is kept.
func TestGoldenStartupStates(t *testing.T) {
	for _, it := range golden.Value(t, "daemon/cases.json").(*value.Map).List("cases").Items {
		tc := it.(*value.Map)
		if tc.Str("category") != "startup_states" {
			continue
		}
		o := tc.Map("input").Map("config").Shallow()
		o.Set("cache_jobs", true)
		root, read := load(t, o)
		put(t, root, "srv/salt/one.sls", "a:\n  file.managed:\n    - name: "+root+"/mark\n    - contents: minion\n")
		put(t, root, "srv/salt/two.sls", "a:\n  file.managed:\n    - name: "+root+"/mark2\n")
		put(t, root, "srv/salt/top.sls", "base:\n  '*': [one]\n")
		put(t, root, "srv/salt/mytop.sls", "base:\n  '*': [two]\n")
		d := newDaemon(t, read)
		d.configure(t.Context(), false)
		d.begin(t.Context())
		d.jobs.Wait()
		for _, mark := range list(tc.Map("expected").List("marks")) {
			if _, err := os.Stat(filepath.Join(root, value.Str(mark))); err != nil {
				t.Errorf("%s: %v", tc.Str("name"), err)
			}
		}
		if kept, _ := filepath.Glob(filepath.Join(d.opts().Str("cachedir"), "minion_jobs", "*", "return.p")); len(kept) != 1 {
			t.Errorf("%s: %d returns are kept", tc.Str("name"), len(kept))
		}
	}
}

// Reactor SLS in their forms, and the jobs that they ask for.
func TestReactions(t *testing.T) {
	root, read := load(t, nil)
	d := newDaemon(t, read)
	d.configure(t.Context(), false)
	for _, tt := range []struct{ sls, want string }{
		{"a:\n  local.state.sls:\n    - tgt: {{ data['id'] }}\n    - arg: [web]\n    - kwarg: {test: true}\n", "state.sls [web, ] {queue: True, test: True, }"},
		{"a:\n  local.cmd.run:\n    - tgt: other*\n    - arg: [ls]\n", ""},
		{"a:\n  local.cmd.run:\n    - tgt: 'os:*'\n    - tgt_type: grain\n    - args:\n      - cmd: {{ tag }}\n", "cmd.run [] {cmd: my/tag, }"},
		{"a:\n  caller.file.touch:\n    - args: ['/x']\n", "file.touch [/x, ] {}"},
		{"a:\n  caller.file.touch:\n    - args: {name: /x}\n", "file.touch [] {name: /x, }"},
		{"a:\n  local:\n    - test.ping\n    - tgt: '*'\n", "test.ping [] {}"},
		{"a:\n  runner.state.orchestrate:\n    - args:\n      - mods: orch\n", "state.orchestrate [] {mods: orch, queue: True, }"},
		{"a:\n  runner.saltutil.sync_all: []\nb:\n  caller.test.ping: []\n", "saltutil.sync_all [] {}; test.ping [] {}"},
		{"a:\n  runner.manage.up: []\n", "error: the runner manage.up works on a master"},
		{"a:\n  wheel.key.accept:\n    - match: x\n", "error: wheel.key.accept manages a master"},
		{"a:\n  cloud.x: []\n", "error: cloud.x: reactions are local, caller or runner"},
		{"- a\n", "error: "},
		{"{% if false %}a: b{% endif %}\n", ""},
		{"a: {{ nosuch.x }}\n", "error: "},
	} {
		put(t, root, "react.sls", tt.sls)
		run := caller.New(caller.Options{Config: d.config(), Registry: modules.Registry()})
		found, err := Reactions(run.Ctx(t.Context()), filepath.Join(root, "react.sls"), events.Event{Tag: "my/tag", Data: value.M("id", "dm")})
		var got []string
		for _, j := range found {
			got = append(got, j.Fun+" "+text(value.L(j.Args...))+" "+text(j.Kwargs))
		}
		s := strings.Join(got, "; ")
		s = strings.NewReplacer("{queue: True, }", "{queue: True, }", ", }", ", }").Replace(s)
		if err != nil {
			s = "error: " + strings.TrimPrefix(err.Error(), filepath.Join(root, "react.sls")+": a: ")
		}
		if strings.HasPrefix(tt.want, "error: ") {
			if !strings.HasPrefix(s, tt.want) {
				t.Errorf("%q:\n got %s\nwant %s…", tt.sls, s, tt.want)
			}
		} else if s != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.sls, s, tt.want)
		}
		run.Close()
	}
}

// The engine reactor of real Salt's case: an event, a caller reaction.
func TestReactorRuns(t *testing.T) {
	root, read := load(t, value.M("engines", value.L(value.M("reactor", new(value.Map))), "reactor", value.L(value.M("my/custom/*", value.L("PLACE/react.sls")))))
	put(t, root, "react.sls", "touch it:\n  caller.file.touch:\n    - args: ['"+root+"/reacted']\n")
	d := newDaemon(t, func() (*config.Config, error) {
		c, err := read()
		if err == nil {
			c.Opts.Set("reactor", value.L(value.M("my/custom/*", value.L(root+"/react.sls"))))
		}
		return c, err
	})
	d.configure(t.Context(), false)
	sub := d.bus.Subscribe(nil)
	done := make(chan bool)
	go func() { d.react(t.Context(), sub); close(done) }()
	ended := d.bus.Subscribe(func(tag string) bool { return strings.Contains(tag, "/ret/") })
	d.bus.Fire("other", new(value.Map))
	d.bus.Fire("my/custom/one", new(value.Map))
	<-ended.C
	d.bus.Close()
	<-done
	if _, err := os.Stat(filepath.Join(root, "reacted")); err != nil {
		t.Error(err)
	}
}

// The engines script and webhook fire events.
func TestEngines(t *testing.T) {
	_, read := load(t, nil)
	d := newDaemon(t, read)
	h := listen(d)
	ctx, cancel := context.WithCancel(t.Context())
	script := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho '{\"tag\": \"a/b\", \"data\": {\"n\": 1}}'\necho nonsense\necho '{\"tag\": \"a/b\", \"data\": {\"n\": 1}}'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	first := d.bus.Subscribe(func(tag string) bool { return tag == "a/b" })
	done := make(chan error, 1)
	go func() { done <- d.script(ctx, value.M("cmd", script, "onchange", true)) }()
	<-first.C
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		method string
		want   int
	}{{"POST", 200}, {"GET", 405}} {
		w := httptest.NewRecorder()
		d.hook(w, httptest.NewRequest(tt.method, "/deploy/web", strings.NewReader("payload")))
		if w.Code != tt.want {
			t.Errorf("%s: %d", tt.method, w.Code)
		}
	}
	synced(d, h)
	if got := h.tagged("salt/engines/hook/deploy/web"); len(got) != 1 || got[0].Data.Str("body") != "payload" {
		t.Errorf("hook: %v", got)
	}
	if got := h.tagged("a/b"); len(got) != 1 || got[0].Data.Str("id") != "dm" {
		t.Errorf("script: %v", got)
	}
}

func TestMetrics(t *testing.T) {
	root, read := load(t, nil)
	put(t, root, "srv/salt/one.sls", "a:\n  test.succeed_with_changes: []\nb:\n  test.fail_without_changes: []\n")
	put(t, root, "srv/.git/HEAD", "0123456789012345678901234567890123456789\n")
	d := newDaemon(t, read)
	d.configure(t.Context(), false)
	d.start(t.Context(), Job{Fun: "state.apply", Args: []any{"one"}, Kwargs: value.M("test", true)})
	d.jobs.Wait()
	text := d.Metrics()
	for _, line := range []string{"pinch_tree_info{commit=\"0123456789012345678901234567890123456789\"} 1", "pinch_jobs_total 1", "pinch_job_failures_total 1", "pinch_last_run_states 2", "pinch_last_run_failed 1", "pinch_drift_states 2"} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

// An entry of the journal cannot be broken out of by a text.
func TestJournalEntry(t *testing.T) {
	r := slog.NewRecord(time.Time{}, slog.LevelError, "two\nPRIORITY=0", 0)
	r.AddAttrs(slog.String("job-name", "a\nb"), slog.Int("retcode", 2))
	want := "PRIORITY=3\nSYSLOG_IDENTIFIER=pinch\nMESSAGE\n\x0e\x00\x00\x00\x00\x00\x00\x00two\nPRIORITY=0\nPINCH_JOB_NAME\n\x03\x00\x00\x00\x00\x00\x00\x00a\nb\nPINCH_RETCODE=2\n"
	if got := string(entry(r, nil)); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// Metrics are open on the loopback, the page of runs needs the token.
func TestStatusPage(t *testing.T) {
	root, read := load(t, nil)
	put(t, root, "srv/salt/one.sls", "'<script>alert(1)</script>':\n  test.nop: []\n")
	d := newDaemon(t, read)
	d.configure(t.Context(), false)
	page := func() string {
		w := httptest.NewRecorder()
		d.statusHandler("secret", true).ServeHTTP(w, httptest.NewRequest("GET", "/?token=secret", nil))
		return w.Body.String()
	}
	if text := page(); !strings.Contains(text, "nothing has run yet") {
		t.Errorf("before the first run:\n%s", text)
	}
	// a run by hand is shown, too, and a later job without states does not hide it
	ret := value.M("test_|-by hand_|-by hand_|-nop", value.M("result", true, "name", "by hand", "__id__", "by hand", "__run_num__", int64(0), "comment", "", "changes", new(value.Map)))
	for _, m := range []*value.Map{value.M("fun", "state.apply", "return", ret, "retcode", int64(0)), value.M("fun", "test.ping", "return", true, "retcode", int64(0))} {
		if err := jobs.Save(d.opts(), jobs.NewJID(time.Now().Add(-time.Hour)), m); err != nil {
			t.Fatal(err)
		}
	}
	if text := page(); !strings.Contains(text, "<b>by hand</b>") || !strings.Contains(text, "test.ping") {
		t.Errorf("after a run by hand:\n%s", text)
	}
	d.start(t.Context(), Job{Fun: "state.apply", Args: []any{"one"}})
	d.jobs.Wait()
	for _, tt := range []struct {
		open        bool
		path, token string
		code        int
	}{
		{true, "/metrics", "", 200}, {false, "/metrics", "", 403}, {false, "/metrics", "wrong", 403}, {false, "/metrics", "secret", 200},
		{true, "/", "", 403}, {true, "/", "secret", 200}, {true, "/?token=secret", "", 200}, {true, "/other", "secret", 404},
	} {
		r := httptest.NewRequest("GET", tt.path, nil)
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		w := httptest.NewRecorder()
		d.statusHandler("secret", tt.open).ServeHTTP(w, r)
		if w.Code != tt.code {
			t.Errorf("%+v: %d", tt, w.Code)
		}
		if body := w.Body.String(); w.Code == 200 && tt.path != "/metrics" && (strings.Contains(body, "<script") || !strings.Contains(body, "alert(1)")) {
			t.Errorf("the state's name is not shown as text:\n%s", body)
		}
	}
	r := httptest.NewRecorder()
	d.statusHandler("", true).ServeHTTP(r, httptest.NewRequest("GET", "/?token=", nil))
	if r.Code != 403 {
		t.Errorf("without a token of the configuration: %d", r.Code)
	}
}

// The process file of a job outlives it until the daemon has told of its end:
// whoever is killed between leaves it to the next daemon, which tells of it.
func TestNoRunWithoutALine(t *testing.T) {
	_, read := load(t, nil)
	d := newDaemon(t, read)
	d.configure(t.Context(), false)
	proc := filepath.Join(d.opts().Str("cachedir"), "proc")
	notes := func() int { l, _ := os.ReadDir(proc); return len(l) }
	var log bytes.Buffer
	d.o.Log = slog.New(slog.NewTextHandler(&log, nil))
	j := Job{JID: "20260310120000000000", Fun: "test.ping", Why: "schedule", Schedule: "job", Kwargs: new(value.Map), Raw: value.M("function", "test.ping"), Awaited: true}
	work := d.o.Work
	d.o.Work = func(ctx context.Context, j Job) (*value.Map, error) {
		ret, err := work(ctx, j)
		if notes() != 1 {
			t.Errorf("%d process files when the job has ended", notes())
		}
		return ret, err
	}
	d.run(t.Context(), j)
	if n := strings.Count(log.String(), j.JID); n != 1 || notes() != 0 {
		t.Errorf("%d lines, %d process files: %s", n, notes(), log.String())
	}
	// as after a kill: the process is gone, the file is there
	data, err := value.Msgpack(value.M("jid", j.JID, "fun", j.Fun, "schedule", "job", "pid", int64(1<<22+1)))
	if err != nil {
		t.Fatal(err)
	}
	put(t, proc, j.JID, string(data))
	log.Reset()
	d.tellCutOff()
	d.tellCutOff()
	if n := strings.Count(log.String(), j.JID); n != 1 || notes() != 0 {
		t.Errorf("%d lines, %d process files: %s", n, notes(), log.String())
	}
}
