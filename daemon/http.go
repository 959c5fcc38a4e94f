package daemon

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"pinch/runs"
)

// serveStatus serves /metrics and a page of the last run at the option
// status_address, such as 127.0.0.1:9464. The page needs the option
// status_token (?token=… or a bearer token); so does everything at an address
// that others can reach.
func (d *Daemon) serveStatus(ctx context.Context) error {
	o := d.opts()
	address, token := o.Str("status_address"), o.Str("status_token")
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("status_address: %w", err)
	}
	ip := net.ParseIP(host)
	open := host == "localhost" || ip != nil && ip.IsLoopback()
	if !open && token == "" {
		return errors.New("status_address: others can reach " + address + ", so it needs a status_token")
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	s := &http.Server{Handler: d.statusHandler(token, open), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// statusHandler answers GET /metrics and GET /.
func (d *Daemon) statusHandler(token string, open bool) http.Handler {
	allowed := func(r *http.Request) bool {
		given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if given == "" {
			given = r.URL.Query().Get("token")
		}
		return token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
	}
	m := http.NewServeMux()
	m.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !open && !allowed(r) {
			http.Error(w, "a token is needed", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, d.Metrics())
	})
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if !allowed(r) {
			http.Error(w, "a token is needed (status_token)", http.StatusForbidden)
			return
		}
		past, err := runs.Open(d.opts().Str("cachedir"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		all := past.Recent()
		var last *runs.Run
		for _, r := range all { // the last one of states, whoever asked for it
			if last == nil || len(r.States) > 0 || len(last.States) == 0 {
				last = r
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(w, runs.HTML(d.opts().Str("id"), all, last))
	})
	return m
}
