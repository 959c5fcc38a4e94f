package config

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/value"
)

// TestValidate compares the warnings for values of all types with Salt's.
func TestValidate(t *testing.T) {
	file, err := os.ReadFile("testdata/validate.json")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := value.ParseJSON(string(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range cases.(*value.List).Items {
		c := it.(*value.Map)
		var b bytes.Buffer
		set := value.M(c.Str("option"), c.At("value"))
		conf := &Config{Opts: set, set: set, log: slog.New(lines{&b})}
		conf.validate()
		var want strings.Builder
		for _, w := range c.List("warnings").Items {
			if strings.HasPrefix(w.(string), "Unable to interpret type") {
				continue // Salt's own trouble with its table
			}
			want.WriteString(w.(string) + "\n")
		}
		if b.String() != want.String() {
			t.Errorf("%s: %s\ngot  %swant %s", c.Str("option"), value.Repr(c.At("value")), b.String(), want.String())
		}
	}
}

// A name of one letter is found at many places of the table.
func TestShortNames(t *testing.T) {
	for _, name := range []string{"e", "t", "r", "_", "er"} {
		if kindsFor(name) != nil {
			t.Errorf("%s is an option", name)
		}
	}
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// lines is a log handler that writes the bare messages.
type lines struct{ b *bytes.Buffer }

func (l lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (l lines) Handle(_ context.Context, r slog.Record) error {
	l.b.WriteString(r.Message + "\n")
	return nil
}
func (l lines) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l lines) WithGroup(string) slog.Handler      { return l }
