package syslog_ng

import (
	"fmt"
	"strings"

	"pinch/salt"
	"pinch/value"
)

type startArgs struct {
	Name          any `py:"name=None"`           // the name of the state, free to choose
	User          any `py:"user=None"`           // run it as this user
	Group         any `py:"group=None"`          // and group
	Chroot        any `py:"chroot=None"`         // in this folder
	Caps          any `py:"caps=None"`           // with these capabilities
	NoCaps        any `py:"no_caps=False"`       // don't manage capabilities
	Pidfile       any `py:"pidfile=None"`        // the file for its id
	EnableCore    any `py:"enable_core=False"`   // write a core file at a crash
	FdLimit       any `py:"fd_limit=None"`       // how many files it may open
	Verbose       any `py:"verbose=False"`       // say more
	Debug         any `py:"debug=False"`         // say everything
	Trace         any `py:"trace=False"`         // and more
	Yydebug       any `py:"yydebug=False"`       // tell about the reading of the configuration
	PersistFile   any `py:"persist_file=None"`   // the file for what it has to remember
	Control       any `py:"control=None"`        // the control socket
	WorkerThreads any `py:"worker_threads=None"` // how many threads work
}

func (a startArgs) words(conf string) []string {
	var out []string
	value_ := func(name string, v any) {
		if v != nil {
			out = append(out, "--"+name+"="+value.Str(v))
		}
	}
	flag := func(name string, v any) {
		if v == true {
			out = append(out, "--"+name)
		}
	}
	value_("user", a.User)
	value_("group", a.Group)
	value_("chroot", a.Chroot)
	value_("caps", a.Caps)
	flag("no-caps", a.NoCaps)
	value_("pidfile", a.Pidfile)
	flag("enable-core", a.EnableCore)
	value_("fd-limit", a.FdLimit)
	flag("verbose", a.Verbose)
	flag("debug", a.Debug)
	flag("trace", a.Trace)
	flag("yydebug", a.Yydebug)
	value_("cfgfile", conf)
	value_("persist-file", a.PersistFile)
	value_("control", a.Control)
	value_("worker-threads", a.WorkerThreads)
	return out
}

// start starts syslog-ng. The result is that of a state.
func start(c *salt.Ctx, a startArgs) (*value.Map, error) {
	p := where(c)
	words := append([]string{program(p.bin, "syslog-ng")}, a.words(p.conf)...)
	if c.Test {
		return result(a.Name, nil, nil, "Syslog_ng state module will start "+value.Repr(value.Strings(words))), nil
	}
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(words))
	if err != nil {
		return nil, err
	}
	ran, _ := v.(*value.Map)
	return result(a.Name, !ran.Truth("retcode"), value.M("new", strings.Join(words, " "), "old", ""), ran.Str("stderr")), nil
}

type startedArgs struct {
	Name          any        `py:"name=None"`           // the name of the state, free to choose
	User          any        `py:"user=None"`           // run it as this user
	Group         any        `py:"group=None"`          // and group
	Chroot        any        `py:"chroot=None"`         // in this folder
	Caps          any        `py:"caps=None"`           // with these capabilities
	NoCaps        any        `py:"no_caps=False"`       // don't manage capabilities
	Pidfile       any        `py:"pidfile=None"`        // the file for its id
	EnableCore    any        `py:"enable_core=False"`   // write a core file at a crash
	FdLimit       any        `py:"fd_limit=None"`       // how many files it may open
	Verbose       any        `py:"verbose=False"`       // say more
	Debug         any        `py:"debug=False"`         // say everything
	Trace         any        `py:"trace=False"`         // and more
	Yydebug       any        `py:"yydebug=False"`       // tell about the reading of the configuration
	PersistFile   any        `py:"persist_file=None"`   // the file for what it has to remember
	Control       any        `py:"control=None"`        // the control socket
	WorkerThreads any        `py:"worker_threads=None"` // how many threads work
	Args          []any      `py:"*args"`               // ignored
	Kwargs        *value.Map `py:"**kwargs"`            // ignored
}

// started starts syslog-ng.
func started(c *salt.Ctx, a startedArgs) salt.Result {
	m, err := start(c, startArgs{a.Name, a.User, a.Group, a.Chroot, a.Caps, a.NoCaps, a.Pidfile, a.EnableCore, a.FdLimit, a.Verbose,
		a.Debug, a.Trace, a.Yydebug, a.PersistFile, a.Control, a.WorkerThreads})
	return asState(m, err)
}

type stopArgs struct {
	Name any `py:"name=None"` // the name of the state, free to choose
}

// stop ends all processes of syslog-ng. The result is that of a state.
func stop(c *salt.Ctx, a stopArgs) (*value.Map, error) {
	v, err := c.Call("ps.pgrep", "syslog-ng")
	if err != nil {
		return nil, err
	}
	pids, _ := v.(*value.List)
	if pids.Len() == 0 {
		return result(a.Name, false, nil, "Syslog-ng is not running"), nil
	}
	if c.Test {
		return result(a.Name, nil, nil, fmt.Sprintf("Syslog_ng state module will kill %s pids", value.Str(pids))), nil
	}
	if v, err = c.Call("ps.pkill", "syslog-ng"); err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	killed := m.At("killed")
	if !value.Equal(killed, pids) {
		return result(a.Name, false, nil, ""), nil
	}
	return result(a.Name, true, value.M("old", killed, "new", value.L()), ""), nil
}

// stopped ends all processes of syslog-ng.
func stopped(c *salt.Ctx, a stopArgs) salt.Result {
	m, err := stop(c, a)
	return asState(m, err)
}

// reload has syslog-ng read its configuration anew. The result is that of a
// state.
func reload(c *salt.Ctx, a nameArgs) (*value.Map, error) {
	words := []string{program(where(c).bin, "syslog-ng-ctl"), "reload"}
	v, err := c.CallKw("cmd.run_all", value.M("python_shell", false), value.Strings(words))
	if err != nil {
		return nil, err
	}
	ran, _ := v.(*value.Map)
	return result(a.Name, !ran.Truth("retcode"), nil, ran.Str("stdout")), nil
}

// reloaded has syslog-ng read its configuration anew.
func reloaded(c *salt.Ctx, a nameArgs) salt.Result {
	if c.Test {
		return salt.Would(nil, "Syslog_ng state module will reload syslog-ng")
	}
	m, err := reload(c, a)
	return asState(m, err)
}
