package transport

import (
	"context"
	"errors"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/websocket"

	"pinch/minion/wire"
	"pinch/value"
)

// peer is the other end of a TCP connection.
func peer(t *testing.T, serve func(c net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); serve(c) }()
		}
	}()
	return l.Addr().String()
}

func send(c net.Conn, head *value.Map, body any) {
	raw, _ := wire.Pack(value.M("head", head, "body", body))
	c.Write(raw)
}

// Answers come in any order; each finds its question.
func TestTCPOrder(t *testing.T) {
	addr := peer(t, func(c net.Conn) {
		s := wire.NewStream(c, wire.MaxMessage)
		var waiting []*value.Map
		for {
			v, err := s.Next()
			if err != nil {
				return
			}
			if waiting = append(waiting, v.(*value.Map)); len(waiting) == 3 {
				for i := 2; i >= 0; i-- {
					send(c, value.M("mid", "nobody's"), "odd")
					send(c, waiting[i].Map("head"), waiting[i].At("body"))
				}
			}
		}
	})
	ask := tcp{}.Requests(addr)
	defer ask.Close()
	var all sync.WaitGroup
	for i := range int64(3) {
		all.Go(func() {
			if v, err := ask.Do(t.Context(), i); err != nil || v != i {
				t.Errorf("%v: %v %v", i, v, err)
			}
		})
	}
	all.Wait()
}

// A connection that ends fails its questions; the next one gets a new one.
func TestTCPLost(t *testing.T) {
	var mu sync.Mutex
	lives := 0
	addr := peer(t, func(c net.Conn) {
		mu.Lock()
		lives++
		last := lives == 2
		mu.Unlock()
		v, err := wire.NewStream(c, wire.MaxMessage).Next()
		if err != nil || !last {
			return
		}
		send(c, v.(*value.Map).Map("head"), "here")
	})
	ask := tcp{}.Requests(addr)
	defer ask.Close()
	if v, err := ask.Do(t.Context(), "a"); err == nil {
		t.Error(v)
	}
	if v, err := ask.Do(t.Context(), "b"); err != nil || v != "here" {
		t.Error(v, err)
	}
}

func TestTCPSilent(t *testing.T) {
	addr := peer(t, func(c net.Conn) { wire.NewStream(c, wire.MaxMessage).Next(); time.Sleep(time.Minute) })
	ask := tcp{}.Requests(addr)
	defer ask.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := ask.Do(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestTCPPublications(t *testing.T) {
	inner, _ := wire.Pack(value.M("enc", "aes"))
	frames := map[string]func(c net.Conn){
		"good":      func(c net.Conn) { send(c, new(value.Map), inner) },
		"too large": func(c net.Conn) { c.Write([]byte("\xc6\x7f\xff\xff\xff")) },
		"cut off":   func(c net.Conn) { c.Write([]byte("\x82\xa4head\x80\xa4body\xc5\x00\x05ab")) },
		"nonsense":  func(c net.Conn) { c.Write([]byte("GET / HTTP/1.1\r\n\r\n")) },
		"too deep":  func(c net.Conn) { c.Write([]byte(strings.Repeat("\x91", 5000))) },
	}
	for name, f := range frames {
		addr := peer(t, func(c net.Conn) {
			if v, err := wire.NewStream(c, wire.MaxMessage).Next(); err != nil || v.(*value.Map).At("body") != "me" {
				t.Errorf("%s: the minion did not say who it is: %v %v", name, v, err)
			}
			f(c)
		})
		pubs, err := tcp{}.Subscribe(t.Context(), addr, Subscription{Hello: func() (any, error) { return "me", nil }})
		if err != nil {
			t.Fatal(err)
		}
		v, err := pubs.Next()
		if m, _ := v.(*value.Map); name == "good" && (err != nil || m.Str("enc") != "aes") {
			t.Errorf("%s: %v %v", name, v, err)
		}
		if name == "good" {
			v, err = pubs.Next()
		}
		if m, ok := v.(*value.Map); err == nil && ok {
			t.Errorf("%s: %v", name, m)
		}
		pubs.Close()
	}
}

func TestWS(t *testing.T) {
	inner, _ := wire.Pack(value.M("enc", "aes"))
	twice, _ := value.Msgpack(inner) // as bin, the new dialect
	srv := httptest.NewServer(websocket.Handler(func(c *websocket.Conn) {
		var b []byte
		if c.Request().URL.Path != "/ws" {
			return
		}
		if websocket.Message.Send(c, twice) != nil {
			return
		}
		for websocket.Message.Receive(c, &b) == nil {
			if websocket.Message.Send(c, b) != nil {
				return
			}
		}
	}))
	defer srv.Close()
	addr := srv.Listener.Addr().String()
	pubs, err := ws{}.Subscribe(t.Context(), addr, Subscription{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := pubs.Next()
	if m, _ := v.(*value.Map); err != nil || m.Str("enc") != "aes" {
		t.Error(v, err)
	}
	pubs.Close()
	if _, err := pubs.Next(); err == nil {
		t.Error("a message after the end")
	}
	// The handler's first message stands for the answer.
	if v, err := (ws{}).Requests(addr).Do(t.Context(), value.M("a", int64(1))); err != nil || string(wire.Bytes(v)) != string(inner) {
		t.Error(v, err)
	}
	plain := peer(t, func(c net.Conn) { c.Write([]byte("HTTP/1.1 404 Not Found\r\n\r\n")) })
	if _, err := (ws{}).Requests(plain).Do(t.Context(), "x"); err == nil {
		t.Error("no web socket, and no error")
	}
}

func TestNew(t *testing.T) {
	for name, ok := range map[string]bool{"": true, "zeromq": true, "tcp": true, "ws": true, "raet": false} {
		if _, err := New(name, Line{}); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
