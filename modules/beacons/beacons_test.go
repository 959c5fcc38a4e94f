package beacons_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/beacons"
	"pinch/events"
	"pinch/golden"
	"pinch/modules/beacon"
	modbeacons "pinch/modules/beacons"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type host struct {
	salt.Host
	reg *salt.Registry
}

func (h host) Registry() *salt.Registry { return h.reg }

func (h host) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := h.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

func ctx(t *testing.T, root string) *salt.Ctx {
	o := value.M("id", "sm", "hash_type", "sha256", "sock_dir", filepath.Join(root, "run"), "conf_file", filepath.Join(root, "etc", "minion"), "default_include", "minion.d/*.conf")
	return &salt.Ctx{Context: t.Context(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: o, Pillar: new(value.Map), Grains: new(value.Map),
		Run: salt.NewRun(), Host: host{reg: salt.NewRegistry(&modbeacons.Module)}}
}

// serve is a daemon that only has a bus and beacons; it gives the requests and
// answers that it sees.
func serve(t *testing.T, c *salt.Ctx) *events.Bus {
	bus := events.New(c.Log, time.Now)
	set := &beacons.Set{Env: &beacons.Env{ID: "sm", Sys: sys.Real{}, Log: c.Log, Now: time.Now}}
	sub := bus.Subscribe(func(tag string) bool { return tag == beacons.ManageTag })
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	places := events.Places(c.Opts.Str("sock_dir"), "sm", "sha256")
	go func() { done <- bus.Serve(ctx, places) }()
	go func() {
		for e := range sub.C {
			if answer := set.Manage(value.Copy(e.Data).(*value.Map)); answer != nil {
				bus.Fire(beacons.AnswerTag(e.Data.Str("func")), answer)
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done; sub.Close() })
	for !sys.Exists(sys.Real{}, places.Pull) {
		time.Sleep(time.Millisecond)
	}
	return bus
}

// differences are calls that Salt answers otherwise, with the reason.
var differences = map[string]string{
	"bus-44-beacons.add": "Salt hangs when the configuration is a mapping",
}

// TestGolden makes the calls of beacons.* that were recorded beside a running
// minion of real Salt, in their order.
func TestGolden(t *testing.T) {
	root := t.TempDir()
	c := ctx(t, root)
	serve(t, c)
	good := 0
	for _, it := range golden.Value(t, "daemon/cases.json").(*value.Map).List("cases").Items {
		tc := it.(*value.Map)
		call := tc.Map("input").List("call")
		if call == nil || !strings.HasPrefix(value.Str(call.Items[0]), "beacons.") {
			continue
		}
		var args []any
		kw := new(value.Map)
		for _, w := range call.Items[1:] {
			text := value.Str(w)
			if k, v, ok := strings.Cut(text, "="); ok && !strings.ContainsAny(k, "[{") {
				kw.Set(k, parse(t, v))
				continue
			}
			args = append(args, parse(t, text))
		}
		v, err := c.CallFunc(c, value.Str(call.Items[0]), args, kw)
		if err != nil {
			t.Errorf("%s: %v", tc.Str("name"), err)
			continue
		}
		if differences[tc.Str("name")] != "" {
			continue
		}
		got := strings.ReplaceAll(value.Repr(v), root, "<ROOT>")
		want := value.Repr(tc.Map("expected").Map("return").At("local"))
		if got != want {
			t.Errorf("%s: %s\n got %s\nwant %s", tc.Str("name"), value.Repr(call), got, want)
			continue
		}
		good++
	}
	t.Logf("%d calls as in Salt", good)
}

func parse(t *testing.T, text string) any {
	v, err := yaml.Load("", text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestStates(t *testing.T) {
	c := ctx(t, t.TempDir())
	serve(t, c)
	for _, tt := range []struct {
		fun  string
		kw   *value.Map
		test bool
		want string
	}{
		{"present", value.M("name", "ps", "processes", value.M("sh", "running")), true, "None {} Beacon: ps would be added."},
		{"present", value.M("name", "ps", "save", true, "processes", value.M("sh", "running")), false, "True {} Adding ps to beacons\nBeacon ps saved"},
		{"present", value.M("name", "ps", "processes", value.M("sh", "running")), false, "True {} Job ps in correct state"},
		{"present", value.M("name", "ps", "processes", value.M("sh", "stopped")), false, `True {'diff': "--- \n+++ \n@@ -1 +1 @@\n-processes:{'sh': 'running'}\n+processes:{'sh': 'stopped'}\n"} Modifying ps in beacons`},
		{"present", value.M("name", "ps", "nonsense", int64(1)), false, "False {} Beacon ps configuration invalid, not modifying.\nConfiguration for ps beacon requires processes."},
		{"present", value.M("name", "nosuch", "a", int64(1)), false, `False {} Beacon "nosuch" is not available.`},
		{"disabled", value.M("name", "ps"), false, "True {} Disabled beacon ps."},
		{"enabled", value.M("name", "ps"), false, "True {} Enabled ps from beacons"},
		{"enabled", value.M("name", "none"), false, "True {} none not a configured beacon"},
		{"disabled", value.M("name", "none"), false, "True {} Job none is not configured."},
		{"absent", value.M("name", "ps"), true, "None {} Beacon: ps would be deleted."},
		{"absent", value.M("name", "ps"), false, "True {} Removed ps from beacons"},
		{"absent", value.M("name", "ps"), false, "True {} ps not configured in beacons"},
	} {
		c.Test = tt.test
		v, err := beacon.Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
	}
}
