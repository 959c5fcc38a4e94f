package docker

import (
	"path"
	"strings"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

type scriptArgs struct {
	Name           string `py:"name"`                    // name or ID of the container
	Source         string `py:"source"`                  // the script: a path or salt://
	Saltenv        string `py:"saltenv='base'"`          // the environment of salt://
	Args           any    `py:"args=None"`               // its arguments, as one text
	Template       any    `py:"template=None"`           // render it first: jinja
	ExecDriver     any    `py:"exec_driver=None"`        // docker-exec
	Stdin          any    `py:"stdin=None"`              // a text that it reads
	PythonShell    any    `py:"python_shell=True"`       // False: words, no shell
	OutputLoglevel any    `py:"output_loglevel='debug'"` // quiet: the log does not show the command
	IgnoreRetcode  bool   `py:"ignore_retcode=False"`    // an exit code other than 0 is no failure of the call
	UseVT          any    `py:"use_vt=False"`            // Salt reads the output through a terminal; nothing changes here
	KeepEnv        any    `py:"keep_env=None"`           // as in docker.run
}

// script copies a script into a container, runs it there, and returns pid,
// retcode, stdout and stderr.
//
//	salt-call docker.script mycontainer salt://docker_script.py args='one two'
func script(c *salt.Ctx, a scriptArgs) (*value.Map, error) {
	content, err := a.content(c)
	if err != nil {
		return nil, err
	}
	if content == nil {
		return value.M("pid", int64(0), "retcode", int64(1), "stdout", "", "stderr", "", "cache_error", true), nil
	}
	there := sys.TempName("/tmp", path.Ext(a.Source))
	d, err := open(c)
	if err != nil {
		return nil, err
	}
	if err := d.running(a.Name); err != nil {
		return nil, err
	}
	if err := d.write(a.Name, there, strings.NewReader(*content)); err != nil {
		return nil, err
	}
	defer func() { _, _ = d.exec(a.Name, []string{"env", "-i", searched, "rm", there}, nil, false) }()
	if _, err := d.exec(a.Name, []string{"env", "-i", searched, "chmod", "700", there}, nil, false); err != nil {
		return nil, err
	}
	cmd := there
	if value.Truth(a.Args) {
		cmd += " " + value.Str(a.Args)
	}
	return runAll(c, cmdArgs{Name: a.Name, Cmd: cmd, ExecDriver: a.ExecDriver, Stdin: a.Stdin, PythonShell: a.PythonShell, OutputLoglevel: a.OutputLoglevel,
		UseVT: a.UseVT, IgnoreRetcode: a.IgnoreRetcode, KeepEnv: a.KeepEnv})
}

// content is the script, nil when it is not there.
func (a *scriptArgs) content(c *salt.Ctx) (*string, error) {
	v, err := c.Call("cp.cache_file", a.Source, a.Saltenv)
	if err != nil || !value.Truth(v) {
		return nil, err
	}
	b, err := c.Sys.ReadFile(value.Str(v))
	if err != nil {
		return nil, salt.OSError(err)
	}
	s := string(b)
	if value.Truth(a.Template) {
		s, err = c.Render(c, salt.Template{Text: s, Name: a.Source, File: value.Str(v), Engine: value.Str(a.Template), Env: a.Saltenv})
	}
	return &s, err
}

// scriptRetcode does what script does and returns the exit code.
func scriptRetcode(c *salt.Ctx, a scriptArgs) (any, error) {
	m, err := script(c, a)
	return m.At("retcode"), err
}
