// Package postgres_language holds Salt's postgres_language states: the
// procedural languages of a database. Its main variable is Module.
//
//	plperl:
//	  postgres_language.present:
//	    - maintenance_db: shop
package postgres_language

import (
	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_language module.
var Module = salt.Module{
	Name:    "postgres_language",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

type presentArgs struct {
	Name          string `py:"name"`             // the name
	MaintenanceDb any    `py:"maintenance_db"`   // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`        // who psql runs as; None: postgres when the server is reached by its socket
	DbPassword    any    `py:"db_password=None"` // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`     // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`     // the port; None: postgres.port
	DbUser        any    `py:"db_user=None"`     // the user of the database; None: postgres.user, else who psql runs as
}

// present makes sure that a database has a language.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	s := pgstate.Server{RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	there, err := s.Ask(c, "language_exists", []any{a.Name, a.MaintenanceDb})
	switch {
	case err != nil:
		return salt.Raised(err)
	case there:
		return salt.Correct("Language %s is already installed", a.Name)
	case c.Test:
		return salt.Would(nil, "Language %s is set to be installed", a.Name)
	}
	done, err := s.Ask(c, "language_create", []any{a.Name, a.MaintenanceDb})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to install language %s", a.Name)
	}
	return salt.Changed(value.M(a.Name, "Present"), "Language %s has been installed", a.Name)
}

type absentArgs struct {
	Name          string `py:"name"`             // the name
	MaintenanceDb any    `py:"maintenance_db"`   // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`        // who psql runs as; None: postgres when the server is reached by its socket
	DbPassword    any    `py:"db_password=None"` // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`     // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`     // the port; None: postgres.port
	DbUser        any    `py:"db_user=None"`     // the user of the database; None: postgres.user, else who psql runs as
}

// absent makes sure that a database does not have a language.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s := pgstate.Server{RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	what := "Language " + a.Name
	return pgstate.Absence{
		Name:   a.Name,
		Exists: func() (bool, error) { return s.Ask(c, "language_exists", []any{a.Name, a.MaintenanceDb}) },
		Remove: func() (bool, error) { return s.Ask(c, "language_remove", []any{a.Name, a.MaintenanceDb}) },
		Would:  what + " is set to be removed", Did: what + " has been removed", Failed: "Failed to remove language " + a.Name,
		Absent: what + " is not present so it cannot be removed",
	}.Run(c)
}
