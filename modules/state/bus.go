package state

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net"
	"path/filepath"
	"time"

	"pinch/salt"
	"pinch/value"
)

// A bus is a connection to the event publisher of a daemon: a Unix socket in
// Salt's framing, a stream of msgpack maps with a body "TAG\n\nDATA".
type bus struct {
	net.Conn
	buf []byte
}

// socket is the path of a daemon's event socket.
func socket(c *salt.Ctx, dir, node string) string {
	if node == "master" {
		return filepath.Join(dir, "master_event_pub.ipc")
	}
	id := c.Opts.Str("id")
	sum := sha256.Sum256([]byte(id))
	name := hex.EncodeToString(sum[:])
	if c.Opts.Str("hash_type") == "md5" {
		m := md5.Sum([]byte(id))
		name = hex.EncodeToString(m[:])
	}
	return filepath.Join(dir, "minion_event_"+name[:10]+"_pub.ipc")
}

// listen connects, and waits for a daemon that is not up yet.
func listen(c *salt.Ctx, dir, node string) (*bus, error) {
	path := socket(c, dir, node)
	told := false
	for {
		var d net.Dialer
		conn, err := d.DialContext(c, "unix", path)
		if err == nil {
			go func() {
				<-c.Done()
				conn.Close()
			}()
			return &bus{Conn: conn}, nil
		}
		if !told {
			told = true
			c.Log.Warn("no daemon sends events at " + path + " yet: waiting for one")
		}
		if err := c.Sys.Sleep(c, time.Second); err != nil {
			return nil, salt.CommandError("no event bus at %s", path)
		}
	}
}

// next reads one event.
func (b *bus) next() (tag string, data any, err error) {
	chunk := make([]byte, 64<<10)
	for {
		v, n, err := value.MsgpackPrefix(b.buf)
		if err != nil {
			return "", nil, err
		}
		if n > 0 {
			b.buf = b.buf[n:]
			m, _ := v.(*value.Map)
			if tag, data, ok := split(m.At("body")); ok {
				return tag, data, nil
			}
			continue
		}
		n, err = b.Read(chunk)
		if err != nil {
			return "", nil, err
		}
		b.buf = append(b.buf, chunk[:n]...)
	}
}

// split takes an event apart.
func split(body any) (tag string, data any, ok bool) {
	var raw []byte
	switch v := body.(type) {
	case []byte:
		raw = v
	case string:
		raw = []byte(v)
	}
	head, rest, found := bytes.Cut(raw, []byte("\n\n"))
	if !found {
		return "", nil, false
	}
	data, err := value.ParseMsgpack(rest)
	return string(head), data, err == nil
}

// eventJSON writes the data of an event in one line, or pretty. Bytes go as
// base64, as Salt writes them.
func eventJSON(data any, pretty bool) string {
	o := value.JSONOptions{ASCII: true, SortKeys: pretty, Default: func(v any) (any, error) {
		if b, ok := v.([]byte); ok {
			return base64.StdEncoding.EncodeToString(b), nil
		}
		return value.Str(v), nil
	}}
	if pretty {
		o.Indent = 4
	}
	s, err := value.JSON(data, o)
	if err != nil {
		return value.Repr(data)
	}
	return s
}
