package dockertest

import (
	"net"
	"net/http"
	"os"
	"testing"
)

// TestServe serves on $DOCKERTEST_SOCKET until it is killed, for who records
// what other programs make of the daemon.
func TestServe(t *testing.T) {
	path := os.Getenv("DOCKERTEST_SOCKET")
	if path == "" {
		t.Skip("$DOCKERTEST_SOCKET is not set")
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(http.Serve(l, New("27.5.1", "1.47")))
}
