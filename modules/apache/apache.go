// Package apache holds Salt's apache module: the web server, its modules, sites
// and configuration. Its main variable is Module.
//
//	/etc/apache2/sites-available/website.com.conf:
//	  apache.configfile:
//	    - config:
//	      - VirtualHost:
//	          this: '*:80'
//	          ServerName: website.com
//	          DocumentRoot: /srv/www
package apache

import (
	"errors"
	"strconv"
	"strings"

	"pinch/command"
	"pinch/salt"
	"pinch/value"
)

// Module is Salt's apache module.
var Module = salt.Module{
	Name:   "apache",
	States: func() salt.Funcs { return salt.Funcs{"configfile": salt.State(configfile)} },
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"a2disconf":          salt.Exec(a2disconf),
			"a2dismod":           salt.Exec(a2dismod),
			"a2dissite":          salt.Exec(a2dissite),
			"a2enconf":           salt.Exec(a2enconf),
			"a2enmod":            salt.Exec(a2enmod),
			"a2ensite":           salt.Exec(a2ensite),
			"check_conf_enabled": salt.Exec(checkConfEnabled),
			"check_mod_enabled":  salt.Exec(checkModEnabled),
			"check_site_enabled": salt.Exec(checkSiteEnabled),
			"config":             salt.Exec(config).Named("config_"),
			"directives":         salt.Exec(directives),
			"fullversion":        salt.Exec(fullversion),
			"modules":            salt.Exec(modules),
			"server_status":      salt.Exec(serverStatus),
			"servermods":         salt.Exec(servermods),
			"signal":             salt.Exec(signal),
			"useradd":            salt.Exec(useradd),
			"userdel":            salt.Exec(userdel),
			"version":            salt.Exec(version),
			"vhosts":             salt.Exec(vhosts),
		}
	},
	Virtual: func(c *salt.Ctx, kind string) error {
		switch {
		case c.Sys.LookPath(tool(c)) != "":
			return nil
		case kind == "states":
			return errors.New("apache module could not be loaded")
		}
		return errors.New("The apache execution module cannot be loaded: apache is not installed.")
	},
}

// tool is the command of the distribution.
func tool(c *salt.Ctx) string {
	if family := c.Grains.Str("os_family"); family == "Debian" || family == "Suse" {
		return "apache2ctl"
	}
	return "apachectl"
}

// lines asks the server about itself.
func lines(c *salt.Ctx, option string) ([]string, error) {
	a, err := command.Ask(c, tool(c), option)
	return strings.Split(a.All(), "\n"), err
}

// version returns the version of the server.
func version(c *salt.Ctx, _ salt.NoArgs) (string, error) {
	all, err := lines(c, "-v")
	_, v, _ := strings.Cut(all[0], ": ")
	return v, err
}

// fullversion returns what the server was compiled with.
func fullversion(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	with := value.L()
	m := value.M("compiled_with", with)
	all, err := lines(c, "-V")
	for _, line := range all {
		if key, v, ok := strings.Cut(line, ": "); ok {
			v, _, _ = strings.Cut(v, ": ")
			m.Set(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), " ", "_"), strings.TrimSpace(v))
		} else if _, v, ok := strings.Cut(line, "-D "); ok {
			with.Append(strings.TrimLeft(v, " "))
		}
	}
	return m, err
}

// modules returns the modules of the server: static and shared.
func modules(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	static, shared := value.L(), value.L()
	all, err := lines(c, "-M")
	for _, line := range all {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case strings.Contains(line, "(static)"):
			static.Append(f[0])
		case strings.Contains(line, "(shared)"):
			shared.Append(f[0])
		}
	}
	return value.M("static", static, "shared", shared), err
}

// servermods returns the modules that are compiled in.
func servermods(c *salt.Ctx, _ salt.NoArgs) (*value.List, error) {
	l := value.L()
	all, err := lines(c, "-l")
	for _, line := range all {
		if strings.Contains(line, ".c") {
			l.Append(strings.TrimSpace(line))
		}
	}
	return l, err
}

// directives returns the directives that the server knows, with what it says
// about each.
func directives(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	m := new(value.Map)
	all, err := lines(c, "-L")
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.Join(all, "\n"), "\n\t", "\t"), "\n") {
		if f := strings.Split(line, "\t"); line != "" {
			m.Set(f[0], strings.Join(f[1:], "\n"))
		}
	}
	return m, err
}

// vhosts returns the virtual hosts by address and name: vhost, conf, port.
func vhosts(c *salt.Ctx, _ salt.NoArgs) (*value.Map, error) {
	m, hosts := new(value.Map), new(value.Map)
	bare := strings.NewReplacer("(", "", ")", "")
	all, err := lines(c, "-S")
	for _, line := range all {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case strings.Contains(line, "is a NameVirtualHost"):
			hosts = new(value.Map)
			m.Set(f[0], hosts)
		case f[0] == "default" && len(f) > 3:
			hosts.Set("default", value.M("vhost", f[2], "conf", bare.Replace(f[3])))
		case f[0] == "port" && len(f) > 4:
			hosts.Set(f[3], value.M("vhost", f[3], "conf", bare.Replace(f[4]), "port", f[1]))
		}
	}
	return m, err
}

type signalArgs struct {
	Signal any `py:"signal=None"` // start, stop, restart, graceful, graceful-stop; configtest, status or fullstatus
}

// signal sends the server a signal, or has it say something.
func signal(c *salt.Ctx, a signalArgs) (any, error) {
	words := []string{tool(c)}
	switch what := value.Str(a.Signal); what {
	case "start", "stop", "restart", "graceful", "graceful-stop":
		words = append(words, "-k", what)
	case "configtest", "status", "fullstatus":
		words = append(words, what)
		c = c.With(false)
	default:
		return nil, nil
	}
	r, err := command.Do(c, words...)
	switch {
	case err != nil:
		return nil, err
	case r.Text() != "":
		return strings.TrimSpace(r.Text()), nil
	}
	return `Command: "` + strings.Join(words, " ") + `" completed successfully!`, nil
}

type useraddArgs struct {
	Pwfile   string `py:"pwfile"`   // the htpasswd file
	User     string `py:"user"`     // the user
	Password string `py:"password"` // the password
	Opts     string `py:"opts=''"`  // options of htpasswd(1)
}

// useradd is webutil.useradd.
func useradd(c *salt.Ctx, a useraddArgs) (any, error) {
	return c.Call("webutil.useradd", a.Pwfile, a.User, a.Password, a.Opts)
}

type userdelArgs struct {
	Pwfile string `py:"pwfile"` // the htpasswd file
	User   string `py:"user"`   // the user
}

// userdel is webutil.userdel.
func userdel(c *salt.Ctx, a userdelArgs) (any, error) {
	return c.Call("webutil.userdel", a.Pwfile, a.User)
}

type statusArgs struct {
	Profile string `py:"profile='default'"` // the name below apache.server-status in the configuration
}

// serverStatus returns what the page of mod_status says, "error" when it
// cannot be had. The configuration has its url, user and pass under
// apache.server-status:PROFILE.
func serverStatus(c *salt.Ctx, a statusArgs) (any, error) {
	get := func(key string, def any) (any, error) {
		return c.Call("config.get", "apache.server-status:"+a.Profile+":"+key, def)
	}
	url, err := get("url", "http://localhost/server-status")
	if err != nil {
		return nil, err
	}
	kw := value.M("text", true, "status", true)
	for key, name := range map[string]string{"user": "username", "pass": "password"} {
		v, err := get(key, "")
		if err != nil {
			return nil, err
		}
		if value.Truth(v) {
			kw.Set(name, v)
		}
	}
	v, err := c.CallKw("http.query", kw, value.Str(url)+"?auto")
	m, _ := v.(*value.Map)
	if err != nil || m.Has("error") || !m.Has("text") {
		return "error", nil
	}
	return counted(m.Str("text")), nil
}

// counted reads lines KEY: NUMBER, and the scoreboard's letters.
func counted(text string) *value.Map {
	board := new(value.Map)
	for letter := range strings.SplitSeq("_SRWKDCLGI.", "") {
		board.Set(letter, int64(0))
	}
	m := value.M("Scoreboard", board)
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		key, v, _ := strings.Cut(line, ":")
		key, v = strings.TrimSpace(key), strings.TrimSpace(v)
		n, err := strconv.ParseInt(v, 10, 64)
		f, err2 := strconv.ParseFloat(v, 64)
		switch {
		case key == "Scoreboard":
			for letter := range strings.SplitSeq(v, "") {
				count, _ := board.At(letter).(int64)
				board.Set(letter, count+1)
			}
		case err == nil:
			m.Set(key, n)
		case err2 == nil:
			m.Set(key, f)
		default:
			m.Set(key, v)
		}
	}
	return m
}
