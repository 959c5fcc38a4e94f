package gem

import (
	"os"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// option is a string of the configuration.
func option(c *salt.Ctx, name string) string {
	v, err := c.Call("config.option", name)
	if err != nil {
		return ""
	}
	return text(v)
}

func home(c *salt.Ctx, user string) string {
	if user == "" {
		return os.Getenv("HOME")
	}
	u, err := c.Sys.User(user)
	if err != nil {
		return "~" + user
	}
	return u.Home
}

// rvmPath is where rvm of a user, else of all users, is.
func rvmPath(c *salt.Ctx, runas string) string {
	if runas != "" {
		own := home(c, runas) + "/.rvm/bin/rvm"
		if _, err := c.Sys.Stat(own); err == nil {
			return own
		}
	}
	return "/usr/local/rvm/bin/rvm"
}

func hasRvm(c *salt.Ctx, runas string) bool { return c.Sys.LookPath(rvmPath(c, runas)) != "" }

// rvm runs a command with a ruby of rvm's, by default the default one.
func (w where) rvm(c *salt.Ctx, words []string) (string, bool, error) {
	if w.runas == "" {
		if w.runas = option(c, "rvm.runas"); !hasRvm(c, w.runas) {
			return "", false, nil
		}
	}
	ruby := w.ruby
	if ruby == "" {
		ruby = "default"
	}
	a, err := command.With(c, w.as(), append([]string{rvmPath(c, w.runas), ruby, "do"}, words...)...)
	return a.Out, err == nil && a.Code == 0, err
}

// rbenvRoot is where rbenv lives.
func rbenvRoot(c *salt.Ctx, runas string) string {
	path := option(c, "rbenv.root")
	switch {
	case path == "" && (runas == "" || runas == "root"):
		return "/usr/local/rbenv"
	case path == "":
		return home(c, runas) + "/.rbenv"
	case strings.HasPrefix(path, "~"):
		user, rest, _ := strings.Cut(path[1:], "/")
		return strings.TrimSuffix(home(c, user)+"/"+rest, "/")
	}
	return path
}

func hasRbenv(c *salt.Ctx, runas string) bool {
	return c.Sys.LookPath(rbenvRoot(c, runas)+"/bin/rbenv") != ""
}

// rbenv runs a command with rbenv's shims first in the path, and makes shims of
// what it installed.
func (w where) rbenv(c *salt.Ctx, words []string) (string, bool, error) {
	root := rbenvRoot(c, w.runas)
	env := value.M("PATH", root+"/shims"+string(os.PathListSeparator)+os.Getenv("PATH"))
	if w.ruby != "" {
		env.Set("RBENV_VERSION", w.ruby)
	}
	kw := w.as()
	kw.Set("env", env)
	a, err := command.With(c, kw, words...)
	if err != nil || a.Code != 0 {
		return "", false, err
	}
	kw = w.as()
	kw.Set("env", value.M("RBENV_ROOT", root))
	_, err = command.With(c, kw, root+"/bin/rbenv", "rehash")
	return a.Out, err == nil, err
}
