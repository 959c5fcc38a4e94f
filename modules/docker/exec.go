package docker

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"pinch/modules/docker/engine"
	"pinch/salt"
	"pinch/value"
)

type cmdArgs struct {
	Name           string `py:"name"`                    // name or ID of the container
	Cmd            any    `py:"cmd"`                     // the command; quotes, pipes and the like are for the container's shell
	ExecDriver     any    `py:"exec_driver=None"`        // docker-exec, the only way that today's daemons have
	Stdin          any    `py:"stdin=None"`              // a text that it reads
	PythonShell    any    `py:"python_shell=True"`       // False: words, no shell
	OutputLoglevel any    `py:"output_loglevel='debug'"` // quiet: the log does not show the command
	UseVT          any    `py:"use_vt=False"`            // Salt reads the output through a terminal; nothing changes here
	IgnoreRetcode  bool   `py:"ignore_retcode=False"`    // an exit code other than 0 is no failure of the call
	KeepEnv        any    `py:"keep_env=None"`           // True: the container's variables; names: these of the host; else PATH only
}

// run runs a command in a container and returns what it wrote.
//
//	salt-call docker.run web 'ls -l /etc'
func run(c *salt.Ctx, a cmdArgs) (string, error) {
	r, err := execute(c, a, true)
	return r.stdout, err
}

// runAll runs a command in a container and returns pid, retcode, stdout and
// stderr.
func runAll(c *salt.Ctx, a cmdArgs) (*value.Map, error) {
	r, err := execute(c, a, false)
	if err != nil {
		return nil, err
	}
	return r.all(), nil
}

// retcode runs a command in a container and returns its exit code.
func retcode(c *salt.Ctx, a cmdArgs) (int64, error) {
	r, err := execute(c, a, false)
	return r.code, err
}

// runStdout runs a command in a container and returns what it wrote to stdout.
func runStdout(c *salt.Ctx, a cmdArgs) (string, error) {
	r, err := execute(c, a, false)
	return r.stdout, err
}

// runStderr runs a command in a container and returns what it wrote to stderr.
func runStderr(c *salt.Ctx, a cmdArgs) (string, error) {
	r, err := execute(c, a, false)
	return r.stderr, err
}

// A result is what a command in a container left.
type result struct {
	pid, code      int64
	stdout, stderr string
}

func (r result) all() *value.Map {
	return value.M("pid", r.pid, "retcode", r.code, "stdout", r.stdout, "stderr", r.stderr)
}

// searched is where commands are looked for in a container.
const searched = "PATH=/bin:/usr/bin:/sbin:/usr/sbin:/opt/bin:/usr/local/bin:/usr/local/sbin"

// execute does what run_all does; merge puts stderr where stdout goes.
func execute(c *salt.Ctx, a cmdArgs, merge bool) (result, error) {
	return changing(c, func(d daemon) (result, error) {
		if err := d.drives(a.ExecDriver); err != nil {
			return result{}, err
		}
		argv, err := a.argv()
		if err != nil {
			return result{}, err
		}
		var in io.Reader
		if value.Truth(a.Stdin) {
			in = strings.NewReader(value.Str(a.Stdin))
		}
		if a.OutputLoglevel != "quiet" {
			c.Log.Debug("docker: running " + value.Repr(a.Cmd) + " in " + a.Name)
		}
		r, err := d.exec(a.Name, argv, in, merge)
		if err == nil && r.code != 0 && !a.IgnoreRetcode {
			c.Run.SetRetcode(int(r.code))
			c.Log.Error("docker: the command in " + a.Name + " failed with return code: " + value.Str(r.code))
		}
		r.stdout, r.stderr = strings.TrimRight(r.stdout, "\r\n"), strings.TrimRight(r.stderr, "\r\n")
		return r, err
	})
}

// drives is nil when commands run the one way that there is, by the call's
// exec_driver or the option docker.exec_driver.
func (d daemon) drives(driver any) error {
	if driver == nil {
		v, err := d.c.Call("config.option", "docker.exec_driver", "docker-exec")
		if err != nil {
			return err
		}
		driver = v
	}
	if s := text(driver); s != "" && s != "docker-exec" {
		return salt.CommandError("exec_driver %s is not supported: docker-exec is", s)
	}
	return nil
}

// argv is what runs in the container: Salt's env -i and PATH, and the command,
// by the container's shell when it needs one.
func (a *cmdArgs) argv() ([]string, error) {
	var out []string
	keep, all := a.KeepEnv.(bool)
	if all = all && keep; !all {
		out = append(out, "env", "-i")
		names := splitInput(a.KeepEnv)
		if _, ok := a.KeepEnv.(bool); ok {
			names = nil
		}
		path := true
		for _, n := range names {
			path = path && n != "PATH"
		}
		if path {
			out = append(out, searched)
		}
		for _, n := range names {
			if v, ok := os.LookupEnv(n); ok {
				out = append(out, n+"="+v)
			}
		}
	}
	if l, ok := a.Cmd.(*value.List); ok {
		for _, it := range l.Items {
			out = append(out, value.Str(it))
		}
		return out, nil
	}
	cmd := value.Str(a.Cmd)
	words, ok := split(cmd)
	switch {
	case value.Truth(a.PythonShell) && (!ok || needsShell(cmd)):
		return append(out, "sh", "-c", cmd), nil
	case !ok:
		return nil, salt.InvocationError("the command's quotes do not match: %s", cmd)
	}
	return append(out, words...), nil
}

// needsShell reports whether a command has what only a shell understands.
// Inside single quotes nothing is, inside double ones $ and ` are.
func needsShell(s string) bool {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case quote == '\'':
			if ch == quote {
				quote = 0
			}
		case ch == '\\':
			i++
		case ch == '$' || ch == '`' || ch == '\n':
			return true
		case quote == '"':
			if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"':
			quote = ch
		case strings.IndexByte("|&;<>()*?[#~{!", ch) >= 0:
			return true
		case ch == '=' && !strings.Contains(s[:i], " "):
			return true // A=1 program
		}
	}
	return false
}

// split takes a command apart as a shell does; not ok: a quote is open.
func split(s string) (words []string, ok bool) {
	var b strings.Builder
	quote, in := byte(0), false
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote == 0 && strings.IndexByte(" \t\r\n", ch) >= 0:
			if in {
				words = append(words, b.String())
				b.Reset()
			}
			in = false
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote, in = ch, true
		case ch == quote:
			quote = 0
		case ch == '\\' && i+1 < len(s) && (quote == 0 || quote == '"' && strings.IndexByte(`"\$`+"`", s[i+1]) >= 0):
			i++
			b.WriteByte(s[i])
			in = true
		default:
			b.WriteByte(ch)
			in = true
		}
	}
	if in {
		words = append(words, b.String())
	}
	return words, quote == 0
}

// exec runs words in a container. A container that is not there, or does not
// run, is a failed command, as it is for the docker command.
func (d daemon) exec(name string, argv []string, stdin io.Reader, merge bool) (result, error) {
	m, err := d.Map(engine.Request{Op: "exec_create", Method: http.MethodPost, Path: "/containers/" + engine.ID(name) + "/exec",
		Body: value.M("AttachStdin", stdin != nil, "AttachStdout", true, "AttachStderr", true, "Tty", false, "Cmd", value.Strings(argv))})
	if engine.Status(err) != 0 {
		msg := "Error response from daemon: " + strings.TrimPrefix(err.Error(), "Error "+value.Str(int64(engine.Status(err)))+": ")
		if missing(err) {
			msg = "Error: No such container: " + name
		}
		r := result{code: 1, stderr: msg}
		if merge {
			r.stdout = msg
		}
		return r, nil
	}
	if err != nil {
		return result{}, err
	}
	id := engine.ID(m.Str("Id"))
	var out, errs bytes.Buffer
	stderr := &errs
	if merge {
		stderr = &out
	}
	start := engine.Request{Op: "exec_start", Method: http.MethodPost, Path: "/exec/" + id + "/start", Body: value.M("Detach", false, "Tty", false), Unlimited: true}
	if err := d.stream(start, stdin, func(r io.Reader) error { return engine.Demux(r, &out, stderr) }); err != nil {
		return result{}, err
	}
	m, err = d.Map(engine.Request{Op: "exec_inspect", Path: "/exec/" + id + "/json"})
	if err != nil {
		return result{}, err
	}
	r := result{stdout: decoded(out.Bytes()), stderr: decoded(errs.Bytes())}
	r.code, _ = m.At("ExitCode").(int64)
	r.pid, _ = m.At("Pid").(int64)
	return r, nil
}

// stream reads the output of a command, and gives it stdin when there is some.
func (d daemon) stream(r engine.Request, stdin io.Reader, output func(io.Reader) error) error {
	if stdin != nil {
		return d.Attach(r, stdin, output)
	}
	resp, err := d.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := output(resp.Body); err != nil {
		return salt.CommandError("Unable to perform %s: %s", r.Op, err)
	}
	return nil
}

// decoded is output as text; bytes that are no UTF-8 become U+FFFD.
func decoded(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
