// Package mysql_database holds Salt's mysql_database states: the databases of
// MySQL and MariaDB servers. Its main variable is Module.
//
//	frank:
//	  mysql_database.present:
//	    - character_set: utf8mb4
//	    - collate: utf8mb4_general_ci
package mysql_database

import (
	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's mysql_database module.
var Module = salt.Module{
	Name:    "mysql_database",
	Virtual: mysqldb.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
}

type presentArgs struct {
	Name         string     `py:"name"`               // the database
	CharacterSet any        `py:"character_set=None"` // its character set; None leaves it
	Collate      any        `py:"collate=None"`       // its collation; None leaves it
	Conn         *value.Map `py:"**connection_args"`  // the server, as in mysql.version
}

func (a *presentArgs) call(c *salt.Ctx, fun string) (any, error) {
	kw := a.Conn.Shallow()
	if fun != "db_get" {
		kw.Set("character_set", a.CharacterSet)
		kw.Set("collate", a.Collate)
	}
	return c.CallKw("mysql."+fun, kw, a.Name)
}

// why is the last error in brackets, if there is one.
func why(c *salt.Ctx) string {
	if text := mysqldb.Error(c); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// present makes sure that there is a database.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	v, err := a.call(c, "db_get")
	if err != nil {
		return salt.Raised(err)
	}
	if m, ok := v.(*value.Map); ok && m.Len() > 0 {
		return a.alter(c, m)
	}
	if text := mysqldb.Error(c); text != "" {
		return salt.Failed("%s", text)
	}
	if c.Test {
		return salt.Would(nil, "Database %s is not present and needs to be created", a.Name)
	}
	made, err := a.call(c, "db_create")
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(made):
		return salt.Failed("Failed to create database %s%s", a.Name, why(c))
	}
	return salt.Changed(value.M(a.Name, "Present"), "The database %s has been created", a.Name)
}

// alter gives a database that is there its character set and collation.
func (a *presentArgs) alter(c *salt.Ctx, now *value.Map) salt.Result {
	r := salt.Correct("Database %s is already present", a.Name)
	charset := value.Truth(a.CharacterSet) && a.CharacterSet != now.At("character_set")
	collate := value.Truth(a.Collate) && a.Collate != now.At("collate")
	if charset {
		r.Comment = "Database character set " + value.Str(a.CharacterSet) + " != " + now.Str("character_set") + " needs to be updated"
	}
	if collate {
		r.Comment += "\nDatabase collate " + value.Str(a.Collate) + " != " + now.Str("collate") + " needs to be updated"
	}
	switch {
	case !charset && !collate:
		return r
	case c.Test:
		r.Result = nil
		if !collate {
			r.Comment += "\nDatabase " + a.Name + " is going to be updated"
		}
		return r
	}
	if v, err := a.call(c, "alter_db"); err != nil {
		return salt.Raised(err)
	} else if !value.Truth(v) {
		r.Result = salt.False()
		r.Comment += why(c)
		return r
	}
	v, err := a.call(c, "db_get")
	if err != nil {
		return salt.Raised(err)
	}
	is, _ := v.(*value.Map)
	for _, key := range []string{"collate", "character_set"} {
		if now.At(key) != is.At(key) {
			r.Changes.Set(key, value.M("before", now.At(key), "now", is.At(key)))
		}
	}
	return r
}

type absentArgs struct {
	Name string     `py:"name"`              // the database
	Conn *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// absent makes sure that there is no such database. What is in it is lost.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	there, err := c.CallKw("mysql.db_exists", a.Conn.Shallow(), a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(there):
		if text := mysqldb.Error(c); text != "" {
			return salt.Failed("%s", text)
		}
		return salt.Correct("Database %s is not present, so it cannot be removed", a.Name)
	case c.Test:
		return salt.Would(nil, "Database %s is present and needs to be removed", a.Name)
	}
	gone, err := c.CallKw("mysql.db_remove", a.Conn.Shallow(), a.Name)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !value.Truth(gone):
		return salt.Failed("Unable to remove database %s%s", a.Name, why(c))
	}
	return salt.Changed(value.M(a.Name, "Absent"), "Database %s has been removed", a.Name)
}
