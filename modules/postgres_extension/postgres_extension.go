// Package postgres_extension holds Salt's postgres_extension states: the
// extensions of a database. Its main variable is Module.
//
//	hstore:
//	  postgres_extension.present:
//	    - maintenance_db: shop
package postgres_extension

import (
	"slices"
	"strings"

	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_extension module.
var Module = salt.Module{
	Name:    "postgres_extension",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

type presentArgs struct {
	Name          string `py:"name"`                // the name
	IfNotExists   any    `py:"if_not_exists=None"`  // no error if it is there; None: True
	Schema        any    `py:"schema=None"`         // the schema of its objects
	ExtVersion    any    `py:"ext_version=None"`    // its version
	FromVersion   any    `py:"from_version=None"`   // upgrade objects of that version; servers before 13 only
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
}

func (a presentArgs) server() pgstate.Server {
	return pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
}

// present makes sure that a database has an extension, of at least the given
// version, and in the given schema if it can be moved.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	s := a.server()
	v, err := c.CallKw("postgres.create_metadata", s.Args("schema", a.Schema, "ext_version", a.ExtVersion), a.Name)
	if err != nil {
		return salt.Raised(err)
	}
	flags, _ := v.(*value.List)
	verb, past := "install", "installed"
	switch {
	case slices.Contains(flags.Items, any("EXTENSION NOT INSTALLED")):
	case flags.Len() > 1:
		verb, past = "upgrade", "upgraded"
	default:
		return salt.Correct("Extension %s is already present", a.Name)
	}
	if c.Test {
		return salt.Would(nil, "Extension %s is set to be %s", a.Name, past)
	}
	done, err := s.Ask(c, "create_extension", []any{a.Name}, "if_not_exists", a.IfNotExists, "schema", a.Schema, "ext_version", a.ExtVersion, "from_version", a.FromVersion)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to %s extension %s", verb, a.Name)
	}
	return salt.Changed(value.M(a.Name, strings.ToUpper(past[:1])+past[1:]), "The extension %s has been %s", a.Name, past)
}

type absentArgs struct {
	Name          string `py:"name"`                // the name
	IfExists      any    `py:"if_exists=None"`      // no error if it is not there
	Restrict      any    `py:"restrict=None"`       // not if something depends on it
	Cascade       any    `py:"cascade=None"`        // with what depends on it; None: True unless restrict is set
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
}

// absent makes sure that a database does not have an extension.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s := pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	what := "Extension " + a.Name
	return pgstate.Absence{
		Name:   a.Name,
		Exists: func() (bool, error) { return s.Ask(c, "is_installed_extension", []any{a.Name}) },
		Remove: func() (bool, error) {
			return s.Ask(c, "drop_extension", []any{a.Name}, "if_exists", a.IfExists, "restrict", a.Restrict, "cascade", a.Cascade)
		},
		Would: what + " is set to be removed", Did: what + " has been removed", Failed: what + " failed to be removed",
		Absent: what + " is not present, so it cannot be removed",
	}.Run(c)
}
