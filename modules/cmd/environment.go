package cmd

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// vars are environment variables in the order they were set.
type vars struct{ m value.Map }

func (v *vars) set(name, val string)   { v.m.Set(name, val) }
func (v *vars) get(name string) string { return v.m.Str(name) }

func (v *vars) list() []string {
	out := make([]string, 0, v.m.Len())
	for k, x := range v.m.Items() {
		out = append(out, k+"="+x.(string))
	}
	return out
}

// given reads an env argument: a mapping, or a list of mappings with one key.
// A name without a value is set to nothing.
func given(c *salt.Ctx, env any) *value.Map {
	out := new(value.Map)
	add := func(k string, v any) {
		if v == nil {
			c.Log.Error("Environment variable '" + k + "' passed without a value. Setting value to an empty string")
			v = ""
		}
		out.Set(k, value.Str(v))
	}
	switch env := env.(type) {
	case *value.Map:
		for k, v := range env.Items() {
			add(k, v)
		}
	case *value.List:
		for _, it := range env.Items {
			m, ok := it.(*value.Map)
			switch {
			case ok && m.Len() == 1:
				for k, v := range m.Items() {
					add(k, v)
				}
			case ok:
				c.Log.Error("Invalid input for repack_dictlist: key/value pairs must contain only one element (data passed: " + value.Repr(m) + ").")
				return new(value.Map)
			default:
				add(value.Str(it), nil)
			}
		}
	}
	return out
}

// locale are the variables that reset_system_locale sets, so that programs
// speak the language that states are written for.
var locale = strings.Fields(`LC_CTYPE LC_NUMERIC LC_TIME LC_COLLATE LC_MONETARY LC_MESSAGES LC_PAPER LC_NAME
	LC_ADDRESS LC_TELEPHONE LC_MEASUREMENT LC_IDENTIFICATION LANGUAGE`)

// environment is what the command gets: ours, the login environment of another
// user, the C locale, and what the caller asked for.
func (j *job) environment(c *salt.Ctx, shell string) (*vars, error) {
	env := given(c, j.Env)
	user, group := j.user(), value.Str(orEmpty(j.Group))
	if user != "" || group != "" {
		login, err := loginEnvironment(c, user, group, shell)
		if err != nil {
			return nil, err
		}
		login = login.Shallow()
		login.Update(env)
		if user != "" {
			login.Set("USER", user)
			login.Set("HOME", homeOf(c, user))
		}
		env = login
	}
	if j.ResetSystemLocale == true {
		for _, name := range locale {
			if !env.Has(name) {
				env.Set(name, "C")
			}
		}
	}
	out := new(vars)
	if !j.CleanEnv {
		for _, kv := range os.Environ() {
			if k, v, ok := strings.Cut(kv, "="); ok {
				out.set(k, v)
			}
		}
	}
	for k, v := range env.Items() {
		out.set(k, v.(string))
	}
	if front := value.Str(orEmpty(j.PrependPath)); front != "" {
		if !out.m.Has("PATH") {
			return nil, value.Errorf("KeyError", "'PATH'")
		}
		out.set("PATH", front+":"+out.get("PATH"))
	}
	if !env.Has("NOTIFY_SOCKET") {
		out.m.Pop("NOTIFY_SOCKET")
	}
	return out, nil
}

// defaultShell is what commands run with when nothing is said: the shell of
// whoever started us.
func defaultShell() string {
	if s := os.Getenv("SHELL"); s != "" {
		return s
	}
	return "/bin/sh"
}

// homeOf is Python's expanduser("~user"); our own home for "".
func homeOf(c *salt.Ctx, user string) string {
	if user == "" {
		if home := os.Getenv("HOME"); home != "" {
			return home
		}
		u, err := c.Sys.UserID(c.Sys.Getuid())
		if err != nil {
			return ""
		}
		return u.Home
	}
	u, err := c.Sys.User(user)
	if err != nil {
		return "~" + user
	}
	return u.Home
}

// identity is who the command runs as; nil is us. Another user brings its
// groups, and its own group unless the caller names one.
func (j *job) identity(c *salt.Ctx) (*sys.Identity, error) {
	user, group := j.user(), value.Str(orEmpty(j.Group))
	if user == "" && group == "" {
		return nil, nil
	}
	me, err := c.Sys.UserID(c.Sys.Getuid())
	if err != nil {
		return nil, err
	}
	u := me
	if user != "" {
		if u, err = c.Sys.User(user); err != nil {
			return nil, salt.CommandError("User '%s' is not available", user)
		}
	}
	gid := u.GID
	if group != "" {
		if c.Sys.LookPath("sudo") == "" {
			return nil, salt.CommandError("group argument requires sudo but not found")
		}
		g, err := c.Sys.Group(group)
		if err != nil {
			return nil, salt.CommandError("Group '%s' is not available", user)
		}
		gid = g.GID
	}
	if u.UID == me.UID && gid == me.GID {
		return nil, nil
	}
	return &sys.Identity{UID: u.UID, GID: gid, Groups: sys.GroupsOf(c.Sys, u)}, nil
}

type loginKey string

// loginEnvironment is the environment of a login of that user: what PAM and
// the profile scripts set. It is asked for once per run, and again when one of
// the files that make it changed.
func loginEnvironment(c *salt.Ctx, user, group, shell string) (*value.Map, error) {
	if uid := c.Sys.Getuid(); uid != 0 && group == "" {
		if me, err := c.Sys.UserID(uid); err == nil && me.Name == user {
			return new(value.Map), nil // it is ours already, and su would ask for a password
		}
	}
	const mark = "<<<pinch-environment>>>"
	script := "printf %s '" + mark + "'; cat /proc/self/environ; printf %s '" + mark + "'"
	var argv []string
	switch {
	case group != "":
		argv = []string{"sudo"}
		if user != "" {
			argv = append(argv, "-u", user)
		}
		argv = append(argv, "-g", group, "-i", "--", "sh", "-c", script)
	case shell != "":
		argv = []string{"su", "-s", shell, "-", user, "-c", script}
	default:
		argv = []string{"su", "-", user, "-c", script}
	}
	ask := func() (*value.Map, error) {
		res, err := c.Sys.Run(c, sys.Cmd{Argv: argv, Query: true, Timeout: 10 * time.Second})
		parts := bytes.Split(res.Stdout, []byte(mark))
		switch {
		case err != nil || len(parts) == 1:
			c.Log.Error(fmt.Sprintf("Environment could not be retrieved for user '%s': stderr=%q stdout=%q", user, res.Stderr, res.Stdout))
			return new(value.Map), nil
		case len(parts) != 3:
			return nil, salt.CommandError("Environment could not be retrieved for user '%s'", user)
		}
		env := new(value.Map)
		for kv := range strings.SplitSeq(string(parts[1]), "\x00") {
			if k, v, ok := strings.Cut(kv, "="); ok && k != "_" {
				env.Set(k, v)
			}
		}
		return env, nil
	}
	if c.Run == nil {
		return ask()
	}
	key := strings.Join(argv, "\x00") + stamps(c, homeOf(c, user))
	return salt.Once(c.Run, loginKey(key), ask)
}

// stamps are the sizes and times of the files that a login reads.
func stamps(c *salt.Ctx, home string) string {
	var b strings.Builder
	add := func(path string) {
		if i, err := c.Sys.Stat(path); err == nil {
			stamp(&b, i)
		} else {
			b.WriteByte('-')
		}
	}
	for _, p := range []string{"/etc/passwd", "/etc/environment", "/etc/profile", "/etc/profile.d", "/etc/login.defs", "/etc/zprofile"} {
		add(p)
	}
	for _, p := range []string{".profile", ".bash_profile", ".bash_login", ".bashrc", ".zprofile", ".zshenv", ".pam_environment"} {
		add(home + "/" + p)
	}
	return b.String()
}

func stamp(b *strings.Builder, i fs.FileInfo) {
	fmt.Fprintf(b, " %d.%d", i.Size(), i.ModTime().UnixNano())
}
