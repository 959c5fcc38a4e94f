package logging

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"pinch/value/py"
)

// The formats of Salt's defaults (log_fmt_console, log_fmt_logfile and the
// dates in them).
const (
	ConsoleFormat = "[%(levelname)-8s] %(message)s"
	FileFormat    = "%(asctime)s,%(msecs)03d [%(name)-17s:%(lineno)-4d][%(levelname)-8s][%(process)d] %(message)s"
	ConsoleDate   = "%H:%M:%S"
	FileDate      = "%Y-%m-%d %H:%M:%S"
	colorFormat   = "%(colorlevel)s %(colormsg)s"
)

// A Format is a format string of Python's logging, taken apart.
type Format struct {
	parts []part
	date  string
}

// A part is literal text, or a field with Python's printf conversion.
type part struct {
	text  string
	field string // "" for literal text
	flags string // flags, width and precision
	verb  byte
}

// ParseFormat reads a format such as ConsoleFormat, with the strftime format
// for %(asctime)s. It fails for text that Python could not format.
func ParseFormat(format, date string) (*Format, error) {
	f := &Format{date: date}
	literal := ""
	for rest := format; rest != ""; {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			literal += rest
			break
		}
		literal += rest[:i]
		rest = rest[i+1:]
		if strings.HasPrefix(rest, "%") {
			literal += "%"
			rest = rest[1:]
			continue
		}
		name, after, ok := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		if !ok || !strings.HasPrefix(rest, "(") {
			return nil, fmt.Errorf("log format %q: expected (name) behind %%", format)
		}
		n := len(after) - len(strings.TrimLeft(after, "-+ #0123456789."))
		if n == len(after) || !strings.ContainsRune("sdfriax", rune(after[n])) {
			return nil, fmt.Errorf("log format %q: no conversion behind %%(%s)", format, name)
		}
		if !fields[name] {
			return nil, fmt.Errorf("log format %q: no field %q", format, name)
		}
		f.parts = append(f.parts, part{text: literal}, part{field: name, flags: after[:n], verb: after[n]})
		literal, rest = "", after[n+1:]
	}
	f.parts = append(f.parts, part{text: literal})
	return f, nil
}

// fields are those of Python's log records and Salt's own.
var fields = map[string]bool{
	"asctime": true, "created": true, "filename": true, "funcName": true, "levelname": true, "levelno": true, "lineno": true, "message": true,
	"module": true, "msecs": true, "name": true, "pathname": true, "process": true, "processName": true, "relativeCreated": true, "thread": true,
	"threadName": true, "bracketname": true, "bracketlevel": true, "bracketprocess": true, "colorname": true, "colorlevel": true, "colorprocess": true,
	"colormsg": true, "jid": true, "minion_id": true,
}

// A record is what a line is made of.
type record struct {
	slog.Record
	message string
	logger  string
	jid     string
}

// append adds the line for r, with its end.
func (f *Format) append(b []byte, r *record) []byte {
	for i := range f.parts {
		p := &f.parts[i]
		if p.field == "" {
			b = append(b, p.text...)
			continue
		}
		b = p.append(b, f.value(p.field, r))
	}
	return append(b, '\n')
}

func (p *part) append(b []byte, v any) []byte {
	verb := p.verb
	switch n := v.(type) {
	case string:
		if p.flags == "" {
			return append(b, n...)
		}
		verb = 's'
	case int:
		switch verb {
		case 'f':
			v = float64(n)
		case 'x':
		default:
			verb = 'd'
		}
	case float64:
		switch verb {
		case 'd', 'i':
			v, verb = int(n), 'd'
		case 'f':
		default:
			v, verb = strconv.FormatFloat(n, 'g', -1, 64), 's'
		}
	}
	flags := p.flags
	if verb == 's' { // Python pads text with blanks only
		flags = strings.TrimLeft(strings.ReplaceAll(strings.ReplaceAll(flags, "+", ""), "#", ""), "0")
	}
	return fmt.Appendf(b, "%"+flags+string(verb), v)
}

func (f *Format) value(field string, r *record) any {
	switch field {
	case "message":
		return r.message
	case "levelname":
		return strings.ToUpper(row(r.Level).name)
	case "levelno":
		return row(r.Level).number
	case "asctime":
		s, err := py.Strftime(r.Time, f.date)
		if err != nil {
			return r.Time.Format(time.DateTime)
		}
		return s
	case "msecs":
		return float64(r.Time.Nanosecond()/1e3) / 1e3
	case "created":
		return float64(r.Time.UnixMicro()) / 1e6
	case "relativeCreated":
		return 0.0
	case "name":
		return r.logger
	case "process", "thread":
		return os.Getpid()
	case "processName":
		return "MainProcess"
	case "threadName":
		return "MainThread"
	case "jid":
		return r.jid
	case "minion_id":
		return ""
	case "bracketname":
		return fmt.Sprintf("[%-17s]", r.logger)
	case "bracketlevel":
		return fmt.Sprintf("[%-8s]", strings.ToUpper(row(r.Level).name))
	case "bracketprocess":
		return fmt.Sprintf("[%5d]", os.Getpid())
	case "colorname":
		return fmt.Sprintf("\x1b[0;1;32m[%-17s]\x1b[0;0m", r.logger)
	case "colorlevel":
		l := row(r.Level)
		return fmt.Sprintf("\x1b[%sm[%-8s]\x1b[0;0m", sgr(l.tint), strings.ToUpper(l.name))
	case "colorprocess":
		return fmt.Sprintf("\x1b[0;1;34m[%5d]\x1b[0;0m", os.Getpid())
	case "colormsg":
		return "\x1b[" + sgr(row(r.Level).plain) + "m" + r.message + "\x1b[0;0m"
	}
	return source(field, r)
}

// sgr writes the bare reset as Salt does.
func sgr(codes string) string {
	if codes == "0" {
		return "0;0"
	}
	return codes
}

// source are the fields about the place in the program.
func source(field string, r *record) any {
	frame, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	base := filepath.Base(frame.File)
	switch field {
	case "lineno":
		return frame.Line
	case "funcName":
		return frame.Function[strings.LastIndexByte(frame.Function, '.')+1:]
	case "pathname":
		return frame.File
	case "module":
		return strings.TrimSuffix(base, ".go")
	}
	return base
}
