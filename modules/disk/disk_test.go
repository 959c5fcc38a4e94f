package disk

import (
	"context"
	"log/slog"
	"os"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const info = `25 1 8:1 / / rw - ext4 /dev/sda1 rw
26 25 0:22 / /proc rw - proc proc rw
27 25 8:1 /srv /mnt/bind rw - ext4 /dev/sda1 rw
28 25 0:30 / /run/a\040b rw shared:1 - tmpfs tmpfs rw
29 25 0:31 / /empty rw - cgroup2 cgroup2 rw
`

// machine has two file systems of known size.
type machine struct {
	sys.Sys
	salt.Host
}

func (machine) ReadFile(p string) ([]byte, error) {
	if p == "/proc/self/mountinfo" {
		return []byte(info), nil
	}
	return nil, os.ErrNotExist
}
func (machine) Statfs(p string) (sys.FileSystem, error) {
	switch p {
	case "/":
		return sys.FileSystem{FragmentSize: 4096, Blocks: 1000, BlocksFree: 300, BlocksAvailable: 250, Files: 500, FilesFree: 100}, nil
	case "/run/a b":
		return sys.FileSystem{FragmentSize: 512, Blocks: 3, BlocksFree: 2, BlocksAvailable: 2}, nil
	}
	return sys.FileSystem{FragmentSize: 4096}, nil
}
func (machine) Stat(p string) (os.FileInfo, error) {
	if p == "/folder" {
		return os.Stat("/")
	}
	return nil, os.ErrNotExist
}
func (machine) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	return value.M("/folder", value.M("available", int64(330), "total", int64(1000))), nil
}

func ctx() *salt.Ctx {
	return &salt.Ctx{Context: context.Background(), Sys: machine{}, Host: machine{}, Log: slog.New(slog.DiscardHandler)}
}

// The numbers are those of df -P and df -iP for such file systems.
func TestTables(t *testing.T) {
	m, _ := usage(ctx(), dfArgs{})
	if got := value.Repr(m); got != "{'/': {'filesystem': '/dev/sda1', '1K-blocks': '4000', 'used': '2800', 'available': '1000', 'capacity': '74%'}, '/run/a b': {'filesystem': 'tmpfs', '1K-blocks': '2', 'used': '1', 'available': '1', 'capacity': '34%'}}" {
		t.Error(got)
	}
	m, _ = inodeusage(ctx(), dfArgs{})
	if got := value.Repr(m); got != "{'/': {'inodes': '500', 'used': '400', 'free': '100', 'use': '80%', 'filesystem': '/dev/sda1'}, '/run/a b': {'inodes': '0', 'used': '0', 'free': '0', 'use': '-', 'filesystem': 'tmpfs'}}" {
		t.Error(got)
	}
	v, _ := percent(ctx(), percentArgs{"/"})
	if v != "74%" {
		t.Error(v)
	}
	if _, err := usage(ctx(), dfArgs{"z"}); err == nil || err.Error() != "Invalid flag passed to disk.usage" {
		t.Error(err)
	}
}

// Comments are Salt's own.
func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		kw   *value.Map
		want string
	}{
		{value.M("name", "/", "maximum", "90%", "minimum", int64(10)), "True Disk used space in acceptable range"},
		{value.M("name", "/", "maximum", "70%"), "False Disk used space is above maximum of 70 % at 74 %"},
		{value.M("name", "/", "minimum", "30%", "free", true), "False Disk available space is below minimum of 30 % at 26 %"},
		{value.M("name", "/", "maximum", "900 KB", "free", true, "absolute", true), "False Disk available space is above maximum of 900 KB at 1000 KB"},
		{value.M("name", "/", "maximum", "x"), "False maximum must be an integer "},
		{value.M("name", "/", "maximum", int64(101), "minimum", int64(102)), "False maximum must be in the range [0, 100] minimum must be in the range [0, 100] minimum must be less than maximum "},
		{value.M("name", "/nope"), "False Disk mount /nope not present. Directory /nope does not exist or is not a directory"},
		{value.M("name", "/folder", "maximum", int64(60)), "False Disk used space is above maximum of 60 % at 67.0 %"},
		{value.M("name", "/folder", "maximum", int64(70)), "True Disk used space in acceptable range"},
	} {
		v, err := Module.States()["status"].Call(ctx(), nil, tt.kw)
		if err != nil {
			t.Fatal(err)
		}
		r := v.(salt.Result).Map("")
		if got := value.Repr(r.At("result")) + " " + r.Str("comment"); got != tt.want || !r.Has("data") {
			t.Errorf("%s:\n got %s\nwant %s", value.Repr(tt.kw), got, tt.want)
		}
	}
}

// The results are Salt's for the same output.
func TestReaders(t *testing.T) {
	for _, tt := range []struct {
		got  any
		want string
	}{
		{parseBlkid("/dev/sda1: LABEL=\"a b\" UUID=\"12-34\" TYPE=\"vfat\"\n/dev/sdb: PTTYPE=\"gpt\"\n"), "{'/dev/sda1': {'LABEL': 'a b', 'UUID': '12-34', 'TYPE': 'vfat'}, '/dev/sdb': {'PTTYPE': 'gpt'}}"},
		{parameters("\n/dev/sda:\n multcount     = 16 (on)\n geometry      = 1/2/3, sectors = 4, start = 0\n APM_level is: off\n readonly = 0 (off)\n", "/dev/sda"), "{'multcount': [16, 'on'], 'geometry': [1, 2, 3, {'sectors': '4', 'start': '0'}], 'apm_level': 'off', 'readonly': [0, 'off']}"},
		{smart("x\nID# ATTRIBUTE_NAME VALUE RAW_VALUE\n  5 Reallocated 100 0\n194 Temp 30 30 0 1\n\n", func(int64) bool { return true }, func(s string) bool { return s != "value" }), "{5: {'attribute_name': 'Reallocated', 'raw_value': 0}, 194: {'attribute_name': 'Temp', 'raw_value': [30, 0, 1]}}"},
		{means("Linux\n\navg-cpu: %user %idle\n 1.00 99.00\n\nDevice r/s w/s\nsda 1.00 2.00\n\navg-cpu: %user %idle\n 2.00 98.00\n\nDevice r/s w/s\nsda 2.00 2.00\n"), "{'sys': {'%user': 1.5, '%idle': 98.5}, 'sda': {'r/s': 1.5, 'w/s': 2.0}}"},
	} {
		if got := value.Repr(tt.got); got != tt.want {
			t.Errorf("\n got %s\nwant %s", got, tt.want)
		}
	}
}

func FuzzReaders(f *testing.F) {
	f.Add(info)
	f.Add("/dev/sda1: LABEL=\"a\"\n")
	f.Add("avg-cpu: a\n1\nDevice r\nsda 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		chosen(text)
		parse(text)
		parseBlkid(text)
		parameters(text, "/dev/sda")
		means(text)
		smart(text, func(int64) bool { return true }, func(string) bool { return true })
	})
}
