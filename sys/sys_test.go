package sys

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	mode := fs.FileMode(0o640)
	if err := WriteFile(Real{}, path, []byte("one"), FileAttrs{Mode: &mode}); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(Real{}, path, []byte("two"), FileAttrs{}); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	i, _ := os.Stat(path)
	if string(b) != "two" || i.Mode() != 0o640 {
		t.Errorf("%s %v", b, i.Mode())
	}
	err := Real{}.Replace(path, FileAttrs{}, func(w io.Writer) error {
		io.WriteString(w, "half")
		return errors.New("no more")
	})
	if b, _ := os.ReadFile(path); err == nil || string(b) != "two" {
		t.Errorf("a failed write changed the file: %s", b)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestReadOnlyRefuses(t *testing.T) {
	dir := t.TempDir()
	s := ReadOnly{Real{}}
	if err := WriteFile(s, dir+"/f", nil, FileAttrs{}); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if _, err := s.Run(context.Background(), Cmd{Argv: []string{"true"}}); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if r, err := s.Run(context.Background(), Cmd{Argv: []string{"true"}, Query: true}); err != nil || r.Code != 0 {
		t.Error(r, err)
	}
}

func TestRun(t *testing.T) {
	mask := 0o77
	for _, tt := range []struct {
		script string
		cmd    Cmd
		want   string
		code   int
	}{
		{"echo out; echo err >&2; exit 3", Cmd{}, "out\n|err\n", 3},
		{"echo out; echo err >&2", Cmd{Merge: true}, "out\nerr\n|", 0},
		{"cat; pwd; echo $X", Cmd{Stdin: strings.NewReader("in\n"), Dir: "/", Env: []string{"X=y"}}, "in\n/\ny\n|", 0},
		{"umask", Cmd{Umask: &mask}, "0077\n|", 0},
		{"kill -9 $$", Cmd{}, "|", -9},
	} {
		c := tt.cmd
		c.Argv = []string{"sh", "-c", tt.script}
		r, err := Real{}.Run(context.Background(), c)
		if got := string(r.Stdout) + "|" + string(r.Stderr); err != nil || got != tt.want || r.Code != tt.code {
			t.Errorf("%s: %q %d %v", tt.script, got, r.Code, err)
		}
	}
	if _, err := (Real{}).Run(context.Background(), Cmd{Argv: []string{"no-such-command"}}); !errors.Is(err, ErrNoCommand) {
		t.Error(err)
	}
}

func TestTimeoutEndsTheGroup(t *testing.T) {
	r, err := Real{}.Run(context.Background(), Cmd{Argv: []string{"sh", "-c", "sleep 60 & wait"}, Timeout: 50 * time.Millisecond})
	if err != nil || !r.TimedOut {
		t.Error(r, err)
	}
}

func TestAccounts(t *testing.T) {
	u := ParsePasswd("root:x:0:0:root:/root:/bin/bash\n+::::::\nbroken:x\na:x:5:6:A,,:/home/a:/bin/sh")
	if len(u) != 2 || u[1] != (User{"a", "x", 5, 6, "A,,", "/home/a", "/bin/sh"}) {
		t.Error(u)
	}
	g := ParseGroup("adm:x:4:a,b\nempty:x:9:\n")
	if len(g) != 2 || strings.Join(g[0].Members, "+") != "a+b" || g[1].Members != nil {
		t.Error(g)
	}
	if remoteService("passwd: files systemd\n", "passwd") || !remoteService("passwd: files [NOTFOUND=return] sss\n", "passwd") {
		t.Error("nsswitch")
	}
	if me, err := (Real{}).UserID(os.Geteuid()); err != nil || me.UID != os.Geteuid() {
		t.Error(me, err)
	}
	if _, err := (Real{}).User("no-such-user-here"); !errors.Is(err, ErrNoUser) {
		t.Error(err)
	}
}
