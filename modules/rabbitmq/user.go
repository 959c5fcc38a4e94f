package rabbitmq

import (
	"crypto/rand"
	"regexp"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// listUsers returns the tags of users.
func listUsers(c *salt.Ctx, a runasArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, "list_users", "-q")
	return byFirst(out, func(text string) *value.List {
		if len(text) > 1 {
			text = text[1 : len(text)-1]
		}
		sep := " "
		if strings.Contains(text, ",") {
			sep = ","
		}
		l := value.L()
		for tag := range strings.SplitSeq(text, sep) {
			l.Append(strings.TrimSpace(tag))
		}
		return l
	}), err
}

type nameArgs struct {
	Name  string `py:"name"`       // the name
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// userExists reports whether there is a user.
func userExists(c *salt.Ctx, a nameArgs) (bool, error) {
	m, err := listUsers(c, runasArgs{a.Runas})
	return m.Has(a.Name), err
}

type addUserArgs struct {
	Name     string `py:"name"`          // the user
	Password any    `py:"password=None"` // its password; None: it has none
	Runas    any    `py:"runas=None"`    // who runs the command; None: who runs pinch
}

// addUser makes a user.
func addUser(c *salt.Ctx, a addUserArgs) (*value.Map, error) {
	password := rand.Text()
	if a.Password != nil {
		password = value.Str(a.Password)
	}
	c.Run.Hide(password)
	out, err := ctl(c, a.Runas, "add_user", a.Name, password)
	if err == nil && a.Password == nil {
		if _, err = clearPassword(c, nameArgs{a.Name, a.Runas}); err != nil {
			_, _ = deleteUser(c, nameArgs{a.Name, a.Runas})
		}
	}
	return value.M("Added", out), err
}

// deleteUser removes a user.
func deleteUser(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return said("Deleted")(ctl(c, a.Runas, "delete_user", a.Name))
}

type passwordArgs struct {
	Name     string `py:"name"`       // the user
	Password string `py:"password"`   // the password
	Runas    any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// changePassword sets the password of a user.
func changePassword(c *salt.Ctx, a passwordArgs) (*value.Map, error) {
	c.Run.Hide(a.Password)
	return said("Password Changed")(ctl(c, a.Runas, "change_password", a.Name, a.Password))
}

// clearPassword takes the password of a user away: it can no longer log in by
// one.
func clearPassword(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	return said("Password Cleared")(ctl(c, a.Runas, "clear_password", a.Name))
}

// checkPassword reports whether a user has a password.
func checkPassword(c *salt.Ctx, a passwordArgs) (bool, error) {
	c.Run.Hide(a.Password)
	out, err := ask(c, a.Runas, "status")
	if err != nil {
		out = ""
	}
	if authenticates(out) {
		_, err := ask(c, a.Runas, "authenticate_user", a.Name, a.Password)
		return err == nil, nil
	}
	quote := func(s string) string { return strings.ReplaceAll(s, `"`, `\"`) }
	out, err = ask(c, a.Runas, "eval", `rabbit_auth_backend_internal:check_user_login(<<"`+quote(a.Name)+`">>, [{password, <<"`+quote(a.Password)+`">>}]).`)
	return err == nil && !strings.Contains(out, "invalid credentials"), err
}

// authenticates says that the server, of which this is the status, has the
// command authenticate_user: version 3.5.7.
func authenticates(status string) bool {
	m := regexp.MustCompile(`\{rabbit,"RabbitMQ","(.+)"\}`).FindStringSubmatch(status)
	if m == nil {
		m = regexp.MustCompile(`RabbitMQ version:\s*(.+)`).FindStringSubmatch(status)
	}
	if m == nil {
		return false
	}
	text, _, _ := strings.Cut(m[1], "-")
	return atLeast(text, 3, 5, 7)
}

// atLeast compares a version of numbers.
func atLeast(version string, want ...int) bool {
	parts := strings.Split(version, ".")
	for i, w := range want {
		if i >= len(parts) {
			return false
		}
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return false
		}
		if n != w {
			return n > w
		}
	}
	return true
}

type tagsArgs struct {
	Name  string `py:"name"`       // the user
	Tags  any    `py:"tags"`       // a tag, or a list of them
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// setUserTags sets the tags of a user, such as administrator.
func setUserTags(c *salt.Ctx, a tagsArgs) (*value.Map, error) {
	w := []string{"set_user_tags", a.Name}
	switch tags := a.Tags.(type) {
	case *value.List:
		w = append(w, texts(tags.Items)...)
	case value.Tuple:
		w = append(w, texts(tags)...)
	default:
		w = append(w, value.Str(tags))
	}
	return said("Tag(s) set")(ctl(c, a.Runas, w...))
}

type setPermissionsArgs struct {
	Vhost string `py:"vhost"`      // the virtual host
	User  string `py:"user"`       // the user
	Conf  string `py:"conf='.*'"`  // a pattern of what it may configure
	Write string `py:"write='.*'"` // a pattern of where it may write
	Read  string `py:"read='.*'"`  // a pattern of what it may read
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// setPermissions sets what a user may do in a virtual host.
func setPermissions(c *salt.Ctx, a setPermissionsArgs) (*value.Map, error) {
	return said("Permissions Set")(ctl(c, a.Runas, "set_permissions", "-p", a.Vhost, a.User, a.Conf, a.Write, a.Read))
}

// keyed reads a JSON list of maps; one of their values is the key.
func keyed(out, key string, err error) (*value.Map, error) {
	if err != nil {
		return nil, err
	}
	v, err := value.ParseJSON(out)
	l, ok := v.(*value.List)
	if err != nil || !ok {
		return nil, salt.CommandError("rabbitmqctl: unexpected output: %s", out)
	}
	m := new(value.Map)
	for _, it := range l.Items {
		if perm, ok := it.(*value.Map); ok {
			name, _ := perm.Pop(key)
			m.Set(value.Str(name), perm)
		}
	}
	return m, nil
}

type vhostArgs struct {
	Vhost string `py:"vhost"`      // the virtual host
	Runas any    `py:"runas=None"` // who runs the command; None: who runs pinch
}

// listPermissions returns what users may do in a virtual host: configure,
// write and read.
func listPermissions(c *salt.Ctx, a vhostArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, "list_permissions", "--formatter=json", "-p", a.Vhost)
	return keyed(out, "user", err)
}

// listUserPermissions returns what a user may do by virtual host: configure,
// write and read.
func listUserPermissions(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	out, err := ask(c, a.Runas, "list_user_permissions", a.Name, "--formatter=json")
	return keyed(out, "vhost", err)
}
