// Package transport carries messages to a master and back: questions with one
// answer each, and the publications that a master sends to all its minions.
// Transports are those of Salt: zeromq, tcp and ws.
//
//	t, err := transport.New("zeromq", transport.Line{})
//	ask := t.Requests("10.0.0.1:4506")
//	answer, err := ask.Do(ctx, value.M("enc", "clear", "load", load))
package transport

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Quiet is how long a master may say nothing before it is asked for a sign of
// life; 3008 says something every 10 s, drops those who don't after 30.
const Quiet = 30 * time.Second

// Requests asks a master questions. Its methods may be called from several
// goroutines; connections are made when they are needed.
type Requests interface {
	Do(ctx context.Context, msg any) (any, error)
	Close()
}

// Publications are what a master sends to all its minions.
type Publications interface {
	// Next is the next message. It ends with an error when the connection does.
	Next() (any, error)
	Close()
}

// A Subscription is who listens to publications.
type Subscription struct {
	ID       string
	Filtered bool // zmq_filtering: only what is for this minion or for all
	// Hello is a message by which the minion makes itself known; nil where the
	// transport needs none.
	Hello func() (any, error)
}

// A Transport makes connections.
type Transport interface {
	Requests(addr string) Requests
	Subscribe(ctx context.Context, addr string, s Subscription) (Publications, error)
}

// ErrLost says that the connection ended before the answer came.
var ErrLost = errors.New("the master closed the connection")

// answered waits for an answer, or for the end of the connection or context; an
// answer that came just before counts.
func answered[T any](ctx context.Context, answers <-chan T, gone <-chan struct{}) (answer T, err error) {
	select {
	case answer = <-answers:
		return answer, nil
	case <-gone:
		err = ErrLost
	case <-ctx.Done():
		err = ctx.Err()
	}
	select {
	case answer = <-answers:
		return answer, nil
	default:
		return answer, err
	}
}

// New finds a transport by Salt's name for it.
func New(name string, l Line) (Transport, error) {
	switch name {
	case "zeromq", "":
		return zeromq{l}, nil
	case "tcp":
		return tcp{l}, nil
	case "ws":
		return ws{l}, nil
	}
	return nil, fmt.Errorf("there is no transport %q: zeromq, tcp and ws are known", name)
}
