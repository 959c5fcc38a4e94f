package modules

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// mariaDB starts a server of its own and returns its folder; the socket is
// s.sock. $PINCH_SERVERS is where Debian's packages are unpacked, if not at /.
func mariaDB(t *testing.T) string {
	root := os.Getenv("PINCH_SERVERS")
	if root == "" {
		root = "/"
	}
	server := filepath.Join(root, "usr/sbin/mariadbd")
	if _, err := os.Stat(server); err != nil || testing.Short() {
		t.Skip("no server: usr/sbin/mariadbd")
	}
	dir, err := os.MkdirTemp("/tmp", "srv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	libs, _ := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu"))
	command := func(args ...string) *exec.Cmd {
		share := filepath.Join(root, "usr/share/mysql")
		cmd := exec.Command(server, append([]string{"--no-defaults", "--datadir=" + dir + "/data", "--lc-messages-dir=" + share, "--character-sets-dir=" + share + "/charsets"}, args...)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C", "LD_LIBRARY_PATH="+strings.Join(libs, ":"))
		if os.Getuid() == 0 {
			cmd.Args = append(cmd.Args, "--user=root")
		}
		return cmd
	}
	if err := os.Mkdir(dir+"/data", 0o755); err != nil {
		t.Fatal(err)
	}
	script := "create database mysql;\nuse mysql;\n"
	for _, f := range []string{"mariadb_system_tables.sql", "mysql_system_tables.sql", "mariadb_performance_tables.sql"} {
		if b, err := os.ReadFile(filepath.Join(root, "usr/share/mysql", f)); err == nil {
			script += string(b) + "\n"
		}
	}
	boot := command("--bootstrap")
	boot.Stdin = strings.NewReader(script + "flush privileges;\ncreate user root@localhost;\ngrant all on *.* to root@localhost with grant option;\n")
	if out, err := boot.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := command("--socket="+dir+"/s.sock", "--skip-networking", "--innodb-buffer-pool-size=8M")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Signal(syscall.SIGTERM)
		_ = run.Wait()
	})
	for range 300 {
		if _, err := os.Stat(dir + "/s.sock"); err == nil {
			return dir
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the server does not listen")
	return ""
}

// serverHost calls functions without a configuration.
type serverHost struct {
	salt.Host
	registry *salt.Registry
}

func (h serverHost) Registry() *salt.Registry { return h.registry }

func (h serverHost) CallFunc(c *salt.Ctx, fun string, args []any, kw *value.Map) (any, error) {
	if fun == "config.option" {
		return nil, nil
	}
	f, err := h.registry.Exec(c, fun)
	if err != nil {
		return nil, err
	}
	if kw == nil {
		kw = new(value.Map)
	}
	return f.Call(c, args, kw)
}

// TestMySQL runs calls in their order on a real server. The answers are those
// of real Salt 3008.4 (with the states of saltext-mysql) on the same server;
// cases that differ say why, and have Salt's answer under salt.
func TestMySQL(t *testing.T) {
	dir := mariaDB(t)
	b, err := os.ReadFile("mysql/testdata/server.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"q.sql": "-- c\nINSERT INTO t VALUES (5,'q;q',0,0,'',1);\nSELECT id FROM t\n WHERE id=5;\n", "q2.sql": "INSERT INTO z VALUES (1);\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v, err := value.ParseJSON(strings.ReplaceAll(string(b), "DIR/", dir+"/"))
	if err != nil {
		t.Fatal(err)
	}
	onServer(t, v.(*value.List), func(fun string) *value.Map {
		if fun == "mysql.tokenize_grant" || fun == "mysql.quote_identifier" {
			return new(value.Map)
		}
		return value.M("connection_unix_socket", dir+"/s.sock", "connection_user", "root")
	})
}

// onServer makes calls in their order, with the arguments that say which server
// it is, and compares what they return.
func onServer(t *testing.T, cases *value.List, where func(fun string) *value.Map) {
	registry := Registry()
	same, differ := 0, 0
	for _, it := range cases.Items {
		m := it.(*value.Map)
		kw := where(m.Str("fun"))
		kw.Update(m.Map("kwargs"))
		c := &salt.Ctx{Context: context.Background(), Sys: sys.Real{}, Host: serverHost{registry: registry}, Run: salt.NewRun(), Log: slog.New(slog.DiscardHandler),
			Grains: new(value.Map), Opts: new(value.Map), Env: "base", Test: m.Truth("test")}
		got := onServerCall(t, c, m, kw)
		if g, w := timeless(normal(t, got)), timeless(m.At("ret")); value.Equal(g, w) {
			same++
		} else {
			t.Errorf("%s %s %s\n got %s\nwant %s", m.Str("fun"), value.Repr(m.At("args")), value.Repr(m.At("kwargs")), value.Repr(g), value.Repr(w))
		}
		if m.Has("differs") {
			differ++
		}
		c.Run.End()
	}
	t.Logf("%d calls as they should be, %d of them differ from Salt", same, differ)
}

func onServerCall(t *testing.T, c *salt.Ctx, m, kw *value.Map) any {
	if m.Truth("state") {
		f, _, err := c.Registry().State(c, m.Str("fun"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.Call(c, nil, kw)
		if err != nil {
			t.Errorf("%s: %v", m.Str("fun"), err)
			return nil
		}
		return v.(salt.Result).Map(kw.Str("name"))
	}
	f, err := c.Registry().Exec(c, m.Str("fun"))
	if err != nil {
		t.Fatal(err)
	}
	var args []any
	if l := m.List("args"); l != nil {
		args = l.Items
	}
	got, err := f.Call(c, args, kw)
	if err != nil {
		t.Errorf("%s: %v", m.Str("fun"), err)
	}
	return got
}

// timeless drops how long a query took.
func timeless(v any) any {
	m, ok := v.(*value.Map)
	if !ok {
		return v
	}
	m.Pop("query time")
	if text, ok := m.At("comment").(string); ok {
		if i := strings.Index(text, "'query time': {"); i >= 0 {
			end := i + strings.IndexByte(text[i:], '}') + 1
			m.Set("comment", text[:i]+strings.TrimPrefix(text[end:], ", "))
		}
	}
	return m
}
