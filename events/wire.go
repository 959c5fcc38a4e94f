package events

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"path/filepath"
	"time"

	"pinch/value"
)

// Paths are the sockets of a bus.
type Paths struct {
	Lines     string // JSON lines, both ways
	Pub, Pull string // Salt's own
}

// Places are the sockets of the bus of a minion.
func Places(sockDir, id, hashType string) Paths {
	sum := sha256.Sum256([]byte(id))
	name := hex.EncodeToString(sum[:])
	if hashType == "md5" {
		m := md5.Sum([]byte(id))
		name = hex.EncodeToString(m[:])
	}
	return Paths{
		Lines: filepath.Join(sockDir, "pinch_"+name[:10]+".sock"),
		Pub:   filepath.Join(sockDir, "minion_event_"+name[:10]+"_pub.ipc"),
		Pull:  filepath.Join(sockDir, "minion_event_"+name[:10]+"_pull.ipc"),
	}
}

// MaxLine is the longest event that is taken from a program.
const MaxLine = 16 << 20

// line is an event as one line of JSON.
func (e Event) line() []byte {
	text, err := value.JSON(value.M("tag", e.Tag, "data", e.Data), jsonOptions())
	if err != nil {
		text, _ = value.JSON(value.M("tag", e.Tag, "data", value.M("error", err.Error())), jsonOptions())
	}
	return append([]byte(text), '\n')
}

// jsonOptions write bytes as base64 and times as text (ISO 8601).
func jsonOptions() value.JSONOptions {
	return value.JSONOptions{ASCII: true, Default: func(v any) (any, error) {
		switch v := v.(type) {
		case []byte:
			return base64.StdEncoding.EncodeToString(v), nil
		case time.Time:
			return v.Format("2006-01-02T15:04:05.999999"), nil
		}
		return value.Str(v), nil
	}}
}

// A request is one line of a program.
type request struct {
	event     *Event
	subscribe string
}

var errRequest = errors.New(`a line must be {"tag": …, "data": {…}} or {"subscribe": "GLOB"}`)

func parseLine(b []byte) (request, error) {
	v, err := value.ParseJSON(string(bytes.TrimSpace(b)))
	if err != nil {
		return request{}, err
	}
	m, ok := v.(*value.Map)
	if !ok {
		return request{}, errRequest
	}
	if glob, ok := m.At("subscribe").(string); ok {
		return request{subscribe: glob}, nil
	}
	tag, ok := m.At("tag").(string)
	if !ok || tag == "" {
		return request{}, errRequest
	}
	data := m.Map("data")
	if data == nil {
		data = new(value.Map)
	}
	return request{event: &Event{Tag: tag, Data: data}}, nil
}

// frame is an event in Salt's framing: a msgpack map whose body is the tag, two
// line ends and the data; nil when msgpack has no form for them.
func (e Event) frame() []byte {
	data, err := value.Msgpack(e.Data)
	if err != nil {
		return nil
	}
	b, err := value.Msgpack(value.M("head", new(value.Map), "body", append([]byte(e.Tag+"\n\n"), data...)))
	if err != nil {
		return nil
	}
	return b
}

// unframe reads the body of a frame.
func unframe(v any) (Event, bool) {
	m, ok := v.(*value.Map)
	if !ok {
		return Event{}, false
	}
	var raw []byte
	switch b := m.At("body").(type) {
	case []byte:
		raw = b
	case string:
		raw = []byte(b)
	}
	tag, rest, found := bytes.Cut(raw, []byte("\n\n"))
	if !found {
		return Event{}, false
	}
	data, err := value.ParseMsgpack(rest)
	d, ok := data.(*value.Map)
	return Event{Tag: string(tag), Data: d}, err == nil && ok && len(tag) > 0
}
