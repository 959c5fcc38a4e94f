// Package postgres_initdb holds Salt's postgres_initdb state: the data
// directories of PostgreSQL. Its main variable is Module.
//
//	/srv/pgdata:
//	  postgres_initdb.present:
//	    - auth: scram-sha-256
//	    - password: secret
//	    - checksums: True
package postgres_initdb

import (
	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_initdb module.
var Module = salt.Module{
	Name:    "postgres_initdb",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present)} },
}

type presentArgs struct {
	Name      string `py:"name"`            // the folder
	User      any    `py:"user=None"`       // the superuser; None: as runas
	Password  any    `py:"password=None"`   // the password of the superuser
	Auth      any    `py:"auth='password'"` // how users of this machine prove who they are
	Encoding  any    `py:"encoding='UTF8'"` // its encoding
	Locale    any    `py:"locale=None"`     // the locale
	Runas     any    `py:"runas=None"`      // who initdb runs as; None: postgres
	Waldir    any    `py:"waldir=None"`     // a folder for the write-ahead log
	Checksums any    `py:"checksums=False"` // checksums of data pages
}

// present makes sure that a folder is a data directory. One that is there
// stays as it is.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	what := "Postgres data directory " + a.Name
	there, err := c.Call("postgres.datadir_exists", a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case value.Truth(there):
		return salt.Correct("%s is already present", what)
	case c.Test:
		return salt.Would(nil, "%s is set to be initialized", what)
	}
	done, err := c.CallKw("postgres.datadir_init", value.M("user", a.User, "password", a.Password, "auth", a.Auth, "encoding", a.Encoding,
		"locale", a.Locale, "waldir", a.Waldir, "checksums", a.Checksums, "runas", a.Runas), a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(done):
		return salt.Failed("%s initialization failed", what)
	}
	return salt.Changed(value.M(a.Name, "Present"), "%s has been initialized", what)
}
