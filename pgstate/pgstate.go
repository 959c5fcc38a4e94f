// Package pgstate is what the modules of PostgreSQL share: the passwords of
// roles as the server stores them, and the states of users and groups, which
// are both roles.
//
//	stored, err := pgstate.Encrypt("app", "secret", "scram-sha-256") // SCRAM-SHA-256$4096:…
package pgstate

import (
	"errors"

	"pinch/salt"
	"pinch/value"
)

// Usable says whether the states of PostgreSQL can be used: where psql is.
func Usable(c *salt.Ctx, _ string) error {
	if _, err := c.Registry().Exec(c, "postgres.user_exists"); err != nil {
		return errors.New("Unable to load postgres module.  Make sure `postgres.bins_dir` is set.")
	}
	return nil
}

// A Server is how the states reach the server: what they call user is who psql
// runs as.
type Server struct {
	DB, RunAs, Host, User, Port, Password any
}

// Args are the arguments of the functions of the execution module, and kv
// besides.
func (s Server) Args(kv ...any) *value.Map {
	m := value.M(kv...)
	for _, p := range []struct {
		name string
		v    any
	}{{"maintenance_db", s.DB}, {"runas", s.RunAs}, {"host", s.Host}, {"user", s.User}, {"port", s.Port}, {"password", s.Password}} {
		if p.v != nil {
			m.Set(p.name, p.v)
		}
	}
	return m
}

// Ask calls a function of the execution module and reports its truth.
func (s Server) Ask(c *salt.Ctx, fun string, args []any, kv ...any) (bool, error) {
	v, err := c.CallKw("postgres."+fun, s.Args(kv...), args...)
	return value.Truth(v), err
}

// An Absence is what a state that removes something says and does.
type Absence struct {
	Name                       string
	Exists, Remove             func() (bool, error)
	Would, Did, Failed, Absent string // comments
}

// Run removes what exists.
func (a Absence) Run(c *salt.Ctx) salt.Result {
	there, err := a.Exists()
	switch {
	case err != nil:
		return salt.Raised(err)
	case !there:
		return salt.Correct("%s", a.Absent)
	case c.Test:
		return salt.Would(nil, "%s", a.Would)
	}
	switch done, err := a.Remove(); {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("%s", a.Failed)
	}
	return salt.Changed(value.M(a.Name, "Absent"), "%s", a.Did)
}
