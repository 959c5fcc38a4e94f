package mysqldb

import (
	"io/fs"
	"maps"
	"testing"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

func TestDefaults(t *testing.T) {
	text := "# c\n[client]\nhost = db1\nuser=debian-sys-maint\npassword = \"p=w\"\nsocket   = /run/x.sock\n[mysqld]\nuser = mysql\n[mine]\ndefault_character_set = utf8mb4\n"
	want := map[string]string{"host": "db1", "user": "debian-sys-maint", "pass": "p=w", "unix_socket": "/run/x.sock"}
	if got := defaults(text, ""); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	want["charset"] = "utf8mb4"
	if got := defaults(text, "mine"); !maps.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestAtLeast(t *testing.T) {
	for _, tt := range []struct {
		version string
		want    []int
		is      bool
	}{
		{"10.11.6-MariaDB-0+deb12u1", []int{10, 4}, true},
		{"10.3.39-MariaDB", []int{10, 4}, false},
		{"8.0.36", []int{8, 0, 11}, true},
		{"8.0.9", []int{8, 0, 11}, false},
		{"5.7.44-log", []int{8}, false},
		{"10.4", []int{10, 4, 0}, true},
		{"", []int{1}, false},
	} {
		if got := AtLeast(tt.version, tt.want...); got != tt.is {
			t.Errorf("%s at least %v: %v", tt.version, tt.want, got)
		}
	}
}

func TestQuote(t *testing.T) {
	if got := Quote("f_o%o`b'a", true); got != "`f\\_o%o``b'a`" {
		t.Errorf("got %s", got)
	}
	if got := Quote("f_o%o`b'a", false); got != "`f_o%o``b'a`" {
		t.Errorf("got %s", got)
	}
}

// bare is a machine without files and commands.
type bare struct{ sys.Sys }

func (bare) LookPath(string) string                { return "" }
func (bare) Stat(string) (fs.FileInfo, error)      { return nil, fs.ErrNotExist }
func (bare) Lstat(string) (fs.FileInfo, error)     { return nil, fs.ErrNotExist }
func (bare) ReadDir(string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }
func (bare) ReadFile(string) ([]byte, error)       { return nil, fs.ErrNotExist }

// The states are not there where the functions they call are not, with the reason that Salt's give.
func TestUsable(t *testing.T) {
	c := &salt.Ctx{Sys: bare{}, Opts: new(value.Map)}
	if err := Usable(c, ""); err == nil || err.Error() != "mysql module could not be loaded" {
		t.Errorf("got %v", err)
	}
	c.Opts.Set("mysql.host", "db1")
	if err := Usable(c, ""); err != nil {
		t.Error(err)
	}
}
