package transport

import (
	"context"
	"errors"

	"golang.org/x/net/websocket"

	"pinch/minion/wire"
)

// ws is Salt's transport over web sockets, without TLS: /ws on both ports, a
// message in each binary frame.
type ws struct{ l Line }

func (w ws) Requests(addr string) Requests { return wsAsk{w.l, addr} }

// A wsAsk makes a connection for each question, as Salt's minions do.
type wsAsk struct {
	l    Line
	addr string
}

func (wsAsk) Close() {}

func (a wsAsk) Do(ctx context.Context, msg any) (any, error) {
	raw, err := wire.Pack(msg)
	if err != nil {
		return nil, err
	}
	c, err := open(ctx, a.addr, a.l.ask)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	if err := websocket.Message.Send(c, raw); err != nil {
		return nil, cause(ctx, err)
	}
	answer, err := receive(c)
	if err != nil {
		return nil, cause(ctx, err)
	}
	return wire.Unpack(answer)
}

// cause is the end of the context when that closed the connection.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// open connects and asks for the upgrade.
func open(ctx context.Context, addr string, dial dialer) (*websocket.Conn, error) {
	conf, err := websocket.NewConfig("ws://"+addr+"/ws", "http://"+addr+"/")
	if err != nil {
		return nil, err
	}
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	w, err := websocket.NewClient(conf, c)
	if err != nil {
		c.Close()
		return nil, cause(ctx, err)
	}
	w.MaxPayloadBytes = wire.MaxMessage
	return w, nil
}

func receive(c *websocket.Conn) ([]byte, error) {
	var b []byte
	err := websocket.Message.Receive(c, &b)
	if err == nil && b == nil {
		err = errors.New("an empty message")
	}
	return b, err
}

type wsSub struct{ c *websocket.Conn }

func (w ws) Subscribe(ctx context.Context, addr string, _ Subscription) (Publications, error) {
	c, err := open(ctx, addr, w.l.pub)
	if err != nil {
		return nil, err
	}
	return wsSub{c}, nil
}

func (s wsSub) Close() { s.c.Close() }

func (s wsSub) Next() (any, error) {
	raw, err := receive(s.c)
	if err != nil {
		return nil, err
	}
	v, err := wire.Unpack(raw)
	if err != nil {
		return nil, err
	}
	if inner := wire.Bytes(v); inner != nil { // packed twice
		return wire.Unpack(inner)
	}
	return v, nil
}
