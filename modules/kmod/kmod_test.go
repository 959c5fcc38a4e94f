package kmod

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has a kernel, and commands that load and unload.
type machine struct {
	sys.Sys
	salt.Host
	files map[string]string
}

const saved = "/etc/modules-load.d/salt_managed.conf"

func (m *machine) ReadFile(p string) ([]byte, error) {
	text, ok := m.files[p]
	if !ok {
		return nil, &os.PathError{Op: "open", Path: p, Err: os.ErrNotExist}
	}
	return []byte(text), nil
}
func (m *machine) Replace(p string, _ sys.FileAttrs, write func(io.Writer) error) error {
	var b strings.Builder
	err := write(&b)
	m.files[p] = b.String()
	return err
}
func (m *machine) LookPath(name string) string { return "/sbin/" + name }
func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	command, mod, _ := strings.Cut(args[0].(string), " ")
	switch command {
	case "/sbin/modprobe":
		m.files["/proc/modules"] += mod + " 1 0 - Live 0x0\n" + mod + "_dep 1 1 " + mod + ", Live 0x0\n"
	case "/sbin/rmmod":
		if mod == "busy" {
			return value.M("retcode", int64(1), "stderr", "rmmod: ERROR: Module busy is in use by: x"), nil
		}
		var keep string
		for line := range strings.Lines(m.files["/proc/modules"]) {
			if !strings.HasPrefix(line, mod+" ") {
				keep += line
			}
		}
		m.files["/proc/modules"] = keep
	}
	return value.M("retcode", int64(0), "stderr", ""), nil
}

// Comments are Salt's own.
func TestStates(t *testing.T) {
	for _, tt := range []struct {
		fun  string
		kw   *value.Map
		test bool
		want string
		conf string
	}{
		{"present", value.M("name", "ext4"), false, "True {} Kernel module ext4 is already present", ""},
		{"present", value.M("name", "sit"), true, "None {} Kernel module sit is set to be loaded", ""},
		{"present", value.M("name", "x", "mods", value.L("ext4", "sit", "tun")), true, "None {} Kernel module ext4 is already present|Kernel modules sit, tun are set to be loaded", ""},
		{"present", value.M("name", "sit"), false, "True {'sit': 'loaded', 'sit_dep': 'loaded'} Loaded kernel module sit", ""},
		{"present", value.M("name", "x", "mods", value.L("sit", "sit_dep", "nope")), false, "False {'sit': 'loaded', 'sit_dep': 'loaded'} Kernel module nope is unavailable|Loaded kernel modules sit, sit_dep", ""},
		{"present", value.M("name", "sit", "persist", true), false, "True {'sit': 'loaded', 'sit_dep': 'loaded'} Loaded kernel module sit", "# keep\nloop\nsit\n"},
		{"present", value.M("name", "keep", "persist", true), false, "True {'keep': 'loaded', 'keep_dep': 'loaded'} Loaded kernel module keep", "keep\nloop\n"},
		{"absent", value.M("name", "sit"), false, "True {} Kernel module sit is already removed", ""},
		{"absent", value.M("name", "x", "mods", value.L("a", "b")), false, "True {} Kernel modules a, b are already removed", ""},
		{"absent", value.M("name", "ext4"), true, "None {} Kernel module ext4 is set to be removed", ""},
		{"absent", value.M("name", "ext4"), false, "True {'ext4': 'removed'} Removed kernel module ext4", ""},
		{"absent", value.M("name", "busy"), false, "False {} Failed to remove kernel module busy: Error removing module busy: rmmod: ERROR: Module busy is in use by: x", ""},
		{"absent", value.M("name", "loop", "persist", true), false, "True {'loop': 'removed'} Removed kernel module loop", "# keep\n#loop\n"},
		{"absent", value.M("name", "loop", "persist", true, "comment", false), false, "True {'loop': 'removed'} Removed kernel module loop", "# keep\n"},
	} {
		m := &machine{files: map[string]string{
			"/proc/modules":                  "ext4 987136 1 - Live 0x0\nmbcache 16384 1 ext4, Live 0x0\nbusy 1 0 - Live 0x0\n",
			"/proc/sys/kernel/osrelease":     "6.1.0\n",
			"/lib/modules/6.1.0/modules.dep": "kernel/net/sit.ko: kernel/net/sit-dep.ko\nkernel/net/sit-dep.ko.xz:\nkernel/tun.ko:\nkernel/keep.ko:\nkernel/loop.ko:\n",
			saved:                            "# keep\nloop\n",
		}}
		c := &salt.Ctx{Context: context.Background(), Sys: m, Host: m, Log: slog.New(slog.DiscardHandler), Grains: value.M("systemd", new(value.Map)), Test: tt.test}
		v, err := Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + strings.ReplaceAll(r.Str("comment"), "\n", "|"); got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
		if want := tt.conf; want != "" && m.files[saved] != want {
			t.Errorf("%s %s: %q", tt.fun, value.Repr(tt.kw), m.files[saved])
		}
	}
}

// The result is that of Salt's lsmod for the same modules.
func TestLsmod(t *testing.T) {
	m := &machine{files: map[string]string{"/proc/modules": "ext4 987136 1 - Live 0x0\nmbcache 16384 2 ext4,ext2, Live 0x0 (OE)\n"}}
	v, _ := lsmod(&salt.Ctx{Sys: m}, salt.NoArgs{})
	if got := value.Repr(v); got != "[{'size': '987136', 'module': 'ext4', 'depcount': '1', 'deps': []}, {'size': '16384', 'module': 'mbcache', 'depcount': '2', 'deps': ['ext4', 'ext2']}]" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("ext4 987136 1 - Live 0x0\nmbcache 16384 2 ext4,ext2, Live 0x0\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range parse(text) {
			if m.name == "" || m.size == "" || m.count == "" {
				t.Errorf("%q", text)
			}
		}
	})
}
