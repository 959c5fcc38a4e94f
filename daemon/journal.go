package daemon

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net"
	"strings"
)

// journalSocket is where systemd's journal takes entries
// (systemd.journal-fields(7)).
const journalSocket = "/run/systemd/journal/socket"

// Journal is a log whose entries go to systemd's journal with their attributes
// as fields (PINCH_JOB, PINCH_JID …); nil when there is no journal.
func Journal(level string) *slog.Logger {
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: journalSocket, Net: "unixgram"})
	if err != nil {
		return nil
	}
	return slog.New(&journal{conn: c, level: levelOf(level)})
}

// levelOf is the level of log_level, at least what a run needs (one line).
func levelOf(name string) slog.Level {
	switch name {
	case "debug", "trace", "garbage", "all":
		return slog.LevelDebug
	case "error", "critical", "quiet":
		return slog.LevelError
	}
	return slog.LevelInfo
}

type journal struct {
	conn  *net.UnixConn
	level slog.Level
	attrs []slog.Attr
}

func (j *journal) Enabled(_ context.Context, l slog.Level) bool { return l >= j.level }

func (j *journal) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := *j
	n.attrs = append(append([]slog.Attr{}, j.attrs...), attrs...)
	return &n
}

func (j *journal) WithGroup(string) slog.Handler { return j }

func (j *journal) Handle(_ context.Context, r slog.Record) error {
	_, err := j.conn.Write(entry(r, j.attrs))
	return err
}

// entry is a record in the journal's form.
func entry(r slog.Record, attrs []slog.Attr) []byte {
	priority := map[slog.Level]int{slog.LevelDebug: 7, slog.LevelInfo: 6, slog.LevelWarn: 4, slog.LevelError: 3}[r.Level]
	var b bytes.Buffer
	field := func(name, text string) {
		if !strings.Contains(text, "\n") {
			fmt.Fprintf(&b, "%s=%s\n", name, text)
			return
		}
		b.WriteString(name + "\n")
		_ = binary.Write(&b, binary.LittleEndian, uint64(len(text)))
		b.WriteString(text + "\n")
	}
	field("PRIORITY", fmt.Sprint(priority))
	field("SYSLOG_IDENTIFIER", "pinch")
	field("MESSAGE", r.Message)
	put := func(a slog.Attr) bool {
		if text := a.Value.String(); text != "" {
			field("PINCH_"+fieldName(a.Key), text)
		}
		return true
	}
	for _, a := range attrs {
		put(a)
	}
	r.Attrs(put)
	return b.Bytes()
}

// fieldName is a key in the letters that field names may have.
func fieldName(key string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			return c
		}
		return '_'
	}, key)
}
