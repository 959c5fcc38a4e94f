package engine

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"pinch/salt"
	"pinch/value"
)

// An Error is a daemon's answer that says no.
type Error struct {
	Status  int    // of HTTP
	Message string // the daemon's
}

// Error is Salt's text for it: Error 404: No such container: web.
func (e *Error) Error() string { return fmt.Sprintf("Error %d: %s", e.Status, e.Message) }

// Unwrap is the exception that Salt raises.
func (e *Error) Unwrap() error { return salt.CommandError("%s", e.Error()) }

// Status is the status of HTTP in an error of a daemon, 0 in others.
func Status(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// failed reads the daemon's message.
func failed(r *http.Response) error {
	defer r.Body.Close()
	b, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	e := &Error{Status: r.StatusCode, Message: strings.TrimSpace(string(b))}
	if v, err := value.ParseJSON(string(b)); err == nil {
		if m, ok := v.(*value.Map); ok && m.Has("message") {
			e.Message = m.Str("message")
		}
	}
	return e
}

// unreachable is the error of a daemon that is not there, in Python's words.
func unreachable(err error) error {
	return value.Errorf("DockerException", "Error while fetching server API version: %s", cause(err))
}

func cause(err error) string {
	var no syscall.Errno
	var op *net.OpError
	if errors.As(err, &op) && op.Net == "ssh" {
		return op.Err.Error()
	}
	if !errors.As(err, &op) || !errors.As(err, &no) {
		return err.Error()
	}
	class := "OSError"
	switch no {
	case syscall.ENOENT:
		class = "FileNotFoundError"
	case syscall.EACCES, syscall.EPERM:
		class = "PermissionError"
	case syscall.ECONNREFUSED:
		class = "ConnectionRefusedError"
	}
	what := fmt.Sprintf("%s(%d, %s)", class, int(no), value.Repr(salt.ErrnoText(no)))
	if op.Net != "unix" {
		return fmt.Sprintf("%s: %s", op.Addr, salt.ErrnoText(no))
	}
	return "('Connection aborted.', " + what + ")"
}
