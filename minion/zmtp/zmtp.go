// Package zmtp is a client of ZeroMQ's transport, ZMTP 3.1 with the mechanism
// NULL, as far as a minion needs it: sockets of the kinds REQ and SUB over
// TCP, with heartbeats both ways.
//
//	c, err := zmtp.Dial(ctx, "10.0.0.1:4505", zmtp.Options{Type: "SUB", Identity: "web1"})
//	err = c.Subscribe("")
//	frames, err := c.Recv()
package zmtp

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

const (
	more    = 1 // flags of a frame
	long    = 2
	command = 4

	maxParts   = 16
	maxCommand = 64 << 10
)

// Options describe a socket.
type Options struct {
	Type     string // REQ or SUB
	Identity string // the peer knows the socket by it; "" for REQ
	Max      int    // the largest message in bytes
	// Quiet is how long the peer may say nothing before it is asked whether it
	// lives, and again until it counts as dead.
	Quiet time.Duration
	Dial  func(ctx context.Context, addr string) (net.Conn, error) // nil: TCP
}

// A Conn is a connected socket. One goroutine may receive while others send.
type Conn struct {
	c   net.Conn
	r   *bufio.Reader
	o   Options
	mu  sync.Mutex // of writing
	old bool       // the peer speaks ZMTP 3.0, which has no heartbeats
}

// Dial connects and shakes hands. The context ends only the dialling.
func Dial(ctx context.Context, addr string, o Options) (*Conn, error) {
	dial := o.Dial
	if dial == nil {
		dial = func(ctx context.Context, addr string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", addr)
		}
	}
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	z := &Conn{c: c, o: o}
	z.r = bufio.NewReaderSize(pulse{z}, 16<<10)
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	if err := z.handshake(); err != nil {
		c.Close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return z, nil
}

// Close ends the connection.
func (z *Conn) Close() { z.c.Close() }

// pulse reads from the peer; when nothing comes it sends a heartbeat, and when
// then nothing comes either the peer is dead.
type pulse struct{ z *Conn }

var errDead = errors.New("the peer answers no heartbeat")

func (p pulse) Read(b []byte) (int, error) {
	z := p.z
	if z.o.Quiet <= 0 {
		return z.c.Read(b)
	}
	for asked := false; ; asked = true {
		_ = z.c.SetReadDeadline(time.Now().Add(z.o.Quiet))
		n, err := z.c.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if asked {
			return 0, errDead
		}
		if z.old {
			continue
		}
		if err := z.send(command, []byte("\x04PING\x00\x00")); err != nil {
			return 0, err
		}
	}
}

// handshake exchanges greetings and READY commands.
func (z *Conn) handshake() error {
	var g [64]byte
	g[0], g[9], g[10], g[11] = 0xff, 0x7f, 3, 1
	copy(g[12:], "NULL")
	if _, err := z.c.Write(g[:]); err != nil {
		return err
	}
	if _, err := io.ReadFull(z.r, g[:]); err != nil {
		return fmt.Errorf("no greeting of ZeroMQ: %w", err)
	}
	if g[0] != 0xff || g[9]&1 != 1 || g[10] < 3 {
		return errors.New("the peer does not speak ZMTP 3")
	}
	if string(g[12:32]) != "NULL"+string(make([]byte, 16)) {
		return fmt.Errorf("the peer wants the security mechanism %.20q, not NULL", g[12:32])
	}
	z.old = g[10] == 3 && g[11] == 0
	ready := property(property([]byte("\x05READY"), "Socket-Type", z.o.Type), "Identity", z.o.Identity)
	if err := z.send(command, ready); err != nil {
		return err
	}
	flags, b, err := z.frame(maxCommand)
	if err != nil {
		return err
	}
	if flags&command == 0 || len(b) < 6 || string(b[:6]) != "\x05READY" {
		return fmt.Errorf("the peer refuses the connection: %.80q", b)
	}
	return nil
}

func property(b []byte, name, val string) []byte {
	b = append(append(b, byte(len(name))), name...)
	return append(binary.BigEndian.AppendUint32(b, uint32(len(val))), val...)
}

// send writes one frame.
func (z *Conn) send(flags byte, b []byte) error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.write(appendHead(nil, flags, len(b)), b)
}

func (z *Conn) write(parts ...[]byte) error {
	bufs := net.Buffers(parts)
	_ = z.c.SetWriteDeadline(time.Now().Add(time.Minute))
	_, err := bufs.WriteTo(z.c)
	return err
}

func appendHead(b []byte, flags byte, n int) []byte {
	if n > 255 {
		return binary.BigEndian.AppendUint64(append(b, flags|long), uint64(n))
	}
	return append(b, flags, byte(n))
}

// Request sends a message as a REQ socket does: behind an empty frame.
func (z *Conn) Request(msg []byte) error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.write(appendHead([]byte{more, 0}, 0, len(msg)), msg)
}

// Subscribe asks for the messages whose first frame begins with prefix.
func (z *Conn) Subscribe(prefix string) error { return z.send(0, append([]byte{1}, prefix...)) }

// Recv is the next message, a frame each. Heartbeats are answered on the way.
func (z *Conn) Recv() ([][]byte, error) {
	var out [][]byte
	left := z.o.Max
	for {
		flags, b, err := z.frame(left)
		if err != nil {
			return nil, err
		}
		if flags&command != 0 {
			if err := z.command(b); err != nil {
				return nil, err
			}
			continue
		}
		left -= len(b)
		if out = append(out, b); flags&more == 0 {
			return out, nil
		}
		if len(out) == maxParts {
			return nil, fmt.Errorf("a message of more than %d frames", maxParts)
		}
	}
}

// command answers a PING; PONG, SUBSCRIBE and others say nothing to a client.
func (z *Conn) command(b []byte) error {
	const ping = "\x04PING"
	if len(b) < len(ping)+2 || string(b[:len(ping)]) != ping {
		return nil
	}
	return z.send(command, append([]byte("\x04PONG"), b[len(ping)+2:]...)) // behind the TTL: a context to send back
}

// frame reads one frame of at most max bytes.
func (z *Conn) frame(max int) (flags byte, b []byte, err error) {
	if flags, err = z.r.ReadByte(); err != nil {
		return 0, nil, err
	}
	if flags&^(more|long|command) != 0 {
		return 0, nil, fmt.Errorf("a frame with unknown flags 0x%02x", flags)
	}
	var head [8]byte
	size := head[7:]
	if flags&long != 0 {
		size = head[:]
	}
	if _, err := io.ReadFull(z.r, size); err != nil {
		return 0, nil, unexpected(err)
	}
	n := binary.BigEndian.Uint64(head[:])
	if n > uint64(max) || flags&command != 0 && n > maxCommand {
		return 0, nil, fmt.Errorf("a frame of %d bytes: refused", n)
	}
	b = make([]byte, 0, min(n, 64<<10)) // no more memory than has arrived
	for uint64(len(b)) < n {
		part := min(n-uint64(len(b)), 64<<10)
		at := len(b)
		b = append(b, make([]byte, part)...)
		if _, err := io.ReadFull(z.r, b[at:]); err != nil {
			return 0, nil, unexpected(err)
		}
	}
	return flags, b, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
