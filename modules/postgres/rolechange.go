package postgres

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"pinch/pgstate"
	"pinch/salt"
	"pinch/value"
)

// attributes are what a role shall have.
type attributes struct {
	Createdb, Createroles, Inherit, Login, Connlimit, Encrypted, Superuser, Replication, Rolepassword, ValidUntil, Groups any
}

// attributesOf takes them out of a function's arguments.
func attributesOf(args any) attributes {
	var w attributes
	from, to := reflect.ValueOf(args), reflect.ValueOf(&w).Elem()
	for i := range to.NumField() {
		if f := from.FieldByName(to.Type().Field(i).Name); f.IsValid() {
			to.Field(i).Set(f)
		}
	}
	return w
}

// clauses are the words behind WITH, and the statements that put the role into
// its groups.
func (w attributes) clauses(c *salt.Ctx, name string, now *value.Map) (string, error) {
	var b strings.Builder
	flag := func(v any, word string) {
		switch {
		case v == nil:
		case value.Truth(v):
			b.WriteString(" " + word)
		default:
			b.WriteString(" NO" + word)
		}
	}
	flag(w.Inherit, "INHERIT")
	flag(w.Createdb, "CREATEDB")
	flag(w.Createroles, "CREATEROLE")
	if now == nil || value.Truth(w.Superuser) != now.Truth("superuser") {
		flag(w.Superuser, "SUPERUSER")
	}
	flag(w.Replication, "REPLICATION")
	flag(w.Login, "LOGIN")
	if w.Connlimit != nil {
		n, err := strconv.Atoi(value.Str(w.Connlimit))
		if err != nil {
			return "", salt.InvocationError("connlimit must be a number, not %s", value.Repr(w.Connlimit))
		}
		fmt.Fprintf(&b, " CONNECTION LIMIT %d", n)
	}
	password, err := w.password(c, name)
	if err != nil {
		return "", err
	}
	b.WriteString(password)
	if text, ok := w.ValidUntil.(string); ok && text != "" {
		b.WriteString(" VALID UNTIL " + literal(text))
	}
	return b.String(), nil
}

// password is the clause that sets the password; False takes it away.
func (w attributes) password(c *salt.Ctx, name string) (string, error) {
	switch w.Rolepassword {
	case nil, "", true:
		return "", nil
	case false:
		return " PASSWORD NULL", nil
	}
	plain := value.Str(w.Rolepassword)
	c.Run.Hide(plain)
	if warning := pgstate.Deprecated(plain, w.Encrypted); warning != "" {
		c.Log.Warn(warning)
	}
	stored, err := pgstate.Encrypt(name, plain, w.Encrypted)
	if err != nil {
		return "", err
	}
	c.Run.Hide(stored)
	word := " ENCRYPTED"
	if w.Encrypted == false {
		word = " UNENCRYPTED"
	}
	return word + " PASSWORD " + literal(stored), nil
}

// change makes or alters a role.
func (w attributes) change(c *salt.Ctx, s server, verb, name string, now *value.Map) (bool, error) {
	clauses, err := w.clauses(c, name, now)
	if err != nil {
		return false, err
	}
	text := verb + " ROLE " + ident(name)
	if clauses != "" {
		text += " WITH" + clauses
	}
	for _, g := range pgstate.GroupNames(w.Groups) {
		text += "; GRANT " + ident(g) + " TO " + ident(name)
	}
	return s.doHidden(c, text+";")
}

// create makes a role; login and inherit are what its kind has when nothing is
// said.
func (w attributes) create(c *salt.Ctx, s server, name string, login bool) (bool, error) {
	there, err := s.hasRole(c, name)
	if err != nil || there {
		return false, err
	}
	if w.Inherit == nil {
		w.Inherit = true
	}
	if w.Login == nil {
		w.Login = login
	}
	return w.change(c, s, "CREATE", name, nil)
}

// update alters a role; false if it is not there.
func (w attributes) update(c *salt.Ctx, s server, name string) (bool, error) {
	all, err := s.roles(c, name, false)
	if all == nil || !all.Has(name) {
		return false, err
	}
	return w.change(c, s, "ALTER", name, all.Map(name))
}

// dropRole removes a role; false if it is not there, or stays.
func (s server) dropRole(c *salt.Ctx, name string) (bool, error) {
	there, err := s.hasRole(c, name)
	if err != nil || !there {
		return false, err
	}
	return s.do(c, "DROP ROLE "+ident(name))
}

type userCreateArgs struct {
	Username      string `py:"username"`            // the role
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Createdb      any    `py:"createdb=None"`       // may it make databases
	Createroles   any    `py:"createroles=None"`    // may it make roles
	Inherit       any    `py:"inherit=None"`        // has it the privileges of its groups; None: yes for a new role
	Login         any    `py:"login=None"`          // may it log in; None: yes
	Connlimit     any    `py:"connlimit=None"`      // how many connections it may have; -1: any number
	Encrypted     any    `py:"encrypted=None"`      // how the password is stored: `md5` (None, True), `scram-sha-256`, or False for as it is
	Superuser     any    `py:"superuser=None"`      // is it a superuser
	Replication   any    `py:"replication=None"`    // may it replicate
	Rolepassword  any    `py:"rolepassword=None"`   // its password, in plain text or as it is stored; False: none
	ValidUntil    any    `py:"valid_until=None"`    // until when the password is valid
	Groups        any    `py:"groups=None"`         // groups to put it into: a list, or a text with commas
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// userCreate makes a role that can log in; false if it is there.
//
//	salt-call postgres.user_create app rolepassword=secret encrypted=scram-sha-256
func userCreate(c *salt.Ctx, a userCreateArgs) (bool, error) {
	return attributesOf(a).create(c, at(a), a.Username, true)
}

type userUpdateArgs struct {
	Username      string `py:"username"`            // the role
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Createdb      any    `py:"createdb=None"`       // may it make databases
	Createroles   any    `py:"createroles=None"`    // may it make roles
	Encrypted     any    `py:"encrypted=None"`      // how the password is stored: `md5` (None, True), `scram-sha-256`, or False for as it is
	Superuser     any    `py:"superuser=None"`      // is it a superuser
	Inherit       any    `py:"inherit=None"`        // has it the privileges of its groups; None: yes for a new role
	Login         any    `py:"login=None"`          // may it log in
	Connlimit     any    `py:"connlimit=None"`      // how many connections it may have; -1: any number
	Replication   any    `py:"replication=None"`    // may it replicate
	Rolepassword  any    `py:"rolepassword=None"`   // its password, in plain text or as it is stored; False: none
	ValidUntil    any    `py:"valid_until=None"`    // until when the password is valid
	Groups        any    `py:"groups=None"`         // groups to put it into: a list, or a text with commas
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// userUpdate alters a role; false if it is not there.
func userUpdate(c *salt.Ctx, a userUpdateArgs) (bool, error) {
	return attributesOf(a).update(c, at(a), a.Username)
}

type userRemoveArgs struct {
	Username      string `py:"username"`            // the role
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// userRemove removes a role; false if it is not there, or owns something.
func userRemove(c *salt.Ctx, a userRemoveArgs) (bool, error) { return at(a).dropRole(c, a.Username) }

type groupCreateArgs struct {
	Groupname     string `py:"groupname"`           // the role
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Createdb      any    `py:"createdb=None"`       // may it make databases
	Createroles   any    `py:"createroles=None"`    // may it make roles
	Encrypted     any    `py:"encrypted=None"`      // how the password is stored: `md5` (None, True), `scram-sha-256`, or False for as it is
	Login         any    `py:"login=None"`          // may it log in; None: no
	Inherit       any    `py:"inherit=None"`        // has it the privileges of its groups; None: yes for a new role
	Superuser     any    `py:"superuser=None"`      // is it a superuser
	Replication   any    `py:"replication=None"`    // may it replicate
	Rolepassword  any    `py:"rolepassword=None"`   // its password, in plain text or as it is stored; False: none
	Groups        any    `py:"groups=None"`         // groups to put it into: a list, or a text with commas
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// groupCreate makes a role that cannot log in; false if it is there.
func groupCreate(c *salt.Ctx, a groupCreateArgs) (bool, error) {
	return attributesOf(a).create(c, at(a), a.Groupname, false)
}

type groupUpdateArgs struct {
	Groupname     string `py:"groupname"`           // the role
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Createdb      any    `py:"createdb=None"`       // may it make databases
	Createroles   any    `py:"createroles=None"`    // may it make roles
	Encrypted     any    `py:"encrypted=None"`      // how the password is stored: `md5` (None, True), `scram-sha-256`, or False for as it is
	Inherit       any    `py:"inherit=None"`        // has it the privileges of its groups; None: yes for a new role
	Login         any    `py:"login=None"`          // may it log in
	Superuser     any    `py:"superuser=None"`      // is it a superuser
	Replication   any    `py:"replication=None"`    // may it replicate
	Rolepassword  any    `py:"rolepassword=None"`   // its password, in plain text or as it is stored; False: none
	Groups        any    `py:"groups=None"`         // groups to put it into: a list, or a text with commas
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// groupUpdate alters a role; false if it is not there.
func groupUpdate(c *salt.Ctx, a groupUpdateArgs) (bool, error) {
	return attributesOf(a).update(c, at(a), a.Groupname)
}

type groupRemoveArgs struct {
	Groupname     string `py:"groupname"`           // the role
	User          any    `py:"user=None"`           // the user of the database; None: postgres.user, else who psql runs as
	Host          any    `py:"host=None"`           // host or folder of the socket; None: postgres.host, else the socket
	Port          any    `py:"port=None"`           // the port; None: postgres.port
	MaintenanceDb any    `py:"maintenance_db=None"` // the database to work in; None: postgres.maintenance_db, else postgres
	Password      any    `py:"password=None"`       // the password of the user; None: postgres.pass
	Runas         any    `py:"runas=None"`          // who psql runs as; None: postgres when the server is reached by its socket
}

// groupRemove removes a role; false if it is not there, or owns something.
func groupRemove(c *salt.Ctx, a groupRemoveArgs) (bool, error) { return at(a).dropRole(c, a.Groupname) }
