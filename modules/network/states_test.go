package network

import (
	"context"
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// builder answers for the module ip.
type builder struct {
	salt.Host
	old, new any
	err      error
	calls    []string
}

func (b *builder) Registry() *salt.Registry { return salt.NewRegistry() }
func (b *builder) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	switch fun {
	case "ip.get_interface", "ip.get_routes", "ip.get_network_settings":
		return b.old, nil
	case "ip.build_interface", "ip.build_routes", "ip.build_network_settings":
		return b.new, b.err
	}
	b.calls = append(b.calls, fun)
	return true, nil
}

// Comments are Salt's own.
func TestStates(t *testing.T) {
	none, one, two := value.L(), value.L("a\n"), value.L("a\n", "    wpa-psk secret\n")
	bad := value.Errorf("AttributeError", "Invalid option -- Interface: x, Option: y, Expected: [z]")
	for _, tt := range []struct {
		fun      string
		old, new any
		err      error
		test     bool
		want     string
		calls    string
	}{
		{"managed", one, one, nil, false, "True {} Interface nope0 is up to date.", ""},
		{"managed", none, one, nil, true, "None {} Interface nope0 is set to be added.", ""},
		{"managed", none, one, nil, false, "True {'interface': 'Added network interface.'} Interface nope0 added.", ""},
		{"managed", one, two, nil, true, "None {} Interface nope0 is set to be updated:\n--- \n+++ \n@@ -1 +1,2 @@\n a\n\n+    wpa-psk **********\n", ""},
		{"managed", one, two, bad, true, "False {} Invalid option -- Interface: x, Option: y, Expected: [z]", ""},
		{"routes", one, one, nil, false, "True {} Interface nope0 routes are up to date.", ""},
		{"routes", none, one, nil, true, "None {} Interface nope0 routes are set to be added.", ""},
		{"routes", none, one, nil, false, "True {'network_routes': 'Added interface nope0 routes.'} Interface nope0 routes added.", "ip.apply_network_settings"},
		{"routes", value.L("b\n"), one, nil, false, "True {'network_routes': '--- \\n+++ \\n@@ -1 +1 @@\\n-b\\n\\n+a\\n'} Interface nope0 routes updated.", "ip.apply_network_settings"},
		{"system", one, one, nil, false, "True {} Global network settings are up to date.", ""},
		{"system", none, one, nil, true, "None {} Global network settings are set to be added.", ""},
		{"system", none, one, nil, false, "True {'network_settings': 'Added global network settings.'} Global network settings are up to date.", "ip.apply_network_settings"},
	} {
		b := &builder{old: tt.old, new: tt.new, err: tt.err}
		c := &salt.Ctx{Context: context.Background(), Sys: sys.ReadOnly{Sys: sys.Real{}}, Host: b, Log: slog.New(slog.DiscardHandler), Test: tt.test}
		kw := value.M("name", "nope0")
		if tt.fun == "managed" {
			kw.Set("noifupdown", true)
		}
		v, err := Module.States()[tt.fun].Call(c, nil, kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.fun, got, tt.want)
		}
		calls := ""
		for _, call := range b.calls {
			calls += call
		}
		if calls != tt.calls {
			t.Errorf("%s called %q", tt.fun, calls)
		}
	}
}
