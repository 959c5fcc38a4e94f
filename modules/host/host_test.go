package host_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"pinch/modules/host"
	"pinch/modules/hosts"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type engine struct {
	salt.Host
	reg *salt.Registry
}

func (e engine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	f, err := e.reg.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	return f.Call(c, args, kw)
}

// Comments, changes and files are Salt's own.
func TestStates(t *testing.T) {
	const before = "127.0.0.1 localhost\n10.0.0.9 gone.example gone\n10.0.0.8 both.example stay.example # note\n"
	for _, tt := range []struct {
		desc, fun string
		kw        *value.Map
		test      bool
		want      string
		after     string
	}{
		{"tested", "present", value.M("name", "db1", "ip", "10.0.0.1"), true, "None {'added': {'10.0.0.1': ['db1']}} Host db1 (10.0.0.1) would be added", before},
		{"added", "present", value.M("name", "db1", "ip", value.L("10.0.0.1", "fd00::2")), false,
			"True {'added': {'10.0.0.1': ['db1'], 'fd00::2': ['db1']}} Added host db1 (10.0.0.1)\nAdded host db1 (fd00::2)",
			"127.0.0.1\t\tlocalhost\n10.0.0.9\t\tgone.example gone\n10.0.0.8\t\tboth.example stay.example\t\t# note\n10.0.0.1\t\tdb1\nfd00::2\t\tdb1\n"},
		{"there", "present", value.M("name", "gone", "ip", "10.0.0.9"), false, "True {} Host gone (10.0.0.9) already present", before},
		{"moved", "present", value.M("name", "stay.example", "ip", "10.0.0.3", "clean", true), false,
			"True {'added': {'10.0.0.3': ['stay.example']}, 'removed': {'10.0.0.8': ['stay.example']}} Added host stay.example (10.0.0.3)\nRemoved host stay.example (10.0.0.8)",
			"127.0.0.1\t\tlocalhost\n10.0.0.9\t\tgone.example gone\n10.0.0.8\t\tboth.example # note\n10.0.0.3\t\tstay.example\n"},
		{"commented", "present", value.M("name", "gone", "ip", "10.0.0.9", "comment", "why"), false,
			"True {'comment_added': {'10.0.0.9': ['why']}} Set comment for host 10.0.0.9 (why)",
			"127.0.0.1\t\tlocalhost\n10.0.0.9\t\tgone.example gone\t\t# why\n10.0.0.8\t\tboth.example stay.example\t\t# note\n"},
		{"absent, tested", "absent", value.M("name", "gone", "ip", "10.0.0.9"), true, "None {} Host gone (10.0.0.9) needs to be removed", before},
		{"absent", "absent", value.M("name", "gone.example", "ip", value.L("10.0.0.9", "1.1.1.1")), false,
			"True {'host': 'gone.example'} Removed host gone.example (10.0.0.9)\nHost gone.example (1.1.1.1) already absent",
			"127.0.0.1 localhost\n10.0.0.9\t\tgone \n10.0.0.8 both.example stay.example # note\n"},
		{"only, tested", "only", value.M("name", "10.0.0.4", "hostnames", value.L("four.example", "four")), true, `None {} Would change 10.0.0.4 from "" to "four.example four"`, before},
		{"only", "only", value.M("name", "10.0.0.9", "hostnames", "nine"), false,
			`True {'10.0.0.9': {'old': 'gone.example gone', 'new': 'nine'}} successfully changed 10.0.0.9 from "gone.example gone" to "nine"`,
			"127.0.0.1 localhost\n10.0.0.9\t\tnine\n10.0.0.8 both.example stay.example # note\n"},
		{"only, so already", "only", value.M("name", "10.0.0.9", "hostnames", value.L("gone.example", " gone")), false, `True {} IP address 10.0.0.9 already set to "gone.example gone"`, before},
	} {
		path := filepath.Join(t.TempDir(), "hosts")
		os.WriteFile(path, []byte(before), 0o644)
		c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: value.M("hosts.file", path),
			Test: tt.test, Host: engine{reg: salt.NewRegistry(&hosts.Module)}}
		v, err := host.Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.desc, got, tt.want)
		}
		if b, _ := os.ReadFile(path); string(b) != tt.after {
			t.Errorf("%s:\n got %q\nwant %q", tt.desc, b, tt.after)
		}
	}
}

func TestWarning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	os.WriteFile(path, []byte("10.0.0.2 web\n"), 0o644)
	c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Opts: value.M("hosts.file", path), Host: engine{reg: salt.NewRegistry(&hosts.Module)}}
	v, _ := host.Module.States()["present"].Call(c, nil, value.M("name", "web", "ip", "10.0.0.3"))
	want := "Host web present for IP address 10.0.0.2. To get rid of this warning, either run this state with 'clean' set to True to remove web from 10.0.0.2, or add 10.0.0.2 to the 'ip' argument."
	if w := v.(salt.Result).Warnings; len(w) != 1 || w[0] != want {
		t.Error(w)
	}
}
