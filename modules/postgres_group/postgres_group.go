// Package postgres_group holds Salt's postgres_group states: the roles of
// PostgreSQL that others are members of. Its main variable is Module.
//
//	readers:
//	  postgres_group.present: []
package postgres_group

import (
	"pinch/pgstate"
	"pinch/salt"
)

// Module is Salt's postgres_group module.
var Module = salt.Module{
	Name:    "postgres_group",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

type presentArgs struct {
	Name            string `py:"name"`                  // the name
	Createdb        any    `py:"createdb=None"`         // may it make databases
	Createroles     any    `py:"createroles=None"`      // may it make roles
	Encrypted       any    `py:"encrypted=None"`        // how the password is stored: `md5` (None, True), `scram-sha-256`, or False for as it is
	Superuser       any    `py:"superuser=None"`        // is it a superuser
	Inherit         any    `py:"inherit=None"`          // has it the privileges of its groups; None: yes for a new role
	Login           any    `py:"login=None"`            // may it log in; None: no for a new one
	Replication     any    `py:"replication=None"`      // may it replicate
	Password        any    `py:"password=None"`         // its password, in plain text or as it is stored
	RefreshPassword any    `py:"refresh_password=None"` // set the password without comparing it, for a db_user that may not read stored ones
	Groups          any    `py:"groups=None"`           // groups to put it into: a list, or a text with commas
	User            any    `py:"user=None"`             // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb   any    `py:"maintenance_db=None"`   // the database to work in; None: postgres.maintenance_db, else postgres
	DbPassword      any    `py:"db_password=None"`      // the password of db_user; None: postgres.pass
	DbHost          any    `py:"db_host=None"`          // host or folder of the socket; None: postgres.host, else the socket
	DbPort          any    `py:"db_port=None"`          // the port; None: postgres.port
	DbUser          any    `py:"db_user=None"`          // the user of the database; None: postgres.user, else who psql runs as
}

// present makes sure that there is a role with the given attributes. Groups
// are added, never taken away.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	return pgstate.Role{
		Kind: "Group", Name: a.Name, Encrypted: a.Encrypted, Password: a.Password, RefreshPassword: a.RefreshPassword, Groups: a.Groups,
		Flags:  pgstate.Flags(a.Createdb, a.Inherit, a.Login, a.Createroles, a.Replication, a.Superuser),
		Server: pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword},
	}.Present(c)
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

// absent makes sure that there is no such role.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	return pgstate.Role{
		Kind: "Group", Name: a.Name,
		Server: pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword},
	}.Absent(c)
}
