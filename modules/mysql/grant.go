package mysql

import (
	"errors"
	"slices"
	"strings"

	"pinch/mysqldb"
	"pinch/salt"
	"pinch/value"
)

// userGrants returns the GRANT statements of a user, False without one.
func userGrants(c *salt.Ctx, a userArgs) (any, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return false, nil
	}
	l, ok := s.grants(a.User, a.Host)
	if !ok {
		return false, nil
	}
	return value.Strings(l), nil
}

func (s server) grants(user, host string) ([]string, bool) {
	if !s.exists(account{user: user, host: host}) {
		return nil, false
	}
	_, rows, ok := s.ask("SHOW GRANTS FOR ?@?", user, host)
	var out []string
	for _, row := range rows {
		all := value.Str(row[0])
		text, _, _ := strings.Cut(all, " IDENTIFIED BY")
		if strings.Contains(all, "WITH GRANT OPTION") && !strings.Contains(text, "WITH GRANT OPTION") {
			text += " WITH GRANT OPTION"
		}
		out = append(out, text)
	}
	return out, ok
}

const privileges = "|ALL PRIVILEGES|ALTER|ALTER ROUTINE|BACKUP_ADMIN|BINLOG_ADMIN|BINLOG ADMIN|BINLOG MONITOR|BINLOG REPLAY|CONNECTION_ADMIN|CONNECTION ADMIN|CREATE|CREATE ROLE|CREATE ROUTINE|" +
	"CREATE TABLESPACE|CREATE TEMPORARY TABLES|CREATE USER|CREATE VIEW|DELETE|DELETE HISTORY|DROP|DROP ROLE|ENCRYPTION_KEY_ADMIN|EVENT|EXECUTE|FEDERATED ADMIN|FILE|GRANT OPTION|" +
	"GROUP_REPLICATION_ADMIN|INDEX|INSERT|LOCK TABLES|PERSIST_RO_VARIABLES_ADMIN|PROCESS|READ_ONLY ADMIN|REFERENCES|RELOAD|REPLICA MONITOR|REPLICATION CLIENT|REPLICATION MASTER ADMIN|" +
	"REPLICATION REPLICA|REPLICATION SLAVE|REPLICATION_SLAVE_ADMIN|REPLICATION SLAVE ADMIN|RESOURCE_GROUP_ADMIN|RESOURCE_GROUP_USER|ROLE_ADMIN|SELECT|SET USER|SET_USER_ID|" +
	"SERVICE_CONNECTION_ADMIN|SHOW DATABASES|SHOW VIEW|SHUTDOWN|SLAVE MONITOR|SUPER|SYSTEM_VARIABLES_ADMIN|TRIGGER|UPDATE|USAGE|XA_RECOVER_ADMIN|"

// normalGrant writes privileges as the server shows them; an unknown one is an
// error.
func normalGrant(text string) (string, error) {
	var out []string
	rest := strings.TrimSpace(text)
	if strings.EqualFold(rest, "ALL") {
		return "ALL PRIVILEGES", nil
	}
	for rest != "" {
		end := strings.IndexAny(rest, ",(")
		name, columns := rest, ""
		if end >= 0 {
			name = rest[:end]
			if rest[end] == '(' {
				close := strings.IndexByte(rest, ')')
				if close < 0 {
					return "", errors.New("Invalid grant : '" + rest + "'")
				}
				columns = " " + rest[end:close+1]
				end = close + 1
			}
			rest = strings.TrimLeft(rest[end:], ", ")
		} else {
			rest = ""
		}
		name = strings.ToUpper(strings.Join(strings.Fields(name), " "))
		if !strings.Contains(privileges, "|"+name+"|") || name == "" {
			return "", errors.New("Invalid grant : '" + name + "'")
		}
		out = append(out, name+columns)
	}
	return strings.Join(out, ", "), nil
}

// place is DATABASE.TABLE as identifiers.
func place(database string, escape bool) string {
	db, table := "", database
	if i := strings.LastIndexByte(database, '.'); i >= 0 {
		db, table = database[:i], database[i+1:]
	}
	if escape {
		if db != "*" {
			db = mysqldb.Quote(db, table == "*")
		}
		if table != "*" {
			table = mysqldb.Quote(table, false)
		}
	}
	return db + "." + table
}

type grantArgs struct {
	Grant       string     `py:"grant"`              // privileges with commas between, such as SELECT,INSERT or ALL PRIVILEGES
	Database    string     `py:"database"`           // DATABASE.TABLE; * stands for all
	User        string     `py:"user"`               // the user
	Host        string     `py:"host='localhost'"`   // where it comes from
	GrantOption bool       `py:"grant_option=False"` // the user may pass them on
	Escape      bool       `py:"escape=True"`        // False: database is written as it is, with its wildcards
	Conn        *value.Map `py:"**connection_args"`  // the server, as in mysql.version
}

// grantExists reports whether a user has privileges.
//
//	salt-call mysql.grant_exists 'SELECT,INSERT,UPDATE,...' 'database.*' 'frank' 'localhost'
func grantExists(c *salt.Ctx, a grantArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	if !ok || s.version() == "" {
		return false, nil
	}
	return s.granted(a), nil
}

// wanted are the privileges of a call, one by one.
func (s server) wanted(a grantArgs) ([]string, bool) {
	text := a.Grant
	if strings.Contains(strings.ToUpper(text), "ALL") {
		text = "ALL PRIVILEGES"
		if !s.mariaDB() && mysqldb.AtLeast(s.version(), 8) && a.Database == "*.*" {
			// Such a server shows them one by one.
			if _, rows, ok := s.ask("SHOW PRIVILEGES"); ok {
				var all []string
				for _, row := range rows {
					if name := strings.ToUpper(strings.TrimSpace(value.Str(row[0]))); name != "USAGE" && name != "GRANT OPTION" && name != "PROXY" {
						all = append(all, name)
					}
				}
				return all, true
			}
		}
	}
	text, err := normalGrant(text)
	if err != nil {
		s.c.Log.Error("Error during grant generation.")
		s.c.Log.Error(err.Error())
		return nil, false
	}
	return parseGrant("GRANT " + text + " ON").privileges, true
}

// now gives the names of privileges that a MariaDB shows.
func (s server) now(names []string) []string {
	if !s.mariaDB() {
		return names
	}
	names = slices.Clone(names)
	for i, name := range names {
		switch {
		case name == "REPLICATION REPLICA" && mysqldb.AtLeast(s.version(), 10, 5, 1):
			names[i] = "REPLICATION SLAVE"
		case name == "REPLICATION CLIENT" && mysqldb.AtLeast(s.version(), 10, 5, 2):
			names[i] = "BINLOG MONITOR"
		case name == "REPLICA MONITOR" && mysqldb.AtLeast(s.version(), 10, 5, 9):
			names[i] = "SLAVE MONITOR"
		}
	}
	return names
}

func (s server) granted(a grantArgs) bool {
	want, ok := s.wanted(a)
	if !ok {
		return false
	}
	all, ok := s.grants(a.User, a.Host)
	if !ok {
		return false
	}
	var has []string
	for _, text := range all {
		g := parseGrant(text)
		if bare(g.user) == bare(a.User) && bare(g.host) == bare(a.Host) && bare(g.database) == bare(a.Database) {
			has = append(has, s.now(g.privileges)...)
		}
	}
	for _, name := range s.now(want) {
		if !slices.ContainsFunc(has, func(h string) bool { return strings.EqualFold(bare(h), bare(name)) }) {
			return false
		}
	}
	return len(has) > 0
}

type grantAddArgs struct {
	Grant       string     `py:"grant"`              // privileges with commas between, such as SELECT,INSERT or ALL PRIVILEGES
	Database    string     `py:"database"`           // DATABASE.TABLE; * stands for all
	User        string     `py:"user"`               // the user
	Host        string     `py:"host='localhost'"`   // where it comes from
	GrantOption bool       `py:"grant_option=False"` // the user may pass them on
	Escape      bool       `py:"escape=True"`        // False: database is written as it is, with its wildcards
	SslOption   any        `py:"ssl_option=False"`   // a list of maps: SSL: True, X509: True, CIPHER, ISSUER, SUBJECT: a text
	Conn        *value.Map `py:"**connection_args"`  // the server, as in mysql.version
}

// tls is what the connection of a user must be.
func (a *grantAddArgs) tls() (string, []any, error) {
	l, ok := a.SslOption.(*value.List)
	if !ok {
		return "", nil, nil
	}
	var parts []string
	var args []any
	for _, it := range l.Items {
		m, _ := it.(*value.Map)
		for key, v := range m.Items() {
			switch name := strings.ToUpper(strings.TrimSpace(key)); name {
			case "CIPHER", "ISSUER", "SUBJECT":
				parts = append(parts, name+" ?")
				args = append(args, strings.ReplaceAll(value.Str(v), "'", ""))
			case "SSL", "X509":
				if value.Truth(v) {
					parts = append(parts, name)
				}
			default:
				return "", nil, errors.New("Invalid SSL option : '" + key + "'")
			}
		}
	}
	return " REQUIRE " + strings.Join(parts, " AND "), args, nil
}

// grantAdd grants privileges.
//
//	salt-call mysql.grant_add 'SELECT,INSERT,UPDATE,...' 'database.*' 'frank' 'localhost'
func grantAdd(c *salt.Ctx, a grantAddArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return false, nil
	}
	text, err := normalGrant(a.Grant)
	require, more, err2 := a.tls()
	if err != nil || err2 != nil {
		c.Log.Error("Error during grant generation")
		return false, nil
	}
	q := "GRANT " + text + " ON " + place(a.Database, a.Escape) + " TO ?@?" + require
	if a.GrantOption {
		q += " WITH GRANT OPTION"
	}
	if _, ok = s.do(q, append([]any{a.User, a.Host}, more...)...); !ok {
		return false, nil
	}
	return s.granted(grantArgs{a.Grant, a.Database, a.User, a.Host, a.GrantOption, a.Escape, a.Conn}), nil
}

// grantRevoke takes privileges away.
func grantRevoke(c *salt.Ctx, a grantArgs) (bool, error) {
	s, ok := open(c, a.Conn)
	if !ok {
		return false, nil
	}
	text, err := normalGrant(a.Grant)
	if err != nil {
		return false, value.Errorf("Exception", "%s", err)
	}
	if a.GrantOption {
		text += ", GRANT OPTION"
	}
	if _, ok = s.do("REVOKE "+text+" ON "+place(a.Database, a.Escape)+" FROM ?@?", a.User, a.Host); !ok {
		return false, nil
	}
	return !s.granted(a), nil
}
