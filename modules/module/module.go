// Package module holds Salt's module states: they call execution functions.
// Its main variable is Module.
//
//	restart the app:
//	  module.run:
//	    - service.restart:
//	      - name: app
package module

import (
	"strings"

	"pinch/salt"
	"pinch/value"
)

// Module is Salt's module module.
var Module = salt.Module{
	Name: "module",
	States: func() salt.Funcs {
		return salt.Funcs{
			"run":       salt.State(run),
			"wait":      salt.State(wait),
			"watch":     salt.State(waitWatch).Named("wait"),
			"mod_watch": modWatch,
		}
	},
	Watch: modWatch,
}

var modWatch = salt.State(watch)

type runArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // function: arguments; or name: function, with its arguments beside it
}

// run calls execution functions each time. Every argument with a dot is a
// function with its arguments; the older form has the function as name and its
// arguments beside it.
//
//	tell and touch:
//	  module.run:
//	    - test.echo:
//	      - text: hello
//	    - file.touch: [/tmp/touched]
//
//	file.touch:
//	  module.run:
//	    - m_name: /tmp/touched
func run(c *salt.Ctx, a runArgs) salt.Result {
	rest, dotted := 0, true
	for k := range a.Kwargs.Items() {
		switch k {
		case "name", "__reqs__", "sfun":
			continue
		}
		rest++
		dotted = dotted && strings.Contains(k, ".")
	}
	if !dotted || rest == 0 && a.Kwargs.Len() > 0 {
		return runOne(c, a.Kwargs)
	}
	return runAll(c, a.Kwargs)
}

type waitArgs struct {
	Name   string     `py:"name"`     // the function, such as file.touch
	Kwargs *value.Map `py:"**kwargs"` // the function's arguments; m_name, m_fun and m_state stand for arguments that are called name, fun and state
}

// wait calls an execution function only when something that it watches changed.
func wait(c *salt.Ctx, a waitArgs) salt.Result { return salt.Correct("") }

type waitWatchArgs struct {
	Name   string     `py:"name"`     // the function, such as file.touch
	Kwargs *value.Map `py:"**kwargs"` // the function's arguments; m_name, m_fun and m_state stand for arguments that are called name, fun and state
}

// waitWatch is another name of module.wait.
func waitWatch(c *salt.Ctx, a waitWatchArgs) salt.Result { return salt.Correct("") }

type watchArgs struct {
	Kwargs *value.Map `py:"**kwargs"` // what the state had
}

// watch calls the functions when something that the state watches changed.
func watch(c *salt.Ctx, a watchArgs) salt.Result { return run(c, runArgs(a)) }

// succeeded reads a function's return: False, or a result: False or a retcode
// other than 0 anywhere in it, is a failure.
func succeeded(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case *value.Map:
		for k, x := range v.Items() {
			if k == "result" && x == false || k == "retcode" && !value.Equal(x, int64(0)) {
				return false
			}
			if m, ok := x.(*value.Map); ok && !succeeded(m) {
				return false
			}
		}
	}
	return true
}

// handOver gives the return to a returner, where there is one.
func handOver(c *salt.Ctx, returner any, fun string, ret any) {
	host, ok := c.Host.(salt.ReturnerHost)
	if !ok || returner == nil {
		return
	}
	jid := strings.Replace(c.Sys.Now().Format("20060102150405.000000"), ".", "", 1)
	err := host.Return(c, value.Str(returner), value.M("id", c.Opts.Str("id"), "ret", ret, "fun", fun, "jid", jid))
	if err != nil {
		c.Log.Error("returner " + value.Str(returner) + ": " + err.Error())
	}
}
