// Package postgres_database holds Salt's postgres_database states: the
// databases of PostgreSQL. Its main variable is Module.
//
//	shop:
//	  postgres_database.present:
//	    - owner: shop
//	    - encoding: UTF8
//	    - template: template0
package postgres_database

import (
	"strings"

	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_database module.
var Module = salt.Module{
	Name:    "postgres_database",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

type presentArgs struct {
	Name          string `py:"name"`                // the name
	Tablespace    any    `py:"tablespace=None"`     // its tablespace
	Encoding      any    `py:"encoding=None"`       // its encoding
	LcCollate     any    `py:"lc_collate=None"`     // its order of texts
	LcCtype       any    `py:"lc_ctype=None"`       // its classes of characters
	Owner         any    `py:"owner=None"`          // the role that owns it
	OwnerRecurse  any    `py:"owner_recurse=False"` // with all that is in it
	Template      any    `py:"template=None"`       // the database that it is a copy of
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
}

func (a presentArgs) server() pgstate.Server {
	return pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
}

// present makes sure that there is a database. Owner and tablespace of one
// that is there can change; encoding and locale cannot.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	s := a.server()
	v, err := c.CallKw("postgres.db_list", s.Args())
	if err != nil {
		return salt.Raised(err)
	}
	all, _ := v.(*value.Map)
	now := all.Map(a.Name)
	if now == nil {
		return a.create(c, s)
	}
	same := func(key string, want any) bool { return !value.Truth(want) || value.Equal(now.At(key), want) }
	switch {
	case value.Truth(a.Encoding) && !strings.EqualFold(now.Str("Encoding"), value.Str(a.Encoding)), !same("Collate", a.LcCollate), !same("Ctype", a.LcCtype):
		return salt.Failed("Database %s has wrong parameters which couldn't be changed on fly.", a.Name)
	case same("Tablespace", a.Tablespace) && same("Owner", a.Owner):
		return salt.Correct("Database %s is already present", a.Name)
	case c.Test:
		return salt.Would(nil, "Database %s exists, but parameters need to be changed", a.Name)
	}
	done, err := s.Ask(c, "db_alter", []any{a.Name}, "tablespace", a.Tablespace, "owner", a.Owner, "owner_recurse", a.OwnerRecurse)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to change parameters for database %s", a.Name)
	}
	return salt.Changed(value.M(a.Name, "Parameters changed"), "Parameters for database %s have been changed", a.Name)
}

func (a presentArgs) create(c *salt.Ctx, s pgstate.Server) salt.Result {
	if c.Test {
		return salt.Would(nil, "Database %s is set to be created", a.Name)
	}
	done, err := s.Ask(c, "db_create", []any{a.Name}, "tablespace", a.Tablespace, "encoding", a.Encoding, "lc_collate", a.LcCollate,
		"lc_ctype", a.LcCtype, "owner", a.Owner, "template", a.Template)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to create database %s", a.Name)
	}
	return salt.Changed(value.M(a.Name, "Present"), "The database %s has been created", a.Name)
}

type absentArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
}

// absent makes sure that there is no such database. Connections to it are
// ended.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s := pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	what := "Database " + a.Name
	return pgstate.Absence{
		Name:   a.Name,
		Exists: func() (bool, error) { return s.Ask(c, "db_exists", []any{a.Name}) },
		Remove: func() (bool, error) { return s.Ask(c, "db_remove", []any{a.Name}) },
		Would:  what + " is set to be removed", Did: what + " has been removed", Failed: what + " failed to be removed",
		Absent: what + " is not present, so it cannot be removed",
	}.Run(c)
}
