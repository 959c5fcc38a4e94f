package sysctl

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// kernel is a machine whose /proc/sys lies in a folder.
type kernel struct {
	sys.Sys
	root string
}

func (k kernel) at(p string) string {
	if strings.HasPrefix(p, "/proc/sys") {
		return k.root + p
	}
	return p
}
func (k kernel) ReadFile(p string) ([]byte, error)       { return k.Sys.ReadFile(k.at(p)) }
func (k kernel) Stat(p string) (os.FileInfo, error)      { return k.Sys.Stat(k.at(p)) }
func (k kernel) ReadDir(p string) ([]os.DirEntry, error) { return k.Sys.ReadDir(k.at(p)) }
func (k kernel) WriteAt(p string, b []byte, off int64) (int, error) {
	if err := k.Sys.Truncate(k.at(p), 0); err != nil {
		return 0, err
	}
	return k.Sys.WriteAt(k.at(p), b, off)
}

func machine(t *testing.T) *salt.Ctx {
	root := t.TempDir()
	for name, text := range map[string]string{"net/ipv4/tcp_rmem": "4096\t131072\t6291456\n", "vm/swappiness": "60\n", "net/ipv4/conf/eth0.5/forwarding": "0\n", "kernel/empty": "\n"} {
		p := filepath.Join(root, "proc/sys", name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &salt.Ctx{Context: context.Background(), Sys: kernel{sys.Real{}, root}, Log: slog.New(slog.DiscardHandler), Run: salt.NewRun()}
}

// Comments are Salt's own.
func TestPresent(t *testing.T) {
	const missing = "sysctl no.such does not exist"
	for _, tt := range []struct {
		file, name string
		value      any
		test       bool
		want       string
		after      string
	}{
		{"", "vm.swappiness", int64(20), true, "None {} Sysctl option vm.swappiness set to be changed to 20", ""},
		{"", "vm.swappiness", int64(60), true, "None {} Sysctl value is currently set on the running system but not in a config file. Sysctl option vm.swappiness set to be changed to 60 in config file.", ""},
		{"vm.swappiness=60\n", "vm.swappiness", int64(60), true, "True {} Sysctl value vm.swappiness = 60 is already set", ""},
		{"vm.swappiness=60\n", "vm.swappiness", int64(10), true, "None {} Sysctl option vm.swappiness would be changed to 10", ""},
		{"kernel.empty=60\n", "kernel.empty", int64(10), true, "None {} Sysctl value kernel.empty is present in configuration file but is not present in the running config. The value kernel.empty is set to be changed to 10", ""},
		{"", "vm.swappiness", int64(20), false, "True {'vm.swappiness': 20} Updated sysctl value vm.swappiness = 20", "vm.swappiness = 20\n"},
		{"# x = 1\nvm.swappiness=60", "vm.swappiness", int64(60), false, "True {} Sysctl value vm.swappiness = 60 is already set", "# x = 1\nvm.swappiness=60"},
		{"a=1\nvm.swappiness=30\nb=2\n", "vm.swappiness", "30", false, "True {'vm.swappiness': '30'} Updated sysctl value vm.swappiness = 30", "a=1\nvm.swappiness=30\nb=2\n"},
		{"a=1\nvm.swappiness=30\nb=2", "vm.swappiness", int64(1), false, "True {'vm.swappiness': 1} Updated sysctl value vm.swappiness = 1", "a=1\nvm.swappiness = 1\nb=2"},
		{"a=1", "vm.swappiness", int64(1), false, "True {'vm.swappiness': 1} Updated sysctl value vm.swappiness = 1", "a=1\nvm.swappiness = 1\n"},
		{"net.ipv4.tcp_rmem = 4096 131072 6291456\n", "net.ipv4.tcp_rmem", "4096  131072 6291456", false, "True {} Sysctl value net.ipv4.tcp_rmem = 4096  131072 6291456 is already set", ""},
		{"", "net.ipv4.conf.eth0/5.forwarding", int64(1), false, "True {'net.ipv4.conf.eth0/5.forwarding': 1} Updated sysctl value net.ipv4.conf.eth0/5.forwarding = 1", ""},
		{"", "no.such", int64(1), false, "False {} Failed to set no.such to 1: " + missing, "no.such = 1\n"},
	} {
		c := machine(t)
		config := filepath.Join(t.TempDir(), "d/99.conf")
		if tt.file != "" {
			if err := sys.MkdirAll(c.Sys, filepath.Dir(config), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(config, []byte(tt.file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c.Test = tt.test
		v, err := Module.States()["present"].Call(c, nil, value.M("name", tt.name, "value", tt.value, "config", config))
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		b, _ := os.ReadFile(config)
		if got := strings.TrimPrefix(string(b), header); tt.after != "" && got != tt.after {
			t.Errorf("%s: file %q, want %q", tt.name, got, tt.after)
		}
		if tt.test && string(b) != tt.file {
			t.Error("test=True wrote the file")
		}
	}
}

func TestShow(t *testing.T) {
	c := machine(t)
	v, _ := show(c, showArgs{false})
	want := `{'kernel.empty': '', 'net.ipv4.conf.eth0/5.forwarding': '0', 'net.ipv4.tcp_rmem': '4096\t131072\t6291456', 'vm.swappiness': '60'}`
	if got := value.Repr(v); got != want {
		t.Errorf("%s", got)
	}
	if v, _ := show(c, showArgs{"/no/such"}); value.Repr(v) != "[]" {
		t.Error(value.Repr(v))
	}
	if text, _ := get(c, getArgs{"no.such"}); text != "sysctl: cannot stat /proc/sys/no/such: No such file or directory" || c.Run.Retcode() != 1 {
		t.Error(text)
	}
}

// A parameter that was set reads back, and setting it again changes nothing.
func FuzzWith(f *testing.F) {
	f.Add("# c\na = 1\nb=2", "a", "3")
	f.Add("a=1\na = 3\n", "a", "3 4")
	f.Fuzz(func(t *testing.T, text, name, val string) {
		if name != strings.TrimSpace(name) || name == "" || strings.ContainsAny(name, "=#\n\r") || val != strings.TrimSpace(val) || strings.ContainsAny(val, "\n\r") {
			return
		}
		out, _ := with(text, name, val)
		if got := parse(out).At(name); got == nil || !same(got.(string), val) && !strings.Contains(text, name) {
			t.Errorf("%q: %v", out, got)
		}
		if _, kept := with(out, name, val); !kept {
			t.Errorf("%q", out)
		}
	})
}
