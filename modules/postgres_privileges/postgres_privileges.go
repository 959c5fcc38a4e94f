// Package postgres_privileges holds Salt's postgres_privileges states: what
// roles may do with the objects of a database, and membership in groups. Its
// main variable is Module.
//
//	app:
//	  postgres_privileges.present:
//	    - object_name: orders
//	    - object_type: table
//	    - privileges: [SELECT, INSERT]
//	    - maintenance_db: shop
package postgres_privileges

import (
	"strings"

	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_privileges module.
var Module = salt.Module{
	Name:    "postgres_privileges",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

// joined are the privileges with commas between; nil if there are none.
func joined(list any) any {
	if !value.Truth(list) {
		return nil
	}
	l, ok := list.(*value.List)
	if !ok {
		return value.Str(list)
	}
	words := make([]string, l.Len())
	for i, it := range l.Items {
		words[i] = value.Str(it)
	}
	return strings.Join(words, ",")
}

// shown is what comments call the privileges.
func shown(privileges any, objectType, objectName string) string {
	if objectType == "group" {
		return objectName
	}
	return value.Str(privileges)
}

type presentArgs struct {
	Name          string `py:"name"`                // the role
	ObjectName    string `py:"object_name"`         // the object; for tables, sequences and functions ALL is all of the schema; a function has its arguments: `f(integer)`
	ObjectType    string `py:"object_type"`         // `schema`, `tablespace`, `language`, `sequence`, `table`, `group`, `database` or `function`
	Privileges    any    `py:"privileges=None"`     // a list of privileges; none for a group
	GrantOption   any    `py:"grant_option=None"`   // with the right to grant them to others
	Prepend       string `py:"prepend='public'"`    // the schema of the object
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
}

// present makes sure that a role has privileges on an object, or is a member
// of a group.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	s := pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	privileges := joined(a.Privileges)
	ask := func(fun string) (bool, error) {
		return s.Ask(c, fun, []any{a.Name, a.ObjectName, a.ObjectType}, "privileges", privileges, "grant_option", a.GrantOption, "prepend", a.Prepend)
	}
	what := shown(privileges, a.ObjectType, a.ObjectName)
	has, err := ask("has_privileges")
	switch {
	case err != nil:
		return salt.Raised(err)
	case has:
		return salt.Correct("The requested privilege(s) are already set")
	case c.Test:
		return salt.Would(nil, "The privilege(s): %s are set to be granted to %s", what, a.Name)
	}
	done, err := ask("privileges_grant")
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to grant privilege(s): %s to %s", what, a.Name)
	}
	return salt.Changed(value.M(a.Name, "Present"), "The privilege(s): %s have been granted to %s", what, a.Name)
}

type absentArgs struct {
	Name          string `py:"name"`                // the role
	ObjectName    string `py:"object_name"`         // the object; for tables, sequences and functions ALL is all of the schema; a function has its arguments: `f(integer)`
	ObjectType    string `py:"object_type"`         // `schema`, `tablespace`, `language`, `sequence`, `table`, `group`, `database` or `function`
	Privileges    any    `py:"privileges=None"`     // a list of privileges; none for a group
	Prepend       string `py:"prepend='public'"`    // the schema of the object
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
}

// absent makes sure that a role does not have privileges on an object, or is
// no member of a group.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s := pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	privileges := joined(a.Privileges)
	ask := func(fun string) func() (bool, error) {
		return func() (bool, error) {
			return s.Ask(c, fun, []any{a.Name, a.ObjectName, a.ObjectType}, "privileges", privileges, "prepend", a.Prepend)
		}
	}
	what := shown(privileges, a.ObjectType, a.ObjectName)
	return pgstate.Absence{
		Name: a.Name, Exists: ask("has_privileges"), Remove: ask("privileges_revoke"),
		Would:  "The privilege(s): " + what + " are set to be revoked from " + a.Name,
		Did:    "The privilege(s): " + what + " have been revoked from " + a.Name,
		Failed: "Failed to revoke privilege(s): " + what + " from " + a.Name,
		Absent: "The requested privilege(s) are not set so cannot be revoked",
	}.Run(c)
}
