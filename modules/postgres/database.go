package postgres

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type dbListArgs struct {
	User          any `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// dbList returns the databases: owner, encoding, locale, privileges and
// tablespace of each.
func dbList(c *salt.Ctx, a dbListArgs) (*value.Map, error) { return at(a).databases(c) }

func (s server) databases(c *salt.Ctx) (*value.Map, error) {
	rows, err := s.look(c, `SELECT datname as "Name", pga.rolname as "Owner", pg_encoding_to_char(encoding) as "Encoding",
datcollate as "Collate", datctype as "Ctype", datacl as "Access privileges", spcname as "Tablespace"
FROM pg_database pgd, pg_roles pga, pg_tablespace pgts
WHERE pga.oid = pgd.datdba AND pgts.oid = pgd.dattablespace`)
	return byName(rows, "Name", true), err
}

type dbExistsArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// dbExists reports whether there is a database of that name.
func dbExists(c *salt.Ctx, a dbExistsArgs) (bool, error) {
	all, err := at(a).databases(c)
	return all.Has(a.Name), err
}

type dbCreateArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Tablespace    any    `py:"tablespace=None"`     // its tablespace
	Encoding      any    `py:"encoding=None"`       // its encoding
	LcCollate     any    `py:"lc_collate=None"`     // its order of texts
	LcCtype       any    `py:"lc_ctype=None"`       // its classes of characters
	Owner         any    `py:"owner=None"`          // the role that owns it
	Template      any    `py:"template=None"`       // the database that it is a copy of
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// dbCreate makes a database.
//
//	salt-call postgres.db_create shop template=template0 encoding=UTF8
func dbCreate(c *salt.Ctx, a dbCreateArgs) (bool, error) {
	text := "CREATE DATABASE " + ident(a.Name)
	var with []string
	for _, p := range []struct {
		word, quote string
		v           any
	}{{"TABLESPACE", `"`, a.Tablespace}, {"OWNER", `"`, a.Owner}, {"TEMPLATE", "", a.Template},
		{"ENCODING", "'", a.Encoding}, {"LC_COLLATE", "'", a.LcCollate}, {"LC_CTYPE", "'", a.LcCtype}} {
		if p.v == nil {
			continue
		}
		quoted, err := bare(p.v), error(nil)
		if p.quote != "" {
			if quoted, err = ddlValue(p.v, p.quote); err != nil {
				return false, err
			}
		}
		with = append(with, p.word+" = "+quoted)
	}
	if with != nil {
		text += " WITH " + strings.Join(with, " ")
	}
	return at(a).do(c, text)
}

type dbAlterArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Tablespace    any    `py:"tablespace=None"`     // its tablespace
	Owner         any    `py:"owner=None"`          // the role that owns it
	OwnerRecurse  any    `py:"owner_recurse=False"` // with all that is in it
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// dbAlter gives a database another owner or tablespace.
//
//	salt-call postgres.db_alter shop owner=shop owner_recurse=True
func dbAlter(c *salt.Ctx, a dbAlterArgs) (bool, error) {
	s := at(a)
	var texts []string
	switch {
	case !value.Truth(a.Owner):
	case value.Truth(a.OwnerRecurse):
		ret, err := s.ownerTo(c, a.Name, value.Str(a.Owner))
		if err != nil || !succeeded(ret) {
			return false, err
		}
	default:
		texts = append(texts, "ALTER DATABASE "+ident(a.Name)+" OWNER TO "+ident(a.Owner))
	}
	if value.Truth(a.Tablespace) {
		texts = append(texts, "ALTER DATABASE "+ident(a.Name)+" SET TABLESPACE "+ident(a.Tablespace))
	}
	return s.do(c, texts...)
}

type dbRemoveArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// dbRemove ends the connections to a database and removes it. A failure is an
// error with the answer of psql.
func dbRemove(c *salt.Ctx, a dbRemoveArgs) (bool, error) {
	s := at(a)
	for _, text := range []string{
		"REVOKE CONNECT ON DATABASE " + ident(a.Name) + " FROM public;",
		"SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = " + literal(a.Name) + " AND pid <> pg_backend_pid();",
		"DROP DATABASE " + ident(a.Name) + ";",
	} {
		ret, err := s.psql(c, "", "-c", text)
		if err != nil {
			return false, err
		}
		if !succeeded(ret) {
			return false, value.Errorf("Exception", "Failed: ret=%s", value.Repr(ret))
		}
	}
	return true, nil
}

type ownerToArgs struct {
	Dbname    string `py:"dbname"`        // the database
	Ownername string `py:"ownername"`     // the role that shall own it
	User      any    `py:"user=None"`     // the user of the database; None: postgres.user, else who psql runs as
	Host      any    `py:"host=None"`     // host or folder of the socket; None: postgres.host, else the socket
	Port      any    `py:"port=None"`     // the port; None: postgres.port
	Password  any    `py:"password=None"` // the password of the user; None: postgres.pass
	Runas     any    `py:"runas=None"`    // who psql runs as; None: postgres when the server is reached by its socket
}

// ownerTo gives a database with all schemas, tables, views, functions and
// sequences in it to another role, in one transaction, and returns the answer
// of psql.
func ownerTo(c *salt.Ctx, a ownerToArgs) (*value.Map, error) {
	return at(a).ownerTo(c, a.Dbname, a.Ownername)
}

// owned finds what belongs to a database itself, by the statement for it.
const owned = `SELECT 'schema' as kind, quote_ident(nspname) as n FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema'
UNION ALL SELECT 'table', quote_ident(table_schema)||'.'||quote_ident(table_name) FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_aggregate g WHERE g.aggfnoid = p.oid) THEN 'aggregate' ELSE 'routine' END, p.oid::regprocedure::text
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace ns ON p.pronamespace = ns.oid WHERE ns.nspname NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'sequence', quote_ident(sequence_schema)||'.'||quote_ident(sequence_name) FROM information_schema.sequences s
WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class k ON k.oid = d.objid JOIN pg_catalog.pg_namespace kn ON kn.oid = k.relnamespace
WHERE d.deptype IN ('a', 'i') AND d.classid = 'pg_class'::regclass AND d.refobjsubid > 0 AND kn.nspname = s.sequence_schema AND k.relname = s.sequence_name)`

func (s server) ownerTo(c *salt.Ctx, db, owner string) (*value.Map, error) {
	s.MaintenanceDb = db
	rows, err := s.look(c, owned)
	if err != nil {
		return nil, err
	}
	to := " owner to " + ident(owner) + ";\n"
	var b strings.Builder
	b.WriteString("begin;\nalter database " + ident(db) + to)
	for _, row := range rows {
		b.WriteString("alter " + row.Str("kind") + " " + row.Str("n") + to)
	}
	b.WriteString("commit;\n")
	return s.psql(c, b.String(), "-v", "ON_ERROR_STOP=1", "-f", "-")
}
