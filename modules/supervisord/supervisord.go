// Package supervisord holds Salt's supervisord module: processes that
// supervisor runs. Its main variable is Module.
//
//	salt-call supervisord.restart web conf_file=/etc/supervisord.conf
package supervisord

import (
	"path/filepath"
	"strings"

	"pinch/salt"
	"pinch/serializers"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// Module is Salt's supervisord module.
var Module = salt.Module{
	Name: "supervisord",
	Exec: func() salt.Funcs {
		return salt.Funcs{
			"add":         salt.Exec(add),
			"custom":      salt.Exec(custom),
			"options":     salt.Exec(options),
			"remove":      salt.Exec(remove),
			"reread":      salt.Exec(reread),
			"restart":     salt.Exec(restart),
			"start":       salt.Exec(start),
			"status":      salt.Exec(status),
			"status_bool": salt.Exec(statusBool),
			"status_raw":  salt.Exec(statusRaw),
			"stop":        salt.Exec(stop),
			"update":      salt.Exec(update),
		}
	},
}

// A ctl is how to call supervisorctl.
type ctl struct {
	user, conf, bin any
}

// program is supervisorctl: of a virtual environment, a path, or the one in PATH.
func (k ctl) program(c *salt.Ctx) (string, error) {
	none := &value.Exception{Class: "CommandNotFoundError", Msg: "Could not find a `supervisorctl` binary"}
	if !value.Truth(k.bin) {
		if c.Sys.LookPath("supervisorctl") == "" {
			return "", none
		}
		return "supervisorctl", nil
	}
	bin := value.Str(k.bin)
	if !sys.IsDir(c.Sys, bin) {
		return bin, nil
	}
	if bin = filepath.Join(bin, "bin", "supervisorctl"); !sys.IsFile(c.Sys, bin) {
		return "", none
	}
	return bin, nil
}

func (k ctl) run(c *salt.Ctx, words ...string) (string, error) {
	bin, err := k.program(c)
	if err != nil {
		return "", err
	}
	argv := []string{bin}
	if k.conf != nil {
		argv = append(argv, "-c", value.Str(k.conf))
	}
	v, err := c.CallKw("cmd.run_all", value.M("runas", k.user, "python_shell", false), value.Strings(append(argv, words...)))
	if err != nil {
		return "", err
	}
	ran, _ := v.(*value.Map)
	out := ran.Str("stdout")
	if ran.Truth("retcode") && !strings.Contains(out, "ERROR") {
		out = "ERROR: " + out
	}
	return out, nil
}

type allArgs struct {
	Name     string `py:"name='all'"`     // the process, group: for a group
	User     any    `py:"user=None"`      // run supervisorctl as this user
	ConfFile any    `py:"conf_file=None"` // the configuration
	BinEnv   any    `py:"bin_env=None"`   // supervisorctl, or the virtual environment it is in
}

func (a allArgs) run(c *salt.Ctx, verb string) (string, error) {
	name := a.Name
	if strings.HasSuffix(name, ":*") {
		name = name[:len(name)-1]
	}
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, verb, name)
}

// start starts a process, or all.
func start(c *salt.Ctx, a allArgs) (string, error) { return a.run(c, "start") }

// restart restarts a process, or all.
func restart(c *salt.Ctx, a allArgs) (string, error) { return a.run(c, "restart") }

// stop stops a process, or all.
func stop(c *salt.Ctx, a allArgs) (string, error) { return a.run(c, "stop") }

type oneArgs struct {
	Name     string `py:"name"`           // the process or group
	User     any    `py:"user=None"`      // run supervisorctl as this user
	ConfFile any    `py:"conf_file=None"` // the configuration
	BinEnv   any    `py:"bin_env=None"`   // supervisorctl, or the virtual environment it is in
}

// bare is a name without what marks a group.
func bare(name string) string { return strings.TrimSuffix(strings.TrimSuffix(name, "*"), ":") }

// add takes up a process of the configuration.
func add(c *salt.Ctx, a oneArgs) (string, error) {
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, "add", bare(a.Name))
}

// remove drops a process that is stopped.
func remove(c *salt.Ctx, a oneArgs) (string, error) {
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, "remove", bare(a.Name))
}

type noneArgs struct {
	User     any `py:"user=None"`      // run supervisorctl as this user
	ConfFile any `py:"conf_file=None"` // the configuration
	BinEnv   any `py:"bin_env=None"`   // supervisorctl, or the virtual environment it is in
}

// reread reads the configuration anew.
func reread(c *salt.Ctx, a noneArgs) (string, error) {
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, "reread")
}

type updateArgs struct {
	User     any `py:"user=None"`      // run supervisorctl as this user
	ConfFile any `py:"conf_file=None"` // the configuration
	BinEnv   any `py:"bin_env=None"`   // supervisorctl, or the virtual environment it is in
	Name     any `py:"name=None"`      // the group, all by default
}

// update reads the configuration anew, adds and removes processes.
func update(c *salt.Ctx, a updateArgs) (string, error) {
	words := []string{"update"}
	if value.Truth(a.Name) {
		words = append(words, bare(value.Str(a.Name)))
	}
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, words...)
}

type statusArgs struct {
	Name     any `py:"name=None"`      // the process, all by default
	User     any `py:"user=None"`      // run supervisorctl as this user
	ConfFile any `py:"conf_file=None"` // the configuration
	BinEnv   any `py:"bin_env=None"`   // supervisorctl, or the virtual environment it is in
}

// statusRaw returns what supervisorctl status prints.
func statusRaw(c *salt.Ctx, a statusArgs) (string, error) {
	words := []string{"status"}
	if value.Truth(a.Name) {
		words = append(words, value.Str(a.Name))
	}
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, words...)
}

// status returns state and reason of processes by name.
func status(c *salt.Ctx, a statusArgs) (*value.Map, error) {
	text, err := statusRaw(c, a)
	m := new(value.Map)
	for line := range strings.Lines(text) {
		if name, state, reason, ok := process(line); ok {
			m.Set(name, value.M("state", state, "reason", reason))
		}
	}
	return m, err
}

// process reads a line of the status: name, state and why.
func process(line string) (name, state, reason string, ok bool) {
	f := strings.Fields(line)
	if len(f) < 2 {
		return "", "", "", false
	}
	rest := strings.TrimLeft(strings.TrimRight(line, "\r\n")[strings.Index(line, f[0])+len(f[0]):], " \t")
	return f[0], f[1], strings.TrimSpace(strings.TrimPrefix(rest, f[1])), true
}

type customArgs struct {
	Command  string `py:"command"`        // the words of supervisorctl
	User     any    `py:"user=None"`      // run supervisorctl as this user
	ConfFile any    `py:"conf_file=None"` // the configuration
	BinEnv   any    `py:"bin_env=None"`   // supervisorctl, or the virtual environment it is in
}

// custom runs any command of supervisorctl.
//
//	salt-call supervisord.custom 'mstop *gunicorn*'
func custom(c *salt.Ctx, a customArgs) (string, error) {
	return ctl{a.User, a.ConfFile, a.BinEnv}.run(c, a.Command)
}

type statusBoolArgs struct {
	Name          string `py:"name"`                // the process
	ExpectedState any    `py:"expected_state=None"` // RUNNING, STOPPED …; any by default
	User          any    `py:"user=None"`           // run supervisorctl as this user
	ConfFile      any    `py:"conf_file=None"`      // the configuration
	BinEnv        any    `py:"bin_env=None"`        // supervisorctl, or the virtual environment it is in
}

// statusBool says whether a process is there and in a state.
func statusBool(c *salt.Ctx, a statusBoolArgs) (bool, error) {
	text, err := statusRaw(c, statusArgs{a.Name, a.User, a.ConfFile, a.BinEnv})
	if err != nil {
		return false, err
	}
	found := false
	for line := range strings.Lines(text) {
		name, state, reason, ok := process(line)
		if ok && name == a.Name && reason != "(no such process)" {
			found = a.ExpectedState == nil || state == value.Str(a.ExpectedState)
		}
	}
	return found, nil
}

type optionsArgs struct {
	Name     string `py:"name"`           // the process
	ConfFile any    `py:"conf_file=None"` // the configuration
}

// options returns what the configuration says about a process.
func options(c *salt.Ctx, a optionsArgs) (*value.Map, error) {
	file := value.Str(a.ConfFile)
	if a.ConfFile == nil {
		file = ""
		for _, p := range []string{"/etc/supervisor/supervisord.conf", "/etc/supervisord.conf"} {
			if file == "" && sys.Exists(c.Sys, p) {
				file = p
			}
		}
		if file == "" {
			return nil, salt.CommandError("No suitable config file found")
		}
	}
	b, err := c.Sys.ReadFile(file)
	if err != nil {
		return nil, salt.CommandError("Unable to read from %s: %s", file, err)
	}
	v, err := serializers.Deserialize("configparser", string(b), new(value.Map))
	if err != nil {
		return nil, err
	}
	conf, _ := v.(*value.Map)
	section := conf.Map("program:" + a.Name)
	if section == nil {
		return nil, salt.CommandError("Process '%s' not found", a.Name)
	}
	out := new(value.Map)
	for k, v := range section.Items() {
		text, _, _ := strings.Cut(value.Str(v), ";")
		out.Set(k, number(strings.TrimSpace(text)))
	}
	return out, nil
}

// number reads numbers and truths, other texts stay.
func number(s string) any {
	switch strings.ToLower(s) {
	case "true":
		return true
	case "false":
		return false
	}
	if v, err := py.Int(s); err == nil {
		return v
	}
	if f, err := py.Float(s); err == nil {
		return f
	}
	return s
}
