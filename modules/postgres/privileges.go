package postgres

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// privilege is the word for a letter of an access list.
func privilege(letter rune) string {
	switch letter {
	case 'a':
		return "INSERT"
	case 'C':
		return "CREATE"
	case 'D':
		return "TRUNCATE"
	case 'c':
		return "CONNECT"
	case 't':
		return "TRIGGER"
	case 'r':
		return "SELECT"
	case 'U':
		return "USAGE"
	case 'T':
		return "TEMPORARY"
	case 'w':
		return "UPDATE"
	case 'X':
		return "EXECUTE"
	case 'x':
		return "REFERENCES"
	case 'd':
		return "DELETE"
	case 'm':
		return "MAINTAIN"
	}
	return string(letter)
}

// An object is something that privileges are about.
type object struct {
	server
	name, kind, schema string
}

// letters are the privileges that there are on a kind of object.
func (o object) letters() (string, error) {
	switch o.kind {
	case "table":
		return "arwdDxtm", nil
	case "tablespace":
		return "C", nil
	case "language":
		return "U", nil
	case "sequence":
		return "rwU", nil
	case "schema":
		return "UC", nil
	case "database":
		return "CTc", nil
	case "function":
		return "X", nil
	case "group":
		return "", nil
	}
	return "", salt.InvocationError("Invalid object_type: %s provided", o.kind)
}

func (o object) words() ([]string, error) {
	letters, err := o.letters()
	var out []string
	for _, l := range letters {
		out = append(out, privilege(l))
	}
	return out, err
}

// wanted reads the argument privileges, and checks it.
func (o object) wanted(privileges any) ([]string, error) {
	text := ""
	if privileges != nil {
		text = value.Str(privileges)
	}
	known, err := o.words()
	if err != nil {
		return nil, err
	}
	if o.kind == "group" {
		if text != "" {
			return nil, salt.InvocationError("The privileges option should not be set for object_type group")
		}
		return nil, nil
	}
	known = append(known, "ALL")
	var want []string
	for w := range strings.SplitSeq(strings.ToUpper(text), ",") {
		w = strings.TrimSpace(w)
		if !slices.Contains(known, w) {
			return nil, salt.InvocationError("Invalid privilege(s): %s provided for object %s", text, o.kind)
		}
		want = append(want, w)
	}
	return want, nil
}

// source is where the object stands in the catalogue: the column of its access
// list, that of its owner, and FROM with its condition.
func (o object) source() (acl, owner, from string) {
	name, schema := literal(o.name), literal(o.schema)
	class := "pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE nspname = " + schema + " AND relname = " + name + " AND relkind "
	switch o.kind {
	case "table":
		return "relacl", "relowner", class + "IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname"
	case "sequence":
		return "relacl", "relowner", class + "= 'S' ORDER BY relname"
	case "schema":
		return "nspacl", "nspowner", "pg_catalog.pg_namespace WHERE nspname = " + name
	case "function":
		return "proacl", "proowner", "pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE nspname = " + schema +
			" AND p.oid::regprocedure::text = " + name + " ORDER BY proname, proargtypes"
	case "tablespace":
		return "spcacl", "spcowner", "pg_catalog.pg_tablespace WHERE spcname = " + name
	case "language":
		return "lanacl", "lanowner", "pg_catalog.pg_language WHERE lanname = " + name
	}
	return "datacl", "datdba", "pg_catalog.pg_database WHERE datname = " + name
}

// list are the privileges by role: for a group whether the member may admit
// others, for anything else the privileges with their grant options.
func (o object) list(c *salt.Ctx) (*value.Map, string, error) {
	if _, err := o.letters(); err != nil {
		return nil, "", err
	}
	out := new(value.Map)
	if o.kind == "group" {
		rows, err := o.look(c, `SELECT rolname, admin_option FROM pg_catalog.pg_auth_members m JOIN pg_catalog.pg_roles r ON m.member=r.oid
WHERE m.roleid IN (SELECT oid FROM pg_catalog.pg_roles WHERE rolname=`+literal(o.name)+`) ORDER BY rolname`)
		for _, row := range rows {
			out.Set(row.Str("rolname"), row.Str("admin_option") == "t")
		}
		return out, "", err
	}
	acl, owner, from := o.source()
	rows, err := o.look(c, "SELECT "+acl+" AS name, pg_catalog.pg_get_userbyid("+owner+") AS owner FROM "+from)
	own := ""
	for _, row := range rows {
		own = row.Str("owner")
		for _, item := range arrayItems(row.Str("name")) {
			if role, perms, ok := aclItem(item); ok {
				out.Set(role, perms)
			}
		}
	}
	return out, own, err
}

// aclItem reads one entry of an access list: role=letters/grantor. A star
// behind a letter is the grant option. No role is everyone, public.
func aclItem(s string) (role string, perms *value.Map, ok bool) {
	if strings.HasPrefix(s, `"`) {
		end := 1
		for end < len(s) && s[end] != '"' || strings.HasPrefix(s[min(end, len(s)):], `""`) {
			if s[end] == '"' {
				end++
			}
			end++
		}
		if end >= len(s) {
			return "", nil, false
		}
		role, s = strings.ReplaceAll(s[1:end], `""`, `"`), s[end+1:]
	} else {
		i := strings.IndexByte(s, '=')
		if i < 0 {
			return "", nil, false
		}
		role, s = s[:i], s[i:]
	}
	letters, _, _ := strings.Cut(s, "/")
	letters, ok = strings.CutPrefix(letters, "=")
	if !ok {
		return "", nil, false
	}
	if role == "" {
		role = "public"
	}
	perms = new(value.Map)
	last := ""
	for _, l := range letters {
		if l == '*' {
			perms.Set(last, true)
			continue
		}
		last = privilege(l)
		perms.Set(last, false)
	}
	return role, perms, true
}

// has reports whether a role has the privileges; the owner has all.
func (o object) has(c *salt.Ctx, role string, want []string, grantOption bool) (bool, error) {
	all, owner, err := o.list(c)
	switch {
	case err != nil:
		return false, err
	case o.kind == "group" && grantOption:
		return all.At(role) == true, nil
	case o.kind == "group":
		return all.Has(role), nil
	case owner != "" && owner == role:
		return true, nil
	}
	have := all.Map(role)
	if have == nil {
		return false, nil
	}
	if !grantOption && !slices.Contains(want, "ALL") {
		return !slices.ContainsFunc(want, func(w string) bool { return !have.Has(w) }), nil
	}
	need, err := o.words()
	if err == nil && o.kind == "table" && !have.Has("MAINTAIN") {
		need, err = o.withoutMaintain(c, need)
	}
	if err != nil || have.Len() != len(need) {
		return false, err
	}
	return !slices.ContainsFunc(need, func(w string) bool { return !have.Has(w) || grantOption && have.At(w) != true }), nil
}

// withoutMaintain drops the privilege that came with version 17.
func (o object) withoutMaintain(c *salt.Ctx, need []string) ([]string, error) {
	v, err := o.version(c)
	if text, ok := v.(string); ok && err == nil && olderVersion(text, "17") {
		need = slices.DeleteFunc(slices.Clone(need), func(w string) bool { return w == "MAINTAIN" })
	}
	return need, err
}

// on is what stands behind ON. A function has its arguments behind its name.
func (o object) on() (string, error) {
	kind := strings.ToUpper(o.kind) + " "
	switch o.kind {
	case "table", "sequence":
		return kind + bare(o.schema) + "." + ident(o.name), nil
	case "function":
		name, args, has := strings.Cut(o.name, "(")
		if has && (strings.ContainsAny(args, ";'") || !strings.HasSuffix(args, ")")) {
			return "", salt.InvocationError("%s is no function with its arguments", value.Repr(o.name))
		}
		if _, after, ok := strings.Cut(name, "."); ok && strings.Trim(name, `"`) == name {
			name = after // regprocedure has the schema when it is not in the path
		}
		if has {
			return kind + bare(o.schema) + "." + bare(name) + "(" + args, nil
		}
		return kind + bare(o.schema) + "." + ident(name), nil
	}
	return kind + ident(o.name), nil
}

// grantee is a role in GRANT and REVOKE.
func grantee(role string) string {
	if strings.EqualFold(role, "public") {
		return "PUBLIC"
	}
	return ident(role)
}

// inWhole reports that the object is all tables, sequences or functions of a schema.
func (o object) inWhole() bool {
	return strings.EqualFold(o.name, "ALL") && slices.Contains([]string{"table", "sequence", "function"}, o.kind)
}

func (o object) grant(c *salt.Ctx, role string, want []string, grantOption bool) (bool, error) {
	if has, err := o.has(c, role, want, false); err != nil || has && !grantOption {
		return false, err
	}
	on, err := o.on()
	if err != nil {
		return false, err
	}
	text, with := "GRANT "+strings.Join(want, ",")+" ON "+on, " WITH GRANT OPTION"
	switch {
	case o.kind == "group":
		text, with = "GRANT "+bare(o.name), " WITH ADMIN OPTION"
	case o.inWhole():
		text = "GRANT " + strings.Join(want, ",") + " ON ALL " + strings.ToUpper(o.kind) + "S IN SCHEMA " + bare(o.schema)
	}
	text += " TO " + grantee(role)
	if grantOption {
		text += with
	}
	return o.do(c, text)
}

func (o object) revoke(c *salt.Ctx, role string, want []string) (bool, error) {
	if has, err := o.has(c, role, want, false); err != nil || !has {
		return false, err
	}
	on, err := o.on()
	if err != nil {
		return false, err
	}
	if o.kind == "group" {
		return o.do(c, "REVOKE "+bare(o.name)+" FROM "+grantee(role))
	}
	return o.do(c, "REVOKE "+strings.Join(want, ",")+" ON "+on+" FROM "+grantee(role))
}

type privilegesListArgs struct {
	Name          string `py:"name"`                // the object
	ObjectType    string `py:"object_type"`         // `schema`, `tablespace`, `language`, `sequence`, `table`, `group`, `database` or `function`
	Prepend       string `py:"prepend='public'"`    // the schema of the object
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// privilegesList returns the privileges on an object by role, each with True
// where the role may grant it to others; for a group its members.
func privilegesList(c *salt.Ctx, a privilegesListArgs) (*value.Map, error) {
	all, _, err := object{at(a), a.Name, strings.ToLower(a.ObjectType), a.Prepend}.list(c)
	return all, err
}

type hasPrivilegesArgs struct {
	Name          string `py:"name"`                // the role
	ObjectName    string `py:"object_name"`         // the object; for tables, sequences and functions ALL is all of the schema; a function has its arguments: `f(integer)`
	ObjectType    string `py:"object_type"`         // `schema`, `tablespace`, `language`, `sequence`, `table`, `group`, `database` or `function`
	Privileges    any    `py:"privileges=None"`     // privileges with commas between; none for a group
	GrantOption   any    `py:"grant_option=None"`   // with the right to grant them to others
	Prepend       string `py:"prepend='public'"`    // the schema of the object
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// hasPrivileges reports whether a role has privileges on an object.
//
//	salt-call postgres.has_privileges app orders table SELECT,INSERT maintenance_db=shop
func hasPrivileges(c *salt.Ctx, a hasPrivilegesArgs) (bool, error) {
	o := object{at(a), a.ObjectName, strings.ToLower(a.ObjectType), a.Prepend}
	want, err := o.wanted(a.Privileges)
	if err != nil {
		return false, err
	}
	return o.has(c, a.Name, want, value.Truth(a.GrantOption))
}

type privilegesGrantArgs struct {
	Name          string `py:"name"`                // the role
	ObjectName    string `py:"object_name"`         // the object; for tables, sequences and functions ALL is all of the schema; a function has its arguments: `f(integer)`
	ObjectType    string `py:"object_type"`         // `schema`, `tablespace`, `language`, `sequence`, `table`, `group`, `database` or `function`
	Privileges    any    `py:"privileges=None"`     // privileges with commas between; none for a group
	GrantOption   any    `py:"grant_option=None"`   // with the right to grant them to others
	Prepend       string `py:"prepend='public'"`    // the schema of the object
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// privilegesGrant grants privileges on an object, or membership in a group;
// false if the role has them.
//
//	salt-call postgres.privileges_grant app ALL table SELECT maintenance_db=shop
func privilegesGrant(c *salt.Ctx, a privilegesGrantArgs) (bool, error) {
	o := object{at(a), a.ObjectName, strings.ToLower(a.ObjectType), a.Prepend}
	want, err := o.wanted(a.Privileges)
	if err != nil {
		return false, err
	}
	return o.grant(c, a.Name, want, value.Truth(a.GrantOption))
}

type privilegesRevokeArgs struct {
	Name          string `py:"name"`                // the role
	ObjectName    string `py:"object_name"`         // the object; for tables, sequences and functions ALL is all of the schema; a function has its arguments: `f(integer)`
	ObjectType    string `py:"object_type"`         // `schema`, `tablespace`, `language`, `sequence`, `table`, `group`, `database` or `function`
	Privileges    any    `py:"privileges=None"`     // privileges with commas between; none for a group
	Prepend       string `py:"prepend='public'"`    // the schema of the object
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// privilegesRevoke revokes privileges on an object, or membership in a group;
// false if the role does not have them.
func privilegesRevoke(c *salt.Ctx, a privilegesRevokeArgs) (bool, error) {
	o := object{at(a), a.ObjectName, strings.ToLower(a.ObjectType), a.Prepend}
	want, err := o.wanted(a.Privileges)
	if err != nil {
		return false, err
	}
	return o.revoke(c, a.Name, want)
}
