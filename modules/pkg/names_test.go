package pkg

import (
	"log/slog"
	"testing"

	"pinch/salt"
	"pinch/value"
)

// Sources may come as the text of a list, which is YAML.
func TestSourcesAsText(t *testing.T) {
	c := &salt.Ctx{Log: slog.New(slog.DiscardHandler)}
	for text, want := range map[string]string{
		`[{"nano":'http://deb.example/nano_7.2-1%2b.deb'}]`: "{'nano': 'http://deb.example/nano_7.2-1%2b.deb'}",
		"- nano: /tmp/nano.deb\n- vim: salt://vim.deb\n":    "{'nano': '/tmp/nano.deb', 'vim': 'salt://vim.deb'}",
		`{"nano": "/tmp/nano.deb"}`:                         "{}",
		"nano":                                              "{}",
	} {
		if got := value.Repr(packSources(c, apk{}, text, true)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
