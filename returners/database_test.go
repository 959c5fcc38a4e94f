package returners

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5/pgconn"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const jid = "20260102030405678901"

func sample() *value.Map {
	return value.M("jid", jid, "return", value.M("a", value.L("ü\x00'\"\\", int64(1), nil, 1.5), "b", value.Tuple{true}),
		"retcode", int64(0), "id", "web1", "fun", "test.arg", "fun_args", value.L("x"), "success", true)
}

// plainSample is the sample as a JSON parser reads it.
func plainSample() *value.Map {
	m := sample()
	m.Map("return").Set("b", value.L(true))
	return m
}

func host(opts *value.Map) (*salt.Ctx, *bytes.Buffer) {
	log := new(bytes.Buffer)
	return &salt.Ctx{Context: context.Background(), Opts: opts, Pillar: new(value.Map), Grains: new(value.Map), Sys: sys.Real{}, Run: salt.NewRun(),
		Log: slog.New(slog.NewTextHandler(log, nil))}, log
}

func same(t *testing.T, text string, want any) {
	t.Helper()
	if got, err := value.ParseJSON(text); err != nil || !value.Equal(got, want) {
		t.Errorf("%s %v\nwant %s", text, err, value.Repr(want))
	}
}

func TestPostgres(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	initdb := program(t, "usr/lib/postgresql/*/bin/initdb", "usr/local/pgsql/bin/initdb")
	dir, port := place(t)
	if err := os.WriteFile(filepath.Join(dir, "pw"), []byte("it's \\ secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := command(dir, initdb, "-D", dir+"/data", "-U", "salt", "-A", "scram-sha-256", "--pwfile=pw", "-N", "-E", "UTF8", "-L", filepath.Join(filepath.Dir(initdb), "../../../../share/postgresql/"+filepath.Base(filepath.Dir(filepath.Dir(initdb))))).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start(t, command(dir, filepath.Join(filepath.Dir(initdb), "postgres"), "-D", dir+"/data", "-p", port, "-k", dir, "-c", "fsync=off"), "127.0.0.1:"+port)
	ctx := context.Background()
	var conn *pgconn.PgConn
	var err error
	for range 50 {
		if conn, err = pgconn.Connect(ctx, `host=127.0.0.1 port=`+port+` user=salt password='it\'s \\ secret' dbname=postgres`); err == nil {
			break
		}
		_ = sys.Real{}.Sleep(ctx, 1e8)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	query := func(sql string) [][]string {
		t.Helper()
		res, err := conn.Exec(ctx, sql).ReadAll()
		if err != nil {
			t.Fatal(sql, err)
		}
		var out [][]string
		for _, r := range res {
			for _, row := range r.Rows {
				var cells []string
				for _, c := range row {
					cells = append(cells, string(c))
				}
				out = append(out, cells)
			}
		}
		return out
	}
	table := "create table salt_returns (fun varchar(50) not null, jid varchar(255) not null, return text not null, full_ret text, id varchar(255) not null," +
		" success varchar(10) not null, alter_time timestamp with time zone default now())"
	query(table)
	pg := value.M("host", "127.0.0.1", "port", port, "user", "salt", "db", "postgres")
	opts := new(value.Map)
	for k, v := range pg.Items() {
		opts.Set("returner.postgres."+k, v)
		opts.Set("returner.pgjsonb."+k, v)
	}
	opts.Set("returner.postgres.passwd", `it's \ secret`)
	opts.Set("returner.pgjsonb.pass", `it's \ secret`)
	c, log := host(opts)
	want := plainSample()
	for _, name := range []string{"postgres", "pgjsonb"} {
		if !Send(c, []string{name}, sample(), io.Discard) {
			t.Fatal(log)
		}
		rows := query("select fun, jid, id, success, return, full_ret from salt_returns")
		if len(rows) != 1 || !slices.Equal(rows[0][:4], []string{"test.arg", jid, "web1", map[string]string{"postgres": "True", "pgjsonb": "t"}[name]}) {
			t.Fatalf("%s: %q", name, rows)
		}
		// PostgreSQL has no zero bytes.
		want.Map("return").List("a").Items[0] = "ü\ufffd'\"\\"
		same(t, rows[0][4], want.At("return"))
		same(t, rows[0][5], want)
		query("drop table salt_returns; " + strings.NewReplacer("return text", "return jsonb", "full_ret text", "full_ret jsonb", "success varchar(10)", "success boolean").Replace(table))
	}
	query("drop table salt_returns")
	log.Reset()
	if Send(c, []string{"postgres"}, sample(), io.Discard) || strings.Count(log.String(), "once more") != 0 ||
		!strings.Contains(log.String(), `relation \"salt_returns\" does not exist (SQLSTATE 42P01)`) {
		t.Errorf("without the table: %s", log)
	}
	log.Reset()
	opts.Set("returner.postgres.passwd", "wr0ng")
	if Send(c, []string{"postgres"}, sample(), io.Discard) || !strings.Contains(log.String(), "password authentication failed") || strings.Contains(log.String(), "wr0ng") {
		t.Errorf("with a wrong password: %s", log)
	}
}

func TestMySQL(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	server := program(t, "usr/sbin/mariadbd", "usr/sbin/mysqld")
	dir, port := place(t)
	basedir := filepath.Join(servers(), "usr")
	boot := command(dir, server, "--no-defaults", "--bootstrap", "--datadir="+dir+"/data", "--lc-messages-dir="+basedir+"/share/mysql")
	script := "create database mysql;\nuse mysql;\n"
	for _, f := range []string{"mariadb_system_tables.sql", "mysql_system_tables.sql", "mariadb_performance_tables.sql"} {
		if b, err := os.ReadFile(filepath.Join(basedir, "share/mysql", f)); err == nil {
			script += string(b) + "\n"
		}
	}
	script += "create database salt character set utf8mb4;\nuse salt;\ncreate table salt_returns (`fun` varchar(50) not null, `jid` varchar(255) not null, `return` mediumtext not null," +
		" `id` varchar(255) not null, `success` varchar(10) not null, `full_ret` mediumtext not null, `alter_time` timestamp default current_timestamp);\n" +
		"flush privileges;\ncreate user salt@'127.0.0.1' identified by 's3/cret@x';\ngrant all on salt.* to salt@'127.0.0.1';\n"
	boot.Stdin = strings.NewReader(script)
	if err := exec.Command("install", "-d", "-o", "65534", "-g", "65534", dir+"/data").Run(); err != nil {
		_ = os.Mkdir(dir+"/data", 0o700)
	}
	if out, err := boot.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start(t, command(dir, server, "--no-defaults", "--datadir="+dir+"/data", "--socket="+dir+"/s", "--port="+port, "--bind-address=127.0.0.1",
		"--skip-name-resolve", "--lc-messages-dir="+basedir+"/share/mysql"), "127.0.0.1:"+port)
	opts := value.M("mysql.host", "127.0.0.1", "mysql.port", port, "mysql.user", "salt", "mysql.pass", "s3/cret@x")
	c, log := host(opts)
	if !Send(c, []string{"mysql"}, sample(), io.Discard) {
		t.Fatal(log)
	}
	conf := mysql.NewConfig()
	conf.User, conf.Passwd, conf.DBName, conf.Net, conf.Addr = "salt", "s3/cret@x", "salt", "tcp", "127.0.0.1:"+port
	dial, err := mysql.NewConnector(conf)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(dial)
	defer db.Close()
	var got row
	if err := db.QueryRow("select fun, jid, `return`, id, success, full_ret from salt_returns").Scan(&got.fun, &got.jid, &got.ret, &got.id, &got.success, &got.full); err != nil {
		t.Fatal(err)
	}
	want := plainSample()
	if got.fun != "test.arg" || got.jid != jid || got.id != "web1" || got.success != "True" {
		t.Errorf("%+v", got)
	}
	same(t, got.ret, want.At("return"))
	same(t, got.full, want)
	log.Reset()
	opts.Set("mysql.pass", "wr0ng")
	if Send(c, []string{"mysql"}, sample(), io.Discard) || !strings.Contains(log.String(), "Access denied") || strings.Contains(log.String(), "wr0ng") || strings.Contains(log.String(), "once more") {
		t.Errorf("with a wrong password: %s", log)
	}
}

func TestRedis(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	server := program(t, "usr/bin/redis-server", "usr/bin/valkey-server")
	dir, port := place(t)
	start(t, command(dir, server, "--port", port, "--bind", "127.0.0.1", "--requirepass", "s3cret", "--save", "", "--dir", dir), "127.0.0.1:"+port)
	opts := value.M("redis.host", "127.0.0.1", "redis.port", port, "redis.db", "3", "redis.password", "s3cret", "keep_jobs", int64(2))
	c, log := host(opts)
	if !Send(c, []string{"redis"}, sample(), io.Discard) {
		t.Fatal(log)
	}
	conn, err := redis.Dial("tcp", "127.0.0.1:"+port, redis.DialPassword("s3cret"), redis.DialDatabase(3))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	full, err := redis.String(conn.Do("HGET", "ret:"+jid, "web1"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, full, plainSample())
	if ttl, err := redis.Int(conn.Do("TTL", "ret:"+jid)); err != nil || ttl < 7000 || ttl > 7200 {
		t.Errorf("ttl %d, %v", ttl, err)
	}
	if last, err := redis.String(conn.Do("GET", "web1:test.arg")); err != nil || last != jid {
		t.Errorf("last %s, %v", last, err)
	}
	if ids, err := redis.Strings(conn.Do("SMEMBERS", "minions")); err != nil || !slices.Equal(ids, []string{"web1"}) {
		t.Errorf("minions %v, %v", ids, err)
	}
	log.Reset()
	opts.Set("redis.password", "wr0ng")
	if Send(c, []string{"redis"}, sample(), io.Discard) || !strings.Contains(log.String(), "WRONGPASS") || strings.Contains(log.String(), "wr0ng") {
		t.Errorf("with a wrong password: %s", log)
	}
}

// TestAbsent has servers that are not there: three tries, and an error that
// says so without a password.
func TestAbsent(t *testing.T) {
	_, port := place(t)
	for _, name := range []string{"postgres", "mysql", "redis", "elasticsearch"} {
		key := name + "."
		if name == "postgres" {
			key = "returner." + key
		}
		c, log := host(value.M(key+"host", "127.0.0.1", key+"port", port, key+"pass", "s3cret", key+"passwd", "s3cret", key+"password", "s3cret", key+"hosts", "127.0.0.1:"+port))
		if Send(c, []string{name}, sample(), io.Discard) {
			t.Errorf("%s: there is no server", name)
		}
		text := log.String()
		if strings.Count(text, "once more") != 2 || !strings.Contains(text, "could not be handed to the returner "+name) || !strings.Contains(text, "refused") || strings.Contains(text, "s3cret") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
