package postgres

import (
	"pinch/salt"
	"pinch/value"
)

// in is the database that schema functions work in: their user is who psql
// runs as.
func in(db string, runas, user, password, host, port any) server {
	return server{User: user, Host: host, Port: port, MaintenanceDb: db, Password: password, Runas: runas}
}

type schemaListArgs struct {
	Dbname     string `py:"dbname"`           // the database
	User       any    `py:"user=None"`        // who psql runs as
	DbUser     any    `py:"db_user=None"`     // the user of the database
	DbPassword any    `py:"db_password=None"` // the password of the user
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket
	DbPort     any    `py:"db_port=None"`     // the port
}

// schemaList returns the schemas of a database: owner and privileges of each.
func schemaList(c *salt.Ctx, a schemaListArgs) (*value.Map, error) {
	return in(a.Dbname, a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort).schemas(c)
}

func (s server) schemas(c *salt.Ctx) (*value.Map, error) {
	rows, err := s.look(c, `SELECT pg_namespace.nspname as "name", pg_roles.rolname as "owner", pg_namespace.nspacl as "acl"
FROM pg_namespace LEFT JOIN pg_roles ON pg_roles.oid = pg_namespace.nspowner`)
	return byName(rows, "name", true), err
}

func (s server) hasSchema(c *salt.Ctx, name string) (bool, error) {
	all, err := s.schemas(c)
	return all.Has(name), err
}

type schemaGetArgs struct {
	Dbname     string `py:"dbname"`           // the database
	Name       string `py:"name"`             // the name
	User       any    `py:"user=None"`        // who psql runs as
	DbUser     any    `py:"db_user=None"`     // the user of the database
	DbPassword any    `py:"db_password=None"` // the password of the user
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket
	DbPort     any    `py:"db_port=None"`     // the port
}

// schemaGet returns owner and privileges of a schema, None if it is not there.
func schemaGet(c *salt.Ctx, a schemaGetArgs) (any, error) {
	all, err := in(a.Dbname, a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort).schemas(c)
	return all.At(a.Name), err
}

type schemaExistsArgs struct {
	Dbname     string `py:"dbname"`           // the database
	Name       string `py:"name"`             // the name
	User       any    `py:"user=None"`        // who psql runs as
	DbUser     any    `py:"db_user=None"`     // the user of the database
	DbPassword any    `py:"db_password=None"` // the password of the user
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket
	DbPort     any    `py:"db_port=None"`     // the port
}

// schemaExists reports whether a database has a schema of that name.
func schemaExists(c *salt.Ctx, a schemaExistsArgs) (bool, error) {
	return in(a.Dbname, a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort).hasSchema(c, a.Name)
}

type schemaCreateArgs struct {
	Dbname     string `py:"dbname"`           // the database
	Name       string `py:"name"`             // the name
	Owner      any    `py:"owner=None"`       // the role that owns it
	User       any    `py:"user=None"`        // who psql runs as
	DbUser     any    `py:"db_user=None"`     // the user of the database
	DbPassword any    `py:"db_password=None"` // the password of the user
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket
	DbPort     any    `py:"db_port=None"`     // the port
}

// schemaCreate makes a schema; false if it is there.
func schemaCreate(c *salt.Ctx, a schemaCreateArgs) (bool, error) {
	s := in(a.Dbname, a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort)
	there, err := s.hasSchema(c, a.Name)
	if err != nil || there {
		return false, err
	}
	text := "CREATE SCHEMA " + ident(a.Name)
	if a.Owner != nil {
		text += " AUTHORIZATION " + ident(a.Owner)
	}
	return s.do(c, text)
}

type schemaRemoveArgs struct {
	Dbname     string `py:"dbname"`           // the database
	Name       string `py:"name"`             // the name
	User       any    `py:"user=None"`        // who psql runs as
	DbUser     any    `py:"db_user=None"`     // the user of the database
	DbPassword any    `py:"db_password=None"` // the password of the user
	DbHost     any    `py:"db_host=None"`     // host or folder of the socket
	DbPort     any    `py:"db_port=None"`     // the port
}

// schemaRemove removes a schema that is empty; false if it is not there.
func schemaRemove(c *salt.Ctx, a schemaRemoveArgs) (bool, error) {
	s := in(a.Dbname, a.User, a.DbUser, a.DbPassword, a.DbHost, a.DbPort)
	there, err := s.hasSchema(c, a.Name)
	if err != nil || !there {
		return false, err
	}
	return s.do(c, "DROP SCHEMA "+ident(a.Name))
}
