package beacons

import (
	"bytes"

	"pinch/value"
)

// logKind tells of lines that come into a log file and match a pattern:
//
//	log:
//	  - file: /var/log/messages
//	  - tags:
//	      goodbye/world:
//	        regex: .*good-bye.*
func logKind() Kind {
	return Kind{
		Validate: func(conf any) string {
			if text := isList("log", conf); text != "" {
				return text
			}
			if !options(conf).Has("file") {
				return "Configuration for log beacon must contain file option."
			}
			return ""
		},
		New: func(e *Env, conf *value.Map) (Watcher, error) {
			l := &logFile{e: e, path: conf.Str("file")}
			for tag, v := range conf.Map("tags").Items() {
				m, _ := v.(*value.Map)
				if !m.Truth("regex") {
					continue
				}
				match, err := pythonPattern(m.Str("regex"))
				l.tags = append(l.tags, logTag{tag, match, err})
			}
			return l, nil
		},
	}
}

type logTag struct {
	tag   string
	match func(string) bool
	err   error
}

// logFile is a log that is read on from where it ended last.
type logFile struct {
	reading
	e    *Env
	path string
	tags []logTag
}

func (l *logFile) Close() {}

func (l *logFile) Look() ([]*value.Map, error) {
	f, err := l.e.Sys.Open(l.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := l.next(f, 16<<20)
	if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(text, '\n') + 1 // the last line may not be finished
	l.at += int64(whole)
	return l.lines(text[:whole]), nil
}

func (l *logFile) lines(text []byte) []*value.Map {
	var out []*value.Map
	event := func(tag, match, raw, err string) {
		out = append(out, value.M("tag", tag, "match", match, "raw", raw, "error", err))
	}
	for _, t := range l.tags {
		if t.err != nil && len(text) > 0 {
			event(t.tag, "no", "", "bad regex")
		}
	}
	for line := range bytes.Lines(text) {
		s := string(bytes.TrimRight(line, "\r\n"))
		for _, t := range l.tags {
			if t.err == nil && t.match(s) {
				event(t.tag, "yes", s, "")
			}
		}
	}
	return out
}
