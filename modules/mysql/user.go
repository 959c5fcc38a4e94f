package mysql

import (
	"crypto/sha1" //nolint:gosec // the server's own hash
	"encoding/hex"
	"fmt"
	"strings"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// userList returns User and Host of all users.
func userList(c *salt.Ctx, a connArgs) (*value.List, error) {
	return maps(c, a.Conn, "SELECT User,Host FROM mysql.user"), nil
}

type userArgs struct {
	User string     `py:"user"`              // the user
	Host string     `py:"host='localhost'"`  // where it comes from
	Conn *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// userInfo returns all that the server keeps about a user, None without one.
func userInfo(c *salt.Ctx, a userArgs) (any, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return false, nil
	}
	cols, rows, ok := s.ask("SELECT * FROM mysql.user WHERE User = ? AND Host = ?", a.User, a.Host)
	switch {
	case !ok:
		return false, nil
	case len(rows) == 0:
		return nil, nil
	}
	return mysqldb.Maps(cols, rows).Items[0], nil
}

// An account is a user with the way it logs in.
type account struct {
	user, host           string
	password, hash       any
	passwordless, socket bool
	column, plugin       string
}

type userExistsArgs struct {
	User           string     `py:"user"`                 // the user
	Host           string     `py:"host='localhost'"`     // where it comes from
	Password       any        `py:"password=None"`        // with this password
	PasswordHash   any        `py:"password_hash=None"`   // or with this hash of one
	Passwordless   bool       `py:"passwordless=False"`   // or without a password
	UnixSocket     bool       `py:"unix_socket=False"`    // which logs in by the socket, with passwordless
	PasswordColumn any        `py:"password_column=None"` // the column of mysql.user; the default is found out
	Conn           *value.Map `py:"**connection_args"`    // the server, as in mysql.version
}

// reach connects; when that fails with the password that is to be set: it may
// be set already.
func reach(c *salt.Ctx, conn *value.Map, password any) (server, bool) {
	s, ok := open(c, conn)
	if ok || !value.Truth(password) {
		return s, ok
	}
	text := mysqldb.Error(c)
	conn = conn.Shallow()
	conn.Set("connection_pass", value.Str(password))
	if s, ok = open(c, conn); !ok && text != "" {
		mysqldb.Fail(c, fmt.Errorf("%s", text))
	}
	return s, ok
}

// userExists reports whether there is a user, with a password if one is given.
func userExists(c *salt.Ctx, a userExistsArgs) (bool, error) {
	hide(c, a.Password)
	s, ok := reach(c, a.Conn, a.Password)
	if !ok {
		return false, nil
	}
	return s.exists(account{user: a.User, host: a.Host, password: a.Password, hash: a.PasswordHash, passwordless: a.Passwordless, socket: a.UnixSocket, column: s.column(a.PasswordColumn)}), nil
}

func hide(c *salt.Ctx, password any) {
	if value.Truth(password) {
		c.Run.Hide(value.Str(password))
	}
}

type columnKey struct{ db any }

// column is where mysql.user has passwords.
func (s server) column(given any) string {
	if value.Truth(given) {
		return value.Str(given)
	}
	name, _ := salt.Once(s.c.Run, columnKey{s.Key()}, func() (string, error) {
		_, rows, _ := s.ask("SELECT column_name from information_schema.COLUMNS WHERE table_schema='mysql' and table_name='user' and column_name='Password'")
		if len(rows) > 0 {
			return "Password", nil
		}
		return "authentication_string", nil
	})
	return name
}

func (s server) mariaDB() bool { return strings.Contains(s.version(), "MariaDB") }

// modern says that passwords are set by ALTER USER.
func (s server) modern() bool {
	if s.mariaDB() {
		return mysqldb.AtLeast(s.version(), 10, 4)
	}
	return mysqldb.AtLeast(s.version(), 8, 0, 11)
}

// socketPlugin is what logs users of this machine in.
func (s server) socketPlugin() string {
	if s.mariaDB() {
		return "unix_socket"
	}
	return "auth_socket"
}

// native is the hash that mysql_native_password keeps.
func native(password string) string {
	h := sha1.Sum([]byte(password)) //nolint:gosec // the server's own hash
	h = sha1.Sum(h[:])              //nolint:gosec // the server's own hash
	return "*" + strings.ToUpper(hex.EncodeToString(h[:]))
}

func (s server) pluginOf(user, host string) string {
	_, rows, _ := s.ask("SELECT plugin FROM mysql.user WHERE User=? and Host=?", user, host)
	if len(rows) == 0 || !value.Truth(rows[0][0]) {
		return "mysql_native_password"
	}
	return value.Str(rows[0][0])
}

func (s server) exists(a account) bool {
	q, args := "SELECT User,Host FROM mysql.user WHERE User = ? AND Host = ?", []any{a.user, a.host}
	column := " AND " + mysqldb.Quote(a.column, false) + " = "
	switch {
	case a.passwordless && a.socket:
		q += " AND plugin=?"
		args = append(args, s.socketPlugin())
	case a.passwordless:
		q += column + "''"
	case value.Truth(a.password) && (s.mariaDB() || !s.modern()):
		q += column + "PASSWORD(?)"
		args = append(args, value.Str(a.password))
	case value.Truth(a.password):
		if s.pluginOf(a.user, a.host) == "mysql_native_password" {
			q += column + "?"
			args = append(args, native(value.Str(a.password)))
		} else {
			s.fail("Unable to verify password.")
		}
	case value.Truth(a.hash):
		q += column + "?"
		args = append(args, value.Str(a.hash))
	}
	_, rows, _ := s.ask(q, args...)
	return len(rows) == 1
}

// userRemove removes a user. It returns False when there is none.
func userRemove(c *salt.Ctx, a userArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	who := account{user: a.User, host: a.Host}
	switch {
	case !ok:
		return false, nil
	case !s.exists(who):
		return s.fail(fmt.Sprintf("User '%s'@'%s' does not exists", a.User, a.Host)), nil
	}
	_, ok = s.do("DROP USER ?@?", a.User, a.Host)
	return ok && !s.exists(who), nil
}

type loginArgs struct {
	User     string     `py:"user"`              // the user
	Password any        `py:"password=None"`     // the password
	Conn     *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// verifyLogin reports whether a user can log in.
func verifyLogin(c *salt.Ctx, a loginArgs) (bool, error) {
	hide(c, a.Password)
	conn := a.Conn.Shallow()
	conn.Set("connection_user", a.User)
	conn.Set("connection_pass", a.Password)
	_, ok := open(c, conn)
	if !ok {
		mysqldb.Forgive(c)
	}
	return ok, nil
}
