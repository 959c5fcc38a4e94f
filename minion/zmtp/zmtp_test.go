package zmtp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// greeting is that of libzmq 4.3 as a server.
func greeting() []byte {
	g := make([]byte, 64)
	g[0], g[8], g[9], g[10], g[11] = 0xff, 1, 0x7f, 3, 1
	copy(g[12:], "NULL")
	return g
}

// peer is the other end of a connection.
func peer(t *testing.T, o Options, serve func(c net.Conn)) (*Conn, error) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { there.Close() })
	go serve(there)
	o.Dial = func(context.Context, string) (net.Conn, error) { return here, nil }
	if o.Max == 0 {
		o.Max = 1 << 20
	}
	return Dial(t.Context(), "", o)
}

func shake(c net.Conn) []byte {
	go c.Write(greeting())
	io.ReadFull(c, make([]byte, 64))
	var head [2]byte
	io.ReadFull(c, head[:])
	ready := make([]byte, head[1])
	io.ReadFull(c, ready)
	c.Write([]byte("\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB"))
	return ready
}

func TestReceive(t *testing.T) {
	pong := make(chan []byte, 1)
	ready := make(chan []byte, 1)
	z, err := peer(t, Options{Type: "SUB", Identity: "m"}, func(c net.Conn) {
		ready <- shake(c)
		sub := make([]byte, 5)
		io.ReadFull(c, sub)
		pong <- sub
		c.Write([]byte("\x01\x01a\x04\x09\x04PING\x00\x0axy"))
		b := make([]byte, 2+7)
		io.ReadFull(c, b)
		pong <- b
		c.Write([]byte("\x00\x02bc\x02\x00\x00\x00\x00\x00\x00\x01\x00" + strings.Repeat("d", 256)))
	})
	if err != nil {
		t.Fatal(err)
	}
	// READY with Socket-Type and Identity, as in section 5.2 of the specification.
	if want := "\x05READY\x0bSocket-Type\x00\x00\x00\x03SUB\x08Identity\x00\x00\x00\x01m"; string(<-ready) != want {
		t.Error("not this READY")
	}
	if err := z.Subscribe("ab"); err != nil {
		t.Fatal(err)
	}
	if got := <-pong; string(got) != "\x00\x03\x01ab" {
		t.Errorf("subscribed with %q", got)
	}
	m, err := z.Recv()
	if err != nil || string(bytes.Join(m, []byte("|"))) != "a|bc" {
		t.Errorf("%q %v", m, err)
	}
	if got := <-pong; string(got) != "\x04\x07\x04PONGxy" {
		t.Errorf("the heartbeat was answered with %q", got)
	}
	if m, err = z.Recv(); err != nil || len(m) != 1 || len(m[0]) != 256 {
		t.Errorf("%q %v", m, err)
	}
}

func TestRequest(t *testing.T) {
	got := make(chan []byte, 1)
	z, err := peer(t, Options{Type: "REQ"}, func(c net.Conn) {
		shake(c)
		b := make([]byte, 2+9+300)
		io.ReadFull(c, b)
		got <- b
	})
	if err != nil {
		t.Fatal(err)
	}
	msg := bytes.Repeat([]byte("x"), 300)
	if err := z.Request(msg); err != nil {
		t.Fatal(err)
	}
	want := append(binary.BigEndian.AppendUint64([]byte{1, 0, 2}, 300), msg...)
	if b := <-got; !bytes.Equal(b, want) {
		t.Errorf("%q", b)
	}
}

func TestRefused(t *testing.T) {
	curve := greeting()
	copy(curve[12:], "CURVE")
	old := greeting()
	old[10] = 2
	for name, g := range map[string][]byte{"mechanism": curve, "version": old, "http": []byte("HTTP/1.1 400 Bad Request\r\n" + strings.Repeat(" ", 64))} {
		_, err := peer(t, Options{Type: "REQ"}, func(c net.Conn) { go c.Write(g); io.Copy(io.Discard, c) })
		if err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestDead(t *testing.T) {
	z, err := peer(t, Options{Type: "SUB"}, func(c net.Conn) {
		shake(c)
		io.Copy(io.Discard, c)
	})
	if err != nil {
		t.Fatal(err)
	}
	z.o.Quiet = 20 * time.Millisecond // shaking hands may take longer
	if _, err := z.Recv(); !errors.Is(err, errDead) {
		t.Error(err)
	}
}

func TestTooLarge(t *testing.T) {
	for name, frames := range map[string]string{
		"frame": "\x02\x00\x00\x00\x00\x7f\xff\xff\xff", "sum": "\x01\x80" + strings.Repeat("a", 128) + "\x00\x80",
		"parts": strings.Repeat("\x01\x00", 100), "command": "\x06\x00\x00\x00\x00\x00\x10\x00\x00", "flags": "\x80\x00", "cut": "\x00\x05ab",
	} {
		z, err := peer(t, Options{Type: "SUB", Max: 200}, func(c net.Conn) { shake(c); c.Write([]byte(frames)); c.Close() })
		if err != nil {
			t.Fatal(err)
		}
		if m, err := z.Recv(); err == nil {
			t.Errorf("%s: %q", name, m)
		}
	}
}

func FuzzRecv(f *testing.F) {
	f.Add([]byte("\x01\x01a\x00\x01b"))
	f.Add([]byte("\x04\x09\x04PING\x00\x0axy\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		here, there := net.Pipe()
		defer here.Close()
		go io.Copy(io.Discard, there)
		z := &Conn{c: here, o: Options{Max: 1 << 16}}
		z.r = newReader(b)
		for {
			if _, err := z.Recv(); err != nil {
				return
			}
		}
	})
}

func newReader(b []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(b)) }
