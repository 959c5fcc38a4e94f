package postgres

import (
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A server is how to reach one, and one of its databases.
type server struct {
	User, Host, Port, MaintenanceDb, Password, Runas any
}

// at takes the server out of a function's arguments.
func at(args any) server {
	var s server
	from, to := reflect.ValueOf(args), reflect.ValueOf(&s).Elem()
	for i := range to.NumField() {
		if f := from.FieldByName(to.Type().Field(i).Name); f.IsValid() {
			to.Field(i).Set(f)
		}
	}
	return s
}

// option is a setting of the configuration, "" if it is not there.
func option(c *salt.Ctx, name string) any {
	v, err := c.Call("config.option", "postgres."+name)
	if err != nil || !value.Truth(v) {
		return ""
	}
	return v
}

// or is v, or the option when v says nothing.
func or(c *salt.Ctx, v any, name string) string {
	if !value.Truth(v) {
		v = option(c, name)
	}
	return value.Str(v)
}

// binary is the path of a program of PostgreSQL, "" if it is not there.
func binary(c *salt.Ctx, name string) string {
	if dir := value.Str(option(c, "bins_dir")); dir != "" {
		path := strings.TrimSuffix(dir, "/") + "/" + name
		if i, err := c.Sys.Stat(path); err == nil && i.Mode().IsRegular() && i.Mode()&0o111 != 0 {
			return path
		}
	}
	return c.Sys.LookPath(name)
}

// socketUser is who psql runs as when it reaches the server by its socket.
func socketUser(c *salt.Ctx) string {
	if strings.Contains(c.Grains.Str("os_family"), "OpenBSD") {
		return "_postgresql"
	}
	return "postgres"
}

// psql runs psql with more words. The password goes through the environment,
// never through the words.
func (s server) psql(c *salt.Ctx, stdin string, words ...string) (*value.Map, error) {
	argv := []string{binary(c, "psql"), "--no-align", "--no-readline", "--no-psqlrc", "--no-password"}
	user, host, port, db := or(c, s.User, "user"), or(c, s.Host, "host"), or(c, s.Port, "port"), or(c, s.MaintenanceDb, "maintenance_db")
	if user != "" {
		argv = append(argv, "--username", user)
	}
	if host != "" {
		argv = append(argv, "--host", host)
	}
	if port != "" {
		argv = append(argv, "--port", port)
	}
	if db == "" {
		db = "postgres"
	}
	argv = append(append(argv, "--dbname", db), words...)
	kw := value.M("python_shell", false, "reset_system_locale", false, "clean_env", true, "timeout", option(c, "timeout"))
	switch {
	case value.Truth(s.Runas):
		kw.Set("runas", value.Str(s.Runas))
	case s.Runas == nil && (host == "" || strings.HasPrefix(host, "/")):
		kw.Set("runas", socketUser(c))
	}
	password := s.Password
	if password == nil {
		password = option(c, "pass")
	}
	if text := value.Str(password); text != "" {
		c.Run.Hide(text)
		kw.Set("env", value.M("PGPASSWORD", text))
	}
	if stdin != "" {
		kw.Update(value.M("stdin", stdin, "stdin_raw_newlines", true, "output_loglevel", "quiet"))
	}
	v, err := c.CallKw("cmd.run_all", kw, value.Strings(argv))
	if err != nil {
		return nil, err
	}
	ret, _ := v.(*value.Map)
	if value.Truth(ret.At("retcode")) {
		c.Log.Error("Error connecting to Postgresql server")
	}
	return ret, nil
}

func succeeded(ret *value.Map) bool { return !value.Truth(ret.At("retcode")) }

// do runs statements, one after the other, each in a transaction of its own.
func (s server) do(c *salt.Ctx, statements ...string) (bool, error) {
	for _, text := range statements {
		ret, err := s.psql(c, "", "-c", text)
		if err != nil || !succeeded(ret) {
			return false, err
		}
	}
	return true, nil
}

// doHidden runs statements that hold a secret: psql reads them from its input,
// in one transaction.
func (s server) doHidden(c *salt.Ctx, text string) (bool, error) {
	ret, err := s.psql(c, text+"\n", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", "-")
	if err != nil {
		return false, err
	}
	if !succeeded(ret) {
		// The lines after the first repeat the statement.
		reason, _, _ := strings.Cut(ret.Str("stderr"), "\n")
		c.Log.Error(c.Run.Redact(reason))
	}
	return succeeded(ret), nil
}

// rows are what a query gives, a map of texts a row. A query that fails gives
// none, and an error in the log.
func (s server) rows(c *salt.Ctx, text string, write bool) ([]*value.Map, error) {
	text = "COPY (" + strings.TrimRight(strings.TrimSpace(text), ";") + ") TO STDOUT WITH CSV HEADER"
	words := []string{"-v", "datestyle=ISO,MDY", "-c", text}
	if write {
		// --quiet keeps psql from naming the statements among the rows.
		words = []string{"--quiet", "-v", "datestyle=ISO,MDY", "-c", "START TRANSACTION READ WRITE; " + text + "; COMMIT TRANSACTION;"}
	}
	ret, err := s.psql(c, "", words...)
	if err != nil || !succeeded(ret) {
		return nil, err
	}
	return parseRows(ret.Str("stdout"))
}

// look is rows for queries of our own, which change nothing: they run under
// test=True, too.
func (s server) look(c *salt.Ctx, text string) ([]*value.Map, error) {
	return s.rows(c.With(false), text, false)
}

// parseRows reads CSV with a header.
func parseRows(text string) ([]*value.Map, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	var header []string
	var rows []*value.Map
	for {
		fields, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, salt.CommandError("psql: %s", err)
		case header == nil:
			header = fields
			continue
		}
		row := value.NewMap(len(header))
		for i, name := range header[:min(len(header), len(fields))] {
			row.Set(name, fields[i])
		}
		rows = append(rows, row)
	}
}

// byName makes a map of rows by a column, which it takes out of them when
// pop says so.
func byName(rows []*value.Map, column string, pop bool) *value.Map {
	out := value.NewMap(len(rows))
	for _, row := range rows {
		out.Set(row.Str(column), row)
		if pop {
			row.Pop(column)
		}
	}
	return out
}

type psqlQueryArgs struct {
	Query         string `py:"query"`               // a SELECT
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
	Write         any    `py:"write=False"`         // let it change something
}

// psqlQuery runs a SELECT and returns its rows, each a map of texts. To change
// something, wrap it:
//
//	salt-call postgres.psql_query "WITH x AS (UPDATE t SET a = 1 RETURNING a) SELECT * FROM x" write=True
func psqlQuery(c *salt.Ctx, a psqlQueryArgs) ([]any, error) {
	if !value.Truth(a.Write) {
		c = c.With(false)
	}
	rows, err := at(a).rows(c, a.Query, value.Truth(a.Write))
	out := make([]any, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	return out, err
}

type versionArgs struct {
	User          any `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// version returns the version of the server: 15.10 (Debian 15.10-0+deb12u1).
// It is None when the server does not answer.
func version(c *salt.Ctx, a versionArgs) (any, error) { return at(a).version(c) }

func (s server) version(c *salt.Ctx) (any, error) {
	ret, err := s.psql(c.With(false), "", "-c", "SELECT setting FROM pg_catalog.pg_settings WHERE name = 'server_version'", "-t")
	if err != nil {
		return nil, err
	}
	if line, _, _ := strings.Cut(ret.Str("stdout"), "\n"); line != "" {
		return line, nil
	}
	return nil, nil
}
