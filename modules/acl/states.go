package acl

import (
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A target is the list of a file, as far as entries of one type matter.
type target struct {
	path, kind string // user, group …
	isDefault  bool
	all        *value.Map // by path
	owner      string     // who an entry without a name is for
}

const noType = "ACL Type does not exist"

// look reads the list; mistake says why a state cannot work on it.
func look(c *salt.Ctx, path, aclType string, recurse bool) (t *target, mistake string, err error) {
	if !sys.Exists(c.Sys, path) {
		return nil, path + " does not exist", nil
	}
	t = &target{path: path, kind: aclType}
	for _, before := range []string{"default:", "d:"} {
		if rest, ok := strings.CutPrefix(aclType, before); ok {
			t.kind, t.isDefault = rest, true
		}
	}
	if t.all, err = getfacl(c, filesArgs{[]any{path}, value.M("recursive", recurse)}); err != nil {
		return nil, "", err
	}
	file := t.all.Map(path)
	if file == nil {
		return nil, "", salt.CommandError("getfacl says nothing about %s", path)
	}
	key := t.kind
	if key == "user" {
		key = "owner"
	}
	t.owner = file.Map("comment").Str(key)
	if !t.isDefault && len(t.entries(path)) == 0 {
		mistake = noType
	}
	return t, mistake, nil
}

// entries are the names of a file's entries with their numbers.
func (t *target) entries(path string) map[string]int64 {
	m := t.all.Map(path)
	if t.isDefault {
		m = m.Map("defaults")
	}
	out := map[string]int64{}
	if l := m.List(t.kind); l != nil {
		for _, it := range l.Items {
			for name, v := range it.(*value.Map).Items() {
				out[name], _ = v.(*value.Map).At("octal").(int64)
			}
		}
	}
	return out
}

func letters(n int64) string {
	out := []byte("---")
	for i, bit := range []int64{4, 2, 1} {
		if n&bit != 0 {
			out[i] = "rwx"[i]
		}
	}
	return string(out)
}

type presentArgs struct {
	Name    string `py:"name"`          // the path
	AclType string `py:"acl_type"`      // user, group, mask or other, with default: or d: before it for what new files get
	AclName string `py:"acl_name=''"`   // the user or group; the default is the owner
	Perms   string `py:"perms=''"`      // such as rwx; X stands for x where somebody may execute it
	Recurse bool   `py:"recurse=False"` // all below a folder too
	Force   bool   `py:"force=False"`   // remove all other entries first
}

// differs reports whether a file below lacks the permissions.
func (t *target) differs(c *salt.Ctx, name string, want int64, maybeX bool) bool {
	for path := range t.all.Items() {
		if t.isDefault && !sys.IsDir(c.Sys, path) {
			continue
		}
		n, ok := t.entries(path)[name]
		if !ok || n != want && (!maybeX || n%2 == 1 || n != want-1) {
			return true
		}
	}
	return false
}

// present makes sure that there is an entry with these permissions.
func present(c *salt.Ctx, a presentArgs) salt.Result {
	t, mistake, err := look(c, a.Name, a.AclType, a.Recurse)
	switch {
	case err != nil:
		return salt.Raised(err)
	case mistake != "":
		return salt.Failed("%s", mistake)
	}
	name := a.AclName
	if name == "" {
		name = t.owner
	}
	entry := func(perms string) *value.Map {
		return value.M("acl_name", a.AclName, "acl_type", a.AclType, "perms", perms)
	}
	changes := value.M("new", entry(a.Perms))
	want := octal(a.Perms)
	now, there := t.entries(a.Name)[name]
	ch := salt.Change{
		Changes: changes,
		Will:    "New permissions will be applied for " + a.AclName + ": " + a.Perms,
		Did:     "Applied new permissions for " + a.AclName,
		Do:      func() error { return apply(c, a, []string{a.AclName}) },
	}
	if there {
		if a.Recurse && !t.differs(c, name, want, strings.HasSuffix(a.Perms, "X")) || !a.Recurse && now == want {
			return salt.Correct("Permissions are in the desired state")
		}
		changes.Set("old", entry(letters(now)))
		ch.Will = "Updated permissions will be applied for " + a.AclName + ": " + letters(now) + " -> " + a.Perms
		ch.Did = "Updated permissions for " + a.AclName
	}
	return step(c, ch, a.AclName)
}

// step takes the step; when it fails the comment says for whom.
func step(c *salt.Ctx, ch salt.Change, who string) salt.Result {
	r := c.Make(ch)
	if r.Bad() {
		r.Comment = "Error updating permissions for " + who + ": " + r.Comment
	}
	return r
}

// apply gives names the permissions.
func apply(c *salt.Ctx, a presentArgs, names []string) error {
	kw := value.M("recursive", a.Recurse, "raise_err", true)
	if a.Force {
		if _, err := wipefacls(c, filesArgs{[]any{a.Name}, kw}); err != nil {
			return err
		}
	}
	for _, name := range names {
		if _, err := modfacl(c, modfaclArgs{a.AclType, name, a.Perms, []any{a.Name}, kw}); err != nil {
			return err
		}
	}
	return nil
}

type absentArgs struct {
	Name    string `py:"name"`          // the path
	AclType string `py:"acl_type"`      // user, group, mask or other, with default: or d: before it
	AclName string `py:"acl_name=''"`   // the user or group
	Perms   string `py:"perms=''"`      // not used
	Recurse bool   `py:"recurse=False"` // all below a folder too
}

// absent makes sure that there is no such entry.
func absent(c *salt.Ctx, a absentArgs) salt.Result {
	t, mistake, err := look(c, a.Name, a.AclType, a.Recurse)
	switch {
	case err != nil:
		return salt.Raised(err)
	case mistake != "":
		return salt.Failed("%s", mistake)
	}
	name, found := a.AclName, false
	if name == "" {
		name = t.owner
	}
	for path := range t.all.Items() {
		_, ok := t.entries(path)[name]
		found = found || ok
	}
	switch {
	case !found:
		return salt.Correct("Permissions are in the desired state")
	case c.Test:
		return salt.Would(nil, "Removing permissions")
	}
	if _, err := delfacl(c, delfaclArgs{a.AclType, a.AclName, []any{a.Name}, value.M("recursive", a.Recurse)}); err != nil {
		return salt.Raised(err)
	}
	return salt.Correct("Removing permissions")
}

type listPresentArgs struct {
	Name     string      `py:"name"`           // the path
	AclType  string      `py:"acl_type"`       // user, group, mask or other, with default: or d: before it for what new files get
	AclNames *value.List `py:"acl_names=None"` // the users or groups
	Perms    string      `py:"perms=''"`       // such as rwx
	Recurse  bool        `py:"recurse=False"`  // all below a folder too
	Force    bool        `py:"force=False"`    // remove all other entries first
}

func names(l *value.List) []string {
	var out []string
	if l != nil {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
	}
	return out
}

// listPresent makes sure that there are entries with these permissions for
// several users or groups.
func listPresent(c *salt.Ctx, a listPresentArgs) salt.Result {
	t, mistake, err := look(c, a.Name, a.AclType, false)
	switch {
	case err != nil:
		return salt.Raised(err)
	case mistake != "":
		return salt.Failed("%s", mistake)
	}
	who := names(a.AclNames)
	joined, listed := strings.Join(who, ", "), value.Repr(value.Strings(who))
	now, want := t.entries(a.Name), octal(a.Perms)
	entry := func(perms any) *value.Map {
		return value.M("acl_name", joined, "acl_type", a.AclType, "perms", perms)
	}
	ch := salt.Change{
		Changes: value.M("new", entry(a.Perms)),
		Will:    "New permissions will be applied for " + listed + ": " + a.Perms,
		Did:     "Applied new permissions for " + joined,
		Do: func() error {
			return apply(c, presentArgs{a.Name, a.AclType, "", a.Perms, a.Recurse, a.Force}, who)
		},
	}
	differs := !slices.ContainsFunc(who, func(name string) bool { _, ok := now[name]; return ok })
	for _, name := range who {
		n, ok := now[name]
		switch {
		case !ok:
			differs = true
		case n != want && !differs:
			differs = true
			ch.Changes = value.M("new", entry(want), "old", entry(strconv.FormatInt(n, 10)))
			ch.Will = "Updated permissions will be applied for " + listed + ": " + strconv.FormatInt(n, 10) + " -> " + a.Perms
			ch.Did = "Updated permissions for " + listed
		}
	}
	if !differs {
		return salt.Correct("Permissions are in the desired state")
	}
	return step(c, ch, listed)
}

type listAbsentArgs struct {
	Name     string      `py:"name"`           // the path
	AclType  string      `py:"acl_type"`       // user, group, mask or other, with default: or d: before it
	AclNames *value.List `py:"acl_names=None"` // the users or groups
	Recurse  bool        `py:"recurse=False"`  // all below a folder too
}

// listAbsent makes sure that there are no entries for several users or groups.
func listAbsent(c *salt.Ctx, a listAbsentArgs) salt.Result {
	t, mistake, err := look(c, a.Name, a.AclType, false)
	switch {
	case err != nil:
		return salt.Raised(err)
	case mistake != "":
		return salt.Failed("%s", mistake)
	}
	now, who := t.entries(a.Name), names(a.AclNames)
	switch found := slices.ContainsFunc(who, func(name string) bool { _, ok := now[name]; return ok }); {
	case !found:
		return salt.Correct("Permissions are in the desired state")
	case c.Test:
		return salt.Would(nil, "Removing permissions")
	}
	for _, name := range who {
		if _, err := delfacl(c, delfaclArgs{a.AclType, name, []any{a.Name}, value.M("recursive", a.Recurse)}); err != nil {
			return salt.Raised(err)
		}
	}
	return salt.Correct("Removing permissions")
}
