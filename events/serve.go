package events

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"

	"pinch/value"
)

// Serve opens the sockets and serves them until the context ends, and then
// removes them. Only root and the user that runs this process are served.
func (b *Bus) Serve(ctx context.Context, p Paths) error {
	if err := os.MkdirAll(filepath.Dir(p.Lines), 0o700); err != nil {
		return err
	}
	var open []net.Listener
	var wg sync.WaitGroup
	defer wg.Wait()
	defer func() {
		for _, l := range open {
			l.Close()
		}
	}()
	for _, s := range []struct {
		path  string
		serve func(context.Context, net.Conn)
	}{{p.Lines, b.lines}, {p.Pub, b.pub}, {p.Pull, b.pull}} {
		l, err := listen(s.path)
		if err != nil {
			return err
		}
		open = append(open, l)
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.accept(ctx, l, s.serve)
		}()
	}
	<-ctx.Done()
	return nil
}

// listen makes a socket that only its owner may open. One that a killed process
// left is replaced, one that is served is not.
func listen(path string) (net.Listener, error) {
	if c, err := net.Dial("unix", path); err == nil {
		c.Close()
		return nil, fmt.Errorf("events: %s is served by another process", path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(path, 0o600)
}

func (b *Bus) accept(ctx context.Context, l net.Listener, serve func(context.Context, net.Conn)) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if uid, ok := peer(c); !ok || uid != 0 && uid != os.Geteuid() {
			b.log.Warn(fmt.Sprintf("the event bus refused a program of user %d", uid))
			c.Close()
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			stop := context.AfterFunc(ctx, func() { c.Close() })
			defer stop()
			serve(ctx, c)
		}()
	}
}

// lines serves one program on the socket of JSON lines.
func (b *Bus) lines(ctx context.Context, c net.Conn) {
	var mu sync.Mutex
	write := func(p []byte) error {
		mu.Lock()
		defer mu.Unlock()
		_, err := c.Write(p)
		return err
	}
	var subs []*Sub
	var wg sync.WaitGroup
	defer func() {
		for _, s := range subs {
			s.Close()
		}
		wg.Wait()
	}()
	in := bufio.NewScanner(c)
	in.Buffer(make([]byte, 0, 64<<10), MaxLine)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		r, err := parseLine(in.Bytes())
		switch {
		case err != nil:
			_ = write(note("pinch/bus/error", "error", err.Error()))
		case r.event != nil:
			b.Fire(r.event.Tag, r.event.Data)
		default:
			s := b.Subscribe(func(tag string) bool { return value.Fnmatch(tag, r.subscribe) })
			subs = append(subs, s)
			_ = write(note("pinch/bus/ready", "subscribe", r.subscribe))
			wg.Add(1)
			go func() {
				defer wg.Done()
				b.pump(c, s, write, func(e Event) []byte { return e.wire.line() })
			}()
		}
	}
}

// note is a line of the bus itself.
func note(tag, key, text string) []byte {
	return Event{Tag: tag, Data: value.M(key, text)}.line()
}

// pump writes events to a program, those that wait together. It waits for one
// that does not read: when too many events wait it is cut off, and told so.
func (b *Bus) pump(c net.Conn, s *Sub, write func([]byte) error, form func(Event) []byte) {
	for e := range s.C {
		out := form(e)
		if n := len(s.C); n > 0 {
			out = bytes.Clone(out)
			for ; n > 0 && len(out) < 256<<10; n-- {
				if e, ok := <-s.C; ok {
					out = append(out, form(e)...)
				}
			}
		}
		if write(out) != nil {
			s.Close()
			return
		}
	}
	if s.CutOff() {
		e := Event{Tag: "pinch/bus/cut_off", Data: value.M("reason", fmt.Sprintf("more than %d events waited", Backlog))}
		e.wire = &wire{line: e.line, frame: e.frame}
		_ = write(form(e))
		c.Close()
	}
}

// pub serves one listener in Salt's framing.
func (b *Bus) pub(_ context.Context, c net.Conn) {
	s := b.Subscribe(nil)
	defer s.Close()
	go func() { // the end of the listener
		var buf [256]byte
		for {
			if _, err := c.Read(buf[:]); err != nil {
				s.Close()
				return
			}
		}
	}()
	b.pump(c, s, func(p []byte) error {
		_, err := c.Write(p)
		return err
	}, func(e Event) []byte { return e.wire.frame() })
}

// pull takes events in Salt's framing.
func (b *Bus) pull(_ context.Context, c net.Conn) {
	var buf []byte
	chunk := make([]byte, 64<<10)
	for len(buf) < MaxLine {
		n, err := c.Read(chunk)
		if err != nil {
			return
		}
		buf = append(buf, chunk[:n]...)
		for len(buf) > 0 {
			v, used, err := value.MsgpackPrefix(buf)
			if err != nil {
				return
			}
			if used == 0 {
				break
			}
			buf = buf[used:]
			if e, ok := unframe(v); ok {
				b.Fire(e.Tag, e.Data)
			}
		}
	}
}
