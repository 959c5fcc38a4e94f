package transport

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"sync"

	"pinch/minion/wire"
	"pinch/minion/zmtp"
)

type zeromq struct{ l Line }

func (z zeromq) Requests(addr string) Requests { return &zmqPool{l: z.l, addr: addr} }

func options(kind, id string, dial dialer) zmtp.Options {
	return zmtp.Options{Type: kind, Identity: id, Max: wire.MaxMessage, Quiet: Quiet, Dial: dial}
}

// A zmqPool keeps connections for questions: one question at a time on each.
type zmqPool struct {
	l    Line
	addr string
	mu   sync.Mutex
	idle []*zmqAsk
	shut bool
}

// maxIdle is how many connections stay open between questions.
const maxIdle = 2

// A zmqAsk is one connection. Its reader runs always, so that heartbeats are
// answered between questions, too.
type zmqAsk struct {
	c       *zmtp.Conn
	answers chan [][]byte // closed at the end of the connection
	gone    chan struct{}
}

func (p *zmqPool) Do(ctx context.Context, msg any) (any, error) {
	raw, err := wire.Pack(msg)
	if err != nil {
		return nil, err
	}
	a, err := p.get(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := a.ask(ctx, raw)
	if err != nil { // the answer may come later: such a connection is out of step
		a.c.Close()
		return nil, err
	}
	p.put(a)
	return wire.Unpack(answer)
}

func (p *zmqPool) get(ctx context.Context) (*zmqAsk, error) {
	p.mu.Lock()
	for len(p.idle) > 0 {
		a := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		select {
		case <-a.gone:
			continue
		default:
		}
		p.mu.Unlock()
		return a, nil
	}
	p.mu.Unlock()
	c, err := zmtp.Dial(ctx, p.addr, options("REQ", "", p.l.ask))
	if err != nil {
		return nil, err
	}
	a := &zmqAsk{c: c, answers: make(chan [][]byte, 1), gone: make(chan struct{})}
	go a.read()
	return a, nil
}

func (p *zmqPool) put(a *zmqAsk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut || len(p.idle) >= maxIdle {
		a.c.Close()
		return
	}
	p.idle = append(p.idle, a)
}

func (p *zmqPool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = true
	for _, a := range p.idle {
		a.c.Close()
	}
	p.idle = nil
}

func (a *zmqAsk) read() {
	defer close(a.gone)
	defer a.c.Close()
	for {
		m, err := a.c.Recv()
		if err != nil {
			return
		}
		select {
		case a.answers <- m:
		default:
			return // an answer to no question
		}
	}
}

func (a *zmqAsk) ask(ctx context.Context, raw []byte) ([]byte, error) {
	if err := a.c.Request(raw); err != nil {
		return nil, err
	}
	m, err := answered(ctx, a.answers, a.gone)
	if err == nil && (len(m) != 2 || len(m[0]) != 0) {
		return nil, errors.New("an answer that is no reply to a REQ socket")
	}
	if err != nil {
		return nil, err
	}
	return m[1], nil
}

type zmqSub struct {
	c     *zmtp.Conn
	topic string
}

func (t zeromq) Subscribe(ctx context.Context, addr string, s Subscription) (Publications, error) {
	c, err := zmtp.Dial(ctx, addr, options("SUB", s.ID, t.l.pub))
	if err != nil {
		return nil, err
	}
	sum := sha1.Sum([]byte(s.ID))
	z := &zmqSub{c: c, topic: hex.EncodeToString(sum[:])}
	topics := []string{""}
	if s.Filtered {
		topics = []string{"broadcast", z.topic}
	}
	for _, t := range topics {
		if err := c.Subscribe(t); err != nil {
			c.Close()
			return nil, err
		}
	}
	return z, nil
}

func (z *zmqSub) Close() { z.c.Close() }

func (z *zmqSub) Next() (any, error) {
	for {
		m, err := z.c.Recv()
		if err != nil {
			return nil, err
		}
		if len(m) == 1 {
			return wire.Unpack(m[0])
		}
		if t := string(m[0]); len(m) == 2 && (t == "broadcast" || t == z.topic) {
			return wire.Unpack(m[1])
		}
	}
}
