package events

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pinch/value"
)

// start serves a bus in a folder of the test.
func start(t *testing.T) (*Bus, Paths) {
	t.Helper()
	b := New(slog.New(slog.DiscardHandler), time.Now)
	p := Places(t.TempDir(), "me", "sha256")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx, p) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	for _, path := range []string{p.Lines, p.Pub, p.Pull} {
		for {
			if c, err := net.Dial("unix", path); err == nil {
				c.Close()
				break
			}
		}
	}
	return b, p
}

// Ten readers get two thousand events each, in order.
func TestNoneIsLost(t *testing.T) {
	b, p := start(t)
	const readers, count = 10, 2000
	var wg sync.WaitGroup
	for range readers {
		c, err := Dial(t.Context(), p.Lines)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Subscribe("n/*"); err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			for i := range count {
				e, err := c.Next()
				if err != nil || e.Tag != fmt.Sprint("n/", i) || e.Data.At("i") != int64(i) || !e.Data.Has("_stamp") {
					t.Errorf("event %d: %v %v", i, e, err)
					return
				}
			}
		}()
	}
	w, err := Dial(t.Context(), p.Lines)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	sub := b.Subscribe(nil) // its backlog sets the pace
	for i := range count {
		if err := w.Fire(fmt.Sprint("n/", i), value.M("i", int64(i))); err != nil {
			t.Fatal(err)
		}
		<-sub.C
	}
	wg.Wait()
}

// A thousand events a second for as long as $PINCH_EVENTS_SECONDS says, to ten
// readers: none is lost.
func TestSteadyStream(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("PINCH_EVENTS_SECONDS"))
	n = max(n, 1)
	b, p := start(t)
	slow, err := Dial(t.Context(), p.Lines)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := slow.Subscribe("n"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 10 {
		c, err := Dial(t.Context(), p.Lines)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Subscribe("n"); err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer c.Close()
			for i := range 1000 * n {
				if e, err := c.Next(); err != nil || e.Data.At("i") != int64(i) {
					t.Errorf("event %d: %v %v", i, e, err)
					return
				}
			}
		}()
	}
	text := string(make([]byte, 500))
	i := int64(0)
	began := time.Now()
	for i < int64(1000*n) {
		for due := min(time.Since(began).Milliseconds()+1, int64(1000*n)); i < due; i++ {
			b.Fire("n", value.M("i", i, "text", text))
		}
		time.Sleep(time.Millisecond)
	}
	wg.Wait()
	took := time.Since(began)
	last := ""
	for n >= 60 { // enough for the one that did not read
		e, err := slow.Next()
		if err != nil {
			if last != "pinch/bus/cut_off" {
				t.Errorf("the slow reader's last event is %q", last)
			}
			break
		}
		last = e.Tag
	}
	t.Logf("%d events to ten readers in %s", i, took.Round(time.Millisecond))
}

// A program of another user is refused, even where it may open the socket.
func TestOtherUser(t *testing.T) {
	if path := os.Getenv("PINCH_TEST_SOCKET"); path != "" { // this process is that program
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err != nil {
			fmt.Println("refused")
		}
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	_, p := start(t)
	open := filepath.Join("/tmp", fmt.Sprintf("pinch-test-%d", os.Getpid())) // where others can look
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(open)
	exe, err := os.ReadFile("/proc/self/exe")
	if err == nil {
		err = os.WriteFile(filepath.Join(open, "test"), exe, 0o755)
	}
	if err == nil {
		err = os.Link(p.Lines, filepath.Join(open, "socket"))
	}
	if err == nil {
		err = os.Chmod(p.Lines, 0o666)
	}
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(filepath.Join(open, "test"), "-test.run=^TestOtherUser$")
	cmd.Dir = open
	cmd.Env = []string{"PINCH_TEST_SOCKET=" + filepath.Join(open, "socket")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "refused\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// A reader that does not read is cut off and told, the others are not held up.
func TestSlowReader(t *testing.T) {
	b, p := start(t)
	slow, err := Dial(t.Context(), p.Lines)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := slow.Subscribe("*"); err != nil {
		t.Fatal(err)
	}
	big := string(make([]byte, 4096))
	sub := b.Subscribe(nil)
	for i := range 2 * Backlog {
		b.Fire("x", value.M("i", int64(i), "big", big))
		if e := <-sub.C; e.Data.At("i") != int64(i) {
			t.Fatal(e)
		}
	}
	last := Event{}
	for {
		e, err := slow.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		last = e
	}
	if last.Tag != "pinch/bus/cut_off" {
		t.Errorf("the last event is %s", last.Tag)
	}
}

// Salt's framing: what comes in by one socket goes out by the other.
func TestSaltFraming(t *testing.T) {
	_, p := start(t)
	in, err := net.Dial("unix", p.Pub)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := net.Dial("unix", p.Pull)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	got := make(chan Event, 100)
	go func() {
		defer close(got)
		var buf []byte
		chunk := make([]byte, 4096)
		for {
			n, err := in.Read(chunk)
			if err != nil {
				return
			}
			buf = append(buf, chunk[:n]...)
			for {
				v, used, _ := value.MsgpackPrefix(buf)
				if used == 0 {
					break
				}
				buf = buf[used:]
				if e, ok := unframe(v); ok {
					got <- e
				}
			}
		}
	}()
	frame := Event{Tag: "a/b", Data: value.M("k", int64(7))}.frame()
	for { // the listener may not be there yet
		if _, err := out.Write(frame); err != nil {
			t.Fatal(err)
		}
		select {
		case e := <-got:
			if e.Tag != "a/b" || e.Data.At("k") != int64(7) {
				t.Errorf("got %v", e)
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestSockets(t *testing.T) {
	b, p := start(t)
	for _, path := range []string{p.Lines, p.Pub, p.Pull} {
		i, err := os.Stat(path)
		if err != nil || i.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", path, i.Mode(), err)
		}
	}
	if err := b.Serve(t.Context(), p); err == nil {
		t.Error("a second daemon got the sockets of the first")
	}
	if _, err := Dial(t.Context(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, ErrNoDaemon) {
		t.Errorf("without a daemon: %v", err)
	}
	c, err := Dial(t.Context(), p.Lines)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.conn.Write([]byte("nonsense\n[1]\n{\"tag\": 1}\n")); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if e, err := c.Next(); err != nil || e.Tag != "pinch/bus/error" {
			t.Errorf("%v %v", e, err)
		}
	}
}

// A socket that a killed daemon left is taken over.
func TestStaleSocket(t *testing.T) {
	dir := t.TempDir()
	p := Places(dir, "me", "sha256")
	for _, path := range []string{p.Lines, p.Pub, p.Pull} {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	b := New(slog.New(slog.DiscardHandler), time.Now)
	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx, p) }()
	for {
		if c, err := net.Dial("unix", p.Pull); err == nil {
			c.Close()
			break
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"tag": "a", "data": {"b": 1}}`))
	f.Add([]byte(`{"subscribe": "*"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := parseLine(b)
		if err == nil && r.event != nil {
			again, err := parseLine(r.event.line())
			if err != nil || again.event.Tag != r.event.Tag || !value.Equal(again.event.Data, r.event.Data) {
				t.Errorf("%s: %v", b, err)
			}
		}
	})
}

// What was fired is in the bus when Fire returns.
func TestFireIsTaken(t *testing.T) {
	b, p := start(t)
	sub := b.Subscribe(nil)
	defer sub.Close()
	for i := range 200 {
		if err := Fire(t.Context(), p.Lines, "x", value.M("i", int64(i))); err != nil {
			t.Fatal(err)
		}
		select {
		case e := <-sub.C:
			if e.Data.At("i") != int64(i) {
				t.Fatalf("event %d is %v", i, e)
			}
		default:
			t.Fatalf("event %d is not there yet", i)
		}
	}
}
