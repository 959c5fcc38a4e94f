package matcher_test

import (
	"testing"

	"pinch/golden"
	"pinch/matcher"
	"pinch/value"
)

// TestGolden compares every matcher with the answers of real Salt.
func TestGolden(t *testing.T) {
	f := golden.Value(t, "match/cases.json").(*value.Map)
	m := matcher.Minion{ID: f.Str("id"), Grains: f.Map("grains"), Pillar: f.Map("pillar"), Nodegroups: f.Map("nodegroups")}
	for _, it := range f.List("cases").Items {
		c := it.(*value.Map)
		t.Run(c.Str("name"), func(t *testing.T) {
			var got bool
			var err error
			if kind := c.Str("type"); kind == "top" {
				got, err = m.ConfirmTop(c.At("tgt"), c.At("data"))
			} else {
				got, err = m.Match(kind, c.At("tgt"), c.Str("delimiter"))
			}
			want := c.Map("expected")
			if e := want.Map("error"); e != nil {
				x, ok := err.(*value.Exception)
				if !ok || x.Class != e.Str("class") || x.Msg != e.Str("message") {
					t.Fatalf("got %v, want %s %s", err, e.Str("class"), e.Str("message"))
				}
				return
			}
			if err != nil || got != want.Truth("result") {
				t.Errorf("%s %v: got %v, %v, want %v", c.Str("type"), c.At("tgt"), got, err, want.Truth("result"))
			}
		})
	}
}

// TestCompoundAsPython has cases whose answer follows from Python's grammar.
func TestCompoundAsPython(t *testing.T) {
	m := matcher.Minion{ID: "web1", Data: value.M("k", value.L("A", "b"), "s", "x", "m", value.M("in", int64(1)))}
	for _, c := range []struct {
		why, kind, expr string
		want            bool
	}{
		{"a call that is never reached", "compound", "web1 or web1 ( web1 )", true},
		{"a call of a truth value is an error", "compound", "web1 ( web1 )", false},
		{"and binds tighter", "compound", "web1 or db and db", true},
		{"an empty tuple is false", "compound", "not ( )", true},
		{"exact id", "compound", "M@web1", true},
		{"no library", "range", "%web", false},
		{"list member, any case", "data", "k:a", true},
		{"key of a map", "data", "m:in", true},
		{"text keeps its case", "data", "s:X", false},
		{"named group and back reference", "pcre", `(?P<a>w)eb1\Z`, true},
	} {
		if got, err := m.Match(c.kind, c.expr, ""); err != nil || got != c.want {
			t.Errorf("%s: %s %q: got %v, %v", c.why, c.kind, c.expr, got, err)
		}
	}
}

// TestLazyGrains makes sure that only the grain in question is gathered.
func TestLazyGrains(t *testing.T) {
	g := new(value.Map)
	g.Set("os", "Debian")
	g.SetLazy("fqdn", func() (any, bool) { t.Error("fqdn was gathered"); return nil, false })
	m := matcher.Minion{ID: "web1", Grains: g}
	for _, expr := range []string{"G@os:Debian", "web*", "not G@os:CentOS and E@web"} {
		if ok, err := m.Match("compound", expr, ""); !ok || err != nil {
			t.Errorf("%s: %v %v", expr, ok, err)
		}
	}
}

func BenchmarkCompound(b *testing.B) {
	m := matcher.Minion{ID: "web1", Grains: value.M("os", "Debian", "roles", value.L("web", "db"))}
	for b.Loop() {
		m.Match("compound", "( web* or db* ) and G@os:Debian and not G@roles:cache", "")
	}
}
