package engine

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"strings"

	"pinch/value"
)

// Events are the JSON objects that a long job reports its progress with, all
// of them. A failure inside is one of the objects (errorDetail), no error.
func (d *Client) Events(r Request) (*value.List, error) {
	r.Unlimited = true
	resp, err := d.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out := value.L()
	in := bufio.NewReader(resp.Body)
	for {
		line, err := in.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" {
			v, err := value.ParseJSON(text)
			if err != nil {
				return nil, d.broken(r, err)
			}
			out.Append(v)
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, d.broken(r, err)
		}
	}
}

// Demux takes apart what a container without a terminal writes: frames of
// eight bytes (the stream, 1 or 2, three zeros, the length) and the output.
func Demux(r io.Reader, stdout, stderr io.Writer) error {
	var head [8]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		w := stdout
		switch head[0] {
		case 0, 1:
		case 2:
			w = stderr
		default:
			return errors.New("the daemon sent no frames")
		}
		if _, err := io.CopyN(w, r, int64(binary.BigEndian.Uint32(head[4:]))); err != nil {
			return err
		}
	}
}

type halfCloser interface{ CloseWrite() error }

// Attach asks over a connection of its own that then carries stdin (nil: none)
// one way and the output the other.
func (d *Client) Attach(r Request, stdin io.Reader, output func(io.Reader) error) error {
	req, err := d.make(d.c, r)
	if err != nil {
		return d.broken(r, err)
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "tcp")
	conn, err := d.dial(d.c)
	if err != nil {
		return d.broken(r, err)
	}
	defer conn.Close()
	defer context.AfterFunc(d.c, func() { _ = conn.Close() })()
	if err := req.Write(conn); err != nil {
		return d.broken(r, err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, req)
	if err != nil {
		return d.broken(r, err)
	}
	if resp.StatusCode >= 400 {
		return failed(resp)
	}
	if stdin != nil {
		go func() {
			_, _ = io.Copy(conn, stdin)
			if h, ok := conn.(halfCloser); ok {
				_ = h.CloseWrite()
			}
		}()
	}
	var out io.Reader = in
	if resp.StatusCode != http.StatusSwitchingProtocols {
		out = resp.Body
	}
	if err := output(out); err != nil {
		return d.broken(r, err)
	}
	return nil
}
