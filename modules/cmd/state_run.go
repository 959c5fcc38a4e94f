package cmd

import (
	"errors"
	"os"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type runStateArgs struct {
	Name            string     `py:"name"`                    // the command, run by the shell
	Cwd             any        `py:"cwd=None"`                // the working directory; None is the home of the user that runs it
	Root            any        `py:"root=None"`               // a directory to chroot into
	Runas           any        `py:"runas=None"`              // the user to run as, with its groups and login environment
	Password        any        `py:"password=None"`           // for Windows only, ignored here
	Shell           any        `py:"shell=None"`              // the shell to run with; None is the shell grain
	Env             any        `py:"env=None"`                // environment variables: a mapping, or a list of mappings
	PrependPath     any        `py:"prepend_path=None"`       // directories to put in front of PATH, separated by colons
	Stateful        any        `py:"stateful=False"`          // True: the output says what changed; [{test_name: command}]: so does that command under test=True
	OutputLoglevel  any        `py:"output_loglevel='debug'"` // the level to log the output with; quiet logs neither output nor command
	HideOutput      bool       `py:"hide_output=False"`       // leave the output out of the return
	Timeout         any        `py:"timeout=None"`            // seconds after which the command and its children are ended
	IgnoreTimeout   bool       `py:"ignore_timeout=False"`    // a timeout is no failure
	UseVt           bool       `py:"use_vt=False"`            // show the output on the terminal as it comes
	SuccessRetcodes any        `py:"success_retcodes=None"`   // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout   any        `py:"success_stdout=None"`     // texts of which one in stdout makes the exit code 0
	SuccessStderr   any        `py:"success_stderr=None"`     // texts of which one in stderr makes the exit code 0
	Kwargs          *value.Map `py:"**kwargs"`                // any further argument of cmd.run_all, such as umask, group, stdin or bg
}

// runState runs a command each time, unless onlyif, unless, creates or a
// requisite say otherwise. It fails when the exit code is not 0.
//
//	tar -xzf /root/app.tgz -C /opt:
//	  cmd.run:
//	    - creates: /opt/app
func runState(c *salt.Ctx, a runStateArgs) salt.Result {
	stateful, testName := statefulMode(a.Stateful)
	name := a.Name
	if c.Test && testName != "" {
		name = testName
	}
	if !isEnv(a.Env) {
		return salt.Failed("Invalidly-formatted 'env' parameter. See documentation.")
	}
	if c.Test && testName == "" {
		r := salt.Would(value.M("cmd", name), `Command "%s" would have been executed`, name)
		if stateful {
			return reinterpret(r)
		}
		return r
	}
	if dir := value.Str(orEmpty(a.Cwd)); dir != "" && !sys.IsDir(c.Sys, dir) {
		return salt.Failed(`Desired working directory "%s" is not available`, dir)
	}
	kw := a.Kwargs.Shallow()
	kw.Update(value.M("cmd", name, "timeout", a.Timeout, "python_shell", true,
		"cwd", a.Cwd, "root", a.Root, "runas", a.Runas, "password", a.Password, "use_vt", a.UseVt,
		"shell", stateShell(c, a.Shell), "env", a.Env, "prepend_path", a.PrependPath,
		"output_loglevel", a.OutputLoglevel, "hide_output", a.HideOutput, "success_retcodes", a.SuccessRetcodes,
		"success_stdout", a.SuccessStdout, "success_stderr", a.SuccessStderr))
	fn := runAllFunc
	if value.Truth(a.Root) {
		fn = runChrootFunc
	}
	// A test_name command only looks: it runs under test=True.
	v, err := fn.Call(c.With(false), nil, kw)
	if err != nil {
		return salt.Failed("%s", err)
	}
	all := v.(*value.Map)
	r := salt.Changed(all, `Command "%s" run`, name)
	ok := !value.Truth(all.At("retcode"))
	if a.IgnoreTimeout && all.At("retcode") == int64(1) && strings.Contains(all.Str("stdout"), "Timed out after") {
		all.Set("retcode", int64(0))
		ok = true
	}
	if !ok {
		r.Result = salt.False()
	}
	code := all.At("retcode")
	if stateful {
		r = reinterpret(r)
	}
	if c.Test && code == int64(0) && r.Changes.Len() > 0 {
		r.Result = nil
	}
	return r
}

// isEnv says whether an env argument has a form that can be read.
func isEnv(env any) bool {
	switch env.(type) {
	case nil, *value.Map, *value.List:
		return true
	}
	return false
}

// stateShell is the shell of a state: the one asked for, or the grain.
func stateShell(c *salt.Ctx, shell any) any {
	if value.Truth(shell) {
		return shell
	}
	if g := c.Grains.At("shell"); value.Truth(g) {
		return g
	}
	return ""
}

type waitArgs struct {
	Name            string     `py:"name"`                    // the command, run by the shell
	Cwd             any        `py:"cwd=None"`                // the working directory; None is the home of the user that runs it
	Root            any        `py:"root=None"`               // a directory to chroot into
	Runas           any        `py:"runas=None"`              // the user to run as, with its groups and login environment
	Shell           any        `py:"shell=None"`              // the shell to run with; None is the shell grain
	Env             any        `py:"env=()"`                  // environment variables: a mapping, or a list of mappings
	Stateful        any        `py:"stateful=False"`          // True: the output says what changed; [{test_name: command}]: so does that command under test=True
	OutputLoglevel  any        `py:"output_loglevel='debug'"` // the level to log the output with; quiet logs neither output nor command
	HideOutput      bool       `py:"hide_output=False"`       // leave the output out of the return
	UseVt           bool       `py:"use_vt=False"`            // show the output on the terminal as it comes
	SuccessRetcodes any        `py:"success_retcodes=None"`   // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout   any        `py:"success_stdout=None"`     // texts of which one in stdout makes the exit code 0
	SuccessStderr   any        `py:"success_stderr=None"`     // texts of which one in stderr makes the exit code 0
	Kwargs          *value.Map `py:"**kwargs"`                // any further argument of cmd.run
}

// wait runs a command only when something that it watches changed.
func wait(c *salt.Ctx, a waitArgs) salt.Result { return salt.Correct("") }

// waitWatch is another name of cmd.wait.
func waitWatch(c *salt.Ctx, a waitArgs) salt.Result { return salt.Correct("") }

type modWatchArgs struct {
	Name   string     `py:"name"`     // the command
	Kwargs *value.Map `py:"**kwargs"` // sfun, the function that was called before, and its arguments
}

// modWatch runs the command or script when something that the state watches changed.
func modWatch(c *salt.Ctx, a modWatchArgs) salt.Result {
	kw := a.Kwargs.Shallow()
	sfun := kw.Str("sfun")
	again := kw.Truth("stateful")
	var fn *salt.Func
	switch sfun {
	case "wait", "run", "watch":
		fn = runStateFunc
	case "wait_script", "script":
		fn = scriptStateFunc
	case "wait_call", "call":
		if !kw.Truth("func") {
			return salt.Failed("cmd.%s needs a named parameter func", sfun)
		}
		fn, again = callFunc, false
	default:
		return salt.Failed("cmd.%s does not work with the watch requisite, please use cmd.wait or cmd.wait_script", sfun)
	}
	if again {
		kw.Pop("stateful")
	}
	kw.Set("name", a.Name)
	v, err := fn.Call(c, nil, kw)
	if err != nil {
		return salt.Raised(err)
	}
	if again {
		return reinterpret(v.(salt.Result))
	}
	return v.(salt.Result)
}

var (
	runStateFunc    = salt.State(runState)
	scriptStateFunc = salt.State(scriptState)
	callFunc        = salt.State(call)
)

// worldSaidNo tells errors that become a comment from those that are raised.
func worldSaidNo(err error) bool {
	var e *value.Exception
	if errors.As(err, &e) {
		return e.Class == "CommandExecutionError" || e.Class == "SaltRenderError" || e.Class == "SaltInvocationError"
	}
	var p *os.PathError
	return errors.As(err, &p)
}
