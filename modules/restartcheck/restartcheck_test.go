package restartcheck

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// host is a machine whose files are in a map.
type host struct {
	sys.Sys
	salt.Host
	files fstest.MapFS
}

func (h host) name(p string) string                    { return strings.TrimPrefix(p, "/") }
func (h host) ReadFile(p string) ([]byte, error)       { return h.files.ReadFile(h.name(p)) }
func (h host) ReadDir(p string) ([]fs.DirEntry, error) { return h.files.ReadDir(h.name(p)) }
func (h host) Stat(p string) (fs.FileInfo, error)      { return h.files.Stat(h.name(p)) }
func (h host) Now() time.Time                          { return time.Unix(0, 0) }
func (h host) Readlink(p string) (string, error) {
	if p == "/proc/20/exe" {
		return "/usr/bin/app", nil
	}
	return "/usr/sbin/nginx", nil
}

func (h host) Run(_ context.Context, cmd sys.Cmd) (sys.CmdResult, error) {
	out := ""
	if cmd.Argv[len(cmd.Argv)-1] == "nginx-core" {
		out = "/usr/sbin/nginx\n/usr/lib/systemd/system/nginx.service\n/usr/lib/systemd/system/once.service\n"
	}
	return sys.CmdResult{Stdout: []byte(out)}, nil
}

func (h host) CallFunc(_ *salt.Ctx, fun string, args []any, _ *value.Map) (any, error) {
	switch fun {
	case "pkg.list_pkgs":
		return value.M("linux-image-6.1.0-40-amd64", "6.1.153-1", "linux-image-amd64", "6.1.153-1", "vim", "9"), nil
	case "service.get_running":
		return value.L("nginx", "dbus"), nil
	case "service.show":
		if args[0] == "nginx" {
			return value.M("ExecMainPID", "10"), nil
		}
		return value.M("ExecMainPID", "0"), nil
	case "pkg.owner":
		if args[0] == "/usr/sbin/nginx" {
			return "nginx-core", nil
		}
		return "", nil
	case "service.available":
		return false, nil
	}
	return nil, os.ErrNotExist
}

const maps = "7f00-7f01 r-xp 00000000 08:01 42 /usr/lib/libssl.so.3 (deleted)\n" +
	"7f01-7f02 r--p 00000000 08:01 42 /usr/lib/libssl.so.3 (deleted)\n" +
	"7f02-7f03 rw-s 00000000 00:01 43 /dev/zero (deleted)\n" +
	"7f03-7f04 rw-s 00000000 00:01 44 /tmp/x (deleted)\n" +
	"7f04-7f05 r-xp 00000000 08:01 45 /usr/lib/libc.so.6\n7f05-7f06 rw-p 00000000 00:00 0 \n"

// The texts are those of Salt's module.
func TestRestartcheck(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	h := host{files: fstest.MapFS{
		"proc/10/maps": file(maps), "proc/10/comm": file("nginx\n"), "proc/20/maps": file(maps), "proc/20/comm": file("app\n"), "proc/30/maps": file("7f04-7f05 r-xp 0 08:01 45 /usr/lib/libc.so.6\n"),
		"proc/sys/kernel/osrelease": file("6.1.0-39-amd64\n"), "proc/sys/kernel/version": file("#1 SMP PREEMPT_DYNAMIC Debian 6.1.148-1 (2025-08-26)\n"),
		"usr/lib/systemd/system/nginx.service": file("[Service]\nType=forking\n"), "usr/lib/systemd/system/once.service": file("[Service]\nType=oneshot\n"),
	}}
	c := &salt.Ctx{Context: context.Background(), Sys: h, Host: h, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler), Grains: value.M("os_family", "Debian", "os", "Debian")}
	for _, tt := range []struct {
		kw   *value.Map
		want string
	}{
		{value.M("verbose", false), "['nginx-core', 'app', 'System restart required.']"},
		{value.M("verbose", false, "ignorelist", "nginx-core", "excludepid", value.L(int64(20))), "['System restart required.']"},
		{value.M("verbose", false, "blacklist", value.L("/usr/lib/libssl.so.3")), "['System restart required.']"},
		{new(value.Map), `'System restart required.\n\nFound 2 processes using old versions of upgraded files.\nThese are the packages:\n` +
			`Of these, 1 seem to contain systemd service definitions or init scripts which can be used to restart them:\n` +
			`nginx-core:\n\t10 /usr/sbin/nginx (file: /usr/lib/libssl.so.3)\n\n\nThese are the systemd services:\nsystemctl restart nginx.service` +
			`\n\nThese processes 1 do not seem to have an associated init script to restart them:\napp:\n\t20 /usr/bin/app (file: /usr/lib/libssl.so.3)\n'`},
	} {
		got, err := Module.Exec()["restartcheck"].Call(c, nil, tt.kw)
		if err != nil || value.Repr(got) != tt.want {
			t.Errorf("%s\n got %s, %v\nwant %s", value.Repr(tt.kw), value.Repr(got), err, tt.want)
		}
	}
	c.Grains = value.M("os_family", "Arch")
	if got, err := Module.Exec()["restartcheck"].Call(c, nil, new(value.Map)); err != nil || got.(*value.Map).At("result") != false {
		t.Error(value.Repr(got), err)
	}
}
