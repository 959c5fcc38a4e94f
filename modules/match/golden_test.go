package match

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"pinch/golden"
	"pinch/render/yaml"
	"pinch/salt"
	"pinch/value"
)

// TestGoldenCalls makes the calls that were recorded from real Salt.
func TestGoldenCalls(t *testing.T) {
	f := golden.Value(t, "exec/cases.json").(*value.Map)
	for _, it := range f.List("cases").Items {
		tc := it.(*value.Map)
		fun, ok := strings.CutPrefix(tc.Str("function"), "match.")
		if !ok {
			continue
		}
		t.Run(tc.Str("name"), func(t *testing.T) {
			pillar := new(value.Map)
			if text := tc.Map("files").Str("srv/pillar/data.sls"); text != "" {
				v, err := yaml.Load("data.sls", text)
				if err != nil {
					t.Fatal(err)
				}
				pillar = v.(*value.Map)
			}
			opts := value.M("id", "minion1")
			opts.Update(tc.Map("config"))
			c := &salt.Ctx{Context: context.Background(), Log: slog.New(slog.DiscardHandler), Run: salt.NewRun(),
				Grains: f.Map("config").Map("grains"), Pillar: pillar, Opts: opts, Host: noData{}}
			var args []any
			if l := tc.List("args"); l != nil {
				args = l.Items
			}
			got, err := Module.Exec()[fun].Call(c, args, tc.Map("kwargs"))
			want := tc.Map("expected")
			if e := want.Map("error"); e != nil {
				x, ok := err.(*value.Exception)
				if !ok || x.Class != e.Str("class") || x.Msg != e.Str("message") {
					t.Fatalf("got %v, want %s %s", err, e.Str("class"), e.Str("message"))
				}
				return
			}
			if err != nil || !value.Equal(got, want.At("value")) {
				t.Errorf("got %s, %v, want %s", value.Repr(got), err, value.Repr(want.At("value")))
			}
		})
	}
}

// noData is an engine whose data store is empty.
type noData struct{ salt.Host }

func (noData) CallFunc(*salt.Ctx, string, []any, *value.Map) (any, error) { return nil, nil }
