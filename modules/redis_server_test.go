package modules

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pinch/value"
)

// TestRedis runs calls in their order on a real server. The answers are those
// of saltext-redis in real Salt 3008.4 on the same server; cases that differ
// say why, and have Salt's answer under salt.
func TestRedis(t *testing.T) {
	root := os.Getenv("PINCH_SERVERS")
	if root == "" {
		root = "/"
	}
	server := filepath.Join(root, "usr/bin/redis-server")
	if _, err := os.Stat(server); err != nil || testing.Short() {
		t.Skip("no server: usr/bin/redis-server")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	_ = l.Close()
	libs, _ := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu"))
	cmd := exec.Command(server, "--port", port, "--save", "", "--dir", t.TempDir())
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libs, ":"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for range 100 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			_ = conn.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	b, err := os.ReadFile("redis/testdata/server.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(string(b))
	if err != nil {
		t.Fatal(err)
	}
	onServer(t, v.(*value.List), func(string) *value.Map { return value.M("host", "127.0.0.1", "port", port) })
}
