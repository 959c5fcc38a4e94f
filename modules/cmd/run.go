package cmd

import (
	"log/slog"

	"pinch/salt"
	"pinch/value"
)

type runArgs struct {
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`                  // drop white space at the end of the output
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	HideOutput        bool       `py:"hide_output=False"`            // leave the output out of the return
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	RedirectStderr    bool       `py:"redirect_stderr=True"`         // put stderr into stdout
	Bg                bool       `py:"bg=False"`                     // do not wait for it; its output is dropped
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	EncodedCmd        bool       `py:"encoded_cmd=False"`            // the command is base64, for PowerShell
	RaiseErr          bool       `py:"raise_err=False"`              // raise an exception when the exit code is not 0
	PrependPath       any        `py:"prepend_path=None"`            // directories to put in front of PATH, separated by colons
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// run runs a command and returns its output, stdout and stderr in one. From
// the command line it runs with a shell, in templates without one unless
// python_shell is True.
//
//	salt-call cmd.run 'ls -l /srv | wc -l' cwd=/ runas=www-data
func run(c *salt.Ctx, a runArgs) (any, error) {
	j := newJob(a).defaultShell(c)
	o, err := perform(c, j)
	if err != nil {
		return nil, err
	}
	out := o.stdout
	if a.HideOutput {
		out = ""
	}
	lvl, logged := j.level()
	if !logged {
		return out, nil
	}
	if !a.IgnoreRetcode && o.code != int64(0) {
		lvl = max(lvl, slog.LevelError)
		title, _ := j.title()
		c.Log.Error("Command '" + title + "' failed with return code: " + value.Str(o.code))
		if a.RaiseErr {
			return nil, salt.CommandError("%s", out)
		}
	}
	if c.Log.Enabled(c, lvl) {
		c.Log.Log(c, lvl, "output: "+o.stdout)
	}
	return out, nil
}

type shellArgs struct {
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`                  // drop white space at the end of the output
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	HideOutput        bool       `py:"hide_output=False"`            // leave the output out of the return
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	Bg                bool       `py:"bg=False"`                     // do not wait for it; its output is dropped
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	PrependPath       any        `py:"prepend_path=None"`            // directories to put in front of PATH, separated by colons
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// shell is cmd.run that always runs with a shell.
//
//	{{ salt['cmd.shell']('ls /etc/*.d | wc -l') }}
func shell(c *salt.Ctx, a shellArgs) (any, error) {
	j := newJob(a)
	j.RedirectStderr, j.PythonShell = true, true
	if v, ok := a.Kwargs.Get("python_shell"); ok && v != nil {
		j.PythonShell = v
	}
	o, err := perform(c, j)
	if err != nil {
		return nil, err
	}
	if a.HideOutput {
		return "", nil
	}
	return o.stdout, nil
}

type runStreamArgs struct {
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`                  // drop white space at the end of the output
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	HideOutput        bool       `py:"hide_output=False"`            // leave the output out of the return
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	PrependPath       any        `py:"prepend_path=None"`            // directories to put in front of PATH, separated by colons
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// runStdout runs a command and returns what it wrote to stdout.
func runStdout(c *salt.Ctx, a runStreamArgs) (any, error) {
	o, err := perform(c, newJob(a).defaultShell(c))
	if err != nil || a.HideOutput {
		return "", err
	}
	return o.stdout, nil
}

// runStderr runs a command and returns what it wrote to stderr.
func runStderr(c *salt.Ctx, a runStreamArgs) (any, error) {
	o, err := perform(c, newJob(a).defaultShell(c))
	if err != nil || a.HideOutput {
		return "", err
	}
	return o.stderr, nil
}

type runAllArgs struct {
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Rstrip            bool       `py:"rstrip=True"`                  // drop white space at the end of the output
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	HideOutput        bool       `py:"hide_output=False"`            // leave the output out of the return
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	RedirectStderr    bool       `py:"redirect_stderr=False"`        // put stderr into stdout
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	EncodedCmd        bool       `py:"encoded_cmd=False"`            // the command is base64, for PowerShell
	PrependPath       any        `py:"prepend_path=None"`            // directories to put in front of PATH, separated by colons
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// runAll runs a command and returns pid, retcode, stdout and stderr.
func runAll(c *salt.Ctx, a runAllArgs) (*value.Map, error) {
	j := newJob(a).defaultShell(c)
	// The bg of a state arrives among the further arguments.
	j.Bg = a.Kwargs.Truth("bg")
	o, err := perform(c, j)
	if err != nil {
		return nil, err
	}
	if a.HideOutput {
		o.stdout, o.stderr = "", ""
	}
	return o.ret(), nil
}

type retcodeArgs struct {
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Stdin             any        `py:"stdin=None"`                   // what to write to the command's input
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	UseVt             bool       `py:"use_vt=False"`                 // show the output on the terminal as it comes
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// retcode runs a command and returns its exit code.
func retcode(c *salt.Ctx, a retcodeArgs) (any, error) {
	j := newJob(a).defaultShell(c)
	j.RedirectStderr = true
	o, err := perform(c, j)
	if err != nil {
		return nil, err
	}
	return o.code, nil
}

// startOnly marks a job of cmd.run_bg among its further arguments.
const startOnly = "__start_only"

type runBgArgs struct {
	Cmd               any        `py:"cmd"`                          // the command: a text, or a list of the program and its arguments
	Cwd               any        `py:"cwd=None"`                     // the working directory; None is the home of the user that runs it
	Runas             any        `py:"runas=None"`                   // the user to run as, with its groups and login environment
	Group             any        `py:"group=None"`                   // the group to run as; needs sudo
	Shell             any        `py:"shell='/bin/bash'" unset:"''"` // the shell to run with; without it $SHELL, or /bin/sh
	PythonShell       any        `py:"python_shell=None"`            // run it with a shell (pipes, variables); the default is False in templates and True from the command line
	Env               any        `py:"env=None"`                     // environment variables: a mapping, or a list of mappings
	CleanEnv          bool       `py:"clean_env=False"`              // start from an empty environment instead of ours
	Template          any        `py:"template=None"`                // render it with this engine first, such as jinja
	Umask             any        `py:"umask=None"`                   // the umask, such as 022
	Timeout           any        `py:"timeout=None"`                 // seconds after which the command and its children are ended
	OutputEncoding    any        `py:"output_encoding=None"`         // how the output is encoded; None is UTF-8
	OutputLoglevel    any        `py:"output_loglevel='debug'"`      // the level to log the output with; quiet logs neither output nor command
	LogCallback       any        `py:"log_callback=None"`            // for Python callers, ignored here
	ResetSystemLocale any        `py:"reset_system_locale=True"`     // run with LC_* = C
	IgnoreRetcode     bool       `py:"ignore_retcode=False"`         // an exit code other than 0 is no failure: it is not logged and not reported
	Saltenv           any        `py:"saltenv=None"`                 // the environment that the template sees
	Password          any        `py:"password=None"`                // for Windows only, ignored here
	PrependPath       any        `py:"prepend_path=None"`            // directories to put in front of PATH, separated by colons
	SuccessRetcodes   any        `py:"success_retcodes=None"`        // exit codes that count as 0 besides 0: a list, or a text with commas
	SuccessStdout     any        `py:"success_stdout=None"`          // texts of which one in stdout makes the exit code 0
	SuccessStderr     any        `py:"success_stderr=None"`          // texts of which one in stderr makes the exit code 0
	Kwargs            *value.Map `py:"**kwargs"`                     // pillar and pillarenv for the template, __pub_jid when called from the command line
}

// runBg starts a command and returns its pid without waiting for it.
func runBg(c *salt.Ctx, a runBgArgs) (*value.Map, error) {
	j := newJob(a).defaultShell(c)
	j.Bg, j.Kwargs = true, a.Kwargs.Shallow()
	j.Kwargs.Set(startOnly, true)
	o, err := perform(c, j)
	if err != nil {
		return nil, err
	}
	return value.M("pid", int64(o.pid)), nil
}
