package logging

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

// TestFormat compares lines with those of Python's logging with Salt's levels
// and record class.
func TestFormat(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 89_012_345, time.Local)
	for _, c := range []struct {
		format string
		level  slog.Level
		want   string
	}{
		{ConsoleFormat, slog.LevelInfo, "[INFO    ] hi"},
		{ConsoleFormat, slog.LevelWarn, "[WARNING ] hi"},
		{ConsoleFormat, Critical, "[CRITICAL] hi"},
		{ConsoleFormat, Profile, "[PROFILE ] hi"},
		{ConsoleFormat, Garbage, "[GARBAGE ] hi"},
		{"%(asctime)s,%(msecs)03d [%(name)-17s][%(levelname)-8s] %(message)s", slog.LevelError, "2026-03-04 05:06:07,089 [salt.state       ][ERROR   ] hi"},
		{"%(levelno)s %(levelno)5d %(levelname)s%% %(levelname).2s|%(levelname)9s|", slog.LevelDebug, "10    10 DEBUG% DE|    DEBUG|"},
		{"%(bracketlevel)s%(bracketname)s", slog.LevelInfo, "[INFO    ][salt.state       ]"},
		{"%(colorlevel)s %(colormsg)s", slog.LevelWarn, "\x1b[0;1;33m[WARNING ]\x1b[0;0m \x1b[0;33mhi\x1b[0;0m"},
		{"%(colorname)s", slog.LevelWarn, "\x1b[0;1;32m[salt.state       ]\x1b[0;0m"},
		{"%(msecs)d %(msecs).3f", slog.LevelWarn, "89 89.012"},
	} {
		f, err := ParseFormat(c.format, FileDate)
		if err != nil {
			t.Fatal(err)
		}
		r := record{Record: slog.NewRecord(at, c.level, "hi", 0), message: "hi", logger: "salt.state"}
		if got := string(f.append(nil, &r)); got != c.want+"\n" {
			t.Errorf("%s: got %q, want %q", c.format, got, c.want)
		}
	}
	for _, bad := range []string{"%x", "%(message)", "%(nothing)s", "%(message", "%(message)z"} {
		if _, err := ParseFormat(bad, ""); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestLevels(t *testing.T) {
	for _, name := range Names() {
		if l, ok := ParseLevel(strings.ToUpper(name)); !ok || row(l).name != name && name != "all" {
			t.Errorf("%s: %v %v", name, l, ok)
		}
	}
	var b bytes.Buffer
	New(&b, Quiet, false).Log(context.Background(), Quiet, "nothing")
	New(&b, slog.LevelWarn, false).Info("nothing")
	if b.Len() > 0 {
		t.Errorf("got %q", b.String())
	}
	if _, ok := ParseLevel("loud"); ok {
		t.Error("loud is a level")
	}
}

func TestAttributes(t *testing.T) {
	var b bytes.Buffer
	l := New(&b, All, false).With("logger", "x", "a", 1)
	l.Info("m", "b", "c d", slog.Group("g", "k", true))
	l.WithGroup("h").Info("n", "b", 2)
	if want := "[INFO    ] m a=1 b=c d g.k=true\n[INFO    ] n a=1 h.b=2\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestSetup(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "log", "minion")
	var b bytes.Buffer
	d := NewDeferred()
	slog.New(d).Debug("early")
	h, c, err := Setup(value.M("log_level", "error", "log_level_logfile", "debug", "log_file", file, "log_fmt_logfile", "%(levelname)s %(message)s",
		"log_granular_levels", value.M("salt.x", "error")), &b, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file was made before there was a line for it")
	}
	d.Flush(h)
	log := slog.New(h)
	log.Info("one")
	log.Error("two")
	log.With("logger", "salt.x.y").Warn("three")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	if string(text) != "DEBUG early\nINFO one\nERROR two\n" || b.String() != "# [ERROR   ] two\n" {
		t.Errorf("file %q, console %q", text, b.String())
	}
	if info, _ := os.Stat(file); info.Mode().Perm()&0o037 != 0 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestUnwritable(t *testing.T) {
	var b bytes.Buffer
	file := filepath.Join(t.TempDir(), "f")
	os.WriteFile(file, nil, 0o644)
	h, _, err := Setup(value.M("log_file", filepath.Join(file, "x")), &b, false)
	if err != nil {
		t.Fatal(err)
	}
	slog.New(h).Error("one")
	slog.New(h).Error("two")
	if n := strings.Count(b.String(), "cannot be written"); n != 1 || strings.Count(b.String(), "[ERROR   ]") != 2 {
		t.Errorf("got %q", b.String())
	}
}

func TestSyslog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dev")
	conn, err := net.ListenPacket("unixgram", path)
	if err != nil {
		t.Skip(err)
	}
	defer conn.Close()
	h, c, err := Setup(value.M("log_level", "quiet", "log_level_logfile", "info", "log_file", "file://"+path+"/LOG_DAEMON", "log_fmt_logfile", "%(message)s"), os.Stderr, false)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	slog.New(h).Warn("hello")
	buf := make([]byte, 99)
	conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	n, _, err := conn.ReadFrom(buf)
	if err != nil || string(buf[:n]) != "<28>hello\x00" {
		t.Errorf("got %q, %v", buf[:n], err)
	}
	if _, _, err := Setup(value.M("log_file", "udp://h/LOG_NOTHING"), os.Stderr, false); err == nil {
		t.Error("an unknown facility was accepted")
	}
}

func FuzzParseFormat(f *testing.F) {
	f.Add(FileFormat)
	f.Add("%(msecs)+#05.3f%%%(name)x")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseFormat(s, ConsoleDate)
		if err != nil {
			return
		}
		p.append(nil, &record{Record: slog.NewRecord(time.Time{}, 0, "m", 0), message: "m"})
	})
}
