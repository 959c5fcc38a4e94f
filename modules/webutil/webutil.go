// Package webutil holds Salt's webutil module: the users in htpasswd files. Its
// main variable is Module.
//
//	larry:
//	  webutil.user_exists:
//	    - password: badpassword
//	    - htpasswd_file: /etc/nginx/htpasswd
//	    - options: B
//	    - update: True
package webutil

import (
	"errors"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// Module is Salt's webutil module.
var Module = salt.Module{
	Name: "webutil",
	States: func() salt.Funcs {
		return salt.Funcs{"user_absent": salt.State(userAbsent), "user_exists": salt.State(userExists)}
	},
	Exec: func() salt.Funcs {
		return salt.Funcs{"useradd": salt.Exec(useradd), "userdel": salt.Exec(userdel), "verify": salt.Exec(verify)}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath("htpasswd") != "":
			return nil
		case kind == "states":
			return errors.New("depends on webutil module")
		}
		return errors.New("The htpasswd execution mdule cannot be loaded: htpasswd binary not in path.")
	},
}

type useraddArgs struct {
	Pwfile   string `py:"pwfile"`     // the file
	User     string `py:"user"`       // the user
	Password string `py:"password"`   // the password
	Opts     string `py:"opts=''"`    // options of htpasswd(1): d, m, s, B, p …
	Runas    any    `py:"runas=None"` // who runs htpasswd
}

// run runs htpasswd; the password goes through its input, not its arguments.
func run(c *salt.Ctx, runas any, stdin string, words ...string) (command.Answer, error) {
	kw := value.M("runas", runas, "output_loglevel", "quiet")
	if stdin != "" {
		kw.Set("stdin", stdin)
	}
	return command.With(c, kw, append([]string{"htpasswd"}, words...)...)
}

// useradd adds a user, or sets its password. The file is made if need be. It
// returns the answer of htpasswd, as cmd.run_all does.
func useradd(c *salt.Ctx, a useraddArgs) (*value.Map, error) {
	if !sys.Exists(c.Sys, a.Pwfile) {
		a.Opts += "c"
	}
	c.Run.Hide(a.Password)
	r, err := run(c, a.Runas, a.Password, "-i"+a.Opts, a.Pwfile, a.User)
	return r.Map(), err
}

type userdelArgs struct {
	Pwfile     string `py:"pwfile"`            // the file
	User       string `py:"user"`              // the user
	Runas      any    `py:"runas=None"`        // who runs htpasswd
	AllResults bool   `py:"all_results=False"` // return the answer of htpasswd as cmd.run_all does
}

// userdel removes a user. It returns the lines that htpasswd prints.
func userdel(c *salt.Ctx, a userdelArgs) (any, error) {
	if !sys.Exists(c.Sys, a.Pwfile) {
		return "Error: The specified htpasswd file does not exist", nil
	}
	r, err := run(c, a.Runas, "", "-D", a.Pwfile, a.User)
	switch {
	case a.AllResults:
		return r.Map(), err
	case r.All() == "":
		return value.L(), err
	}
	return value.Strings(strings.Split(r.All(), "\n")), err
}

// verify reports whether a user has a password.
func verify(c *salt.Ctx, a useraddArgs) (bool, error) {
	if !sys.Exists(c.Sys, a.Pwfile) {
		return false, nil
	}
	c.Run.Hide(a.Password)
	r, err := run(c.With(false), a.Runas, a.Password, "-iv"+a.Opts, a.Pwfile, a.User)
	return err == nil && r.Code == 0, err
}

// has reports whether a file has a user.
func has(c *salt.Ctx, file, user string) bool {
	b, err := c.Sys.ReadFile(file)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, user+":") {
			return true
		}
	}
	return false
}

type userExistsArgs struct {
	Name         string `py:"name"`               // the user
	Password     any    `py:"password=None"`      // its password
	HtpasswdFile string `py:"htpasswd_file=None"` // the file
	Options      string `py:"options=''"`         // options of htpasswd(1): d, m, s, B, p …
	Force        bool   `py:"force=False"`        // set the password each time
	Runas        any    `py:"runas=None"`         // who runs htpasswd
	Update       bool   `py:"update=False"`       // set the password when it differs
}

// userExists makes sure that a file has a user.
func userExists(c *salt.Ctx, a userExistsArgs) salt.Result {
	args := useraddArgs{a.HtpasswdFile, a.Name, value.Str(a.Password), a.Options, a.Runas}
	need := a.Force || !has(c, a.HtpasswdFile, a.Name)
	if !need && a.Update {
		ok, err := verify(c, args)
		if err != nil {
			return salt.Raised(err)
		}
		need = !ok
	}
	switch {
	case !need:
		return salt.Correct("User already known")
	case c.Test:
		return salt.Would(value.M(a.Name, true), "User '%s' is set to be added to htpasswd file", a.Name)
	}
	m, err := useradd(c, args)
	switch {
	case err != nil:
		return salt.Raised(err)
	case m.Truth("retcode"):
		return salt.Failed("%s", m.Str("stderr"))
	}
	return salt.Changed(value.M(a.Name, true), "%s", m.Str("stderr"))
}

type userAbsentArgs struct {
	Name         string `py:"name"`               // the user
	HtpasswdFile string `py:"htpasswd_file=None"` // the file
	Runas        any    `py:"runas=None"`         // who runs htpasswd
}

// userAbsent makes sure that a file does not have a user.
func userAbsent(c *salt.Ctx, a userAbsentArgs) salt.Result {
	switch {
	case !has(c, a.HtpasswdFile, a.Name):
		return salt.Correct("User already not in file")
	case c.Test:
		return salt.Would(value.M(a.Name, true), "User '%s' is set to be removed from htpasswd file", a.Name)
	}
	v, err := userdel(c, userdelArgs{a.HtpasswdFile, a.Name, a.Runas, true})
	if err != nil {
		return salt.Raised(err)
	}
	m, _ := v.(*value.Map)
	if m.Truth("retcode") {
		return salt.Failed("%s", m.Str("stderr"))
	}
	return salt.Changed(value.M(a.Name, true), "%s", m.Str("stderr"))
}
