// Package postgres holds Salt's postgres module: databases, roles, extensions
// and privileges of PostgreSQL. It drives psql. Its main variable is Module.
//
//	salt-call postgres.db_create shop owner=shop
//
// Without a host psql runs as the user postgres, whom the server knows by the
// socket. The options postgres.host, .port, .user, .pass, .maintenance_db,
// .timeout and .bins_dir of the configuration, grains or pillar are the
// defaults.
package postgres

import (
	"errors"

	"pinch/salt"
)

// Module is Salt's postgres module.
var Module = salt.Module{
	Name: "postgres",
	Virtual: func(c *salt.Ctx, _ string) error {
		if binary(c, "psql") == "" {
			return errors.New("psql was not found")
		}
		return nil
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"available_extensions":    query(salt.Exec(availableExtensions)),
			"create_extension":        salt.Exec(createExtension),
			"create_metadata":         query(salt.Exec(createMetadata)),
			"datadir_exists":          query(salt.Exec(datadirExists)),
			"datadir_init":            salt.Exec(datadirInit),
			"db_alter":                salt.Exec(dbAlter),
			"db_create":               salt.Exec(dbCreate),
			"db_exists":               query(salt.Exec(dbExists)),
			"db_list":                 query(salt.Exec(dbList)),
			"db_remove":               salt.Exec(dbRemove),
			"drop_extension":          salt.Exec(dropExtension),
			"get_available_extension": query(salt.Exec(getAvailableExtension)),
			"get_installed_extension": query(salt.Exec(getInstalledExtension)),
			"group_create":            salt.Exec(groupCreate),
			"group_remove":            salt.Exec(groupRemove),
			"group_update":            salt.Exec(groupUpdate),
			"has_privileges":          query(salt.Exec(hasPrivileges)),
			"installed_extensions":    query(salt.Exec(installedExtensions)),
			"is_available_extension":  query(salt.Exec(isAvailableExtension)),
			"is_installed_extension":  query(salt.Exec(isInstalledExtension)),
			"language_create":         salt.Exec(languageCreate),
			"language_exists":         query(salt.Exec(languageExists)),
			"language_list":           query(salt.Exec(languageList)),
			"language_remove":         salt.Exec(languageRemove),
			"owner_to":                salt.Exec(ownerTo),
			"privileges_grant":        salt.Exec(privilegesGrant),
			"privileges_list":         query(salt.Exec(privilegesList)),
			"privileges_revoke":       salt.Exec(privilegesRevoke),
			"psql_query":              salt.Exec(psqlQuery),
			"role_get":                query(salt.Exec(roleGet)),
			"schema_create":           salt.Exec(schemaCreate),
			"schema_exists":           query(salt.Exec(schemaExists)),
			"schema_get":              query(salt.Exec(schemaGet)),
			"schema_list":             query(salt.Exec(schemaList)),
			"schema_remove":           salt.Exec(schemaRemove),
			"tablespace_alter":        salt.Exec(tablespaceAlter),
			"tablespace_create":       salt.Exec(tablespaceCreate),
			"tablespace_exists":       query(salt.Exec(tablespaceExists)),
			"tablespace_list":         query(salt.Exec(tablespaceList)),
			"tablespace_remove":       salt.Exec(tablespaceRemove),
			"user_create":             salt.Exec(userCreate),
			"user_exists":             query(salt.Exec(userExists)),
			"user_list":               query(salt.Exec(userList)),
			"user_remove":             salt.Exec(userRemove),
			"user_update":             salt.Exec(userUpdate),
			"version":                 query(salt.Exec(version)),
		}
	},
}

// query marks a function that changes nothing.
func query(f *salt.Func) *salt.Func {
	f.Bare = true
	return f
}
