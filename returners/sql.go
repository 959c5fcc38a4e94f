package returners

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"

	"pinch/value"
)

// A row is what goes into the table salt_returns.
type row struct{ fun, jid, ret, id, success, full string }

func rowOf(ret *value.Map) (r row, err error) {
	r = row{fun: ret.Str("fun"), jid: ret.Str("jid"), id: ret.Str("id"), success: "False"}
	if ret.Truth("success") {
		r.success = "True"
	}
	one, _ := ret.Get("return")
	if r.ret, err = value.JSON(one, value.JSONOptions{Default: reprOf}); err != nil {
		return r, err
	}
	r.full, err = text(ret)
	return r, err
}

func reprOf(v any) (any, error) { return value.Repr(v), nil }

// postgres writes into Salt's table salt_returns (fun, jid, return, id,
// success, full_ret) of a PostgreSQL server, for pgjsonb with columns of the
// type jsonb. Options: returner.postgres.host, port, user, passwd, db (with
// pgjsonb the password is pass), sslmode, sslcert, sslkey, sslrootcert,
// connect_timeout.
func postgres(s *settings, ret *value.Map, _ io.Writer) error {
	password := "passwd"
	if s.name == "pgjsonb" {
		password = "pass"
	}
	s.name = "returner." + s.name
	r, err := rowOf(ret)
	if err != nil {
		return err
	}
	conf, err := pgconn.ParseConfig(pgString(s, password))
	if err != nil {
		return settingsError(err)
	}
	return again(s, func() error {
		ctx, stop := context.WithTimeout(s.c, limit)
		defer stop()
		conn, err := pgconn.ConnectConfig(ctx, conf)
		if err != nil {
			return pgError(err)
		}
		defer conn.Close(ctx)
		const insert = "INSERT INTO salt_returns (fun, jid, return, id, success, full_ret) VALUES ($1, $2, $3, $4, $5, $6)"
		// PostgreSQL has no zero bytes in texts.
		params := [][]byte{[]byte(r.fun), []byte(r.jid), []byte(strings.ReplaceAll(r.ret, `\u0000`, `\ufffd`)), []byte(r.id), []byte(r.success),
			[]byte(strings.ReplaceAll(r.full, `\u0000`, `\ufffd`))}
		_, err = conn.ExecParams(ctx, insert, params, nil, nil, nil).Close()
		return pgError(err)
	})
}

// limit is how long one try may take.
const limit = 30 * time.Second

// pgString is the connection as libpq's words.
func pgString(s *settings, password string) string {
	words := []string{"application_name=pinch"}
	add := func(word, text string) {
		if text != "" {
			words = append(words, word+"='"+strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text)+"'")
		}
	}
	add("host", s.text("host", "localhost"))
	add("port", s.text("port", "5432"))
	add("user", s.text("user", "salt"))
	add("password", s.text(password, "salt"))
	add("dbname", s.text("db", "salt"))
	add("connect_timeout", s.text("connect_timeout", "10"))
	for _, key := range []string{"sslmode", "sslcert", "sslkey", "sslrootcert"} {
		add(key, s.text(key, ""))
	}
	return strings.Join(words, " ")
}

// settingsError hides the connection string, which has the password.
func settingsError(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return final{fmt.Errorf("the connection's options: %w", err)}
}

// pgError marks what the server refuses as final: it would refuse it again.
func pgError(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && !strings.HasPrefix(refused.Code, "57P") { // 57P0x: it starts or stops
		return final{fmt.Errorf("%s (SQLSTATE %s)", refused.Message, refused.Code)}
	}
	return err
}

// mySQL writes into Salt's table salt_returns of a MySQL or MariaDB server.
// Options: mysql.host, mysql.port, mysql.user, mysql.pass, mysql.db,
// mysql.unix_socket, mysql.ssl (true, skip-verify or preferred).
func mySQL(s *settings, ret *value.Map, _ io.Writer) error {
	r, err := rowOf(ret)
	if err != nil {
		return err
	}
	conf := mysql.NewConfig()
	conf.User, conf.Passwd, conf.DBName = s.text("user", "salt"), s.text("pass", "salt"), s.text("db", "salt")
	conf.Net, conf.Addr = "tcp", s.text("host", "salt")+":"+s.text("port", "3306")
	if path := s.text("unix_socket", ""); path != "" {
		conf.Net, conf.Addr = "unix", path
	}
	conf.Timeout, conf.WriteTimeout, conf.ReadTimeout = 10*time.Second, limit, limit
	conf.TLSConfig = strings.ToLower(s.text("ssl", ""))
	conf.Logger = quiet{}
	dial, err := mysql.NewConnector(conf)
	if err != nil {
		return final{err}
	}
	db := sql.OpenDB(dial)
	defer db.Close()
	return again(s, func() error {
		ctx, stop := context.WithTimeout(s.c, limit)
		defer stop()
		const insert = "INSERT INTO `salt_returns` (`fun`, `jid`, `return`, `id`, `success`, `full_ret`) VALUES (?, ?, ?, ?, ?, ?)"
		_, err := db.ExecContext(ctx, insert, r.fun, r.jid, r.ret, r.id, r.success, r.full)
		var refused *mysql.MySQLError
		if errors.As(err, &refused) {
			return final{refused}
		}
		return err
	})
}

// quiet takes what the client would print: the error it returns says the same.
type quiet struct{}

func (quiet) Print(...any) {}
