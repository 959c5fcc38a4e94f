package timezone

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// box is a machine without systemd whose files lie in a folder.
type box struct {
	sys.Real
	root string
}

func (b box) at(p string) string {
	if strings.HasPrefix(p, b.root) {
		return p
	}
	return b.root + p
}
func (b box) ReadFile(p string) ([]byte, error)   { return b.Real.ReadFile(b.at(p)) }
func (b box) Stat(p string) (os.FileInfo, error)  { return b.Real.Stat(b.at(p)) }
func (b box) Lstat(p string) (os.FileInfo, error) { return b.Real.Lstat(b.at(p)) }
func (b box) Readlink(p string) (string, error)   { return b.Real.Readlink(b.at(p)) }
func (b box) Symlink(to, p string) error          { return b.Real.Symlink(to, b.at(p)) }
func (b box) Rename(from, to string) error        { return b.Real.Rename(b.at(from), b.at(to)) }
func (b box) Now() time.Time                      { return time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC) }

func machine(t *testing.T, files map[string]string) *salt.Ctx {
	root := t.TempDir()
	for p, text := range files {
		p = filepath.Join(root, p)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &salt.Ctx{Context: context.Background(), Sys: box{root: root}, Log: slog.New(slog.DiscardHandler), Run: salt.NewRun(), Grains: value.M("os_family", "Arch")}
}

// Two zones by hand: a TZif of version 1 with a single type.
func zone(name string, offset int32) string {
	b := make([]byte, 44)
	copy(b, "TZif")
	b[39], b[43] = 1, byte(len(name)+1)
	o := uint32(offset)
	b = append(b, byte(o>>24), byte(o>>16), byte(o>>8), byte(o), 0, 0)
	return string(append(append(b, name...), 0))
}

// Comments are Salt's own.
func TestSystem(t *testing.T) {
	t.Setenv("TZ", "")
	os.Unsetenv("TZ")
	files := map[string]string{zoneinfo + "Europe/Here": zone("HER", 3600), zoneinfo + "Etc/There": zone("THE", -9000), localtime: zone("HER", 3600)}
	for _, tt := range []struct {
		name string
		utc  bool
		test bool
		adj  string
		want string
	}{
		{"Europe/Here", true, false, "", "True {} Timezone Europe/Here already set, UTC already set to Europe/Here"},
		{"Europe/Here", false, false, "", "True {} Timezone Europe/Here already set"},
		{"Etc/There", true, true, "", "None {} Timezone Etc/There needs to be set"},
		{"Etc/There", true, true, "0.0 0 0\n0\nLOCAL\n", "None {} Timezone Etc/There needs to be set, UTC needs to be set to True"},
		{"Europe/Here", true, true, "0.0 0 0\n0\nLOCAL\n", "None {} UTC needs to be set to True"},
		{"Etc/There", true, false, "", "True {'timezone': 'Etc/There'} Set timezone Etc/There"},
		{"Mars/Base", true, true, "", `False {} Unable to compare desired timezone 'Mars/Base' to system timezone: Can't find a local timezone "Mars/Base"`},
	} {
		c := machine(t, files)
		if tt.adj != "" {
			if err := os.WriteFile(c.Sys.(box).root+adjtime, []byte(tt.adj), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c.Test = tt.test
		r := system(c, systemArgs{tt.name, tt.utc}).Map("")
		if got := value.Repr(r.At("result")) + " " + value.Repr(r.At("changes")) + " " + r.Str("comment"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if to, _ := c.Sys.Readlink(localtime); tt.test && to != "" {
			t.Error("test=True set the zone")
		} else if got, _ := getZone(c, salt.NoArgs{}); r.At("changes").(*value.Map).Len() > 0 && (to != zoneinfo+tt.name || got != tt.name) {
			t.Errorf("link to %q, zone %q", to, got)
		}
	}
}

func TestDate(t *testing.T) {
	os.Unsetenv("TZ")
	c := machine(t, map[string]string{localtime: zone("THE", -9000)})
	code, _ := getZonecode(c, salt.NoArgs{})
	offset, _ := getOffset(c, salt.NoArgs{})
	if code != "THE" || offset != "-0230" {
		t.Error(code, offset)
	}
}

func TestAdjusted(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "0.0 0 0\n0\nLOCAL\n",
		"0.1 1600000000 0.0\n160\nUTC": "0.1 1600000000 0.0\n160\nLOCAL\n",
	} {
		if got := adjusted(in, true); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestNoWayOut(t *testing.T) {
	for _, name := range []string{"../../../etc/passwd", "..", ""} {
		if got := zoneFile(name); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
