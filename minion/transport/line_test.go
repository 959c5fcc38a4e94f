package transport

import (
	"net"
	"testing"
)

// The own address and port are taken; a second connection from a port that has
// one gets another, and so does one after the first, which fades for a while.
func TestLine(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	free, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("127.0.0.2 is no address here: ", err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	line := Line{From: net.ParseIP("127.0.0.2"), AskPort: port, KeepAlive: &net.KeepAliveConfig{}}
	for round := range 2 {
		first, err := line.ask(t.Context(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		second, err := line.ask(t.Context(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		other, err := line.pub(t.Context(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if a := first.LocalAddr().(*net.TCPAddr); a.Port != port && round == 0 || a.IP.String() != "127.0.0.2" {
			t.Error(a)
		}
		for _, c := range []net.Conn{second, other} {
			if a := c.LocalAddr().(*net.TCPAddr); a.Port == port || a.IP.String() != "127.0.0.2" {
				t.Error(a)
			}
			c.Close()
		}
		first.Close()
	}
}
