package jobs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"pinch/value"
)

// A ChildError says why a job's process gave no return.
type ChildError struct {
	PID    int
	Signal syscall.Signal // what ended it, 0: nothing did
	Err    error
}

func (e *ChildError) Error() string { return e.Err.Error() }
func (e *ChildError) Unwrap() error { return e.Err }

// Child runs this program once more, for one job: spec goes in on stdin, the
// return comes out on file descriptor 3. The end of the context asks that
// process to end, and ends it ten seconds later. The error of a process that
// ran is a *ChildError.
func Child(ctx context.Context, spec *value.Map, args ...string) (*value.Map, error) {
	in, err := value.Msgpack(spec)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Start()
	w.Close()
	if err != nil {
		return nil, err
	}
	data, readErr := io.ReadAll(r)
	err = cmd.Wait()
	v, parseErr := value.ParseMsgpack(data)
	if ret, ok := v.(*value.Map); ok && parseErr == nil && len(data) > 0 {
		return ret, nil
	}
	if err == nil {
		err = errors.Join(readErr, parseErr)
	}
	failed := &ChildError{PID: cmd.Process.Pid, Err: err}
	if st, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		failed.Signal = st.Signal()
	}
	return nil, failed
}
