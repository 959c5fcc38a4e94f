package postgres

import (
	"pinch/salt"
	"pinch/value"
)

type languageListArgs struct {
	MaintenanceDb any `py:"maintenance_db"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any `py:"user=None"`      // the user of the database; None: postgres.user, else who psql runs as
	Host          any `py:"host=None"`      // host or folder of the socket; None: postgres.host, else the socket
	Port          any `py:"port=None"`      // the port; None: postgres.port
	Password      any `py:"password=None"`  // the password of the user; None: postgres.pass
	Runas         any `py:"runas=None"`     // who psql runs as; None: postgres when the server is reached by its socket
}

// languageList returns the procedural languages of a database, each under its
// name.
func languageList(c *salt.Ctx, a languageListArgs) (*value.Map, error) { return at(a).languages(c) }

func (s server) languages(c *salt.Ctx) (*value.Map, error) {
	rows, err := s.look(c, `SELECT lanname AS "Name" FROM pg_language`)
	out := value.NewMap(len(rows))
	for _, row := range rows {
		out.Set(row.Str("Name"), row.Str("Name"))
	}
	return out, err
}

type languageExistsArgs struct {
	Name          string `py:"name"`           // the name
	MaintenanceDb any    `py:"maintenance_db"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`      // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`      // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`      // the port; None: postgres.port
	Password      any    `py:"password=None"`  // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`     // who psql runs as; None: postgres when the server is reached by its socket
}

// languageExists reports whether a database has a language.
func languageExists(c *salt.Ctx, a languageExistsArgs) (bool, error) {
	all, err := at(a).languages(c)
	return all.Has(a.Name), err
}

type languageCreateArgs struct {
	Name          string `py:"name"`           // the name
	MaintenanceDb any    `py:"maintenance_db"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`      // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`      // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`      // the port; None: postgres.port
	Password      any    `py:"password=None"`  // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`     // who psql runs as; None: postgres when the server is reached by its socket
}

// languageCreate installs a language into a database; false if it is there.
func languageCreate(c *salt.Ctx, a languageCreateArgs) (bool, error) {
	s := at(a)
	all, err := s.languages(c)
	if err != nil || all.Has(a.Name) {
		return false, err
	}
	return s.do(c, "CREATE LANGUAGE "+bare(a.Name))
}

type languageRemoveArgs struct {
	Name          string `py:"name"`           // the name
	MaintenanceDb any    `py:"maintenance_db"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`      // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`      // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`      // the port; None: postgres.port
	Password      any    `py:"password=None"`  // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`     // who psql runs as; None: postgres when the server is reached by its socket
}

// languageRemove removes a language from a database; false if it is not there.
func languageRemove(c *salt.Ctx, a languageRemoveArgs) (bool, error) {
	s := at(a)
	all, err := s.languages(c)
	if err != nil || !all.Has(a.Name) {
		return false, err
	}
	return s.do(c, "DROP LANGUAGE "+bare(a.Name))
}
