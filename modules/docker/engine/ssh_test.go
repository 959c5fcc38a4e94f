package engine

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"pinch/modules/docker/dockertest"
)

// TestDialStdio is no test but `docker system dial-stdio` on the other machine.
func TestDialStdio(t *testing.T) {
	path := os.Getenv("DIAL_SOCKET")
	if path == "" {
		t.Skip("$DIAL_SOCKET is not set")
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go func() {
		_, _ = io.Copy(c, os.Stdin)
		_ = c.(*net.UnixConn).CloseWrite()
	}()
	_, _ = io.Copy(os.Stdout, c)
	os.Exit(0)
}

// TestSSH talks through a program of the name ssh.
func TestSSH(t *testing.T) {
	dir := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: dockertest.New("27.5.1", "1.47")}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close() })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho \"$*\" >>" + dir + "/asked\ncase \"$*\" in *nowhere*) echo 'ssh: Could not resolve hostname nowhere: Name or service not known' >&2; exit 255;; esac\n" +
		"DIAL_SOCKET=" + dir + "/sock exec " + self + " -test.run='^TestDialStdio$'\n"
	if err := os.WriteFile(filepath.Join(dir, "ssh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	c := dockertest.World(t, "docker.url", "ssh://me@box:2222")
	d, err := For(c)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if l, err := d.List(Request{Op: "images", Path: "/images/json"}); err != nil || l.Len() != 3 {
			t.Errorf("%v %v", l, err)
		}
	}
	asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
	if want := "-o BatchMode=yes -o ConnectTimeout=30 -T -l me -p 2222 -- box docker system dial-stdio\n"; string(asked) != want { // one connection serves them all
		t.Errorf("ssh was called with %q", asked)
	}
	_, err = For(dockertest.World(t, "docker.url", "ssh://nowhere"))
	if err == nil || err.Error() != "Error while fetching server API version: ssh: Could not resolve hostname nowhere: Name or service not known" {
		t.Errorf("%v", err)
	}
}

// What ssh said is the error of whoever writes to it afterwards, too.
func TestSSHGone(t *testing.T) {
	c, err := startSSH("/bin/sh", []string{"-c", "exec <&-; echo refused >&2; exit 255"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for err == nil {
		_, err = c.Write([]byte("GET / HTTP/1.1\r\n"))
	}
	if err.Error() != "dial ssh: refused" {
		t.Error(err)
	}
	if _, err := c.Write([]byte("x")); err == nil || err.Error() != "dial ssh: refused" {
		t.Error(err)
	}
}
