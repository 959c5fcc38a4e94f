// Package mysqldb is how modules reach a MySQL or MariaDB server: connections
// by Salt's arguments and settings, and the last error, which states tell.
//
//	db := mysqldb.Open(c, value.M("connection_user", "root"))
//	if db == nil { … mysqldb.Error(c) … }
//	_, rows, err := db.Rows(c, "SELECT VERSION()")
package mysqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/go-sql-driver/mysql"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A DB is a server with the settings it is reached by.
type DB struct {
	*sql.DB
	key dbKey
}

type dbKey struct{ dsn string }

// quiet takes what the client would print: the error it returns says the same.
type quiet struct{}

func (quiet) Print(...any) {}

// Open connects, once for a run. It is nil when that fails, see Error.
func Open(c *salt.Ctx, kw *value.Map) *DB {
	conf, err := settings(c, kw)
	if err != nil {
		Fail(c, err)
		return nil
	}
	c.Run.Hide(conf.Passwd)
	key := dbKey{conf.FormatDSN()}
	db, err := salt.Once(c.Run, key, func() (*DB, error) {
		dial, err := mysql.NewConnector(conf)
		if err != nil {
			return nil, err
		}
		db := sql.OpenDB(dial)
		db.SetMaxOpenConns(1)
		if err := db.PingContext(c); err != nil {
			_ = db.Close()
			return nil, unreachable(conf, err)
		}
		c.Run.AtEnd(func() { _ = db.Close() })
		return &DB{db, key}, nil
	})
	if err != nil {
		c.Run.Forget(key)
		Fail(c, err)
		return nil
	}
	return db
}

// Key tells connections of different settings apart, for facts about servers.
func (d *DB) Key() any { return d.key }

// unreachable gives an error of the network the number and text that the C
// library has for it.
func unreachable(conf *mysql.Config, err error) error {
	var op *net.OpError
	if !errors.As(err, &op) {
		return err
	}
	var no syscall.Errno
	_ = errors.As(err, &no)
	if conf.Net == "unix" {
		return &mysql.MySQLError{Number: 2002, Message: fmt.Sprintf("Can't connect to local server through socket '%s' (%d)", conf.Addr, int(no))}
	}
	return &mysql.MySQLError{Number: 2002, Message: fmt.Sprintf("Can't connect to server on '%s' (%d)", strings.Split(conf.Addr, ":")[0], int(no))}
}

type errorKey struct{}

// last holds the last error.
func last(c *salt.Ctx) *string {
	p, _ := salt.Once(c.Run, errorKey{}, func() (*string, error) { return new(string), nil })
	return p
}

// Fail notes an error and writes it into the log.
func Fail(c *salt.Ctx, err error) {
	text := err.Error()
	var refused *mysql.MySQLError
	if errors.As(err, &refused) {
		text = fmt.Sprintf("MySQL Error %d: %s", refused.Number, refused.Message)
	}
	*last(c) = text
	c.Log.Error(text)
}

// Error is the last error, "" if there is none; it is told once.
func Error(c *salt.Ctx) string {
	p := last(c)
	text := *p
	*p = ""
	return text
}

// Forgive drops the last error.
func Forgive(c *salt.Ctx) { *last(c) = "" }

// sockets are where servers listen that say nothing else.
func sockets(s sys.Reader) string {
	for _, path := range []string{"/run/mysqld/mysqld.sock", "/var/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/run/mysql/mysql.sock", "/tmp/mysql.sock"} {
		if sys.Exists(s, path) {
			return path
		}
	}
	return ""
}

// Here reports whether this machine has to do with MySQL: a client or a server,
// a setting mysql.…, or one of the libraries that Salt's module needs. Salt's
// modules load where a library is; here none is needed.
func Here(c *salt.Ctx) bool {
	for _, command := range []string{"mysql", "mariadb", "mysqld", "mariadbd"} {
		if c.Sys.LookPath(command) != "" {
			return true
		}
	}
	for key := range c.Opts.Items() {
		if strings.HasPrefix(key, "mysql.") {
			return true
		}
	}
	for _, library := range []string{"MySQLdb", "pymysql"} {
		if sys.Exists(c.Sys, "/usr/lib/python3/dist-packages/"+library) {
			return true
		}
	}
	return sockets(c.Sys) != ""
}

// Usable says whether the states of MySQL can be used.
func Usable(c *salt.Ctx, _ string) error {
	if !Here(c) {
		return errors.New("mysql module could not be loaded")
	}
	return nil
}

// settings are those of a call: connection_host and the like, else mysql.host
// and so on of the configuration, under them those of the default file.
func settings(c *salt.Ctx, kw *value.Map) (*mysql.Config, error) {
	get := func(name string) (string, error) {
		if v, ok := kw.Get("connection_" + name); ok {
			if !value.Truth(v) {
				return "", nil
			}
			return value.Str(v), nil
		}
		if kw.Has("connection_default_file") && name != "charset" {
			return "", nil
		}
		v, err := c.Call("config.option", "mysql."+name, nil)
		if err != nil || !value.Truth(v) {
			return "", err
		}
		return value.Str(v), nil
	}
	m := map[string]string{}
	for _, name := range []string{"host", "user", "pass", "port", "db", "unix_socket", "default_file", "default_group", "charset"} {
		v, err := get(name)
		if err != nil {
			return nil, err
		}
		m[name] = v
	}
	if m["default_file"] != "" {
		b, err := c.Sys.ReadFile(m["default_file"])
		if err != nil {
			return nil, salt.OSError(err)
		}
		for name, v := range defaults(string(b), m["default_group"]) {
			if m[name] == "" {
				m[name] = v
			}
		}
	}
	conf := mysql.NewConfig()
	conf.User, conf.Passwd, conf.DBName = m["user"], m["pass"], m["db"]
	if conf.User == "" {
		if u, err := c.Sys.UserID(os.Geteuid()); err == nil {
			conf.User = u.Name
		}
	}
	conf.InterpolateParams, conf.MultiStatements, conf.Logger = true, true, quiet{}
	if m["charset"] != "" {
		if err := conf.Apply(mysql.Charset(m["charset"], "")); err != nil {
			return nil, err
		}
	}
	conf.Net, conf.Addr = "tcp", m["host"]
	socket := m["unix_socket"]
	if socket == "" && (m["host"] == "" || m["host"] == "localhost") {
		socket = sockets(c.Sys)
	}
	switch {
	case socket != "":
		conf.Net, conf.Addr = "unix", socket
	case m["host"] == "":
		conf.Addr = "127.0.0.1"
	}
	if conf.Net == "tcp" {
		port := m["port"]
		if port == "" {
			port = "3306"
		}
		conf.Addr = net.JoinHostPort(conf.Addr, port)
	}
	if flags := kw.List("client_flags"); flags != nil {
		for _, it := range flags.Items {
			switch value.Str(it) {
			case "found_rows":
				conf.ClientFoundRows = true
			case "multi_statements", "multi_results":
			default:
				c.Log.Error("MySQL client flag " + value.Str(it) + " not valid, ignoring.")
			}
		}
	}
	return conf, nil
}

// defaults reads an option file: the groups client and the given one.
func defaults(text, group string) map[string]string {
	names := map[string]string{"host": "host", "user": "user", "password": "pass", "port": "port", "socket": "unix_socket", "database": "db", "default-character-set": "charset"}
	m := map[string]string{}
	in := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			in = strings.Trim(line, "[]")
			continue
		}
		key, v, ok := strings.Cut(line, "=")
		name := names[strings.ReplaceAll(strings.TrimSpace(key), "_", "-")]
		if !ok || name == "" || in != "client" && in != group {
			continue
		}
		m[name] = strings.Trim(strings.TrimSpace(v), `"'`)
	}
	return m
}

// Exec runs a statement and returns how many rows it touched.
func (d *DB) Exec(c context.Context, query string, args ...any) (int64, error) {
	r, err := d.DB.ExecContext(c, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}
