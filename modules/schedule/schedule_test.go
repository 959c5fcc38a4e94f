package schedule_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pinch/events"
	"pinch/golden"
	modschedule "pinch/modules/schedule"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/schedule"
	"pinch/sys"
	"pinch/value"
)

// A minion is one root with or without a daemon; salt.Run is new for each call,
// as for each salt-call.
type minion struct {
	t    *testing.T
	root string
	conf *value.Map
	reg  *salt.Registry
}

type host struct {
	salt.Host
	reg *salt.Registry
}

func (h host) Registry() *salt.Registry { return h.reg }

func nothing(*salt.Ctx, struct {
	Args []any `py:"*args"`
}) (bool, error) {
	return true, nil
}

func newMinion(t *testing.T, conf *value.Map) *minion {
	test := salt.Module{Name: "test", Exec: func() salt.Funcs { return salt.Funcs{"ping": salt.Exec(nothing), "arg": salt.Exec(nothing)} }}
	cmd := salt.Module{Name: "cmd", Exec: func() salt.Funcs { return salt.Funcs{"run": salt.Exec(nothing)} }}
	return &minion{t, t.TempDir(), conf, salt.NewRegistry(&modschedule.Module, &test, &cmd)}
}

// opts are the options as a new process reads them.
func (m *minion) opts() *value.Map {
	o := m.conf.Shallow()
	if s := m.conf.Map("schedule"); s != nil {
		o.Set("schedule", value.Copy(s))
	}
	o.Set("id", "sm")
	o.Set("hash_type", "sha256")
	o.Set("sock_dir", filepath.Join(m.root, "run"))
	o.Set("conf_file", filepath.Join(m.root, "etc", "minion"))
	o.Set("default_include", "minion.d/*.conf")
	if saved := m.saved(); saved != "" {
		v, err := yaml.Load("_schedule.conf", saved)
		if err != nil {
			m.t.Fatal(err)
		}
		all := new(value.Map)
		all.Update(o.Map("schedule"))
		all.Update(v.(*value.Map).Map("schedule"))
		o.Set("schedule", all)
	}
	return o
}

func (m *minion) saved() string {
	b, err := os.ReadFile(filepath.Join(m.root, "etc", "minion.d", "_schedule.conf"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.t.Fatal(err)
	}
	return string(b)
}

func (m *minion) ctx() *salt.Ctx {
	return &salt.Ctx{Context: m.t.Context(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: m.opts(),
		Pillar: new(value.Map), Grains: new(value.Map), Run: salt.NewRun(), Host: host{reg: m.reg}}
}

// call makes a call as the command line writes it.
func (m *minion) call(words []string) (any, error) {
	c := m.ctx()
	var args []any
	kw := new(value.Map)
	state := words[0] == "state.single"
	fun := words[0]
	words = words[1:]
	if state {
		fun, words = words[0], words[1:]
	}
	for _, w := range words {
		key, text, named := strings.Cut(w, "=")
		if !named || strings.ContainsAny(key, " {[") {
			args = append(args, parse(m.t, w))
			continue
		}
		kw.Set(key, parse(m.t, text))
	}
	if state {
		c.Test = kw.Truth("test")
		kw.Pop("test")
		_, name, _ := strings.Cut(fun, ".")
		v, err := modschedule.Module.States()[name].Call(c, args, kw)
		if err != nil {
			return nil, err
		}
		return v.(salt.Result).Map(kw.Str("name")), nil
	}
	f, err := m.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

func parse(t *testing.T, word string) any {
	if _, err := time.Parse("2006-01-02T15:04:05", word); err == nil || strings.Contains(word, "*") || len(word) > 8 && strings.HasPrefix(word, "20") || strings.HasPrefix(word, "0 ") {
		return word
	}
	v, err := yaml.Load("", word)
	if err != nil || v == nil {
		return word
	}
	return v
}

// serve is a daemon that only has a bus and a schedule.
func (m *minion) serve() {
	o := m.opts()
	bus := events.New(slog.New(slog.DiscardHandler), time.Now)
	table := schedule.Of(o, new(value.Map), nil)
	sub := bus.Subscribe(func(tag string) bool { return tag == schedule.ManageTag })
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	places := events.Places(o.Str("sock_dir"), "sm", "sha256")
	go func() { done <- bus.Serve(ctx, places) }()
	go func() {
		for e := range sub.C {
			table.Tick(time.Now(), schedule.Env{})
			a := table.Manage(value.Copy(e.Data).(*value.Map), nil)
			if a.Persist {
				if err := table.Save(sys.Real{}, schedule.File(o)); err != nil {
					m.t.Error(err)
				}
			}
			if a.Tag != "" {
				bus.Fire(a.Tag, a.Data)
			}
		}
	}()
	m.t.Cleanup(func() { cancel(); <-done; sub.Close() })
	for !sys.Exists(sys.Real{}, places.Pull) {
		time.Sleep(time.Millisecond)
	}
}

// differs tells the calls where we differ from Salt on purpose.
func differs(run string, call []string) string {
	text := strings.Join(call, " ")
	switch {
	case slices.Contains(call, "bad6"), strings.Contains(text, "build_schedule_item"):
		if !strings.Contains(text, "seconds=5") {
			return ""
		}
		return "a job without a function is refused instead of a traceback"
	case strings.HasPrefix(text, "schedule.add notime"), strings.HasPrefix(text, "schedule.add badcron"):
		return "a job that cannot run is refused"
	case text == "schedule.reload":
		return "the saved schedule is read, which Salt looks for under another name"
	case strings.HasPrefix(text, "state.single schedule.present") && strings.Contains(text, "test=True"):
		return "a test run that announces changes has the result None"
	}
	return ""
}

// TestGolden makes the calls that were recorded from real Salt, offline and
// with a daemon, one after the other on the same root.
func TestGolden(t *testing.T) {
	var f struct {
		Runs []struct {
			Name   string
			Config json.RawMessage
			Saved  *string `json:"schedule_conf_at_start"`
			Minion bool    `json:"minion_running"`
			Steps  []struct {
				Call      []string
				Rc        int
				Return    json.RawMessage
				Expected  string
				Traceback bool
				Conf      *string `json:"schedule_conf"`
			}
		}
	}
	golden.Read(t, "schedule/functions.json", &f)
	for _, r := range f.Runs {
		t.Run(r.Name, func(t *testing.T) {
			if !r.Minion && r.Name != "offline" {
				t.Skip("without a daemon the saved schedule is changed; see TestWithoutDaemon")
			}
			conf, err := value.ParseJSON(string(r.Config))
			if err != nil {
				t.Fatal(err)
			}
			m := newMinion(t, conf.(*value.Map))
			if r.Saved != nil {
				if err := os.MkdirAll(filepath.Join(m.root, "etc", "minion.d"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(m.root, "etc", "minion.d", "_schedule.conf"), []byte(*r.Saved), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if r.Minion {
				m.serve()
			}
			good := 0
			for _, s := range r.Steps {
				got, err := m.call(s.Call)
				if s.Expected != "" || s.Return == nil {
					continue
				}
				want, perr := value.ParseJSON(string(s.Return))
				if perr != nil {
					t.Fatal(perr)
				}
				w := normal(want.(*value.Map).At("local"))
				g := normal(got)
				if err != nil {
					g = "error: " + err.Error()
				}
				if g != w {
					if differs(r.Name, s.Call) == "" {
						t.Errorf("%v:\n got %s\nwant %s", s.Call, g, w)
					}
					continue
				}
				good++
				if s.Conf != nil && r.Name == "offline" && m.saved() != *s.Conf {
					t.Errorf("%v: _schedule.conf\n%s\nwant\n%s", s.Call, m.saved(), *s.Conf)
				}
			}
			t.Logf("%d calls as in Salt", good)
		})
	}
}

// Without a daemon the functions change the saved schedule, where Salt's do
// nothing.
func TestWithoutDaemon(t *testing.T) {
	m := newMinion(t, value.M("schedule", value.M("conf", value.M("function", "test.ping", "hours", int64(5)))))
	for _, tt := range []struct{ call, want string }{
		{"schedule.add j function=test.ping seconds=60", "{'changes': {'j': 'added'}, 'comment': 'Added job: j to schedule.', 'result': True}"},
		{"schedule.add j function=test.ping seconds=60", "{'changes': {}, 'comment': 'Job j already exists in schedule.', 'result': False}"},
		{"schedule.add k function=test.pong seconds=60", `{'changes': {}, 'comment': 'Job k cannot run: \'test.pong\' is not available. (did you mean "test.ping"?)', 'result': False}`},
		{"schedule.add k function=test.ping", "{'changes': {}, 'comment': 'Job k has no time: it needs seconds, minutes, hours, days, when, cron or once.', 'result': False}"},
		{"schedule.disable_job j", "{'changes': {'j': 'disabled'}, 'comment': 'Disabled Job j in schedule.', 'result': True}"},
		{"schedule.is_enabled j", "{'enabled': False, 'function': 'test.ping', 'name': 'j', 'seconds': 60}"},
		{"schedule.disable", "{'changes': {'schedule': 'disabled'}, 'comment': 'Disabled schedule on minion.', 'result': True}"},
		{"schedule.is_enabled", "False"},
		{"schedule.run_job conf", "{'comment': 'Failed to run job conf on minion.', 'result': False}"},
		{"schedule.delete conf", "{'changes': {'conf': 'removed'}, 'comment': 'Deleted Job conf from schedule.', 'result': True}"},
		{"schedule.delete nosuch offline=True", "{'changes': {}, 'comment': 'Job nosuch does not exist.', 'result': False}"},
		{"schedule.move j other", "{'comment': 'no servers answered the published schedule.add command', 'result': True}"},
	} {
		got, err := m.call(strings.Split(tt.call, " "))
		if err != nil {
			t.Errorf("%s: %v", tt.call, err)
		} else if g := normal(got); g != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.call, g, tt.want)
		}
	}
	want := "schedule:\n  enabled: false\n  j: {enabled: false, function: test.ping, jid_include: true, maxrunning: 1, name: j,\n    seconds: 60}\n"
	if got := m.saved(); got != want {
		t.Errorf("saved:\n%s\nwant\n%s", got, want)
	}
}

// normal is an answer as text, without what depends on the moment and without
// the jobs that we refuse and Salt takes.
func normal(v any) string {
	if m, ok := v.(*value.Map); ok && m.Len() == 1 && !m.Has("result") { // of state.single
		for k, x := range m.Items() {
			if ret, ok := x.(*value.Map); ok && strings.Contains(k, "_|-") {
				return normal(value.M("name", ret.At("name"), "changes", ret.At("changes"), "result", ret.At("result"), "comment", ret.At("comment")))
			}
		}
	}
	if s, ok := v.(string); ok && strings.HasPrefix(s, "schedule:") {
		v, _ = yaml.Load("", s)
	}
	return value.Repr(strip(v))
}

func strip(v any) any {
	switch v := v.(type) {
	case *value.Map:
		out := new(value.Map)
		var keys []string
		for k := range v.Items() {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			switch k {
			case "notime", "badcron", "_splay", "_run", "_continue", "_run_on_start", "run", "_last_run", "_skip_reason", "_skipped", "_skipped_time", "jid_include", "maxrunning":
				continue
			case "splay":
				if v.At(k) == nil {
					continue
				}
			}
			out.Set(k, strip(v.At(k)))
		}
		return out
	case *value.List:
		out := new(value.List)
		for _, x := range v.Items {
			if s, ok := x.(string); ok && (strings.Contains(s, "badcron") || strings.Contains(s, "notime")) {
				continue
			}
			out.Append(strip(x))
		}
		return out
	}
	return v
}
