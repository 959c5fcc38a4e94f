package postgres

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

type tablespaceListArgs struct {
	User          any `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// tablespaceList returns the tablespaces: owner, privileges, options and
// folder of each.
func tablespaceList(c *salt.Ctx, a tablespaceListArgs) (*value.Map, error) {
	return at(a).tablespaces(c)
}

func (s server) tablespaces(c *salt.Ctx) (*value.Map, error) {
	rows, err := s.look(c, `SELECT spcname as "Name", pga.rolname as "Owner", spcacl as "ACL", spcoptions as "Opts", pg_tablespace_location(pgts.oid) as "Location"
FROM pg_tablespace pgts, pg_roles pga WHERE pga.oid = pgts.spcowner`)
	return byName(rows, "Name", true), err
}

type tablespaceExistsArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// tablespaceExists reports whether there is a tablespace of that name.
func tablespaceExists(c *salt.Ctx, a tablespaceExistsArgs) (bool, error) {
	all, err := at(a).tablespaces(c)
	return all.Has(a.Name), err
}

type tablespaceCreateArgs struct {
	Name          string     `py:"name"`                // the name
	Location      string     `py:"location"`            // its folder
	Options       *value.Map `py:"options=None"`        // a map of options
	Owner         any        `py:"owner=None"`          // the role that owns it
	User          any        `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any        `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any        `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any        `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any        `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any        `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// tablespaceCreate makes a tablespace in a folder that is there, is empty and
// belongs to the server's user.
func tablespaceCreate(c *salt.Ctx, a tablespaceCreateArgs) (bool, error) {
	text := "CREATE TABLESPACE " + ident(a.Name)
	if value.Truth(a.Owner) {
		text += " OWNER " + ident(a.Owner)
	}
	text += " LOCATION " + literal(a.Location)
	if a.Options.Len() > 0 {
		text += " WITH ( " + strings.Join(settings(a.Options), ", ") + " )"
	}
	return at(a).do(c, text)
}

func settings(options *value.Map) []string {
	var out []string
	for k, v := range options.Items() {
		out = append(out, setting(k, v))
	}
	return out
}

type tablespaceAlterArgs struct {
	Name          string     `py:"name"`                // the name
	User          any        `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any        `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any        `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any        `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any        `py:"password=None"`       // the password of the user; None: postgres.pass
	NewName       any        `py:"new_name=None"`       // another name
	NewOwner      any        `py:"new_owner=None"`      // another owner
	SetOption     *value.Map `py:"set_option=None"`     // a map of options to set
	ResetOption   any        `py:"reset_option=None"`   // an option to reset
	Runas         any        `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// tablespaceAlter gives a tablespace another name, owner or option.
//
//	salt-call postgres.tablespace_alter fast set_option="{'seq_page_cost': '1.1'}"
func tablespaceAlter(c *salt.Ctx, a tablespaceAlterArgs) (bool, error) {
	alter := "ALTER TABLESPACE " + ident(a.Name)
	var texts []string
	if value.Truth(a.NewName) {
		texts = append(texts, alter+" RENAME TO "+ident(a.NewName))
	}
	if value.Truth(a.NewOwner) {
		texts = append(texts, alter+" OWNER TO "+ident(a.NewOwner))
	}
	if a.SetOption.Len() > 0 {
		texts = append(texts, alter+" SET ("+strings.Join(settings(a.SetOption), ", ")+")")
	}
	if value.Truth(a.ResetOption) {
		texts = append(texts, alter+" RESET ("+bare(a.ResetOption)+")")
	}
	return at(a).do(c, texts...)
}

type tablespaceRemoveArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// tablespaceRemove removes a tablespace that is empty.
func tablespaceRemove(c *salt.Ctx, a tablespaceRemoveArgs) (bool, error) {
	return at(a).do(c, "DROP TABLESPACE "+ident(a.Name))
}
