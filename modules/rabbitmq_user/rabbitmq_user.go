// Package rabbitmq_user holds Salt's rabbitmq_user states: the users of a
// RabbitMQ server. Its main variable is Module.
//
//	rabbit_user:
//	  rabbitmq_user.present:
//	    - password: password
//	    - force: True
//	    - tags: [monitoring, user]
//	    - perms:
//	      - '/': ['.*', '.*', '.*']
package rabbitmq_user

import (
	"slices"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's rabbitmq_user module.
var Module = salt.Module{
	Name:    "rabbitmq_user",
	States:  func() salt.Funcs { return salt.Funcs{"absent": salt.State(absent), "present": salt.State(present)} },
	Virtual: salt.Needs("rabbitmqctl", "Command not found: rabbitmqctl"),
}

type presentArgs struct {
	Name     string `py:"name"`          // the user
	Password any    `py:"password=None"` // its password; None: it has none when it is made
	Force    bool   `py:"force=False"`   // set the password each time, or take it away
	Tags     any    `py:"tags=None"`     // its tags: a list, or a text of words
	Perms    any    `py:"perms=()"`      // a list of maps: by virtual host the patterns of what it may configure, write and read
	Runas    any    `py:"runas=None"`    // who runs the command; None: who runs pinch
}

// A user collects what changes about one.
type user struct {
	c *salt.Ctx
	presentArgs
	changes *value.Map
}

func (u *user) call(fun string, args ...any) (any, error) {
	return u.c.CallKw("rabbitmq."+fun, value.M("runas", u.Runas), args...)
}

// do changes something, not under test=True.
func (u *user) do(fun string, args ...any) error {
	if u.c.Test {
		return nil
	}
	_, err := u.call(fun, args...)
	return err
}

// present makes sure that there is a user with this password, tags and
// permissions.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	u := user{c, a, new(value.Map)}
	known, err := u.call("user_exists", a.Name)
	if err != nil {
		return salt.Failed("Error: %s", err)
	}
	wrong := false
	if value.Truth(known) && a.Password != nil {
		ok, err := u.call("check_password", a.Name, a.Password)
		if err != nil {
			return salt.Failed("Error: %s", err)
		}
		wrong = !value.Truth(ok)
	}
	switch {
	case value.Truth(known) && !a.Force && !wrong && !value.Truth(a.Perms) && !value.Truth(a.Tags):
		return salt.Correct("User '%s' is already present.", a.Name)
	case !value.Truth(known):
		u.changes.Set("user", value.M("old", "", "new", a.Name))
		if c.Test {
			return salt.Would(u.changes, "User '%s' is set to be created.", a.Name)
		}
		err = u.do("add_user", a.Name, a.Password)
	case a.Force || wrong:
		err = u.password()
	}
	for _, step := range []func() error{u.tags, u.perms} {
		if err == nil {
			err = step()
		}
	}
	switch {
	case err != nil:
		r := salt.Failed("Error: %s", err)
		if !c.Test {
			r.Changes = u.changes
		}
		return r
	case u.changes.Len() == 0:
		return salt.Correct("'%s' is already in the desired state.", a.Name)
	case c.Test:
		return salt.Would(u.changes, "Configuration for '%s' will change.", a.Name)
	}
	return salt.Changed(u.changes, "'%s' was configured.", a.Name)
}

func (u *user) password() error {
	if u.Password == nil {
		u.changes.Set("password", value.M("old", "Removed password.", "new", ""))
		return u.do("clear_password", u.Name)
	}
	u.changes.Set("password", value.M("old", "", "new", "Set password."))
	return u.do("change_password", u.Name, u.Password)
}

func (u *user) tags() error {
	if u.Tags == nil {
		return nil
	}
	v, err := u.call("list_users")
	if err != nil {
		return err
	}
	all, _ := v.(*value.Map)
	now, want := value.L(), u.Tags
	if l := all.List(u.Name); l != nil {
		now.Items = slices.DeleteFunc(slices.Clone(l.Items), func(tag any) bool { return tag == "" })
	}
	if text, ok := want.(string); ok {
		want = value.Strings(strings.Fields(text))
	}
	l, _ := want.(*value.List)
	has := func(l *value.List) func(any) bool { return func(v any) bool { return slices.Contains(l.Items, v) } }
	if l.Len() == now.Len() && !slices.ContainsFunc(now.Items, func(v any) bool { return !has(l)(v) }) {
		return nil
	}
	u.changes.Set("tags", value.M("old", now, "new", want))
	return u.do("set_user_tags", u.Name, want)
}

func (u *user) perms() error {
	v, err := u.call("list_user_permissions", u.Name)
	if err != nil {
		return err
	}
	now, _ := v.(*value.Map)
	l, _ := u.Perms.(*value.List)
	for i := range l.Len() {
		m, _ := l.Items[i].(*value.Map)
		for vhost, it := range m.Items() {
			p, ok := it.(*value.List)
			if !ok || p.Len() != 3 {
				return salt.InvocationError("perms of %s must be three patterns: %s", vhost, value.Repr(it))
			}
			want := value.M("configure", p.Items[0], "write", p.Items[1], "read", p.Items[2])
			if value.Equal(now.At(vhost), want) {
				continue
			}
			if err := u.do("set_permissions", vhost, u.Name, p.Items[0], p.Items[1], p.Items[2]); err != nil {
				return err
			}
			changed := u.changes.Map("perms")
			if changed == nil {
				changed = value.M("new", new(value.Map))
				u.changes.Set("perms", changed)
			}
			changed.Map("new").Set(vhost, want)
			if old := now.Map(vhost); old != nil {
				if changed.Map("old") == nil {
					changed.Set("old", new(value.Map))
				}
				changed.Map("old").Update(old)
			}
		}
	}
	return nil
}

type absentArgs struct {
	Name  string `py:"name"`       // the user
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// absent makes sure that there is no such user.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	u := user{c, presentArgs{Name: a.Name, Runas: a.Runas}, value.M("name", value.M("old", a.Name, "new", ""))}
	known, err := u.call("user_exists", a.Name)
	switch {
	case err != nil:
		return salt.Failed("Error: %s", err)
	case !value.Truth(known):
		return salt.Correct("The user '%s' is not present.", a.Name)
	case c.Test:
		return salt.Would(u.changes, "The user '%s' will be removed.", a.Name)
	}
	if err := u.do("delete_user", a.Name); err != nil {
		return salt.Failed("Error: %s", err)
	}
	return salt.Changed(u.changes, "The user '%s' was removed.", a.Name)
}
