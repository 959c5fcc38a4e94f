package returners

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// servers is the root of the servers to test with: $PINCH_SERVERS may name a
// folder into which their packages were unpacked.
func servers() string {
	if dir := os.Getenv("PINCH_SERVERS"); dir != "" {
		return dir
	}
	return "/"
}

// program is the path of a server's program; without it the test is skipped.
func program(t *testing.T, patterns ...string) string {
	t.Helper()
	for _, p := range patterns {
		if found, _ := filepath.Glob(filepath.Join(servers(), p)); len(found) > 0 {
			return found[len(found)-1]
		}
	}
	t.Skipf("no server: %s", patterns[0])
	return ""
}

// command makes a command of a server, which runs as nobody if the test is
// root's: PostgreSQL refuses root.
func command(dir, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	libs, _ := filepath.Glob(filepath.Join(servers(), "usr/lib/*-linux-gnu"))
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LD_LIBRARY_PATH="+strings.Join(libs, ":"))
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	return cmd
}

// start starts a server and waits for its port. It ends with the test.
func start(t *testing.T, cmd *exec.Cmd, addr string) {
	t.Helper()
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-gone
	})
	for range 600 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return
		}
		select {
		case err := <-gone:
			gone <- err
			t.Fatalf("%s: %v\n%s", cmd.Path, err, log.String())
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not answer at %s", cmd.Path, addr)
}

// place is a short folder that the server may write to, and a free port.
func place(t *testing.T) (dir, port string) {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "srv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Getuid() == 0 {
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return dir, fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}
