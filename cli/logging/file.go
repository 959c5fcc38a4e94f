package logging

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// OpenTarget gives the writer for log_file: a file's path, or a syslog as
// file:///dev/log/LOG_DAEMON, udp://host:port/LOG_USER or tcp://…. The file is
// opened, and its folder made, when the first line comes; what fails then is
// told once to warn. Rotation is for files.
func OpenTarget(target string, rot Rotation, warn func(error)) (io.WriteCloser, error) {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "file" && u.Scheme != "udp" && u.Scheme != "tcp" {
		return &lazyFile{warn: warn, open: func() (io.WriteCloser, error) { return openFile(target, rot) }}, nil
	}
	network, address, facility := u.Scheme, u.Host, "LOG_USER"
	stem := strings.ToUpper(strings.TrimSuffix(filepath.Base(u.Path), filepath.Ext(u.Path)))
	switch {
	case u.Scheme == "file":
		network, address = "unixgram", filepath.Clean(u.Path)
		if strings.HasPrefix(stem, "LOG_") {
			facility, address = stem, filepath.Dir(address)
		}
	case u.Path != "":
		facility = stem
	}
	if u.Scheme != "file" && u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), "514")
	}
	code, ok := facilities[facility]
	if !ok {
		return nil, fmt.Errorf("The syslog facility '%s' is not known", facility)
	}
	return &lazyFile{warn: warn, open: func() (io.WriteCloser, error) {
		conn, err := net.Dial(network, address)
		if err != nil && network == "unixgram" {
			conn, err = net.Dial("unix", address)
		}
		if err != nil {
			return nil, fmt.Errorf("Failed to setup the Syslog logging handler: %w", err)
		}
		return &syslog{conn, code}, nil
	}}, nil
}

type lazyFile struct {
	mu   sync.Mutex
	open func() (io.WriteCloser, error)
	warn func(error)
	w    io.WriteCloser
	dead bool
}

// WriteLevel writes a line; the level matters to syslog.
func (f *lazyFile) WriteLevel(l slog.Level, b []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return nil
	}
	if f.w == nil {
		w, err := f.open()
		if err != nil {
			f.dead = true
			if f.warn != nil {
				f.warn(err)
			}
			return nil
		}
		f.w = w
	}
	if w, ok := f.w.(levelWriter); ok {
		return w.WriteLevel(l, b)
	}
	_, err := f.w.Write(b)
	return err
}

func (f *lazyFile) Write(b []byte) (int, error) { return len(b), f.WriteLevel(slog.LevelInfo, b) }

func (f *lazyFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dead = true
	if f.w == nil {
		return nil
	}
	return f.w.Close()
}

// facilities are those of syslog (RFC 5424, table 1).
var facilities = map[string]int{"LOG_KERN": 0, "LOG_USER": 1, "LOG_MAIL": 2, "LOG_DAEMON": 3, "LOG_AUTH": 4, "LOG_SYSLOG": 5, "LOG_LPR": 6,
	"LOG_NEWS": 7, "LOG_UUCP": 8, "LOG_CRON": 9, "LOG_AUTHPRIV": 10, "LOG_FTP": 11, "LOG_LOCAL0": 16, "LOG_LOCAL1": 17, "LOG_LOCAL2": 18,
	"LOG_LOCAL3": 19, "LOG_LOCAL4": 20, "LOG_LOCAL5": 21, "LOG_LOCAL6": 22, "LOG_LOCAL7": 23}

// syslog sends each line as a message with a priority, ended by a zero byte as
// Python's handler does.
type syslog struct {
	net.Conn
	facility int
}

func (s *syslog) WriteLevel(l slog.Level, b []byte) error {
	severity := 4 // what Python's handler takes for levels it does not know
	switch row(l).level {
	case Critical:
		severity = 2
	case slog.LevelError:
		severity = 3
	case slog.LevelInfo:
		severity = 6
	case slog.LevelDebug:
		severity = 7
	}
	_, err := fmt.Fprintf(s.Conn, "<%d>%s\x00", s.facility<<3|severity, strings.TrimSuffix(string(b), "\n"))
	return err
}
