package transport

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"
)

// A Line is how connections are made. The zero Line is that of Salt's defaults.
type Line struct {
	From             net.IP // the address of this machine; nil: the system chooses
	AskPort, PubPort int    // the own ports for questions and for publications; 0: any
	// KeepAlive is how a peer that is gone is noticed; nil: a sign of life
	// after five minutes, then as the system does it.
	KeepAlive *net.KeepAliveConfig
}

type dialer func(ctx context.Context, addr string) (net.Conn, error)

func (l Line) ask(ctx context.Context, addr string) (net.Conn, error) {
	return l.dial(ctx, addr, l.AskPort)
}

func (l Line) pub(ctx context.Context, addr string) (net.Conn, error) {
	return l.dial(ctx, addr, l.PubPort)
}

// dial connects. The own port has one connection at a time: the others, and
// those of a job's process, get any.
func (l Line) dial(ctx context.Context, addr string, port int) (net.Conn, error) {
	d := net.Dialer{Timeout: 10 * time.Second, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Minute, Interval: -1, Count: -1}}
	if l.KeepAlive != nil {
		d.KeepAliveConfig = *l.KeepAlive
	}
	if l.From != nil || port != 0 {
		d.LocalAddr = &net.TCPAddr{IP: l.From, Port: port}
	}
	if port != 0 {
		d.Control = reuse
	}
	c, err := d.DialContext(ctx, "tcp", addr)
	if port != 0 && (errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EADDRNOTAVAIL)) {
		return l.dial(ctx, addr, 0)
	}
	return c, err
}

// reuse lets a port be taken while connections of it to other masters fade.
func reuse(_, _ string, c syscall.RawConn) error {
	var err error
	if e := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	}); e != nil {
		return e
	}
	return err
}
