package mysql

import (
	"slices"
	"strings"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

func doubled(a quoteArgs) string {
	return strings.ReplaceAll(mysqldb.Quote(a.Identifier, a.ForGrants), "%", "%%")
}

// dbList returns the names of the databases.
func dbList(c *salt.Ctx, a connArgs) (*value.List, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return value.L(), nil
	}
	_, rows, _ := s.ask("SHOW DATABASES")
	return texts(rows), nil
}

type dbArgs struct {
	Name string     `py:"name"`              // the database
	Conn *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// dbExists reports whether there is a database.
func dbExists(c *salt.Ctx, a dbArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	return ok && s.has(a.Name), nil
}

func (s server) has(name string) bool {
	_, rows, _ := s.ask("SELECT SCHEMA_NAME FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME = ?", name)
	return len(rows) == 1
}

// dbGet returns character_set and collate of a database, {} without one.
func dbGet(c *salt.Ctx, a dbArgs) (any, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return value.L(), nil
	}
	m, ok := s.get(a.Name)
	if !ok {
		return value.L(), nil
	}
	return m, nil
}

func (s server) get(name string) (*value.Map, bool) {
	_, rows, ok := s.ask("SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME=?", name)
	m := new(value.Map)
	if len(rows) > 0 {
		m.Set("character_set", rows[0][0])
		m.Set("collate", rows[0][1])
	}
	return m, ok
}

// dbTables returns the tables of a database, False without one.
func dbTables(c *salt.Ctx, a dbArgs) (any, error) {
	s, ok := open(c, a.Conn)
	if !ok || !s.has(a.Name) {
		return false, nil
	}
	return s.tables(a.Name), nil
}

func (s server) tables(name string) *value.List {
	_, rows, _ := s.ask("SHOW TABLES IN " + mysqldb.Quote(name, false))
	return texts(rows)
}

type dbSetArgs struct {
	Name         string     `py:"name"`               // the database
	CharacterSet any        `py:"character_set=None"` // its character set
	Collate      any        `py:"collate=None"`       // its collation
	Conn         *value.Map `py:"**connection_args"`  // the server, as in mysql.version
}

// dbCreate makes a database. It returns False when it is there already.
//
//	salt-call mysql.db_create dbname utf8mb4 utf8mb4_general_ci
func dbCreate(c *salt.Ctx, a dbSetArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	if !ok || s.has(a.Name) {
		return false, nil
	}
	q, args := "CREATE DATABASE IF NOT EXISTS "+mysqldb.Quote(a.Name, false), []any{}
	if a.CharacterSet != nil {
		q += " CHARACTER SET ?"
		args = append(args, value.Str(a.CharacterSet))
	}
	if a.Collate != nil {
		q += " COLLATE ?"
		args = append(args, value.Str(a.Collate))
	}
	_, ok = s.do(q, args...)
	return ok, nil
}

// alterDb sets the character set and the collation of a database.
func alterDb(c *salt.Ctx, a dbSetArgs) (any, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return value.L(), nil
	}
	now, _ := s.get(a.Name)
	or := func(v any, key string) string {
		if !value.Truth(v) {
			v = now.At(key)
		}
		return value.Str(v)
	}
	_, ok = s.do("ALTER DATABASE "+mysqldb.Quote(a.Name, false)+" CHARACTER SET ? COLLATE ?", or(a.CharacterSet, "character_set"), or(a.Collate, "collate"))
	return ok, nil
}

// dbRemove removes a database with all that is in it. It returns False when
// there is none.
func dbRemove(c *salt.Ctx, a dbArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	if !ok || !s.has(a.Name) || slices.Contains([]string{"mysql", "information_schema"}, a.Name) {
		return false, nil
	}
	_, ok = s.do("DROP DATABASE " + mysqldb.Quote(a.Name, false))
	return ok && !s.has(a.Name), nil
}

type tableArgs struct {
	Name  string     `py:"name"`              // the database
	Table any        `py:"table=None"`        // the table; None: all, a list a table
	Conn  *value.Map `py:"**connection_args"` // the server, as in mysql.version
}

// each runs a statement about tables.
func (a *tableArgs) each(c *salt.Ctx, statement string) (*value.List, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return value.L(), nil
	}
	one := func(table any) *value.List {
		cols, rows, _ := s.ask(statement + " TABLE " + mysqldb.Quote(a.Name, false) + "." + mysqldb.Quote(value.Str(table), false))
		return mysqldb.Maps(cols, rows)
	}
	if a.Table != nil {
		return one(a.Table), nil
	}
	out := value.L()
	if s.has(a.Name) {
		for _, table := range s.tables(a.Name).Items {
			out.Append(one(table))
		}
	}
	return out, nil
}

// dbCheck checks the tables of a database.
func dbCheck(c *salt.Ctx, a tableArgs) (*value.List, error) { return a.each(c, "CHECK") }

// dbRepair repairs the tables of a database.
func dbRepair(c *salt.Ctx, a tableArgs) (*value.List, error) { return a.each(c, "REPAIR") }

// dbOptimize gives back what the tables of a database do not use.
func dbOptimize(c *salt.Ctx, a tableArgs) (*value.List, error) { return a.each(c, "OPTIMIZE") }
