package user

import (
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// apply makes the planned changes, in Salt's order.
func (a *presentArgs) apply(c *salt.Ctx, now account, changes *value.Map) error {
	ch := changes.Shallow()
	if err := a.applyPassword(c, ch); err != nil {
		return err
	}
	if err := a.applyHome(c, now, ch); err != nil {
		return err
	}
	for _, f := range []struct {
		name, fun string
		want      any
	}{
		{"mindays", "shadow.set_mindays", a.Mindays}, {"maxdays", "shadow.set_maxdays", a.Maxdays},
		{"inactdays", "shadow.set_inactdays", a.Inactdays}, {"warndays", "shadow.set_warndays", a.Warndays},
		{"expire", "shadow.set_expire", a.Expire},
	} {
		if _, ok := ch.Pop(f.name); ok {
			if _, err := c.Call(f.fun, a.Name, f.want); err != nil {
				return err
			}
		}
	}
	for k, v := range ch.Items() {
		var err error
		switch k {
		case "uid":
			_, err = chuid(c, chuidArgs{Name: a.Name, UID: v})
		case "gid":
			_, err = chgid(c, chgidArgs{Name: a.Name, GID: v})
		case "shell":
			_, err = chshell(c, chshellArgs{Name: a.Name, Shell: v})
		}
		for i, part := range gecosNames {
			if k == part {
				_, err = describe(c, a.Name, i, v, nil)
			}
		}
		if err != nil {
			return err
		}
	}
	if v, ok := ch.Get("groups"); ok {
		_, err := chgroups(c, chgroupsArgs{Name: a.Name, Groups: v, Append: !a.RemoveGroups})
		return err
	}
	return nil
}

func (a *presentArgs) applyPassword(c *salt.Ctx, ch *value.Map) error {
	type call struct {
		fun  string
		args []any
	}
	var calls []call
	if _, ok := ch.Pop("passwd"); ok {
		calls = append(calls, call{"shadow.set_password", []any{a.Name, a.Password}})
	}
	if _, ok := ch.Pop("empty_password"); ok {
		calls = append(calls, call{"shadow.del_password", []any{a.Name}})
	}
	if lock, ok := ch.Pop("password_lock"); ok {
		fun := "shadow.unlock_password"
		if value.Truth(lock) {
			fun = "shadow.lock_password"
		}
		calls = append(calls, call{fun, []any{a.Name}})
	}
	if _, ok := ch.Pop("date"); ok {
		calls = append(calls, call{"shadow.set_date", []any{a.Name, a.Date}})
	}
	for _, f := range calls {
		if _, err := c.Call(f.fun, f.args...); err != nil {
			return err
		}
	}
	return nil
}

// applyHome moves the home, and makes it when it is not there.
func (a *presentArgs) applyHome(c *salt.Ctx, now account, ch *value.Map) error {
	home, moved := ch.Pop("home")
	missing, make := ch.Pop("homeDoesNotExist")
	if make {
		home, moved = missing, true
	}
	if moved {
		if _, err := chhome(c, chhomeArgs{Name: a.Name, Home: home, Persist: a.PersistHome}); err != nil {
			return err
		}
	}
	if make && !sys.IsDir(c.Sys, value.Str(missing)) {
		_, err := c.Call("file.mkdir", missing, now.info.At("uid"), now.info.At("gid"), int64(0o755))
		return err
	}
	return nil
}

// create makes a user that is not there.
func (a *presentArgs) create(c *salt.Ctx, groups []string) salt.Result {
	var list any
	if a.Groups != nil || len(groups) > 0 {
		list = value.Strings(groups)
	}
	d := a.description()
	ok, err := add(c, addArgs{
		Name: a.Name, UID: a.UID, GID: a.GID, Groups: list, Home: a.Home, Shell: a.Shell, Unique: a.Unique, System: a.System,
		Fullname: d[0], Roomnumber: d[1], Workphone: d[2], Homephone: d[3], Other: d[4], Createhome: a.Createhome,
		Nologinit: a.Nologinit, Loginclass: a.Loginclass, Local: a.Local, Usergroup: a.Usergroup,
	})
	switch {
	case err != nil:
		return salt.Raised(err)
	case !ok:
		return salt.Failed("Failed to create new user %s", a.Name)
	}
	now, _, err := look(c, a.Name, a.Local)
	if err != nil {
		return salt.Raised(err)
	}
	r := salt.Changed(now.info, "New user %s created", a.Name)
	if r.Changes == nil {
		r.Changes = new(value.Map)
	}
	if !a.Createhome {
		r.Changes.Set("home", "")
	}
	for _, s := range a.secrets() {
		if _, err := c.Call(s.fun, s.args...); err != nil {
			return salt.Raised(err)
		}
		v, err := c.Call("shadow.info", a.Name)
		if err != nil {
			return salt.Raised(err)
		}
		if m, ok := v.(*value.Map); !ok || !value.Equal(m.At(s.key), s.want) {
			r.Comment, r.Result = "User "+a.Name+" created but failed to "+s.failed, salt.False()
		}
		r.Changes.Set(s.name, s.shown)
	}
	return r
}

// A secret is something that is set in /etc/shadow after the user was made.
type secret struct {
	name, fun   string
	args        []any
	key         string // in shadow.info
	want, shown any
	failed      string // "failed to …"
}

func (a *presentArgs) secrets() []secret {
	var list []secret
	if value.Truth(a.Password) && !a.EmptyPassword {
		list = append(list, secret{"password", "shadow.set_password", []any{a.Name, a.Password}, "passwd", a.Password, redacted, "set password to " + redacted})
	}
	if a.EmptyPassword && !value.Truth(a.Password) {
		list = append(list, secret{"password", "shadow.del_password", []any{a.Name}, "passwd", "", "", "empty password"})
	}
	for _, f := range []struct {
		name, fun, key, what string
		want                 any
	}{
		{"date", "set_date", "lstchg", "last change date", a.Date}, {"mindays", "set_mindays", "min", "minimum days", a.Mindays},
		{"maxdays", "set_maxdays", "max", "maximum days", a.Maxdays}, {"inactdays", "set_inactdays", "inact", "inactive days", a.Inactdays},
		{"warndays", "set_warndays", "warn", "warn days", a.Warndays}, {"expire", "set_expire", "expire", "expire days", a.Expire},
	} {
		if value.Truth(f.want) || f.name == "date" && f.want != nil {
			list = append(list, secret{f.name, "shadow." + f.fun, []any{a.Name, f.want}, f.key, f.want, f.want, "set " + f.what + " to " + value.Str(f.want)})
		}
	}
	return list
}
