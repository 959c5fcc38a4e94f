// Package mysql_user holds Salt's mysql_user states: the users of MySQL and
// MariaDB servers. Its main variable is Module.
//
//	frank:
//	  mysql_user.present:
//	    - host: localhost
//	    - password: bobcat
package mysql_user

import (
	"fmt"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's mysql_user module.
var Module = salt.Module{
	Name:    "mysql_user",
	Virtual: mysqldb.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
}

type presentArgs struct {
	Name              string     `py:"name"`                                // the user
	Host              string     `py:"host='localhost'"`                    // where it comes from
	Password          any        `py:"password=None"`                       // its password
	PasswordHash      any        `py:"password_hash=None"`                  // or the hash of it
	AllowPasswordless bool       `py:"allow_passwordless=False"`            // it may have none
	UnixSocket        bool       `py:"unix_socket=False"`                   // it logs in by the socket as the user of this machine of that name
	PasswordColumn    any        `py:"password_column=None"`                // the column of mysql.user; the default is found out
	AuthPlugin        string     `py:"auth_plugin='mysql_native_password'"` // how a MySQL 8 checks the password
	Conn              *value.Map `py:"**connection_args"`                   // the server, as in mysql.version
}

// A user is one that a state is about.
type user struct {
	c *salt.Ctx
	presentArgs
	who          string
	passwordless bool
}

// call calls a function with the server's arguments and more.
func (u *user) call(fun string, kw ...any) (bool, error) {
	m := u.Conn.Shallow()
	m.Update(value.M(kw...))
	v, err := u.c.CallKw("mysql."+fun, m, u.Name, u.Host)
	return value.Truth(v), err
}

// present makes sure that there is a user with this password.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	u := user{c, a, a.Name + "@" + a.Host, !value.Truth(a.Password) && !value.Truth(a.PasswordHash)}
	if u.passwordless && !a.AllowPasswordless && !a.UnixSocket {
		return salt.Failed("Either password or password_hash must be specified, unless allow_passwordless is True")
	}
	c.Run.Hide(value.Str(a.Password))
	exact, err := u.call("user_exists", "password", a.Password, "password_hash", a.PasswordHash, "passwordless", u.passwordless, "unix_socket", a.UnixSocket, "password_column", a.PasswordColumn)
	switch {
	case err != nil:
		return salt.Raised(err)
	case exact:
		return u.there()
	}
	if text := mysqldb.Error(c); text != "" {
		return salt.Failed("%s", text)
	}
	known, err := u.call("user_exists", "unix_socket", a.UnixSocket)
	switch {
	case err != nil:
		return salt.Raised(err)
	case known:
		return u.change()
	}
	if text := mysqldb.Error(c); text != "" {
		return salt.Failed("%s", text)
	}
	return u.create()
}

// there says that the user is as it should be.
func (u *user) there() salt.Result {
	comment := "User " + u.who + " is already present"
	switch {
	case u.passwordless && u.AllowPasswordless:
		comment += " with passwordless login"
	case u.passwordless:
	case u.AuthPlugin != "mysql_native_password":
		comment += ". Unable to verify password."
	case value.Truth(u.Password):
		comment += " with the desired password"
	default:
		comment += " with the desired password hash"
	}
	return salt.Correct("%s", comment)
}

// change sets the password of a user that is there.
func (u *user) change() salt.Result {
	verb, done := "change", "changed"
	if u.passwordless {
		verb, done = "clear", "cleared"
	}
	if u.c.Test {
		if u.passwordless && !u.AllowPasswordless {
			return salt.Failed("Password for user %s is set to be %s, but allow_passwordless != True", u.who, done)
		}
		return salt.Would(nil, "Password for user %s is set to be %s", u.who, done)
	}
	ok, err := u.call("user_chpass", "password", u.Password, "password_hash", u.PasswordHash, "allow_passwordless", u.AllowPasswordless, "unix_socket", u.UnixSocket)
	switch {
	case err != nil:
		return salt.Raised(err)
	case ok:
		return salt.Changed(value.M(u.Name, "Updated"), "Password for user %s has been %s", u.who, done)
	}
	comment := fmt.Sprintf("Failed to %s password for user %s%s", verb, u.who, why(u.c))
	if u.passwordless && !u.AllowPasswordless {
		comment += ". Note: allow_passwordless must be True to permit passwordless login."
	}
	return salt.Failed("%s", comment)
}

// why is the last error in brackets, if there is one.
func why(c *salt.Ctx) string {
	if text := mysqldb.Error(c); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// create makes the user.
func (u *user) create() salt.Result {
	how := ""
	if u.AllowPasswordless {
		how += " with passwordless login"
	}
	if u.UnixSocket {
		how += " using unix_socket"
	}
	if u.c.Test {
		return salt.Would(nil, "User %s is set to be added%s", u.who, how)
	}
	ok, err := u.call("user_create", "password", u.Password, "password_hash", u.PasswordHash, "allow_passwordless", u.AllowPasswordless, "unix_socket", u.UnixSocket,
		"password_column", u.PasswordColumn, "auth_plugin", u.AuthPlugin)
	switch {
	case err != nil:
		return salt.Raised(err)
	case ok:
		return salt.Changed(value.M(u.Name, "Present"), "The user %s has been added%s", u.who, how)
	}
	return salt.Failed("Failed to create user %s%s", u.who, why(u.c))
}

type absentArgs struct {
	Name string     `py:"name"`              // the user
	Host string     `py:"host='localhost'"`  // where it comes from
	Conn *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// absent makes sure that there is no such user.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	u := user{c: c, presentArgs: presentArgs{Name: a.Name, Host: a.Host, Conn: a.Conn}, who: a.Name + "@" + a.Host}
	known, err := u.call("user_exists")
	switch {
	case err != nil:
		return salt.Raised(err)
	case !known:
		if text := mysqldb.Error(c); text != "" {
			return salt.Failed("%s", text)
		}
		return salt.Correct("User %s is not present, so it cannot be removed", u.who)
	case c.Test:
		return salt.Would(nil, "User %s is set to be removed", u.who)
	}
	gone, err := u.call("user_remove")
	switch {
	case err != nil:
		return salt.Raised(err)
	case gone:
		return salt.Changed(value.M(a.Name, "Absent"), "User %s has been removed", u.who)
	}
	return salt.Failed("User %s could not be removed%s", u.who, why(c))
}
