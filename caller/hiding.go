package caller

import (
	"context"
	"errors"
	"log/slog"

	"pinch/render"
	"pinch/salt"
)

// hiding keeps the run's secrets out of the log.
type hiding struct {
	slog.Handler
	run *salt.Run
}

// Handle writes the record without secrets.
func (h hiding) Handle(ctx context.Context, r slog.Record) error {
	if msg := h.run.Redact(r.Message); msg != r.Message {
		n := slog.NewRecord(r.Time, r.Level, msg, r.PC)
		r.Attrs(func(a slog.Attr) bool { n.AddAttrs(a); return true })
		r = n
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps hiding.
func (h hiding) WithAttrs(a []slog.Attr) slog.Handler {
	return hiding{h.Handler.WithAttrs(a), h.run}
}

// WithGroup keeps hiding.
func (h hiding) WithGroup(name string) slog.Handler { return hiding{h.Handler.WithGroup(name), h.run} }

// hideIn takes secrets out of a renderer's error: it may show rendered text.
func (r *Caller) hideIn(err error) error {
	var e *render.Error
	if !errors.As(err, &e) {
		return err
	}
	e.Text = r.run.Redact(e.Text)
	d := e.Diag
	d.Summary, d.Detail, d.Return = r.run.Redact(d.Summary), r.run.Redact(d.Detail), r.run.Redact(d.Return)
	return err
}
