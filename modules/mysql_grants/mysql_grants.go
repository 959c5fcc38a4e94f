// Package mysql_grants holds Salt's mysql_grants states: what users of MySQL
// and MariaDB servers may do. Its main variable is Module.
//
//	frank_exampledb:
//	  mysql_grants.present:
//	    - grant: select,insert,update
//	    - database: exampledb.*
//	    - user: frank
//	    - host: localhost
package mysql_grants

import (
	"strings"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's mysql_grants module.
var Module = salt.Module{
	Name:    "mysql_grants",
	Virtual: mysqldb.Usable,
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
}

type presentArgs struct {
	Name        string     `py:"name"`               // a name for the state
	Grant       string     `py:"grant=None"`         // privileges with commas between, or all privileges
	Database    string     `py:"database=None"`      // DATABASE.TABLE; * stands for all
	User        string     `py:"user=None"`          // the user
	Host        string     `py:"host='localhost'"`   // where it comes from
	GrantOption bool       `py:"grant_option=False"` // the user may pass them on
	Escape      bool       `py:"escape=True"`        // False: database is written as it is, with its wildcards
	RevokeFirst bool       `py:"revoke_first=False"` // take away first what the user may do there
	SslOption   any        `py:"ssl_option=False"`   // a list of maps: SSL: True, X509: True, CIPHER, ISSUER, SUBJECT: a text
	Conn        *value.Map `py:"**connection_args"`  // the server, as in mysql.version
}

// call calls a function about the grant.
func (a *presentArgs) call(c *salt.Ctx, fun, grant string) (bool, error) {
	kw := a.Conn.Shallow()
	kw.Update(value.M("grant_option", a.GrantOption, "escape", a.Escape))
	if fun == "grant_add" {
		kw.Set("ssl_option", a.SslOption)
	}
	v, err := c.CallKw("mysql."+fun, kw, grant, a.Database, a.User, a.Host)
	return value.Truth(v), err
}

// why is the last error in brackets, if there is one.
func why(c *salt.Ctx) string {
	if text := mysqldb.Error(c); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// present makes sure that a user may do something.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	there, err := a.call(c, "grant_exists", a.Grant)
	switch {
	case err != nil:
		return salt.Raised(err)
	case there:
		return salt.Correct("Grant %s on %s to %s@%s is already present", a.Grant, a.Database, a.User, a.Host)
	}
	if text := mysqldb.Error(c); text != "" {
		return salt.Failed("%s", text)
	}
	if c.Test {
		return salt.Would(nil, "MySQL grant %s is set to be created", a.Name)
	}
	if a.RevokeFirst {
		if err := a.revoke(c); err != nil {
			return salt.Raised(err)
		}
	}
	added, err := a.call(c, "grant_add", a.Grant)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !added:
		return salt.Failed("Failed to execute: \"GRANT %s ON %s TO %s@%s\"%s", a.Grant, a.Database, a.User, a.Host, why(c))
	}
	return salt.Changed(value.M(a.Name, "Present"), "Grant %s on %s to %s@%s has been added", a.Grant, a.Database, a.User, a.Host)
}

// revoke takes away what the user may do there.
func (a *presentArgs) revoke(c *salt.Ctx) error {
	v, err := c.CallKw("mysql.user_grants", a.Conn.Shallow(), a.User, a.Host)
	if err != nil {
		return err
	}
	l, _ := v.(*value.List)
	bare := strings.NewReplacer("`", "", `\`, "", `"`, "")
	for i := range l.Len() {
		v, err := c.Call("mysql.tokenize_grant", l.Items[i])
		if err != nil {
			return err
		}
		m, _ := v.(*value.Map)
		if bare.Replace(m.Str("database")) != bare.Replace(a.Database) {
			continue
		}
		var names []string
		for _, it := range m.List("grant").Items {
			names = append(names, value.Str(it))
		}
		if _, err := a.call(c, "grant_revoke", strings.Join(names, ",")); err != nil {
			return err
		}
	}
	return nil
}

type absentArgs struct {
	Name        string     `py:"name"`               // a name for the state
	Grant       string     `py:"grant=None"`         // privileges with commas between, or all privileges
	Database    string     `py:"database=None"`      // DATABASE.TABLE; * stands for all
	User        string     `py:"user=None"`          // the user
	Host        string     `py:"host='localhost'"`   // where it comes from
	GrantOption bool       `py:"grant_option=False"` // the right to pass them on too
	Escape      bool       `py:"escape=True"`        // False: database is written as it is, with its wildcards
	Conn        *value.Map `py:"**connection_args"`  // the server, as in mysql.version
}

// absent makes sure that a user may not do something.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	g := presentArgs{Name: a.Name, Grant: a.Grant, Database: a.Database, User: a.User, Host: a.Host, GrantOption: a.GrantOption, Escape: a.Escape, Conn: a.Conn}
	there, err := g.call(c, "grant_exists", a.Grant)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !there:
		if text := mysqldb.Error(c); text != "" {
			return salt.Failed("Unable to determine if grant %s on %s for %s@%s exists (%s)", a.Grant, a.Database, a.User, a.Host, text)
		}
		return salt.Correct("Grant %s on %s to %s@%s is not present, so it cannot be revoked", a.Grant, a.Database, a.User, a.Host)
	case c.Test:
		return salt.Would(nil, "MySQL grant %s is set to be revoked", a.Name)
	}
	gone, err := g.call(c, "grant_revoke", a.Grant)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !gone:
		return salt.Failed("Unable to revoke grant %s on %s for %s@%s%s", a.Grant, a.Database, a.User, a.Host, why(c))
	}
	return salt.Changed(value.M(a.Name, "Absent"), "Grant %s on %s for %s@%s has been revoked", a.Grant, a.Database, a.User, a.Host)
}
