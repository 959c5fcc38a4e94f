// Package mysql holds Salt's mysql module: databases, users, grants and queries
// of MySQL and MariaDB servers. Its main variable is Module.
//
//	salt-call mysql.db_create dbname utf8mb4 connection_user=root
//
// The settings mysql.host, mysql.user, mysql.pass, mysql.port, mysql.db,
// mysql.unix_socket, mysql.default_file and mysql.default_group of the
// configuration or the pillar say which server; arguments such as
// connection_host win. Without any the socket of this machine is used.
package mysql

import (
	"errors"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's mysql module.
var Module = salt.Module{
	Name: "mysql",
	Virtual: func(c *salt.Ctx, _ string) error {
		if mysqldb.Here(c) {
			return nil
		}
		return errors.New("No python mysql client installed.")
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"alter_db":          salt.Exec(alterDb),
			"db_check":          salt.Exec(dbCheck),
			"db_create":         salt.Exec(dbCreate),
			"db_exists":         salt.Exec(dbExists),
			"db_get":            salt.Exec(dbGet),
			"db_list":           salt.Exec(dbList),
			"db_optimize":       salt.Exec(dbOptimize),
			"db_remove":         salt.Exec(dbRemove),
			"db_repair":         salt.Exec(dbRepair),
			"db_tables":         salt.Exec(dbTables),
			"file_query":        salt.Exec(fileQuery),
			"free_slave":        salt.Exec(freeSlave),
			"get_master_status": salt.Exec(getMasterStatus),
			"get_slave_status":  salt.Exec(getSlaveStatus),
			"grant_add":         salt.Exec(grantAdd),
			"grant_exists":      salt.Exec(grantExists),
			"grant_revoke":      salt.Exec(grantRevoke),
			"plugin_add":        salt.Exec(pluginAdd),
			"plugin_remove":     salt.Exec(pluginRemove),
			"plugin_status":     salt.Exec(pluginStatus),
			"plugins_list":      salt.Exec(pluginsList),
			"processlist":       salt.Exec(processlist),
			"query":             salt.Exec(query),
			"quote_identifier":  salt.Exec(quoteIdentifier),
			"showglobal":        salt.Exec(showglobal),
			"showvariables":     salt.Exec(showvariables),
			"slave_lag":         salt.Exec(slaveLag),
			"status":            salt.Exec(status),
			"tokenize_grant":    salt.Exec(tokenizeGrant),
			"user_chpass":       salt.Exec(userChpass),
			"user_create":       salt.Exec(userCreate),
			"user_exists":       salt.Exec(userExists),
			"user_grants":       salt.Exec(userGrants),
			"user_info":         salt.Exec(userInfo),
			"user_list":         salt.Exec(userList),
			"user_remove":       salt.Exec(userRemove),
			"verify_login":      salt.Exec(verifyLogin),
			"version":           salt.Exec(version),
		}
	},
}

type connArgs struct {
	Conn *value.Map `py:"**connection_args"` // connection_host, connection_user, connection_pass, connection_port, connection_db, connection_unix_socket, connection_default_file, connection_default_group, connection_charset
}

// A server is one that a call reaches.
type server struct {
	c *salt.Ctx
	*mysqldb.DB
}

// open connects; ok is false when that fails: the error is noted.
func open(c *salt.Ctx, conn *value.Map) (s server, ok bool) {
	db := mysqldb.Open(c, conn)
	return server{c, db}, db != nil
}

// ask asks for rows; ok is false after an error, which is noted.
func (s server) ask(query string, args ...any) (cols []string, rows [][]any, ok bool) {
	cols, rows, err := s.Rows(s.c, query, args...)
	if err != nil {
		mysqldb.Fail(s.c, err)
	}
	return cols, rows, err == nil
}

// do changes something; ok is false after an error, which is noted.
func (s server) do(query string, args ...any) (affected int64, ok bool) {
	n, err := s.Exec(s.c, query, args...)
	if err != nil {
		mysqldb.Fail(s.c, err)
	}
	return n, err == nil
}

func (s server) fail(text string) bool {
	mysqldb.Fail(s.c, errors.New(text))
	return false
}

// version returns the version of the server, "" when it cannot be reached.
func version(c *salt.Ctx, a connArgs) (string, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return "", nil
	}
	return s.version(), nil
}

type versionKey struct{ db any }

func (s server) version() string {
	text, err := salt.Once(s.c.Run, versionKey{s.Key()}, func() (string, error) {
		_, rows, err := s.Rows(s.c, "SELECT VERSION()")
		if err != nil || len(rows) == 0 {
			return "", err
		}
		return value.Str(rows[0][0]), nil
	})
	if err != nil {
		mysqldb.Fail(s.c, err)
		s.c.Run.Forget(versionKey{s.Key()})
	}
	return text
}

// texts are the first column.
func texts(rows [][]any) *value.List {
	l := value.L()
	for _, row := range rows {
		l.Append(row[0])
	}
	return l
}

type quoteArgs struct {
	Identifier string `py:"identifier"`       // a name
	ForGrants  bool   `py:"for_grants=False"` // as GRANT takes a database, where _ and % are wildcards
}

// quoteIdentifier returns a name as an identifier in a query with arguments:
// % is doubled.
//
//	salt-call mysql.quote_identifier 'foo`bar'
func quoteIdentifier(_ *salt.Ctx, a quoteArgs) (string, error) { return doubled(a), nil }
