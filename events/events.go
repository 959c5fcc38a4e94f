// Package events is the local event bus: the daemon fires what happens, and
// programs on the machine listen and fire too. Tags and data are Salt's
// (salt/job/JID/ret/ID); every event gets a _stamp.
//
// The bus has one Unix socket for the owner of the daemon and root, on which
// each line is JSON: {"tag": "a/b", "data": {…}} both ways, and
// {"subscribe": "salt/job/*"} to listen. Beside it are Salt's own two sockets,
// so that Salt's programs can listen and fire.
//
//	bus := events.New(log)
//	go bus.Serve(ctx, events.Places(sockDir, id))
//	bus.Fire("my/tag", value.M("n", int64(1)))
package events

import (
	"log/slog"
	"sync"
	"time"

	"pinch/value"
)

// An Event is one message.
type Event struct {
	Tag  string
	Data *value.Map

	wire *wire // shared by all who get it
}

// wire is an event in the two framings, made at the first use.
type wire struct {
	line, frame func() []byte
}

// A Bus hands events to those who listen. Its methods may be called from
// several goroutines.
type Bus struct {
	log *slog.Logger
	now func() time.Time

	mu   sync.Mutex
	subs map[*Sub]bool
}

// New makes a bus.
func New(log *slog.Logger, now func() time.Time) *Bus {
	return &Bus{log: log, now: now, subs: map[*Sub]bool{}}
}

// A Sub is one who listens.
type Sub struct {
	C    <-chan Event // closed when the reader was cut off, or by Close
	c    chan Event
	bus  *Bus
	want func(tag string) bool
	cut  bool
}

// Backlog is how many events may wait for a slow reader before it is cut off.
const Backlog = 8192

// Subscribe listens to the events whose tag is wanted (nil: all).
func (b *Bus) Subscribe(want func(tag string) bool) *Sub {
	s := &Sub{c: make(chan Event, Backlog), bus: b, want: want}
	s.C = s.c
	b.mu.Lock()
	b.subs[s] = true
	b.mu.Unlock()
	return s
}

// Close stops listening.
func (s *Sub) Close() {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	if s.bus.subs[s] {
		delete(s.bus.subs, s)
		close(s.c)
	}
}

// CutOff reports whether the reader was too slow.
func (s *Sub) CutOff() bool {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	return s.cut
}

// Stamp is the time of an event as Salt writes it.
func Stamp(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond()/1000 == 0 {
		return t.Format("2006-01-02T15:04:05")
	}
	return t.Format("2006-01-02T15:04:05.000000")
}

// Fire hands an event to all who listen. It never waits: a reader whose backlog
// is full is cut off. The data must not be changed afterwards.
func (b *Bus) Fire(tag string, data *value.Map) {
	d := data.Shallow()
	if !d.Has("_stamp") {
		d.Set("_stamp", Stamp(b.now()))
	}
	e := Event{Tag: tag, Data: d}
	e.wire = &wire{line: sync.OnceValue(e.line), frame: sync.OnceValue(e.frame)}
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subs {
		if s.want != nil && !s.want(tag) {
			continue
		}
		select {
		case s.c <- e:
		default:
			s.cut = true
			delete(b.subs, s)
			close(s.c)
			b.log.Warn("a listener of the event bus is too slow and was cut off")
		}
	}
}

// Close ends all listening.
func (b *Bus) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subs {
		delete(b.subs, s)
		close(s.c)
	}
}
