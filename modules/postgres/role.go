package postgres

import (
	"encoding/csv"
	"strings"

	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

type serverVersion server

// modern says whether the server has the columns of 9.1 and 9.5. Which server
// it is, is asked once per run.
func (s server) modern(c *salt.Ctx) (replication, noCatUpdate, ok bool) {
	ask := func() (string, error) {
		v, err := s.version(c)
		text, _ := v.(string)
		if err == nil && text == "" {
			err = salt.CommandError("Could not retrieve Postgres version. Is Postgresql server running?")
		}
		return text, err
	}
	key := serverVersion(s)
	key.MaintenanceDb = nil
	text, err := salt.Once(c.Run, key, ask)
	if err != nil {
		c.Run.Forget(key)
		c.Log.Error(err.Error())
		return false, false, false
	}
	return !olderVersion(text, "9.1"), !olderVersion(text, "9.5"), true
}

const roleColumns = `SELECT pg_roles.rolname as "name", pg_roles.rolsuper as "superuser", pg_roles.rolinherit as "inherits privileges",
pg_roles.rolcreaterole as "can create roles", pg_roles.rolcreatedb as "can create databases", CATUPDATE as "can update system catalogs",
pg_roles.rolcanlogin as "can login", REPLICATION as "replication", pg_roles.rolconnlimit as "connections",
(SELECT array_agg(pg_roles2.rolname) FROM pg_catalog.pg_auth_members JOIN pg_catalog.pg_roles pg_roles2 ON (pg_auth_members.roleid = pg_roles2.oid)
WHERE pg_auth_members.member = pg_roles.oid) as "groups",
pg_roles.rolvaliduntil::timestamp(0) as "expiry time", pg_roles.rolconfig as "defaults variables" `

// roles are all roles, or the one of a name; nil when the server does not answer.
func (s server) roles(c *salt.Ctx, only string, password bool) (*value.Map, error) {
	replication, noCatUpdate, ok := s.modern(c)
	if !ok {
		return nil, nil
	}
	column := func(has bool, name string) string {
		if has {
			return "pg_roles." + name
		}
		return "NULL"
	}
	text := strings.NewReplacer("CATUPDATE", column(!noCatUpdate, "rolcatupdate"), "REPLICATION", column(replication, "rolreplication")).Replace(roleColumns)
	if password {
		text += `, COALESCE(pg_shadow.passwd, pg_authid.rolpassword) as "password" `
	}
	text += "FROM pg_roles "
	if password {
		text += "LEFT JOIN pg_authid ON pg_roles.oid = pg_authid.oid LEFT JOIN pg_shadow ON pg_roles.oid = pg_shadow.usesysid "
	}
	if only != "" {
		text += "WHERE pg_roles.rolname = " + literal(only)
	}
	rows, err := s.look(c, text)
	if err != nil {
		return nil, err
	}
	out := value.NewMap(len(rows))
	for _, row := range rows {
		out.Set(row.Str("name"), role(row, password))
	}
	return out, nil
}

// role is a row as Salt shows a role. The count of connections is no truth
// value and stays None, as there.
func role(row *value.Map, password bool) *value.Map {
	m := new(value.Map)
	for _, key := range []string{"superuser", "inherits privileges", "can create roles", "can create databases", "can update system catalogs", "can login", "replication", "connections"} {
		switch row.Str(key) {
		case "t":
			m.Set(key, true)
		case "f":
			m.Set(key, false)
		default:
			m.Set(key, nil)
		}
	}
	m.Set("expiry time", nil)
	if t, ok := pgstate.Time(row.Str("expiry time")); ok {
		m.Set("expiry time", t)
	}
	m.Set("defaults variables", row.At("defaults variables"))
	if password {
		m.Set("password", row.At("password"))
	}
	m.Set("groups", value.Strings(arrayItems(row.Str("groups"))))
	return m
}

// arrayItems are the items of a one-dimensional array of texts: {a,"b c"}.
func arrayItems(s string) []string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
	if s == "" {
		return nil
	}
	// Inside quotes the server writes \" and \\, CSV "" and a backslash.
	r := csv.NewReader(strings.NewReader(strings.NewReplacer(`\\`, `\`, `\"`, `""`).Replace(s)))
	r.LazyQuotes = true
	items, err := r.Read()
	if err != nil {
		return strings.Split(s, ",")
	}
	return items
}

type userListArgs struct {
	User           any `py:"user=None"`             // the user of the database; None: postgres.user, else who psql runs as
	Host           any `py:"host=None"`             // host or folder of the socket; None: postgres.host, else the socket
	Port           any `py:"port=None"`             // the port; None: postgres.port
	MaintenanceDb  any `py:"maintenance_db=None"`   // the database to work in; None: postgres.maintenance_db, else postgres
	Password       any `py:"password=None"`         // the password of the user; None: postgres.pass
	Runas          any `py:"runas=None"`            // who psql runs as; None: postgres when the server is reached by its socket
	ReturnPassword any `py:"return_password=False"` // with the password as it is stored
}

// userList returns the roles of the server: attributes, groups, time of expiry
// and settings of each. It is False when the server does not answer.
func userList(c *salt.Ctx, a userListArgs) (any, error) {
	all, err := at(a).roles(c, "", value.Truth(a.ReturnPassword))
	if all == nil {
		return false, err
	}
	return all, err
}

type roleGetArgs struct {
	Name           string `py:"name"`                  // the name
	User           any    `py:"user=None"`             // the user of the database; None: postgres.user, else who psql runs as
	Host           any    `py:"host=None"`             // host or folder of the socket; None: postgres.host, else the socket
	Port           any    `py:"port=None"`             // the port; None: postgres.port
	MaintenanceDb  any    `py:"maintenance_db=None"`   // the database to work in; None: postgres.maintenance_db, else postgres
	Password       any    `py:"password=None"`         // the password of the user; None: postgres.pass
	Runas          any    `py:"runas=None"`            // who psql runs as; None: postgres when the server is reached by its socket
	ReturnPassword any    `py:"return_password=False"` // with the password as it is stored
}

// roleGet returns what postgres.user_list has of one role, None if it is not there.
func roleGet(c *salt.Ctx, a roleGetArgs) (any, error) {
	all, err := at(a).roles(c, a.Name, value.Truth(a.ReturnPassword))
	if all == nil {
		return nil, err
	}
	return all.At(a.Name), err
}

type userExistsArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// userExists reports whether there is a role of that name.
func userExists(c *salt.Ctx, a userExistsArgs) (bool, error) { return at(a).hasRole(c, a.Name) }

func (s server) hasRole(c *salt.Ctx, name string) (bool, error) {
	all, err := s.roles(c, name, false)
	return all != nil && all.Has(name), err
}
