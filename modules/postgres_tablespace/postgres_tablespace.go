// Package postgres_tablespace holds Salt's postgres_tablespace states: the
// folders where PostgreSQL keeps databases. Its main variable is Module.
//
//	fast:
//	  postgres_tablespace.present:
//	    - directory: /srv/fast
//	    - owner: shop
//	    - options: {random_page_cost: 1.1}
package postgres_tablespace

import (
	"strings"

	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's postgres_tablespace module.
var Module = salt.Module{
	Name:    "postgres_tablespace",
	Virtual: pgstate.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"present": salt.State(present), "absent": salt.State(absent)} },
}

type presentArgs struct {
	Name          string     `py:"name"`                // the name
	Directory     string     `py:"directory"`           // its folder, which is there, is empty and belongs to the server's user
	Options       *value.Map `py:"options=None"`        // a map of options
	Owner         any        `py:"owner=None"`          // the role that owns it
	User          any        `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb any        `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	DbPassword    any        `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any        `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any        `py:"db_port=None"`        // the port; None: postgres.port
	DbUser        any        `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
}

func (a presentArgs) server() pgstate.Server {
	return pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
}

// present makes sure that there is a tablespace in a folder, with an owner and
// options. Options that are not named stay.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	v, err := c.CallKw("postgres.tablespace_list", a.server().Args())
	if err != nil {
		return salt.Raised(err)
	}
	all, _ := v.(*value.Map)
	now := all.Map(a.Name)
	if now == nil {
		return a.create(c)
	}
	if now.Str("Location") != a.Directory && !c.Test {
		return salt.Failed("Tablespace %s is not at the right location. This is\n            unfixable without dropping and recreating the tablespace.", a.Name)
	}
	return a.alter(c, now)
}

func (a presentArgs) create(c *salt.Ctx) salt.Result {
	if c.Test {
		return salt.Would(nil, "Tablespace %s is set to be created", a.Name)
	}
	done, err := a.server().Ask(c, "tablespace_create", []any{a.Name, a.Directory, a.Options, a.Owner})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to create tablespace %s", a.Name)
	}
	return salt.Changed(value.M(a.Name, "Present"), "The tablespace %s has been created", a.Name)
}

// alter changes owner and options; the last change gives the comment.
func (a presentArgs) alter(c *salt.Ctx, now *value.Map) salt.Result {
	r := salt.Correct("Tablespace %s is already present", a.Name)
	changes := new(value.Map)
	if value.Truth(a.Owner) && !value.Equal(now.At("Owner"), a.Owner) {
		if c.Test {
			r = salt.Would(nil, "Tablespace %s owner to be altered", a.Name)
		} else if err := a.set(c, "new_owner", a.Owner); err != nil {
			return salt.Raised(err)
		} else {
			changes.Set("owner", a.Owner)
			r.Comment = "Tablespace " + a.Name + " owner changed"
		}
	}
	set := new(value.Map)
	for k, v := range a.Options.Items() {
		if strings.Contains(now.Str("Opts"), k+"="+value.Str(v)) {
			continue
		}
		if c.Test {
			return salt.Would(nil, "Tablespace %s options to be\n                        altered", a.Name)
		}
		if err := a.set(c, "set_option", value.M(k, v)); err != nil {
			return salt.Raised(err)
		}
		set.Set(k, v)
		changes.Set("options", set)
		r.Comment = "Tablespace " + a.Name + " opts changed"
	}
	if changes.Len() > 0 {
		r.Changes = value.M(a.Name, changes)
	}
	return r
}

func (a presentArgs) set(c *salt.Ctx, what string, v any) error {
	done, err := a.server().Ask(c, "tablespace_alter", []any{a.Name}, what, v)
	if err == nil && !done {
		err = salt.CommandError("tablespace %s could not be altered: %s %s", a.Name, what, value.Repr(v))
	}
	return err
}

type absentArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // who psql runs as; None: postgres when the server is reached by its socket
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	DbUser        any    `py:"db_user=None"`        // the user of the database; None: postgres.user, else who psql runs as
	DbPassword    any    `py:"db_password=None"`    // the password of db_user; None: postgres.pass
	DbHost        any    `py:"db_host=None"`        // host or folder of the socket; None: postgres.host, else the socket
	DbPort        any    `py:"db_port=None"`        // the port; None: postgres.port
}

// absent makes sure that there is no such tablespace, which must be empty.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	s := pgstate.Server{DB: a.MaintenanceDb, RunAs: a.User, Host: a.DbHost, User: a.DbUser, Port: a.DbPort, Password: a.DbPassword}
	what := "Tablespace " + a.Name
	return pgstate.Absence{
		Name:   a.Name,
		Exists: func() (bool, error) { return s.Ask(c, "tablespace_exists", []any{a.Name}) },
		Remove: func() (bool, error) { return s.Ask(c, "tablespace_remove", []any{a.Name}) },
		Would:  what + " is set to be removed", Did: what + " has been removed", Failed: what + " failed to be removed",
		Absent: what + " is not present, so it cannot be removed",
	}.Run(c)
}
