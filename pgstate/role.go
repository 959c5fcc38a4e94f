package pgstate

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// A Role is a user or a group that a state makes.
type Role struct {
	Kind, Name      string // Kind is "User" or "Group"
	Server          Server
	Encrypted       any
	Password        any
	DefaultPassword any // of a role that is made anew
	RefreshPassword any // set the password without looking at the one that is stored
	ValidUntil      any
	Groups          any
	Flags           []Flag
}

// A Flag is an attribute that a role has or lacks; nil leaves it.
type Flag struct {
	Name   string // of the argument
	Column string // of postgres.user_list
	Want   any
}

// Flags are the attributes that users and groups have.
func Flags(createdb, inherit, login, createroles, replication, superuser any) []Flag {
	return []Flag{{"createdb", "can create databases", createdb}, {"inherit", "inherits privileges", inherit}, {"login", "can login", login},
		{"createroles", "can create roles", createroles}, {"replication", "replication", replication}, {"superuser", "superuser", superuser}}
}

// Present makes the role, or changes what differs.
func (r Role) Present(c *salt.Ctx) salt.Result {
	if r.Encrypted == nil {
		r.Encrypted = DefaultMethod
	}
	for _, p := range []any{r.Password, r.DefaultPassword, r.Server.Password} {
		if p != nil {
			c.Run.Hide(value.Str(p))
		}
	}
	v, err := c.CallKw("postgres.role_get", r.Server.Args("return_password", !value.Truth(r.RefreshPassword)), r.Name)
	if err != nil {
		return salt.Raised(err)
	}
	now, _ := v.(*value.Map)
	mode, update := "create", new(value.Map)
	if now != nil {
		mode = "update"
	} else if r.Password == nil {
		r.Password = r.DefaultPassword
	}
	if r.Password, err = r.newPassword(c, now); err != nil {
		return salt.Raised(err)
	}
	if now != nil {
		if update, err = r.differences(c, now); err != nil {
			return salt.Raised(err)
		}
		if update.Len() == 0 {
			return salt.Correct("%s %s is already present", r.Kind, r.Name)
		}
	}
	if c.Test {
		changes := new(value.Map)
		if update.Len() > 0 {
			changes.Set(r.Name, update)
		}
		return salt.Would(changes, "%s %s is set to be %sd", r.Kind, r.Name, mode)
	}
	kind := strings.ToLower(r.Kind)
	done, err := r.Server.Ask(c, kind+"_"+mode, []any{r.Name}, r.arguments()...)
	switch {
	case err != nil:
		return salt.Raised(err)
	case !done:
		return salt.Failed("Failed to %s %s %s", mode, kind, r.Name)
	}
	what := any("Present")
	if update.Len() > 0 {
		what = update
	}
	return salt.Changed(value.M(r.Name, what), "The %s %s has been %sd", kind, r.Name, mode)
}

// newPassword is the password to set, encrypted; nil if there is none to set.
func (r Role) newPassword(c *salt.Ctx, now *value.Map) (any, error) {
	if r.Password == nil {
		return nil, nil
	}
	plain := value.Str(r.Password)
	if now != nil && !value.Truth(r.RefreshPassword) && Verify(r.Name, plain, now.Str("password"), r.Encrypted) {
		return nil, nil
	}
	if w := Deprecated(plain, r.Encrypted); w != "" {
		c.Log.Warn(w)
	}
	stored, err := Encrypt(r.Name, plain, r.Encrypted)
	if err != nil {
		return nil, err
	}
	c.Run.Hide(stored)
	return stored, nil
}

// differences are the arguments that the role does not have as wanted.
func (r Role) differences(c *salt.Ctx, now *value.Map) (*value.Map, error) {
	update := new(value.Map)
	for _, f := range r.Flags {
		if f.Want != nil && !value.Equal(now.At(f.Column), f.Want) {
			update.Set(f.Name, f.Want)
		}
	}
	if r.Password != nil {
		update.Set("password", true)
	}
	if r.ValidUntil != nil {
		same, err := r.sameTime(c, now.At("expiry time"))
		if err != nil {
			return nil, err
		}
		if !same {
			update.Set("valid_until", r.ValidUntil)
		}
	}
	if missing := r.missingGroups(now.List("groups")); missing.Len() > 0 {
		update.Set("groups", missing)
	}
	return update, nil
}

// sameTime asks the server what time valid_until is.
func (r Role) sameTime(c *salt.Ctx, now any) (bool, error) {
	text := strings.ReplaceAll(value.Str(r.ValidUntil), "'", "''")
	v, err := c.CallKw("postgres.psql_query", r.Server.Args(), "SELECT '"+text+"'::timestamp(0) as dt;")
	if err != nil {
		return false, err
	}
	rows, _ := v.(*value.List)
	if rows.Len() == 0 {
		return false, salt.InvocationError("valid_until: %s is no time for PostgreSQL", value.Repr(r.ValidUntil))
	}
	row, _ := rows.Items[0].(*value.Map)
	if now == nil {
		_, ok := Time(row.Str("dt"))
		return !ok, nil
	}
	return value.Equal(value.Str(now), row.Str("dt")), nil
}

func (r Role) missingGroups(now *value.List) *value.List {
	missing := value.L()
	for _, g := range GroupNames(r.Groups) {
		if now == nil || !slices.Contains(now.Items, any(g)) {
			missing.Append(g)
		}
	}
	return missing
}

// GroupNames are the names of the argument groups: a list, or a text with
// commas.
func GroupNames(groups any) []string {
	var names []string
	switch g := groups.(type) {
	case *value.List:
		for _, it := range g.Items {
			names = append(names, value.Str(it))
		}
	case string:
		if g != "" {
			names = strings.Split(g, ",")
		}
	}
	return names
}

func (r Role) arguments() []any {
	var kv []any
	add := func(name string, v any) {
		if v != nil {
			kv = append(kv, name, v)
		}
	}
	for _, f := range r.Flags {
		add(f.Name, f.Want)
	}
	add("encrypted", r.Encrypted)
	add("rolepassword", r.Password)
	add("valid_until", r.ValidUntil)
	add("groups", r.Groups)
	return kv
}

// Absent removes the role.
func (r Role) Absent(c *salt.Ctx) salt.Result {
	who := r.Kind + " " + r.Name
	return Absence{
		Name:   r.Name,
		Exists: func() (bool, error) { return r.Server.Ask(c, "user_exists", []any{r.Name}) },
		Remove: func() (bool, error) { return r.Server.Ask(c, strings.ToLower(r.Kind)+"_remove", []any{r.Name}) },
		Would:  who + " is set to be removed", Did: who + " has been removed", Failed: who + " failed to be removed",
		Absent: who + " is not present, so it cannot be removed",
	}.Run(c)
}
