package user

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A account is a user as it is.
type account struct {
	info   *value.Map // user.info
	shadow *value.Map // shadow.info
}

// look reads the account; ok is false when there is none.
func look(c *salt.Ctx, name string, local bool) (account, bool, error) {
	var root any
	if local {
		root = "/"
	}
	u, ok := find(c, name, root)
	if !ok {
		return account{}, false, nil
	}
	v, err := c.Call("shadow.info", name)
	m, _ := v.(*value.Map)
	return account{format(c, u), m}, true, err
}

// gidOf is file.group_to_gid: the number of a group, nil when there is none.
func gidOf(c *salt.Ctx, group any) any {
	switch g := group.(type) {
	case int64:
		return g
	case string:
		if found, err := c.Sys.Group(g); err == nil {
			return int64(found.GID)
		}
		if n, err := strconv.ParseInt(g, 10, 64); err == nil {
			return n
		}
	}
	return nil
}

// nameOf is file.gid_to_group: "" when there is no such group.
func nameOf(c *salt.Ctx, gid any) string {
	if n, ok := gidOf(c, gid).(int64); ok {
		if g, err := c.Sys.GroupID(int(n)); err == nil {
			return g.Name
		}
	}
	return ""
}

// plan is what has to change about an account, in Salt's order. A gid is what
// the caller works out from usergroup; optional are those groups that exist.
func (a *presentArgs) plan(c *salt.Ctx, now account, gid any, groups, optional []string) (*value.Map, error) {
	ch := new(value.Map)
	u := now.info
	if value.Truth(a.UID) && !value.Equal(u.At("uid"), a.UID) {
		ch.Set("uid", a.UID)
	}
	if gid != nil && !value.Equal(u.At("gid"), gid) && !value.Equal(u.At("gid"), gidOf(c, gid)) {
		ch.Set("gid", gid)
	}
	if want, differs := a.planGroups(c, u, gid, groups, optional); differs {
		ch.Set("groups", value.Strings(want))
	}
	if value.Truth(a.Home) && !value.Equal(u.At("home"), a.Home) {
		ch.Set("home", a.Home)
	}
	if a.Createhome {
		home := u.Str("home")
		if value.Truth(a.Home) {
			home = value.Str(a.Home)
		}
		if !sys.IsDir(c.Sys, home) {
			ch.Set("homeDoesNotExist", home)
		}
	}
	if value.Truth(a.Shell) && !value.Equal(u.At("shell"), a.Shell) {
		ch.Set("shell", a.Shell)
	}
	a.planShadow(ch, now.shadow)
	for i, v := range a.description() {
		if v != nil && !value.Equal(u.At(gecosNames[i]), v) {
			ch.Set(gecosNames[i], v)
		}
	}
	return ch, a.forbidden(ch, u)
}

// description are the wanted parts of the description, as texts.
func (a *presentArgs) description() [5]any {
	parts := [5]any{a.Fullname, a.Roomnumber, a.Workphone, a.Homephone, a.Other}
	for i, v := range parts {
		if v != nil {
			parts[i] = value.Str(v)
		}
	}
	return parts
}

// forbidden refuses changes of numbers that the state does not allow.
func (a *presentArgs) forbidden(ch, u *value.Map) error {
	var problems []string
	for _, f := range []struct {
		name    string
		allowed bool
	}{{"uid", a.AllowUIDChange}, {"gid", a.AllowGIDChange}} {
		if want, ok := ch.Get(f.name); ok && !f.allowed {
			problems = append(problems, "- Changing "+f.name+" ("+value.Str(u.At(f.name))+" -> "+value.Str(want)+") not permitted, set allow_"+
				f.name+"_change to True to force this change. Note that this will not change file ownership.")
		}
	}
	if problems == nil {
		return nil
	}
	return salt.CommandError("Encountered error checking for needed changes. Additional info follows:\n\n%s", strings.Join(problems, "\n"))
}

// planShadow compares password and ages.
func (a *presentArgs) planShadow(ch, now *value.Map) {
	hash := now.Str("passwd")
	if value.Truth(a.Password) && !a.EmptyPassword && (hash == "!" || a.EnforcePassword) && hash != value.Str(a.Password) {
		ch.Set("passwd", a.Password)
	}
	if a.EmptyPassword && hash != "" {
		ch.Set("empty_password", true)
	}
	for _, f := range []struct {
		name, key string
		want      any
	}{
		{"date", "lstchg", a.Date}, {"mindays", "min", a.Mindays}, {"maxdays", "max", a.Maxdays},
		{"inactdays", "inact", a.Inactdays}, {"warndays", "warn", a.Warndays},
	} {
		if f.want != nil && !value.Equal(now.At(f.key), f.want) {
			ch.Set(f.name, f.want)
		}
	}
	if value.Truth(a.Expire) && !value.Equal(now.At("expire"), a.Expire) {
		ch.Set("expire", a.Expire)
	}
	locked := strings.HasPrefix(hash, "!")
	if value.Truth(a.PasswordLock) && !locked || a.PasswordLock == false && locked {
		ch.Set("password_lock", a.PasswordLock)
	}
}

// planGroups are the supplementary groups that are wanted, and whether they
// differ from those that are. The primary group, and names that share its
// number, do not count.
func (a *presentArgs) planGroups(c *salt.Ctx, u *value.Map, gid any, groups, optional []string) (want []string, differs bool) {
	have := names(u.At("groups"))
	want = unique(append(slices.Clone(groups), optional...))
	if !a.RemoveGroups || a.Groups == nil && len(optional) == 0 {
		want = unique(append(want, have...))
	}
	twins := twinsOf(c, have)
	primary := gid
	if gid == nil {
		primary = u.At("gid")
	}
	byName, old := nameOf(c, primary), nameOf(c, u.At("gid"))
	if slices.Contains(have, byName) || slices.Contains(want, byName) {
		have, want = without(have, twins(byName)), without(want, twins(byName))
	}
	if old != byName {
		have = without(have, twins(old))
	}
	if name := u.Str("name"); slices.Contains(have, name) && !slices.Contains(want, name) {
		have = without(have, twins(name))
	}
	return want, a.groupsDiffer(c, have, want) && (len(want) > 0 || a.RemoveGroups)
}

// groupsDiffer compares groups by number.
func (a *presentArgs) groupsDiffer(c *salt.Ctx, have, want []string) bool {
	only := func(list, other []string) bool {
		return slices.ContainsFunc(list, func(g string) bool {
			return !slices.ContainsFunc(other, func(o string) bool {
				return o == g || gidOf(c, o) != nil && value.Equal(gidOf(c, o), gidOf(c, g))
			})
		})
	}
	return only(want, have) || a.RemoveGroups && only(have, want)
}

// twinsOf gives, for a group, all of the user's groups that have its number.
func twinsOf(c *salt.Ctx, have []string) func(string) []string {
	return func(name string) []string {
		out := []string{name}
		for _, g := range have {
			if g != name && value.Equal(gidOf(c, g), gidOf(c, name)) && slices.Contains(have, name) {
				out = append(out, g)
			}
		}
		return out
	}
}

func without(list, drop []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
