package postgres

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// How an extension differs from what is wanted.
const (
	notInstalled = "EXTENSION NOT INSTALLED"
	installed    = "EXTENSION INSTALLED"
	toUpgrade    = "EXTENSION TO UPGRADE"
	toMove       = "EXTENSION TO MOVE"
)

type availableExtensionsArgs struct {
	User          any `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// availableExtensions returns the extensions that can be installed, each with
// its default version and comment.
func availableExtensions(c *salt.Ctx, a availableExtensionsArgs) (*value.Map, error) {
	return at(a).available(c)
}

func (s server) available(c *salt.Ctx) (*value.Map, error) {
	rows, err := s.look(c, "select * from pg_available_extensions()")
	return byName(rows, "name", false), err
}

type installedExtensionsArgs struct {
	User          any `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// installedExtensions returns the extensions of a database, as pg_extension
// has them, with the name of the schema of each.
func installedExtensions(c *salt.Ctx, a installedExtensionsArgs) (*value.Map, error) {
	return at(a).installed(c)
}

func (s server) installed(c *salt.Ctx) (*value.Map, error) {
	rows, err := s.look(c, "select a.*, b.nspname as schema_name from pg_extension a, pg_namespace b where a.extnamespace = b.oid")
	return byName(rows, "extname", false), err
}

type getAvailableExtensionArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// getAvailableExtension returns an extension that can be installed, None if
// there is none of that name.
func getAvailableExtension(c *salt.Ctx, a getAvailableExtensionArgs) (any, error) {
	all, err := at(a).available(c)
	return all.At(a.Name), err
}

type getInstalledExtensionArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// getInstalledExtension returns an extension of a database, None if it has
// none of that name.
func getInstalledExtension(c *salt.Ctx, a getInstalledExtensionArgs) (any, error) {
	all, err := at(a).installed(c)
	return all.At(a.Name), err
}

type isAvailableExtensionArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// isAvailableExtension reports whether an extension can be installed; case
// does not count.
func isAvailableExtension(c *salt.Ctx, a isAvailableExtensionArgs) (bool, error) {
	return at(a).isAvailable(c, a.Name)
}

func (s server) isAvailable(c *salt.Ctx, name string) (bool, error) {
	all, err := s.available(c)
	for have := range all.Items() {
		if strings.EqualFold(have, name) {
			return true, err
		}
	}
	return false, err
}

type isInstalledExtensionArgs struct {
	Name          string `py:"name"`                // the name
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// isInstalledExtension reports whether a database has an extension.
func isInstalledExtension(c *salt.Ctx, a isInstalledExtensionArgs) (bool, error) {
	all, err := at(a).installed(c)
	return all.Has(a.Name), err
}

type createMetadataArgs struct {
	Name          string `py:"name"`                // the name
	ExtVersion    any    `py:"ext_version=None"`    // its version
	Schema        any    `py:"schema=None"`         // the schema of its objects
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// createMetadata returns how an extension stands to what is wanted, a list of
// EXTENSION NOT INSTALLED, or EXTENSION INSTALLED with EXTENSION TO UPGRADE
// and EXTENSION TO MOVE.
func createMetadata(c *salt.Ctx, a createMetadataArgs) ([]string, error) {
	return at(a).metadata(c, a.Name, a.Schema, a.ExtVersion)
}

func (s server) metadata(c *salt.Ctx, name string, schema, version any) ([]string, error) {
	all, err := s.installed(c)
	if err != nil {
		return nil, err
	}
	have := all.Map(name)
	if have == nil {
		return []string{notInstalled}, nil
	}
	flags := []string{installed}
	if version != nil && olderVersion(have.Str("extversion"), value.Str(version)) {
		flags = append(flags, toUpgrade)
	}
	if schema != nil && have.Str("extrelocatable") == "t" && have.Str("schema_name") != value.Str(schema) {
		flags = append(flags, toMove)
	}
	return flags, nil
}

type createExtensionArgs struct {
	Name          string `py:"name"`                // the name
	IfNotExists   any    `py:"if_not_exists=None"`  // no error if it is there; None: True
	Schema        any    `py:"schema=None"`         // the schema of its objects
	ExtVersion    any    `py:"ext_version=None"`    // its version
	FromVersion   any    `py:"from_version=None"`   // upgrade objects of that version; servers before 13 only
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// createExtension installs an extension, upgrades it or moves it to another
// schema, and reports whether it is as wanted.
func createExtension(c *salt.Ctx, a createExtensionArgs) (bool, error) {
	s := at(a)
	flags, err := s.metadata(c, a.Name, a.Schema, a.ExtVersion)
	if err != nil {
		return false, err
	}
	there, err := s.isAvailable(c, a.Name)
	if err != nil {
		return false, err
	}
	if text := a.statement(flags); there && text != "" {
		if _, err := s.do(c, text); err != nil {
			return false, err
		}
	}
	flags, err = s.metadata(c, a.Name, a.Schema, a.ExtVersion)
	return len(flags) == 1 && flags[0] == installed, err
}

func (a createExtensionArgs) statement(flags []string) string {
	name := ident(a.Name)
	if !slices.Contains(flags, notInstalled) {
		var text string
		if value.Truth(a.Schema) && slices.Contains(flags, toMove) {
			text += "ALTER EXTENSION " + name + " SET SCHEMA " + ident(a.Schema) + ";"
		}
		if value.Truth(a.ExtVersion) && slices.Contains(flags, toUpgrade) {
			text += "ALTER EXTENSION " + name + " UPDATE TO " + bareText(a.ExtVersion) + ";"
		}
		return text
	}
	text := "CREATE EXTENSION "
	if a.IfNotExists == nil || value.Truth(a.IfNotExists) {
		text += "IF NOT EXISTS "
	}
	text += name
	if value.Truth(a.Schema) || value.Truth(a.ExtVersion) || value.Truth(a.FromVersion) {
		text += " WITH"
	}
	if value.Truth(a.Schema) {
		text += " SCHEMA " + ident(a.Schema)
	}
	if value.Truth(a.ExtVersion) {
		text += " VERSION " + bareText(a.ExtVersion)
	}
	if value.Truth(a.FromVersion) {
		text += " FROM " + bareText(a.FromVersion)
	}
	return text + ";"
}

type dropExtensionArgs struct {
	Name          string `py:"name"`                // the name
	IfExists      any    `py:"if_exists=None"`      // no error if it is not there
	Restrict      any    `py:"restrict=None"`       // not if something depends on it
	Cascade       any    `py:"cascade=None"`        // with what depends on it; None: True unless restrict is set
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// dropExtension removes an extension from a database, with what depends on it
// unless restrict or cascade say otherwise, and reports whether it is gone.
func dropExtension(c *salt.Ctx, a dropExtensionArgs) (bool, error) {
	s := at(a)
	all, err := s.installed(c)
	if err != nil || !all.Has(a.Name) {
		return err == nil, err
	}
	text := "DROP EXTENSION "
	if value.Truth(a.IfExists) {
		text += "IF EXISTS "
	}
	text += ident(a.Name)
	if a.Cascade == nil && !value.Truth(a.Restrict) || value.Truth(a.Cascade) {
		text += " CASCADE"
	}
	if value.Truth(a.Restrict) {
		text += " RESTRICT"
	}
	if _, err := s.do(c, text+";"); err != nil {
		return false, err
	}
	all, err = s.installed(c)
	return !all.Has(a.Name), err
}
