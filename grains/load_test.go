package grains_test

import (
	"os"
	"path/filepath"
	"testing"

	"pinch/grains"
	"pinch/value"
)

func TestLoad(t *testing.T) {
	conf := t.TempDir()
	if err := os.WriteFile(filepath.Join(conf, "grains"), []byte("role: web\nfqdn: mine\nnest: {b: 2}\nhidden: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	opts := value.M("id", "m1", "conf_file", filepath.Join(conf, "minion"), "grains_deep_merge", true,
		"grains_blacklist", value.L("hid*", "cpu_(flags|model)"), "grains", value.M("role", "db", "hidden", "shown"))
	custom := value.M("nest", value.M("a", int64(1)), "own", true)
	g := grains.Load(grains.Host{Opts: opts}, custom)
	for _, c := range []struct {
		key  string
		want any
		why  string
	}{
		{"role", "db", "the option wins"},
		{"fqdn", "mine", "the file replaces a core grain"},
		{"hidden", "shown", "the blacklist does not touch the option"},
		{"own", true, "custom"},
		{"server_id", grains.ServerID("m1"), "core"},
	} {
		if got := g.At(c.key); !value.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.why, got, c.want)
		}
	}
	if got := g.At("nest"); !value.Equal(got, value.M("a", int64(1), "b", int64(2))) {
		t.Errorf("deep merge: %v", value.Repr(got))
	}
	for _, k := range []string{"cpu_flags", "cpu_model"} {
		if g.Has(k) {
			t.Errorf("%s is on the blacklist", k)
		}
	}
	if !g.Has("num_cpus") {
		t.Error("num_cpus is not on the blacklist")
	}
}

// TestServerID has Salt's own numbers (sha256 of the id, modulo 2^31).
func TestServerID(t *testing.T) {
	if got := grains.ServerID("minion1"); got != 156412900 {
		t.Errorf("got %d", got)
	}
}

func TestParseResolv(t *testing.T) {
	got := grains.ParseResolv("nameserver 10.0.0.1\nnameserver ::1 # local\nnameserver bad\nsearch a.example b.example ; x\n" +
		"options ndots:2 rotate\nsortlist 130.155.160.0/255.255.240.0 130.155.0.0\ndomain example.org\n")
	want := value.M("nameservers", value.L("10.0.0.1", "::1"), "ip4_nameservers", value.L("10.0.0.1"), "ip6_nameservers", value.L("::1"),
		"sortlist", value.L("130.155.160.0/255.255.240.0", "130.155.0.0/255.255.0.0"), "domain", "example.org",
		"search", value.L("a.example", "b.example"), "options", value.L("ndots:2"))
	if !value.Equal(got, want) {
		t.Errorf("got %s", value.Repr(got))
	}
}
