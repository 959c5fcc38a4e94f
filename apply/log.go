package apply

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"pinch/salt"
	"pinch/value"
)

// log writes an info line, and builds it only when somebody reads it.
func (r *runner) log(parts ...string) {
	if r.c.Log.Enabled(context.Background(), slog.LevelInfo) {
		r.c.Log.Info(strings.Join(parts, ""))
	}
}

// logResult writes what a state did: an error when it failed, with where the
// state is declared.
func (r *runner) logResult(ch *Chunk, ret *value.Map) {
	level := slog.LevelError
	if res := ret.At("result"); res == nil || res == true {
		level = slog.LevelInfo
	}
	if !r.c.Log.Enabled(context.Background(), level) {
		return
	}
	r.c.Log.Log(context.Background(), level, summary(ret))
	if level != slog.LevelError || ch.body == nil {
		return
	}
	if p, _ := r.plan.high.place(ch.Low.At("__id__"), ch.body, ch.State); p.File != "" {
		r.c.Log.Error("State " + ch.State + "." + ch.Fun + " of ID '" + ch.ID + "' failed, declared at " + p.String())
	}
}

func summary(ret *value.Map) string {
	ch, ok := ret.At("changes").(*value.Map)
	if ok && ch.Len() == 0 {
		if s := ret.Str("comment"); s != "" {
			return s
		}
		return "No changes made for " + ret.Str("name")
	}
	msg := ""
	if d, ok := ch.At("diff").(string); ok {
		msg = "File changed:\n" + d
	}
	if s, ok := oldNew(ch); ok {
		msg = s
	}
	if msg == "" {
		return value.Str(ret.At("changes"))
	}
	return msg
}

// oldNew writes changes that are all of the form {old: …, new: …}.
func oldNew(ch *value.Map) (string, bool) {
	var b strings.Builder
	b.WriteString("Made the following changes:\n")
	for k, v := range ch.Items() {
		m, ok := v.(*value.Map)
		if !ok || !m.Has("old") || !m.Has("new") {
			return "", false
		}
		fmt.Fprintf(&b, "'%s' changed from '%s' to '%s'\n", k, absent(m.At("old")), absent(m.At("new")))
	}
	return b.String(), true
}

func absent(v any) string {
	if v == nil || v == false || value.Truth(v) {
		return value.Str(v)
	}
	return "absent"
}

// mask hides what a state with no_log answered: its name, its comment and
// all values of its changes.
func mask(ret *value.Map) {
	for _, k := range [...]string{"name", "comment", "changes"} {
		if v, ok := ret.Get(k); ok {
			ret.Set(k, redact(v))
		}
	}
}

const redacted = salt.Redacted

func redact(v any) any {
	switch v := v.(type) {
	case *value.Map:
		m := new(value.Map)
		for k, x := range v.All() {
			_ = m.SetKey(k, redact(x))
		}
		return m
	case *value.List:
		l := new(value.List)
		for _, x := range v.Items {
			l.Append(redact(x))
		}
		return l
	}
	if value.Truth(v) {
		return redacted
	}
	return v
}

func panicked(p any) error {
	return fmt.Errorf("%v (a bug of pinch: please report it, with the output of -l debug)", p)
}
