package transport

import (
	"context"
	"fmt"
	"net"
	"sync"

	"pinch/minion/wire"
	"pinch/value"
)

type tcp struct{ l Line }

func (t tcp) Requests(addr string) Requests { return &tcpAsk{l: t.l, addr: addr} }

// A tcpAsk has one connection; answers come in any order, each with the number
// of its question.
type tcpAsk struct {
	l    Line
	addr string
	mu   sync.Mutex
	line *tcpLine
	last int64
}

type tcpLine struct {
	c       net.Conn
	writing sync.Mutex
	mu      sync.Mutex
	waiting map[string]chan any
	gone    chan struct{}
}

func (t *tcpAsk) Do(ctx context.Context, msg any) (any, error) {
	l, mid, err := t.get(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := wire.Pack(value.M("head", value.M("mid", mid), "body", msg))
	if err != nil {
		return nil, err
	}
	answer := make(chan any, 1)
	l.mu.Lock()
	l.waiting[mid] = answer
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.waiting, mid)
		l.mu.Unlock()
	}()
	l.writing.Lock()
	_, err = l.c.Write(raw)
	l.writing.Unlock()
	if err != nil {
		l.c.Close()
		return nil, err
	}
	return answered(ctx, answer, l.gone)
}

// get is the connection, made anew after the last one ended, and a number for
// a question.
func (t *tcpAsk) get(ctx context.Context) (*tcpLine, string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	mid := fmt.Sprintf("%032x", t.last)
	if t.line != nil {
		select {
		case <-t.line.gone:
		default:
			return t.line, mid, nil
		}
	}
	c, err := t.l.ask(ctx, t.addr)
	if err != nil {
		return nil, "", err
	}
	t.line = &tcpLine{c: c, waiting: map[string]chan any{}, gone: make(chan struct{})}
	go t.line.read()
	return t.line, mid, nil
}

func (t *tcpAsk) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.line != nil {
		t.line.c.Close()
	}
}

func (l *tcpLine) read() {
	defer close(l.gone)
	defer l.c.Close()
	s := wire.NewStream(l.c, wire.MaxMessage)
	for {
		v, err := s.Next()
		if err != nil {
			return
		}
		m, _ := v.(*value.Map)
		mid := wire.Text(m.Map("head").At("mid"))
		l.mu.Lock()
		if answer := l.waiting[mid]; answer != nil {
			answer <- m.At("body")
			delete(l.waiting, mid)
		}
		l.mu.Unlock()
	}
}

type tcpSub struct {
	c net.Conn
	s *wire.Stream
}

func (t tcp) Subscribe(ctx context.Context, addr string, s Subscription) (Publications, error) {
	c, err := t.l.pub(ctx, addr)
	if err != nil {
		return nil, err
	}
	if s.Hello != nil {
		body, err := s.Hello()
		if err == nil {
			var raw []byte
			if raw, err = wire.Pack(value.M("head", new(value.Map), "body", body)); err == nil {
				_, err = c.Write(raw)
			}
		}
		if err != nil {
			c.Close()
			return nil, err
		}
	}
	return &tcpSub{c: c, s: wire.NewStream(c, wire.MaxMessage)}, nil
}

func (t *tcpSub) Close() { t.c.Close() }

func (t *tcpSub) Next() (any, error) {
	v, err := t.s.Next()
	if err != nil {
		return nil, err
	}
	m, _ := v.(*value.Map)
	body := m.At("body")
	if raw := wire.Bytes(body); raw != nil {
		return wire.Unpack(raw)
	}
	return body, nil
}
