package service

import (
	"context"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pinch/salt"
	"pinch/sys"
)

type units = sys.Units

// booting is a machine that systemd runs: what is enabled and disabled on it.
type booting struct {
	*machine
	units
	code int
	log  []string
}

func (b *booting) Units() sys.Units { return b }
func (b *booting) Close()           {}

func (b *booting) Property(_ context.Context, _, _, name string) (any, error) {
	switch name {
	case "NeedDaemonReload":
		return false, nil
	case "LoadState":
		return "loaded", nil
	}
	return "inactive", nil
}

func (b *booting) Enable(_ context.Context, unit string) error {
	b.log = append(b.log, "enable "+unit)
	return nil
}

func (b *booting) Disable(_ context.Context, unit string) error {
	b.log = append(b.log, "disable "+unit)
	return nil
}

func (b *booting) Reload(context.Context) error {
	b.log = append(b.log, "reload")
	return nil
}

func (b *booting) Run(_ context.Context, cmd sys.Cmd) (sys.CmdResult, error) {
	b.log = append(b.log, strings.Join(cmd.Argv, " "))
	return sys.CmdResult{Code: b.code}, nil
}

// A unit with an init script of its name is enabled and disabled with it, the
// script first, as systemctl 252 does; a script that fails ends it.
func TestUnitWithScript(t *testing.T) {
	const tool = "lib/systemd/systemd-sysv-install"
	unit := &fstest.MapFile{}
	script := &fstest.MapFile{Mode: 0o755}
	for _, tt := range []struct {
		name, files string
		code        int
		on, off     []string
		ok          bool
	}{
		{"a", "unit script tool", 0, []string{"/" + tool + " enable a", "enable a.service"}, []string{"/" + tool + " disable a", "disable a.service"}, true},
		{"a.service", "unit script tool", 0, []string{"/" + tool + " enable a", "enable a.service"}, []string{"/" + tool + " disable a", "disable a.service"}, true},
		{"a", "unit script tool", 1, []string{"/" + tool + " enable a"}, []string{"/" + tool + " disable a"}, false},
		{"a.service", "script tool", 0, []string{"/" + tool + " enable a", "reload"}, []string{"/" + tool + " disable a", "reload"}, true},
		{"a", "unit script", 0, []string{"enable a.service"}, []string{"disable a.service"}, true},
		{"a", "unit tool", 0, []string{"enable a.service"}, []string{"disable a.service"}, true},
		{"a.timer", "unit script tool", 0, []string{"enable a.timer"}, []string{"disable a.timer"}, true},
	} {
		tree := fstest.MapFS{"run/systemd/system": &fstest.MapFile{Mode: fs.ModeDir}}
		for file := range strings.FieldsSeq(tt.files) {
			switch file {
			case "unit":
				tree["lib/systemd/system/a.service"] = unit
			case "script":
				tree["etc/init.d/a"] = script
			case "tool":
				tree[tool] = script
			}
		}
		b := &booting{machine: &machine{t: t, tree: tree}, code: tt.code}
		c := &salt.Ctx{Context: context.Background(), Sys: b, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler)}
		ok, err := systemd{c}.enable(tt.name, options{})
		if err != nil || ok != tt.ok || !slices.Equal(b.log, tt.on) {
			t.Errorf("enable %s with %s: %v %v, runs %q", tt.name, tt.files, ok, err, b.log)
		}
		b.log = nil
		ok, err = systemd{c}.disable(tt.name, options{})
		if err != nil || ok != tt.ok || !slices.Equal(b.log, tt.off) {
			t.Errorf("disable %s with %s: %v %v, runs %q", tt.name, tt.files, ok, err, b.log)
		}
	}
}
