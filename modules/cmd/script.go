package cmd

import (
	"path"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

type scriptArgs struct {
	Source            string     `py:"source"`                       // where the script is: salt://…, a path or a URL
	Args              any        `py:"args=None"`                    // the script's arguments: a text, split as a shell would, or a list
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	HideOutput        bool       `py:"hide_output=False"`            // leave the output out of the return
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	Bg                bool       `py:"bg=False"`                     // do not wait for it; its output is dropped
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // context and defaults for the template, pillar
}

// script fetches a script, renders it if asked to, and runs it from a private
// copy that is removed afterwards. It returns what cmd.run_all does.
//
//	salt-call cmd.script salt://scripts/setup.sh 'one "two words"' runas=app
func script(c *salt.Ctx, a scriptArgs) (*value.Map, error) {
	j := newJob(a).defaultShell(c)
	copied, err := stage(c, a)
	if err != nil {
		return nil, err
	}
	if copied == "" {
		return value.M("pid", int64(0), "retcode", int64(1), "stdout", "", "stderr", "", "cache_error", true), nil
	}
	defer func() {
		if err := c.Sys.Remove(copied); err != nil {
			c.Log.Error("cmd.script: Unable to clean tempfile '" + copied + "': " + err.Error())
		}
	}()
	argv := []string{copied}
	if value.Truth(a.Args) {
		j.PythonShell = false
		args, isList := words(a.Args)
		if !isList {
			if args, err = py.ShellSplit(value.Str(a.Args)); err != nil {
				return nil, err
			}
		}
		argv = append(argv, args...)
	}
	j.Cmd, j.Template = value.Strings(argv), nil
	ret := new(value.Map)
	o, err := perform(c, j)
	if err != nil {
		c.Log.Error("cmd.script: Unable to run script '" + value.Repr(j.Cmd) + "': " + err.Error())
		return nil, err
	}
	ret = o.ret()
	if a.HideOutput {
		ret.Set("stdout", "")
		ret.Set("stderr", "")
	}
	return ret, nil
}

// stage puts the script where the user can run it and nobody else can read it.
// It returns "" when there is no such script.
func stage(c *salt.Ctx, a scriptArgs) (string, error) {
	env := c.Opts.Str("saltenv")
	if a.Saltenv != nil {
		env = value.Str(a.Saltenv)
	}
	if env == "" {
		env = "base"
	}
	file, err := c.Files().Get(c, a.Source, env, salt.GetOptions{VerifySSL: true})
	if salt.IsUnfetched(err) {
		return "", err
	}
	if err != nil || file == nil {
		c.Log.Error("Unable to cache file '" + a.Source + "' from saltenv '" + env + "'.")
		return "", nil
	}
	data, err := file.Read()
	if err != nil {
		return "", err
	}
	if engine := value.Str(orEmpty(a.Template)); engine != "" {
		text, err := c.Render(c, salt.Template{
			Text: string(data), Name: a.Source, File: file.Local, Engine: engine, Env: env, Vars: scriptVars(a.Kwargs),
		})
		if err != nil {
			return "", err
		}
		data = []byte(text)
	}
	uid := c.Sys.Getuid()
	if user := value.Str(orEmpty(a.Runas)); user != "" {
		u, err := c.Sys.User(user)
		if err != nil {
			return "", salt.CommandError("User '%s' is not available", user)
		}
		uid = u.UID
	}
	dir := value.Str(orEmpty(a.Cwd))
	source, _, _ := strings.Cut(a.Source, "?")
	name := sys.TempName(dir, path.Ext(source))
	mode := sys.Mode(0o500)
	return name, sys.WriteFile(c.Sys, name, data, sys.FileAttrs{UID: &uid, Mode: &mode})
}

// scriptVars are the variables that a template of a script sees.
func scriptVars(kw *value.Map) *value.Map {
	vars := new(value.Map)
	vars.Update(kw.Map("defaults"))
	vars.Update(kw.Map("context"))
	if p := kw.Map("pillar"); p != nil {
		vars.Set("pillar", p)
	}
	return vars
}

type scriptRetcodeArgs struct {
	Source            string     `py:"source"`                       // where the script is: salt://…, a path or a URL
	Args              any        `py:"args=None"`                    // the script's arguments: a text, split as a shell would, or a list
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	Template          any        `py:"template='jinja'"`             // render it with this engine first, such as jinja
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// scriptRetcode runs a script as cmd.script does and returns its exit code.
func scriptRetcode(c *salt.Ctx, a scriptRetcodeArgs) (any, error) {
	ret, err := script(c, scriptArgs{
		Source: a.Source, Args: a.Args, Cwd: a.Cwd, Stdin: a.Stdin, Runas: a.Runas, Group: a.Group, Shell: a.Shell,
		PythonShell: a.PythonShell, Env: a.Env, Template: a.Template, Umask: a.Umask, Timeout: a.Timeout,
		ResetSystemLocale: a.ResetSystemLocale, Saltenv: a.Saltenv, OutputEncoding: a.OutputEncoding,
		OutputLoglevel: a.OutputLoglevel, UseVt: a.UseVt, SuccessRetcodes: a.SuccessRetcodes,
		SuccessStdout: a.SuccessStdout, SuccessStderr: a.SuccessStderr, Kwargs: a.Kwargs,
	})
	if err != nil {
		return nil, err
	}
	return ret.At("retcode"), nil
}
