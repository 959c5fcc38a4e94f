package logging

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A Handler writes records from a level on, one line each, in a Format. A
// logger's name and job are the attributes "logger" and "jid"; other
// attributes follow the message.
type Handler struct {
	out    *sink
	format *Format
	level  slog.Level
	// granular are levels of their own for loggers by name (log_granular_levels).
	granular map[string]slog.Level

	logger, jid, group, attrs string
}

// A sink is where lines go; one write at a time.
type sink struct {
	mu  sync.Mutex
	w   io.Writer
	buf []byte
}

// NewHandler writes to w from level on; a nil format is ConsoleFormat.
func NewHandler(w io.Writer, level slog.Level, format *Format) *Handler {
	if format == nil {
		format, _ = ParseFormat(ConsoleFormat, ConsoleDate) // it is a constant that parses
	}
	return &Handler{out: &sink{w: w}, format: format, level: level, logger: "pinch"}
}

// New is a logger in the console's format, or with coloured levels.
func New(w io.Writer, level slog.Level, color bool) *slog.Logger {
	var f *Format
	if color {
		f, _ = ParseFormat(colorFormat, ConsoleDate) // it is a constant that parses
	}
	return slog.New(NewHandler(w, level, f))
}

// Enabled reports whether records of a level are written.
func (h *Handler) Enabled(_ context.Context, l slog.Level) bool {
	return l >= h.level && h.level != Quiet && l >= h.own()
}

// own is the level for this logger's name, or for the parent that is nearest.
func (h *Handler) own() slog.Level {
	for name := h.logger; len(h.granular) > 0; {
		if l, ok := h.granular[name]; ok {
			return l
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			break
		}
		name = name[:i]
	}
	return All
}

// Handle writes one record.
func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	rec := record{Record: r, message: r.Message, logger: h.logger, jid: h.jid}
	if rec.Time.IsZero() {
		rec.Time = time.Now()
	}
	var extra strings.Builder
	extra.WriteString(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		h.attr(&extra, a, &rec.logger, &rec.jid)
		return true
	})
	rec.message += extra.String()
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	h.out.buf = h.format.append(h.out.buf[:0], &rec)
	if w, ok := h.out.w.(levelWriter); ok {
		return w.WriteLevel(r.Level, h.out.buf)
	}
	_, err := h.out.w.Write(h.out.buf)
	return err
}

// A levelWriter wants to know how important a line is, as syslog does.
type levelWriter interface {
	WriteLevel(slog.Level, []byte) error
}

func (h *Handler) attr(b *strings.Builder, a slog.Attr, logger, jid *string) {
	switch v := a.Value.Resolve(); {
	case a.Key == "logger" && h.group == "":
		*logger = v.String()
	case a.Key == "jid" && h.group == "":
		*jid = v.String()
	case v.Kind() == slog.KindGroup:
		for _, in := range v.Group() {
			in.Key = a.Key + "." + in.Key
			h.attr(b, in, logger, jid)
		}
	case a.Key != "":
		b.WriteString(" " + h.group + a.Key + "=" + v.String())
	}
}

// WithAttrs is a handler that adds attributes to every record.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := *h
	var b strings.Builder
	b.WriteString(h.attrs)
	for _, a := range attrs {
		h.attr(&b, a, &n.logger, &n.jid)
	}
	n.attrs = b.String()
	return &n
}

// WithGroup is a handler that puts name in front of attributes.
func (h *Handler) WithGroup(name string) slog.Handler {
	n := *h
	if name != "" {
		n.group += name + "."
	}
	return &n
}

// A Both hands records to every handler that wants them: console and file.
type Both []slog.Handler

// Enabled reports whether one of them wants the level.
func (m Both) Enabled(ctx context.Context, l slog.Level) bool {
	for _, h := range m {
		if h.Enabled(ctx, l) {
			return true
		}
	}
	return false
}

// Handle gives the record to those that want it.
func (m Both) Handle(ctx context.Context, r slog.Record) error {
	var first error
	for _, h := range m {
		if !h.Enabled(ctx, r.Level) {
			continue
		}
		if err := h.Handle(ctx, r.Clone()); first == nil {
			first = err
		}
	}
	return first
}

// WithAttrs adds attributes for all of them.
func (m Both) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := make(Both, len(m))
	for i, h := range m {
		n[i] = h.WithAttrs(attrs)
	}
	return n
}

// WithGroup opens a group for all of them.
func (m Both) WithGroup(name string) slog.Handler {
	n := make(Both, len(m))
	for i, h := range m {
		n[i] = h.WithGroup(name)
	}
	return n
}

// Deferred keeps records until it is known where they go: the log level may
// stand in the configuration whose reading is logged.
type Deferred struct {
	records *[]slog.Record
	attrs   []slog.Attr
}

// NewDeferred is an empty one.
func NewDeferred() *Deferred { return &Deferred{records: new([]slog.Record)} }

// Enabled is true: nothing is dropped yet.
func (*Deferred) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps a record.
func (d *Deferred) Handle(_ context.Context, r slog.Record) error {
	r = r.Clone()
	r.AddAttrs(d.attrs...)
	*d.records = append(*d.records, r)
	return nil
}

// WithAttrs keeps attributes for the records that follow.
func (d *Deferred) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Deferred{d.records, append(d.attrs[:len(d.attrs):len(d.attrs)], attrs...)}
}

// WithGroup does nothing: nothing groups so early.
func (d *Deferred) WithGroup(string) slog.Handler { return d }

// Flush hands the records to h and forgets them.
func (d *Deferred) Flush(h slog.Handler) {
	for _, r := range *d.records {
		if h.Enabled(context.Background(), r.Level) {
			h.Handle(context.Background(), r) // a log that cannot be written stops nothing
		}
	}
	*d.records = nil
}
