package mysql

import (
	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

type userCreateArgs struct {
	User              string     `py:"user"`                                // the user
	Host              string     `py:"host='localhost'"`                    // where it comes from
	Password          any        `py:"password=None"`                       // its password
	PasswordHash      any        `py:"password_hash=None"`                  // or the hash of it
	AllowPasswordless bool       `py:"allow_passwordless=False"`            // it may have none
	UnixSocket        bool       `py:"unix_socket=False"`                   // it logs in by the socket as the user of this machine of that name
	PasswordColumn    any        `py:"password_column=None"`                // the column of mysql.user; the default is found out
	AuthPlugin        string     `py:"auth_plugin='mysql_native_password'"` // how a MySQL 8 checks the password
	Conn              *value.Map `py:"**connection_args"`                   // the server, as in mysql.version
}

const needsPassword = "password or password_hash must be specified, unless allow_passwordless=True"

// userCreate makes a user. It returns False when it is there already.
//
//	salt-call mysql.user_create 'username' 'hostname' 'password'
func userCreate(c *salt.Ctx, a userCreateArgs) (bool, error) {
	hide(c, a.Password)
	s, ok := reach(c, a.Conn, a.Password)
	who := account{user: a.User, host: a.Host, password: a.Password, hash: a.PasswordHash, plugin: a.AuthPlugin}
	if !ok || s.exists(account{user: a.User, host: a.Host}) {
		return false, nil
	}
	who.column = s.column(a.PasswordColumn)
	q, args, ok := s.creating(who, a.AllowPasswordless, a.UnixSocket)
	if !ok {
		return false, nil
	}
	if _, ok = s.do(q, args...); !ok {
		return false, nil
	}
	return s.exists(who), nil
}

// creating is the statement that makes a user; ok is false when there can be
// none.
func (s server) creating(a account, passwordless, socket bool) (q string, args []any, ok bool) {
	q, args = "CREATE USER ?@?", []any{a.user, a.host}
	secret := func(v any, plain string, modern string) {
		if s.mariaDB() || !s.modern() {
			q += plain
		} else {
			q += " IDENTIFIED WITH ? " + modern
			args = append(args, a.plugin)
		}
		args = append(args, value.Str(v))
	}
	switch {
	case socket:
		if !s.canSocket(a.host) {
			return "", nil, false
		}
		if s.mariaDB() {
			q += " IDENTIFIED VIA unix_socket"
		} else {
			q += " IDENTIFIED WITH auth_socket"
		}
	case passwordless:
	case a.password != nil:
		secret(a.password, " IDENTIFIED BY ?", "BY ?")
	case a.hash != nil:
		secret(a.hash, " IDENTIFIED BY PASSWORD ?", "AS ?")
	default:
		s.c.Log.Error(needsPassword)
		return "", nil, false
	}
	return q, args, true
}

// canSocket reports whether users of a host can log in by the socket.
func (s server) canSocket(host string) bool {
	switch {
	case s.plugin(s.socketPlugin()) == "":
		return s.fail("The " + s.socketPlugin() + " plugin is not enabled.")
	case host != "localhost":
		return s.fail("Auth via unix_socket can be set only for host=localhost")
	}
	return true
}

type userChpassArgs struct {
	User              string     `py:"user"`                     // the user
	Host              string     `py:"host='localhost'"`         // where it comes from
	Password          any        `py:"password=None"`            // its new password
	PasswordHash      any        `py:"password_hash=None"`       // or the hash of it
	AllowPasswordless bool       `py:"allow_passwordless=False"` // it may have none
	UnixSocket        bool       `py:"unix_socket=None"`         // with allow_passwordless: it logs in by the socket
	PasswordColumn    any        `py:"password_column=None"`     // the column of mysql.user; the default is found out
	Conn              *value.Map `py:"**connection_args"`        // the server, as in mysql.version
}

// userChpass changes how a user logs in. It returns False when there is no
// such user.
//
//	salt-call mysql.user_chpass frank localhost newpassword
func userChpass(c *salt.Ctx, a userChpassArgs) (bool, error) {
	hide(c, a.Password)
	s, ok := reach(c, a.Conn, a.Password)
	if !ok || !s.exists(account{user: a.User, host: a.Host}) {
		return false, nil
	}
	secret := a.Password
	if secret == nil {
		secret = a.PasswordHash
	}
	if secret == nil && !a.AllowPasswordless {
		c.Log.Error(needsPassword)
		return false, nil
	}
	socket := a.AllowPasswordless && a.UnixSocket
	if socket && !s.canSocket(a.Host) {
		return false, nil
	}
	q, args := s.changing(a, secret, socket)
	n, ok := s.do(q, args...)
	if !ok || n == 0 && !s.modern() {
		return false, nil
	}
	_, ok = s.do("FLUSH PRIVILEGES")
	return ok, nil
}

// changing is the statement that sets a password.
func (s server) changing(a userChpassArgs, secret any, socket bool) (string, []any) {
	text, plugin := "", s.pluginOf(a.User, a.Host)
	if secret != nil {
		text = value.Str(secret)
	}
	if plugin == s.socketPlugin() {
		plugin = "mysql_native_password"
	}
	hashed := "?"
	if a.Password != nil && (s.mariaDB() || !s.modern()) {
		hashed = "PASSWORD(?)"
	}
	switch {
	case !s.modern():
		q, args := "UPDATE mysql.user SET "+mysqldb.Quote(s.column(a.PasswordColumn), false)+"="+hashed, []any{text}
		if socket {
			q += ", plugin=?"
			args = append(args, s.socketPlugin())
		}
		return q + " WHERE User=? AND Host = ?", append(args, a.User, a.Host)
	case socket && s.mariaDB():
		return "ALTER USER ?@? IDENTIFIED VIA unix_socket", []any{a.User, a.Host}
	case socket:
		return "ALTER USER ?@? IDENTIFIED WITH auth_socket AS ?", []any{a.User, a.Host, a.User}
	case s.mariaDB():
		return "ALTER USER ?@? IDENTIFIED VIA ? USING " + hashed, []any{a.User, a.Host, plugin, text}
	case a.Password != nil:
		return "ALTER USER ?@? IDENTIFIED WITH ? BY ?", []any{a.User, a.Host, plugin, text}
	case a.PasswordHash != nil:
		return "ALTER USER ?@? IDENTIFIED WITH ? AS ?", []any{a.User, a.Host, plugin, text}
	}
	return "ALTER USER ?@? IDENTIFIED WITH ? BY ''", []any{a.User, a.Host, plugin}
}
