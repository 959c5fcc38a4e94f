package mount

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// machine has files, and commands that mount and unmount.
type machine struct {
	sys.Sys
	salt.Host
	files map[string]string
	ran   []string
}

const (
	info  = "/proc/self/mountinfo"
	plain = "/proc/self/mounts"
	dirs  = "/ /mnt /mnt/t /mnt/b /srv /srv/data /mnt/x "
)

func (m *machine) ReadFile(p string) ([]byte, error) {
	text, ok := m.files[p]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}
func (m *machine) Replace(p string, _ sys.FileAttrs, write func(io.Writer) error) error {
	var b strings.Builder
	err := write(&b)
	m.files[p] = b.String()
	return err
}
func (m *machine) Stat(p string) (fs.FileInfo, error) {
	if _, ok := m.files[p]; ok {
		return os.Stat("/proc/self/status") // some file
	}
	if strings.Contains(dirs, " "+p+" ") {
		return os.Stat("/")
	}
	return nil, fs.ErrNotExist
}
func (m *machine) EvalSymlinks(p string) (string, error) {
	if _, err := m.Stat(p); err != nil && p != "/" {
		return "", err
	}
	return p, nil
}
func (m *machine) ReadDir(p string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }
func (m *machine) Readlink(p string) (string, error)       { return "", fs.ErrInvalid }
func (m *machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	words := options(args[0])
	if len(words) == 1 { // a list came as such
		words = strings.Fields(words[0])
	}
	m.ran = append(m.ran, strings.Join(words, " "))
	point := words[len(words)-1]
	switch {
	case words[0] == "mount" && point == "/mnt/x":
		return value.M("retcode", int64(32), "stderr", "mount: /mnt/x: special device y does not exist."), nil
	case words[0] == "mount" && !strings.Contains(m.files[plain], " "+point+" "):
		m.files[info] += "9 1 0:9 / " + point + " rw,noexec - tmpfs tmpfs rw\n"
		m.files[plain] += "tmpfs " + point + " tmpfs rw,noexec 0 0\n"
	case words[0] == "umount":
		for _, p := range []string{info, plain} {
			var keep string
			for line := range strings.Lines(m.files[p]) {
				if !strings.Contains(line, " "+point+" ") {
					keep += line
				}
			}
			m.files[p] = keep
		}
	}
	return value.M("retcode", int64(0), "stderr", ""), nil
}

// Comments and changes are Salt's own.
func TestStates(t *testing.T) {
	kv := func(kv ...any) *value.Map { return value.M(kv...) }
	tmp := func(more ...any) *value.Map {
		m := kv("name", "/mnt/t", "device", "tmpfs", "fstype", "tmpfs", "opts", "noexec")
		m.Update(kv(more...))
		return m
	}
	const root = "1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
	const t9 = "9 1 0:9 / /mnt/t rw,noexec - tmpfs tmpfs rw\n"
	const line = "tmpfs\t\t/mnt/t\ttmpfs\tnoexec\t0 0\n"
	for _, tt := range []struct {
		fun    string
		mounts string
		fstab  string
		kw     *value.Map
		test   bool
		want   string
		after  string
	}{
		{"mounted", "", "", tmp("name", ""), false, "False {} Must provide name to mount.mounted", ""},
		{"mounted", "", "", tmp("device", ""), false, "False {} Must provide device to mount.mounted", ""},
		{"mounted", "", "", tmp(), true, "None {} /mnt/t would be mounted", ""},
		{"mounted", "", "", tmp("name", "/mnt/new"), true, "None {} /mnt/new does not exist and would not be created", ""},
		{"mounted", "", "", tmp("name", "/mnt/new", "mkmnt", true), true, "None {} /mnt/new would be created and mounted", ""},
		{"mounted", "", "", tmp("name", "/mnt/new", "mount", false), true, "None {} /mnt/new does not exist and would neither be created nor mounted. /mnt/new needs to be written to the fstab in order to be made persistent.", ""},
		{"mounted", "", "", tmp("name", "/mnt/new"), false, "False {} Mount directory is not present", ""},
		{"mounted", "", "# c", tmp(), false, "True {'mount': True, 'persist': 'new'} Target was successfully mounted. Added new entry to the fstab.", "# c\n" + line},
		{"mounted", t9, line, tmp(), false, "True {} Target was already mounted. Entry already exists in the fstab.", line},
		{"mounted", t9, line, tmp("persist", false), false, "True {} Target was already mounted", line},
		{"mounted", t9, "", tmp(), true, "None {} Target was already mounted. /mnt/t is mounted, but needs to be written to the fstab in order to be made persistent.", ""},
		{"mounted", t9, "tmpfs /mnt/t tmpfs defaults\n", tmp(), true, "None {} Target was already mounted. /mnt/t is mounted, but its fstab entry must be updated.", ""},
		{"mounted", t9, "tmpfs /mnt/t tmpfs defaults\n", tmp(), false, "True {'persist': 'update'} Target was already mounted. Updated the entry in the fstab.", line},
		{"mounted", t9, line, tmp("opts", value.L("noexec", "nodev", "ro")), true, "None {} Remount would be forced because options (nodev,ro) changed", line},
		{"mounted", t9, line, tmp("opts", value.L("noexec", "nodev", "ro"), "persist", false), false, "True {'umount': 'Forced remount because options (nodev,ro) changed'} Target was already mounted", line},
		{"mounted", t9, line, tmp("opts", "noexec,secret=x,_netdev", "extra_mount_invisible_keys", value.L("secret"), "persist", false), true, "True {} Target was already mounted", line},
		{"mounted", t9, line, tmp("device", "other"), true, "None {} An umount would have been forced because devices do not match.  Watched: other. /mnt/t is mounted, but its fstab entry must be updated.", ""},
		{"mounted", t9, line, tmp("device", "other", "device_name_regex", value.L("tmp.s"), "persist", false), false, "True {} An umount will not be forced because device matched device_name_regex: tmpfs", ""},
		{"mounted", t9, line, tmp("device", "other", "persist", false), false, "True {'umount': \"Forced unmount because devices don't match. Wanted: other, current: tmpfs, /tmpfs\", 'mount': True} Target was successfully mounted", ""},
		{"mounted", "", "", tmp("name", "/mnt/x"), false, "False {} mount: /mnt/x: special device y does not exist.", ""},
		{"mounted", "8 1 8:1 /srv/data /mnt/b rw,relatime - ext4 /dev/sda1 rw\n", "/srv/data /mnt/b none bind 0 0\n", kv("name", "/mnt/b", "device", "/srv/data", "fstype", "none", "opts", "bind", "bind_mount_copy_active_opts", false), false, "True {} Target was already mounted. Entry already exists in the fstab.", ""},
		{"unmounted", "", line, kv("name", "/mnt/t"), false, "True {} Target was already unmounted", line},
		{"unmounted", t9, line, kv("name", "/mnt/t"), true, "None {} Mount point /mnt/t is mounted but should not be", line},
		{"unmounted", t9, line, kv("name", "/mnt/t", "persist", true), false, "True {'umount': True, 'persist': 'purged'} Target was successfully unmounted. Removed target from fstab", "!"},
		{"unmounted", "", line, kv("name", "/mnt/t", "persist", true, "device", "x"), false, "True {} Target was already unmounted. fstab entry for device x not found", line},
		{"unmounted", "", line, kv("name", "/mnt/t", "persist", true), true, "None {} Mount point /mnt/t is unmounted but needs to be purged from /etc/fstab to be made persistent", line},
		{"fstab_present", "", "", kv("name", "/dev/a", "fs_file", "/mnt/t/", "fs_vfstype", "ext4"), true, "None {} /mnt/t entry will be written in /etc/fstab.|Will mount /dev/a on /mnt/t", ""},
		{"fstab_present", "", "", kv("name", "/dev/a", "fs_file", "/mnt/t/", "fs_vfstype", "ext4"), false, "True {'persist': 'new'} /mnt/t entry added in /etc/fstab.|Mounted /dev/a on /mnt/t", "/dev/a\t\t/mnt/t\text4\tdefaults\t0 0\n"},
		{"fstab_present", "", "", kv("name", "/dev/a", "fs_file", "/mnt/x", "fs_vfstype", "ext4"), false, "False {'persist': 'new'} /mnt/x entry added in /etc/fstab.|Error while mounting  /mnt/x: special device y does not exist.", ""},
		{"fstab_present", "", "/dev/a /mnt/t ext4 ro\n", kv("name", "/dev/a", "fs_file", "/mnt/t", "fs_vfstype", "ext4", "not_change", true), false, "True {} /mnt/t entry was already in /etc/fstab.", "/dev/a /mnt/t ext4 ro\n"},
		{"fstab_present", "", "/dev/a /mnt/t ext4 ro\n", kv("name", "/dev/a", "fs_file", "/mnt/t", "fs_vfstype", "ext4"), false, "True {'persist': 'change'} /mnt/t entry updated in /etc/fstab.", "/dev/a\t\t/mnt/t\text4\tdefaults\t0 0\n"},
		{"fstab_absent", "", "", kv("name", "/dev/a", "fs_file", "/mnt/t"), true, "None {} /mnt/t entry is already missing in /etc/fstab.", ""},
		{"fstab_absent", "", line, kv("name", "tmpfs", "fs_file", "/mnt/t"), true, "None {} /mnt/t entry will be removed from /etc/fstab.", line},
		{"fstab_absent", "", "#c\n" + line, kv("name", "tmpfs", "fs_file", "/mnt/t"), false, "True {'persist': 'removed'} /mnt/t entry removed from /etc/fstab.", "#c\n"},
		{"swap", "", "", kv("name", "/swap"), true, "None {} Swap /swap is set to be activated", ""},
		{"swap", "", "", kv("name", "/on"), true, "None {} Swap /on is set to be added to the fstab and to be activated", ""},
		{"swap", "", "", kv("name", "/on"), false, "True {'persist': 'new'} Swap /on already active. Added new entry to the fstab.", "/on\t\tnone\tswap\tdefaults\t0 0\n"},
		{"swap", "", "/on none swap defaults 0 0\n", kv("name", "/on"), false, "True {} Swap /on already active", ""},
		{"swap", "", "", kv("name", "/swap", "persist", false), false, "False {} Swap /swap failed to activate", ""},
	} {
		m := &machine{files: map[string]string{info: root + tt.mounts, plain: "/dev/sda1 / ext4 rw 0 0\n", "/etc/fstab": tt.fstab, "/proc/swaps": "Filename Type Size Used Priority\n/on file 10 0 -2\n"}}
		if tt.mounts == t9 {
			m.files[plain] += "tmpfs /mnt/t tmpfs rw,noexec 0 0\n"
		}
		c := &salt.Ctx{Context: context.Background(), Sys: m, Host: m, Log: slog.New(slog.DiscardHandler), Opts: value.M("cachedir", "/cache"), Test: tt.test}
		v, err := Module.States()[tt.fun].Call(c, nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + strings.ReplaceAll(r.Str("comment"), "\n", "|")
		if i := strings.Index(got, ", current: tmpfs, "); i > 0 { // a path that depends on the folder of the test
			got = got[:i] + ", current: tmpfs, /tmpfs" + got[strings.Index(got, "tmpfs\", 'mount'")+5:]
		}
		if got != tt.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.fun, value.Repr(tt.kw), got, tt.want)
		}
		if want := strings.TrimPrefix(tt.after, "!"); tt.after != "" && m.files["/etc/fstab"] != want {
			t.Errorf("%s %s: fstab %q", tt.fun, value.Repr(tt.kw), m.files["/etc/fstab"])
		}
		if tt.test && (m.files["/etc/fstab"] != tt.fstab || len(m.ran) > 0) {
			t.Errorf("%s %s: test=True changed something: %v", tt.fun, value.Repr(tt.kw), m.ran)
		}
	}
}

func TestMountinfo(t *testing.T) {
	tab := parseMountinfo("25 30 0:23 / /mnt/a\\040b rw,nosuid shared:7 master:1 - proc proc rw,size=1g\n36 25 0:1 / /x ro - tmpfs  ro\nbroken\n")
	p := tab.at("/mnt/a b")
	if p == nil || p.fstype != "proc" || p.device != "proc" || p.superopts[1] != "size=1g" || p.opts[1] != "nosuid" || p.major != "0" || p.minor != "23" {
		t.Errorf("%+v", p)
	}
	if p := tab.at("/x"); p == nil || p.device != "" || p.superopts[0] != "ro" {
		t.Errorf("%+v", p)
	}
	if got, ok := kilobytes("size=2m"); got != "size=2048k" || !ok {
		t.Error(got)
	}
	if got := unescape(`my\x20disk\x`); got != `my disk\x` {
		t.Error(got)
	}
}

func TestCache(t *testing.T) {
	m := &machine{files: map[string]string{}}
	c := &salt.Ctx{Sys: m, Opts: value.M("cachedir", "/cache"), Log: slog.New(slog.DiscardHandler)}
	if _, err := writeMountCache(c, writeMountCacheArgs{"/mnt/t", "tmpfs", false, "tmpfs", value.L("noexec")}); err != nil {
		t.Fatal(err)
	}
	// As Salt writes it.
	if got := m.files["/cache/mounts"]; got != "mounts:\n  /mnt/t:\n    device: tmpfs\n    fstype: tmpfs\n    mkmnt: false\n    opts: [noexec]\n" {
		t.Errorf("%q", got)
	}
	if ok, err := deleteMountCache(c, deleteMountCacheArgs{"/mnt/t"}); err != nil || !ok || m.files["/cache/mounts"] != "mounts: {}\n" {
		t.Errorf("%q", m.files["/cache/mounts"])
	}
}

// Setting an entry twice changes nothing the second time, and no other line.
func FuzzFstab(f *testing.F) {
	f.Add("# c\n/dev/sda1 / ext4 errors=remount-ro 0 1\nUUID=ab /home xfs a,b 0 2\n", "/home", "UUID=ab")
	f.Fuzz(func(t *testing.T, text, name, device string) {
		if len(strings.Fields(name)) != 1 || len(strings.Fields(device)) != 1 || strings.TrimSpace(name) != name || strings.TrimSpace(device) != device || strings.HasPrefix(device, "#") {
			return
		}
		e := entry{"name": name, "device": device, "fstype": "xfs", "opts": "a,b", "dump": "0", "pass_num": "0"}
		want := entry{"name": name}
		out, answer := fstabFormat.with(text, e, want, false)
		if again, second := fstabFormat.with(out, e, want, false); answer != "present" && (second != "present" || again != out) {
			t.Errorf("%s: %q\n%s: %q", answer, out, second, again)
		}
		if kept := strings.Count(out, "\n#") < strings.Count(text, "\n#"); kept {
			t.Errorf("%q\n%q", text, out)
		}
	})
}

func FuzzMountinfo(f *testing.F) {
	f.Add("25 30 0:23 / /proc rw,nosuid shared:7 - proc proc rw\n")
	f.Fuzz(func(t *testing.T, text string) {
		for path, p := range parseMountinfo(text).points {
			if path == "" || len(p.opts) == 0 {
				t.Errorf("%q", text)
			}
		}
		parseMounts(text)
	})
}
