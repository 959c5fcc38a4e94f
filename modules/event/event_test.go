package event

import (
	"context"
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type bus struct {
	salt.Host
	sent *[]string
}

func (b bus) FireEvent(c *salt.Ctx, tag string, data *value.Map, toMaster bool) (bool, error) {
	*b.sent = append(*b.sent, tag+" "+value.Repr(data)+" "+value.Repr(toMaster))
	return true, nil
}

func TestSend(t *testing.T) {
	for _, tt := range []struct {
		desc        string
		kw, opts    *value.Map
		test        bool
		sent, state string
	}{
		{"masterless", value.M("data", value.M("v", int64(3)), "with_grains", value.L("os"), "more", "x"), value.M("file_client", "local"), false,
			"t {'grains': {'os': 'Debian'}, 'more': 'x', 'v': 3} False", "True {'tag': 't', 'data': {'v': 3}} Event fired"},
		{"with a master", value.M("show_changed", false), new(value.Map), false, "t {} True", "True {} Event fired"},
		{"tested", value.M("data", "text"), new(value.Map), true, "", "None {'tag': 't', 'data': 'text'} Event would have been fired"},
	} {
		var sent []string
		c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Log: slog.New(slog.DiscardHandler), Opts: tt.opts,
			Grains: value.M("os", "Debian", "id", "m"), Test: tt.test, Host: bus{sent: &sent}}
		kw := value.M("name", "t")
		kw.Update(tt.kw)
		v, err := Module.States()["send"].Call(c, nil, kw)
		if err != nil {
			t.Fatal(err)
		}
		m := v.(salt.Result).Map("")
		got := value.Repr(m.At("result")) + " " + value.Repr(m.At("changes")) + " " + m.Str("comment")
		if got != tt.state || len(sent) > 0 && sent[0] != tt.sent || len(sent) == 0 && tt.sent != "" {
			t.Errorf("%s: got %s, sent %q; want %s, sent %s", tt.desc, got, sent, tt.state, tt.sent)
		}
	}
}

// Without a bus an event goes nowhere, and the functions say so.
func TestNoBus(t *testing.T) {
	c := &salt.Ctx{Context: context.Background(), Log: slog.New(slog.DiscardHandler), Opts: value.M("file_client", "local")}
	for _, fun := range []string{"fire", "fire_master"} {
		if v, err := Module.Exec()[fun].Call(c, []any{value.M("a", int64(1)), "tag"}, nil); v != false || err != nil {
			t.Error(fun, v, err)
		}
	}
}
