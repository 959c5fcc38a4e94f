package cmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// An outcome is what a command left. The code is nil for one that was started
// in the background.
type outcome struct {
	pid            int
	code           any
	stdout, stderr string
	timedOut       bool
}

// ret is the return of cmd.run_all, in the order that Salt gives it.
func (o *outcome) ret() *value.Map {
	if o.timedOut {
		return value.M("stdout", o.stdout, "stderr", o.stderr, "retcode", o.code, "pid", int64(o.pid))
	}
	return value.M("pid", int64(o.pid), "retcode", o.code, "stdout", o.stdout, "stderr", o.stderr)
}

// perform runs the command.
func perform(c *salt.Ctx, j *job) (*outcome, error) {
	shell, err := j.checkShell(c)
	if err != nil {
		return nil, err
	}
	if j.Runas == nil && c.Run != nil {
		j.Runas = c.Run.Context.At("runas")
	}
	if j.Bg {
		j.IgnoreRetcode, j.UseVt = true, false
	}
	cwd, err := j.render(c, j.directory(c))
	if err != nil {
		return nil, err
	}
	if err := j.permitted(c); err != nil {
		return nil, err
	}
	if err := j.announce(c, cwd); err != nil {
		return nil, err
	}
	cmd := sys.Cmd{Dir: cwd, Merge: j.RedirectStderr, Detach: j.Bg}
	if cmd.As, err = j.identity(c); err != nil {
		return nil, err
	}
	env, err := j.environment(c, shell)
	if err != nil {
		return nil, err
	}
	if cmd.Umask, err = umaskOf(j.Umask); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(cwd) || !sys.IsDir(c.Sys, cwd) {
		return nil, salt.CommandError("Specified cwd '%s' either not absolute or does not exist", cwd)
	}
	success, err := j.success()
	if err != nil {
		return nil, err
	}
	shown, err := j.argv(&cmd, shell)
	if err != nil {
		return nil, err
	}
	if cmd.Timeout, err = timeoutOf(j.Timeout); err != nil {
		return nil, err
	}
	cmd.Env = env.list()
	switch {
	case j.Bg:
	case j.Stdin != nil:
		cmd.Stdin = strings.NewReader(j.input())
	case piped(os.Stdin):
		cmd.Stdin = os.Stdin
	}
	if j.UseVt {
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	}
	if cmd.Path, err = resolve(c, cmd.Argv[0], env.get("PATH")); err == nil {
		var res sys.CmdResult
		if res, err = c.Sys.Run(c, cmd); err == nil {
			return j.finish(c, shown, res, success)
		}
	}
	if errors.Is(err, sys.ErrReadOnly) {
		return nil, err
	}
	return nil, j.cannotRun(cmd, shown, shell, err)
}

// piped says that our own input is a pipe or a file, which a command inherits.
// A terminal is not: a command in a process group of its own cannot read it.
func piped(f *os.File) bool {
	i, err := f.Stat()
	return err == nil && i.Mode()&os.ModeDevice == 0
}

// input is what the command reads. A \n that was written as two characters
// becomes a line's end, unless stdin_raw_newlines says otherwise.
func (j *job) input() string {
	s := value.Str(j.Stdin)
	if j.Kwargs.Truth("stdin_raw_newlines") {
		return s
	}
	return strings.ReplaceAll(s, `\n`, "\n")
}

// argv sets what to execute, and returns it as Salt's messages show it.
func (j *job) argv(cmd *sys.Cmd, shell string) (shown any, err error) {
	args, isList := words(j.Cmd)
	switch {
	case j.UseVt:
		text := value.Str(j.Cmd)
		if isList {
			text = strings.Join(args, " ")
		}
		cmd.Argv = []string{"/bin/sh", "-c", text}
		return j.Cmd, nil
	case j.shelled():
		if !isList {
			args = []string{value.Str(j.Cmd)}
		}
		if shell == "" {
			shell = "/bin/sh"
		}
		cmd.Argv = append([]string{shell, "-c"}, args...)
		return j.Cmd, nil
	case !isList && shell == "" && isText(j.Cmd):
		args = []string{j.Cmd.(string)}
	case !isList:
		if args, err = py.ShellSplit(value.Str(j.Cmd)); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return nil, value.Errorf("IndexError", "list index out of range")
	}
	cmd.Argv = args
	return value.Strings(args), nil
}

func isText(v any) bool { _, ok := v.(string); return ok }

// resolve finds a program in the PATH that the command will have.
func resolve(c *salt.Ctx, name, path string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	if path == "" {
		path = "/bin:/usr/bin"
	}
	for dir := range strings.SplitSeq(path, ":") {
		if p := filepath.Join(dir, name); filepath.IsAbs(p) && executable(c, p) {
			return p, nil
		}
	}
	return "", &exec.Error{Name: name, Err: syscall.ENOENT}
}

// cannotRun is Salt's text for a program that could not be started. It shows
// how, in terms of Python's subprocess, but for environment and input.
func (j *job) cannotRun(cmd sys.Cmd, shown any, shell string, err error) error {
	stdout, stderr, wait := any(int64(-1)), any(int64(-1)), true
	if j.RedirectStderr {
		stderr = int64(-2)
	}
	if j.Kwargs.Truth(startOnly) {
		stdout, stderr, wait = nil, nil, false
	}
	how := value.M("cwd", cmd.Dir, "shell", orFalse(j.PythonShell), "stdout", stdout, "stderr", stderr,
		"with_communicate", wait, "timeout", j.Timeout, "bg", j.Bg)
	if j.PythonShell == true {
		how.Set("executable", shell)
	}
	how.Set("close_fds", true)
	if j.quiet() {
		shown = "REDACTED"
	}
	return salt.CommandError("Unable to run command '%s' with the context '%s', reason: %s", value.Str(shown), value.Repr(how), reason(cmd.Argv[0], shown, err))
}

func orFalse(v any) any {
	if v == nil {
		return false
	}
	return v
}

// reason is Python's text of an OSError.
func reason(program string, shown any, err error) string {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return err.Error()
	}
	if l, ok := shown.(*value.List); ok && program == "" && l.Len() > 0 {
		program = value.Str(l.Items[0])
	}
	text := errno.Error()
	return fmt.Sprintf("[Errno %d] %s: %s", int(errno), strings.ToUpper(text[:1])+text[1:], value.Quote(program))
}

func umaskOf(v any) (*int, error) {
	if v == nil {
		return nil, nil
	}
	s := strings.TrimLeft(value.Str(v), "0")
	if s == "" {
		return nil, salt.CommandError("Zero umask is not allowed.")
	}
	n, err := strconv.ParseInt(s, 8, 32)
	if err != nil {
		return nil, salt.CommandError("Invalid umask: '%s'", value.Str(v))
	}
	mask := int(n)
	return &mask, nil
}

func timeoutOf(v any) (time.Duration, error) {
	if !value.Truth(v) {
		return 0, nil
	}
	switch n := v.(type) {
	case int64:
		return time.Duration(n) * time.Second, nil
	case float64:
		return time.Duration(n * float64(time.Second)), nil
	case bool:
		return time.Second, nil
	}
	return 0, value.Errorf("TimedProcTimeoutError", "Error: timeout %s must be a number", value.Str(v))
}
