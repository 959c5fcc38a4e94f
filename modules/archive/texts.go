package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"pinch/salt"
	"pinch/value"
)

// withInfo is Salt's CommandExecutionError with additional information: pairs
// of a key and its text.
func withInfo(msg string, info ...string) error {
	if msg != "" && !strings.ContainsAny(msg[len(msg)-1:], ".?!") {
		msg += "."
	}
	msg += " Additional info follows:\n"
	// The outputter sorts the keys.
	for _, key := range []string{"archive location", "error"} {
		for i := 0; i < len(info); i += 2 {
			if info[i] == key {
				msg += "\n" + key + ":\n    " + strings.ReplaceAll(info[i+1], "\n", "\n    ")
			}
		}
	}
	return salt.CommandError("%s", msg)
}

// osText gives an error of the operating system Python's text.
func osText(err error) string {
	var no syscall.Errno
	if !errors.As(err, &no) {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "the file ends too early"
		}
		return err.Error()
	}
	s := no.Error()
	s = fmt.Sprintf("[Errno %d] %s%s", int(no), strings.ToUpper(s[:1]), s[1:])
	var p *fs.PathError
	if errors.As(err, &p) && strings.HasPrefix(p.Path, "/") {
		s += ": " + value.Quote(p.Path)
	}
	return s
}

// urlParts are the parts of a source.
type urlParts struct{ scheme, host, path string }

// parseURL splits a URL; a text without a scheme is a path.
func parseURL(s string) urlParts {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || strings.ContainsAny(scheme, "/ ") {
		return urlParts{path: s}
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 && scheme != "file" {
		rest = rest[:i]
	}
	host, path, _ := strings.Cut(rest, "/")
	if path != "" || strings.HasSuffix(rest, "/") {
		path = "/" + path
	}
	return urlParts{strings.ToLower(scheme), host, path}
}

// file is the part of a URL that has the file's name.
func (u urlParts) file() string {
	if u.path != "" {
		return u.path
	}
	return u.host
}

func (u urlParts) local() bool { return u.scheme == "" || u.scheme == "file" }

var credentials = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(https?)://.*@`) })

// redact hides user and password in a URL.
func redact(s string) string { return credentials().ReplaceAllString(s, "${1}://<redacted>@") }

// integer reads a number, or the text of one.
func integer(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case float64:
		return int(v), true
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return n, err == nil
	}
	return 0, false
}

// texts are the items of a list; a text is split at commas.
func texts(v any) []string {
	var out []string
	switch v := v.(type) {
	case nil:
	case *value.List:
		for _, it := range v.Items {
			out = append(out, value.Str(it))
		}
	case value.Tuple:
		for _, it := range v {
			out = append(out, value.Str(it))
		}
	case string:
		for s := range strings.SplitSeq(v, ",") {
			out = append(out, strings.TrimSpace(s))
		}
	default:
		out = []string{value.Str(v)}
	}
	return out
}
