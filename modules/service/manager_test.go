package service

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/fstest"

	"pinch/salt"
	"pinch/value"
)

// Salt fails with a TypeError where runsvdir does not notice a new service, and
// leaves its link.
func TestRunitUnnoticed(t *testing.T) {
	m := &machine{t: t, tree: fstest.MapFS{
		"etc/service": file(value.M("dir", true)), "etc/sv/web/run": file(value.M("program", "#!/bin/sh\n")),
	}}
	for range 10 {
		m.ran = append(m.ran, value.M("cmd", "sv status /etc/service/web", "code", int64(1)))
	}
	before := m.files()
	c := &salt.Ctx{Context: context.Background(), Sys: m, Host: m, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler), Grains: value.M("init", "runit")}
	ok, err := enable(c, enableArgs{Name: "web"})
	if ok || err != nil || len(m.ran) > 0 || !value.Equal(m.files(), before) {
		t.Errorf("%t, %v, %d left, %s", ok, err, len(m.ran), value.Repr(m.files()))
	}
}

// Links that lead to the folder relatively are enabled services, too.
func TestRunitRelativeLink(t *testing.T) {
	m := &machine{t: t, tree: fstest.MapFS{
		"etc/service/web": file(value.M("link", "../sv/web")), "etc/sv/web/run": file(value.M("program", "#!/bin/sh\n")),
	}}
	r := runit{&salt.Ctx{Context: context.Background(), Sys: m, Run: salt.NewRun(), Grains: new(value.Map)}}
	off, err := r.listDisabled("")
	if err != nil || len(off) > 0 {
		t.Errorf("disabled: %v, %v", off, err)
	}
}

// Which manager a machine has.
func TestManagerOf(t *testing.T) {
	for _, tt := range []struct {
		os, init, path string
		want           manager
	}{
		{"Alpine", "unknown", "", openrc{}},
		{"Gentoo", "unknown", "", openrc{}},
		{"Gentoo", "systemd", "run/systemd/system/x", systemd{}},
		{"Artix", "unknown", "sbin/openrc-run", openrc{}},
		{"Debian", "unknown", "sbin/openrc-run", scripts{}},
		{"Debian", "unknown", "run/openrc/softlevel", openrc{}},
		{"Debian", "runit", "", runit{}},
		{"Void", "unknown", "", runit{}},
		{"Devuan", "sysvinit", "", scripts{}},
		{"Slackware", "unknown", "etc/init.d/x", scripts{}},
		{"Slackware", "unknown", "", nil},
	} {
		m := &machine{t: t, tree: fstest.MapFS{}}
		if tt.path != "" {
			m.tree[tt.path] = file("")
		}
		got := managerOf(&salt.Ctx{Sys: m, Grains: value.M("os", tt.os, "init", tt.init)})
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", tt.want) {
			t.Errorf("%s, %s, %s: %T, want %T", tt.os, tt.init, tt.path, got, tt.want)
		}
	}
}
