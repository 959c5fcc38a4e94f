package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"pinch/value"
)

// overSSH makes connections to the daemon of another machine, as the docker
// command does: `ssh HOST docker system dial-stdio` carries one each. Keys,
// jumps and known hosts are the business of ssh's own configuration; it must not
// ask for anything.
func overSSH(program string, u *url.URL, place string) (func(context.Context) (net.Conn, error), error) {
	host, user := u.Hostname(), u.User.Username()
	switch {
	case u.Path != "":
		return nil, value.Errorf("DockerException", "Invalid bind address format: no path allowed for this protocol: %s", place)
	case host == "" || strings.HasPrefix(host, "-") || strings.HasPrefix(user, "-"):
		return nil, value.Errorf("DockerException", "Invalid bind address format: %s", place)
	}
	if _, has := u.User.Password(); has {
		return nil, value.Errorf("DockerException", "Invalid bind address format: plain-text password is not supported: ssh://%s@%s", user, u.Host)
	}
	if program == "" {
		return nil, value.Errorf("DockerException", "%s needs the program ssh, which is not on this machine", place)
	}
	argv := []string{"-o", "BatchMode=yes", "-o", "ConnectTimeout=30", "-T"}
	if user != "" {
		argv = append(argv, "-l", user)
	}
	if p := u.Port(); p != "" {
		argv = append(argv, "-p", p)
	}
	argv = append(argv, "--", host, "docker", "system", "dial-stdio")
	return func(context.Context) (net.Conn, error) { return startSSH(program, argv) }, nil
}

// An sshConn is a connection through an ssh that runs beside us.
type sshConn struct {
	io.ReadCloser // its stdout
	in            io.WriteCloser
	cmd           *exec.Cmd
	said          bytes.Buffer // its stderr
	end           func() error // waits for it, once
}

func startSSH(program string, argv []string) (net.Conn, error) {
	c := &sshConn{cmd: exec.Command(program, argv...)}
	c.cmd.Stderr = &c.said
	var err, err2 error
	c.in, err = c.cmd.StdinPipe()
	// Wait would close the reading end of StdoutPipe before all is read.
	out, w, err3 := os.Pipe()
	if err3 == nil {
		c.ReadCloser, c.cmd.Stdout = out, w
		err2 = c.cmd.Start()
		w.Close()
	}
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, &net.OpError{Op: "dial", Net: "ssh", Err: err}
	}
	c.end = sync.OnceValue(c.cmd.Wait)
	return c, nil
}

// Read has what ssh says as the error when it gives up.
func (c *sshConn) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if err == io.EOF {
		err = c.because(err)
	}
	return n, err
}

// Write has the same for an ssh that has ended already.
func (c *sshConn) Write(b []byte) (int, error) {
	n, err := c.in.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		err = c.because(err)
	}
	return n, err
}

// because is what ssh said at its end, in place of the error that came of that.
func (c *sshConn) because(err error) error {
	if c.end() != nil {
		if said := strings.TrimSpace(c.said.String()); said != "" {
			return &net.OpError{Op: "dial", Net: "ssh", Err: errors.New(said)}
		}
	}
	return err
}

// CloseWrite tells the daemon that nothing more comes.
func (c *sshConn) CloseWrite() error { return c.in.Close() }

// Close ends ssh.
func (c *sshConn) Close() error {
	c.in.Close()
	_ = c.cmd.Process.Kill() // it may have ended
	_ = c.end()
	return c.ReadCloser.Close()
}

type sshAddr struct{}

func (sshAddr) Network() string { return "ssh" }
func (sshAddr) String() string  { return "ssh" }

// LocalAddr and RemoteAddr know no numbers.
func (c *sshConn) LocalAddr() net.Addr  { return sshAddr{} }
func (c *sshConn) RemoteAddr() net.Addr { return sshAddr{} }

// SetDeadline and its like do nothing: requests have their own limits.
func (c *sshConn) SetDeadline(time.Time) error      { return nil }
func (c *sshConn) SetReadDeadline(time.Time) error  { return nil }
func (c *sshConn) SetWriteDeadline(time.Time) error { return nil }
