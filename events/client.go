package events

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"time"

	"pinch/value"
)

// ErrNoDaemon says that nobody serves the bus.
var ErrNoDaemon = errors.New("no daemon serves the event bus")

// A Client is a connection to the bus of a daemon.
type Client struct {
	conn net.Conn
	in   *bufio.Reader
	stop func() bool
}

// Dial connects to the socket of JSON lines; ErrNoDaemon when nobody is there.
// The end of the context closes the connection.
func Dial(ctx context.Context, path string) (*Client, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, ErrNoDaemon
	}
	return &Client{conn: c, in: bufio.NewReader(c), stop: context.AfterFunc(ctx, func() { c.Close() })}, nil
}

// Close ends the connection.
func (c *Client) Close() {
	c.stop()
	c.conn.Close()
}

// Fire fires an event.
func (c *Client) Fire(tag string, data *value.Map) error {
	_, err := c.conn.Write(Event{Tag: tag, Data: data}.line())
	return err
}

// Subscribe asks for the events whose tag a glob matches, and waits until they
// are listened for.
func (c *Client) Subscribe(glob string) error {
	text, err := value.JSON(value.M("subscribe", glob), jsonOptions())
	if err != nil {
		return err
	}
	if _, err := c.conn.Write([]byte(text + "\n")); err != nil {
		return err
	}
	for {
		e, err := c.Next()
		if err != nil || e.Tag == "pinch/bus/ready" {
			return err
		}
	}
}

// Next is the next event; io.EOF when the daemon is gone.
func (c *Client) Next() (Event, error) {
	b, err := c.in.ReadBytes('\n')
	if err != nil {
		return Event{}, io.EOF
	}
	r, err := parseLine(b)
	if err != nil || r.event == nil {
		return Event{}, errRequest
	}
	return *r.event, nil
}

// Ask fires an event and waits for the one with the tag of its answer, at most
// as long as given.
func Ask(ctx context.Context, path, tag string, data *value.Map, answer string, wait time.Duration) (*value.Map, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	c, err := Dial(ctx, path)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Subscribe(answer); err != nil {
		return nil, err
	}
	if err := c.Fire(tag, data); err != nil {
		return nil, err
	}
	e, err := c.Next()
	return e.Data, err
}

// Fire fires one event on the bus of a daemon and returns when the bus has taken
// it: what is asked later finds it done. ErrNoDaemon when there is none.
func Fire(ctx context.Context, path, tag string, data *value.Map) error {
	c, err := Dial(ctx, path)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Fire(tag, data); err != nil {
		return err
	}
	if err := c.conn.(*net.UnixConn).CloseWrite(); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, c.in) // the bus closes after the last line
	return nil
}
