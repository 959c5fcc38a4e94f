// Package postgres_schema holds Salt's postgres_schema states: the schemas of
// a database. Its main variable is Module.
//
//	sales:
//	  postgres_schema.present:
//	    - dbname: shop
//	    - owner: shop
package postgres_schema

import (
	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_schema module.
var Module = salt.Module{
	Name:    "postgres_schema",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

// args are the arguments of the execution module, which has them under the
// same names here.
func args(user, dbUser, password, host, port any) *value.Map {
	m := new(value.Map)
	for _, p := range []struct {
		name string
		v    any
	}{{"db_user", dbUser}, {"db_password", password}, {"db_host", host}, {"db_port", port}, {"user", user}} {
		if p.v != nil {
			m.Set(p.name, p.v)
		}
	}
	return m
}

type presentArgs struct {
	Dbname     string `py:"dbname"`           // the database
	Name       string `py:"name"`             // the name
	Owner      any    `py:"owner=None"`       // the role that owns it
	User       any    `py:"user=None"`        // who psql runs as; None: postgres when the server is reached by its socket
	DbUser     any    `py:"db_user=None"`     // the user of the database; None: postgres.user, else who psql runs as
	DbPassword any    `py:"db_password=None"` // the password of db_user; None: postgres.pass
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket; None: postgres.host, else the socket
	DbPort     any    `py:"db_port=None"`     // the port; None: postgres.port
}

// present makes sure that a database has a schema.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	return inDatabase(a.make(c), a.Dbname)
}

func (a presentArgs) make(c *salt.Ctx) salt.Result {
	kw := args(a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort)
	now, err := c.CallKw("postgres.schema_get", kw, a.Dbname, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case now != nil:
		return salt.Correct("Schema %s already exists in database %s", a.Name, a.Dbname)
	case c.Test:
		return salt.Would(nil, "Schema %s is set to be created in database %s.", a.Name, a.Dbname)
	}
	if a.Owner != nil {
		kw.Set("owner", a.Owner)
	}
	done, err := c.CallKw("postgres.schema_create", kw, a.Dbname, a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(done):
		return salt.Failed("Failed to create schema %s in database %s", a.Name, a.Dbname)
	}
	return salt.Changed(value.M(a.Name, "Present"), "Schema %s has been created in database %s", a.Name, a.Dbname)
}

// inDatabase adds the database to the return, as Salt does.
func inDatabase(r salt.Result, db string) salt.Result {
	if r.Err() == nil {
		r.Extra = value.M("dbname", db)
	}
	return r
}

type absentArgs struct {
	Dbname     string `py:"dbname"`           // the database
	Name       string `py:"name"`             // the name
	User       any    `py:"user=None"`        // who psql runs as; None: postgres when the server is reached by its socket
	DbUser     any    `py:"db_user=None"`     // the user of the database; None: postgres.user, else who psql runs as
	DbPassword any    `py:"db_password=None"` // the password of db_user; None: postgres.pass
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket; None: postgres.host, else the socket
	DbPort     any    `py:"db_port=None"`     // the port; None: postgres.port
}

// absent makes sure that a database does not have a schema, which must be
// empty.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	kw := args(a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort)
	ask := func(fun string) func() (bool, error) {
		return func() (bool, error) {
			v, err := c.CallKw("postgres."+fun, kw, a.Dbname, a.Name)
			return value.Truth(v), err
		}
	}
	what := "Schema " + a.Name
	return inDatabase(pgstate.Absence{
		Name: a.Name, Exists: ask("schema_exists"), Remove: ask("schema_remove"),
		Would: what + " is set to be removed from database " + a.Dbname, Did: what + " has been removed from database " + a.Dbname,
		Failed: what + " failed to be removed", Absent: what + " is not present in database " + a.Dbname + ", so it cannot be removed",
	}.Run(c), a.Dbname)
}
