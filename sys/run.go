package sys

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A Cmd is a command to run. It gets a process group of its own.
type Cmd struct {
	Argv  []string // the program (found by LookPath when it has no slash) and its arguments
	Path  string   // where the program is, when it is known: Argv[0] is only what it is called then
	Dir   string
	Env   []string // "K=V"; nil: our own environment
	Stdin io.Reader
	// Query says that the command only looks: it may run under test=True.
	Query bool
	// As runs it as another user, with its groups; nil: as we are.
	As *Identity
	// Umask, when set, is the child's.
	Umask *int
	// Timeout ends the whole process group: SIGTERM, a second later SIGKILL. 0: none.
	Timeout time.Duration
	// Merge sends stderr where stdout goes.
	Merge bool
	// Detach starts the command in a session of its own and does not wait: its
	// output is dropped.
	Detach bool
	// Stdout and Stderr, when set, get the output as it comes, besides the result.
	Stdout, Stderr io.Writer
}

// An Identity is who a command runs as.
type Identity struct {
	UID, GID int
	Groups   []int
}

// A CmdResult is what a command left.
type CmdResult struct {
	Stdout, Stderr []byte
	Code           int // exit code; for a signal its negative number, as in Python's subprocess
	PID            int
	TimedOut       bool
}

// ErrNoCommand says that a program to run is not there.
var ErrNoCommand = errors.New("command not found")

// Run runs the command; see Cmd and Sys.
func (r Real) Run(ctx context.Context, c Cmd) (CmdResult, error) {
	path := c.Path
	if path == "" {
		path = c.Argv[0]
	}
	if !bytes.ContainsRune([]byte(path), '/') {
		if path = r.LookPath(path); path == "" {
			return CmdResult{}, &exec.Error{Name: c.Argv[0], Err: ErrNoCommand}
		}
	}
	cmd := &exec.Cmd{Path: path, Args: c.Argv, Dir: c.Dir, Env: c.Env, Stdin: c.Stdin}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !c.Detach, Setsid: c.Detach}
	if c.As != nil {
		cmd.SysProcAttr.Credential = credential(c.As)
		if c.Dir != "" {
			dir, done := enter(c.Dir)
			defer done()
			if cmd.Dir = dir; cmd.Env == nil {
				cmd.Env = append(os.Environ(), "PWD="+c.Dir)
			}
		}
	}
	var res CmdResult
	if c.Detach {
		if err := start(cmd, c.Umask); err != nil {
			return res, err
		}
		res.PID = cmd.Process.Pid
		return res, cmd.Process.Release()
	}
	var out, errs bytes.Buffer
	cmd.Stdout = tee(&out, c.Stdout)
	cmd.Stderr = tee(&errs, c.Stderr)
	if c.Merge {
		cmd.Stderr = cmd.Stdout
	}
	cmd.WaitDelay = 2 * time.Second
	if err := start(cmd, c.Umask); err != nil {
		return res, err
	}
	res.PID = cmd.Process.Pid
	ended := make(chan struct{})
	timedOut := make(chan bool, 1)
	if c.Timeout > 0 || ctx.Done() != nil {
		go watch(ctx, res.PID, c.Timeout, ended, timedOut)
	} else {
		timedOut <- false
	}
	err := cmd.Wait()
	close(ended)
	res.TimedOut = <-timedOut
	res.Stdout, res.Stderr = out.Bytes(), errs.Bytes()
	res.Code = code(cmd.ProcessState)
	var exit *exec.ExitError
	if errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return res, err
}

func tee(buf *bytes.Buffer, w io.Writer) io.Writer {
	if w == nil {
		return buf
	}
	return io.MultiWriter(buf, w)
}

// start sets the umask around the fork: the child inherits it, and Go has no
// other way to give it one.
func start(cmd *exec.Cmd, mask *int) error {
	if mask == nil {
		return cmd.Start()
	}
	umaskMu.Lock()
	defer umaskMu.Unlock()
	old := syscall.Umask(*mask)
	defer syscall.Umask(old)
	return cmd.Start()
}

// watch ends the process group when the time is up or the context ends.
func watch(ctx context.Context, pid int, after time.Duration, ended <-chan struct{}, timedOut chan<- bool) {
	var up <-chan time.Time
	if after > 0 {
		t := time.NewTimer(after)
		defer t.Stop()
		up = t.C
	}
	select {
	case <-ended:
		timedOut <- false
		return
	case <-up:
	case <-ctx.Done():
	}
	timedOut <- true
	syscall.Kill(-pid, syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
	syscall.Kill(-pid, syscall.SIGKILL)
}

func credential(id *Identity) *syscall.Credential {
	c := &syscall.Credential{Uid: uint32(id.UID), Gid: uint32(id.GID)}
	if os.Geteuid() != 0 {
		c.NoSetGroups = true
		return c
	}
	for _, g := range id.Groups {
		c.Groups = append(c.Groups, uint32(g))
	}
	return c
}

func code(p *os.ProcessState) int {
	if p == nil {
		return -1
	}
	if ws, ok := p.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -int(ws.Signal())
	}
	return p.ExitCode()
}
