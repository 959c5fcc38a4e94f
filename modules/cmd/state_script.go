package cmd

import (
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type scriptStateArgs struct {
	Name            string     `py:"name"`                    // the script, with its arguments
	Source          any        `py:"source=None"`             // where the script is: salt://…, a path or a URL; None is name
	Template        any        `py:"template=None"`           // render it with this engine first, such as jinja
	Cwd             any        `py:"cwd=None"`                // the working directory; None is the home of the user that runs it
	Runas           any        `py:"runas=None"`              // the user to run as, with its groups and login environment
	Password        any        `py:"password=None"`           // for Windows only, ignored here
	Shell           any        `py:"shell=None"`              // the shell to run with; None is the shell grain
	Env             any        `py:"env=None"`                // environment variables: a mapping, or a list of mappings
	Stateful        any        `py:"stateful=False"`          // True: the output says what changed; [{test_name: command}]: so does that command under test=True
	Timeout         any        `py:"timeout=None"`            // seconds after which the command and its children are ended
	UseVt           bool       `py:"use_vt=False"`            // show the output on the terminal as it comes
	OutputLoglevel  any        `py:"output_loglevel='debug'"` // the level to log the output with; quiet logs neither output nor command
	HideOutput      bool       `py:"hide_output=False"`       // leave the output out of the return
	Defaults        any        `py:"defaults=None"`           // variables for the template
	Context         any        `py:"context=None"`            // variables for the template, which override defaults
	SuccessRetcodes any        `py:"success_retcodes=None"`   // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout   any        `py:"success_stdout=None"`     // texts of which one in stdout makes the exit code 0
	SuccessStderr   any        `py:"success_stderr=None"`     // texts of which one in stderr makes the exit code 0
	Kwargs          *value.Map `py:"**kwargs"`                // any further argument of cmd.script, such as args or umask
}

// scriptState fetches a script and runs it each time, unless onlyif, unless,
// creates or a requisite say otherwise.
//
//	setup.sh:
//	  cmd.script:
//	    - source: salt://files/setup.sh
//	    - args: one "two words"
//	    - template: jinja
//	    - context: {port: 80}
func scriptState(c *salt.Ctx, a scriptStateArgs) salt.Result {
	stateful, testName := statefulMode(a.Stateful)
	name := a.Name
	if c.Test && testName != "" {
		name = testName
	}
	named := func(r salt.Result) salt.Result {
		if name != a.Name {
			r.Extra = value.M("name", name)
		}
		return r
	}
	if msg := a.invalid(); msg != "" {
		return named(salt.Failed("%s", msg))
	}
	if c.Test && testName == "" {
		r := salt.Would(nil, "Command '%s' would have been executed", name)
		if stateful {
			r = reinterpret(r)
		}
		return r
	}
	if dir := value.Str(orEmpty(a.Cwd)); dir != "" && !sys.IsDir(c.Sys, dir) {
		return named(salt.Failed(`Desired working directory "%s" is not available`, dir))
	}
	source := any(name)
	if a.Source != nil {
		source = a.Source
	}
	kw := a.execArgs(c, name)
	kw.Set("source", source)
	v, err := scriptFunc.Call(c.With(false), nil, kw)
	if err != nil {
		if worldSaidNo(err) {
			return named(salt.Failed("%s", err))
		}
		return salt.Raised(err)
	}
	all := v.(*value.Map)
	code := all.At("retcode")
	r := salt.Changed(all, "Command '%s' run", name)
	if all.Truth("cache_error") {
		r.Comment = "Unable to cache script " + value.Str(source) + " from saltenv '" + c.Env + "'"
	}
	if value.Truth(code) || a.Kwargs.Truth("retcode") && all.Len() > 0 {
		r.Result = salt.False()
	}
	if stateful {
		r = reinterpret(r)
	}
	if c.Test && code == int64(0) && r.Changes.Len() > 0 {
		r.Result = nil
	}
	return named(r)
}

// invalid says what is wrong with the arguments.
func (a *scriptStateArgs) invalid() string {
	if !isEnv(a.Env) {
		return "Invalidly-formatted 'env' parameter. See documentation."
	}
	for name, v := range map[string]any{"context": a.Context, "defaults": a.Defaults} {
		if _, ok := v.(*value.Map); !ok && value.Truth(v) {
			return "Invalidly-formatted '" + name + "' parameter. Must be formed as a dict."
		}
	}
	return ""
}

// execArgs are the arguments of cmd.script. Words after the script's name are
// its arguments when there are no others.
func (a *scriptStateArgs) execArgs(c *salt.Ctx, name string) *value.Map {
	context := new(value.Map)
	if m, ok := a.Defaults.(*value.Map); ok {
		context.Update(m)
	}
	if m, ok := a.Context.(*value.Map); ok {
		context.Update(m)
	}
	kw := a.Kwargs.Shallow()
	kw.Update(value.M("python_shell", true, "runas", a.Runas, "password", a.Password,
		"shell", stateShell(c, a.Shell), "env", a.Env, "cwd", a.Cwd, "template", a.Template, "timeout", a.Timeout,
		"output_loglevel", a.OutputLoglevel, "hide_output", a.HideOutput, "use_vt", a.UseVt, "context", context,
		"saltenv", c.Env, "success_retcodes", a.SuccessRetcodes, "success_stdout", a.SuccessStdout,
		"success_stderr", a.SuccessStderr))
	if _, rest, ok := strings.Cut(name, " "); ok && !kw.Truth("args") && len(strings.Fields(name)) > 1 {
		kw.Set("args", rest)
	}
	return kw
}

type waitScriptArgs struct {
	Name            string     `py:"name"`                    // the script, with its arguments
	Source          any        `py:"source=None"`             // where the script is: salt://…, a path or a URL; None is name
	Template        any        `py:"template=None"`           // render it with this engine first, such as jinja
	Cwd             any        `py:"cwd=None"`                // the working directory; None is the home of the user that runs it
	Runas           any        `py:"runas=None"`              // the user to run as, with its groups and login environment
	Shell           any        `py:"shell=None"`              // the shell to run with; None is the shell grain
	Env             any        `py:"env=None"`                // environment variables: a mapping, or a list of mappings
	Stateful        any        `py:"stateful=False"`          // True: the output says what changed; [{test_name: command}]: so does that command under test=True
	UseVt           bool       `py:"use_vt=False"`            // show the output on the terminal as it comes
	OutputLoglevel  any        `py:"output_loglevel='debug'"` // the level to log the output with; quiet logs neither output nor command
	HideOutput      bool       `py:"hide_output=False"`       // leave the output out of the return
	SuccessRetcodes any        `py:"success_retcodes=None"`   // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout   any        `py:"success_stdout=None"`     // texts of which one in stdout makes the exit code 0
	SuccessStderr   any        `py:"success_stderr=None"`     // texts of which one in stderr makes the exit code 0
	Kwargs          *value.Map `py:"**kwargs"`                // any further argument of cmd.script
}

// waitScript runs a script only when something that it watches changed.
func waitScript(c *salt.Ctx, a waitScriptArgs) salt.Result { return salt.Correct("") }
