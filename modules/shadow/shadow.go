// Package shadow holds Salt's shadow module: passwords and their ages, as
// shadow(5) keeps them, and the hashes of crypt(5). Its main variable is Module.
//
//	salt-call shadow.info root
package shadow

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's shadow module.
var Module = salt.Module{
	Name: "shadow",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"default_hash":    salt.Exec(defaultHash),
			"del_password":    salt.Exec(delPassword),
			"gen_password":    salt.Exec(genPassword),
			"info":            salt.Exec(info),
			"list_users":      salt.Exec(listUsers),
			"lock_password":   salt.Exec(lockPassword),
			"set_date":        salt.Exec(setDate),
			"set_expire":      salt.Exec(setExpire),
			"set_inactdays":   salt.Exec(setInactdays),
			"set_maxdays":     salt.Exec(setMaxdays),
			"set_mindays":     salt.Exec(setMindays),
			"set_password":    salt.Exec(setPassword),
			"set_warndays":    salt.Exec(setWarndays),
			"unlock_password": salt.Exec(unlockPassword),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		if c.Grains.Str("kernel") != "Linux" {
			return errors.New("the shadow module is for Linux")
		}
		return nil
	},
}

// An entry is a line of shadow(5). A number that is not set is -1.
type entry struct {
	name, passwd                               string
	lastChange, min, max, warn, inact, expires int64
}

// parse reads the lines of shadow(5); lines of another form are left out.
func parse(text string) []entry {
	var out []entry
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) < 8 || f[0] == "" {
			continue
		}
		number := func(i int) int64 {
			n, err := strconv.ParseInt(f[i], 10, 64)
			if err != nil {
				return -1
			}
			return n
		}
		out = append(out, entry{f[0], f[1], number(2), number(3), number(4), number(5), number(6), number(7)})
	}
	return out
}

// path is /etc/shadow below a root.
func path(root any) string {
	if !value.Truth(root) {
		return "/etc/shadow"
	}
	return filepath.Join(value.Str(root), "etc/shadow")
}

func entries(c *salt.Ctx, root any) []entry {
	b, _ := c.Sys.ReadFile(path(root))
	return parse(string(b))
}

// find is the user's entry; without one its name is empty.
func find(c *salt.Ctx, name string, root any) entry {
	for _, e := range entries(c, root) {
		if e.name == name {
			return e
		}
	}
	return entry{}
}

type infoArgs struct {
	Name string `py:"name"`      // the user
	Root any    `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// info returns what /etc/shadow says about a user; all is empty for a user
// without an entry.
func info(c *salt.Ctx, a infoArgs) (*value.Map, error) {
	e := find(c, a.Name, a.Root)
	if e.name == "" {
		return value.M("name", "", "passwd", "", "lstchg", "", "min", "", "max", "", "warn", "", "inact", "", "expire", ""), nil
	}
	return value.M("name", e.name, "passwd", e.passwd, "lstchg", e.lastChange, "min", e.min, "max", e.max,
		"warn", e.warn, "inact", e.inact, "expire", e.expires), nil
}

type listUsersArgs struct {
	Root any `py:"root=None"` // the directory of another system whose /etc/shadow to use
}

// listUsers lists the users that have an entry in /etc/shadow.
func listUsers(c *salt.Ctx, a listUsersArgs) (*value.List, error) {
	names := []string{}
	for _, e := range entries(c, a.Root) {
		names = append(names, e.name)
	}
	slices.Sort(names)
	return value.Strings(names), nil
}

// defaultHash returns the hash of an account without a password.
func defaultHash(c *salt.Ctx, a salt.NoArgs) (string, error) { return "!", nil }
