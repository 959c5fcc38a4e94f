package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"time"

	"pinch/render/yaml"
	"pinch/value"
)

// engines starts what the option engines lists: script, webhook and those of
// the tree; the reactor always runs.
func (d *Daemon) engines(ctx context.Context) {
	o := d.opts()
	if o.Truth("status_address") {
		d.async.Add(1)
		go func() {
			defer d.async.Done()
			if err := d.serveStatus(ctx); err != nil {
				d.o.Log.Error("the status page is not served: " + err.Error())
			}
		}()
	}
	for _, it := range list(o.At("engines")) {
		m, ok := it.(*value.Map)
		if !ok {
			m = value.M(value.Str(it), nil)
		}
		for key, conf := range m.Items() {
			c, _ := conf.(*value.Map)
			kind := key
			if c.Has("engine_module") {
				kind = c.Str("engine_module")
			}
			var run func(context.Context, *value.Map) error
			switch kind {
			case "reactor":
				continue
			case "script":
				run = d.script
			case "webhook":
				run = d.webhook
			default:
				var ok bool
				if run, ok = d.customEngine(kind); !ok {
					d.o.Log.Error("there is no engine " + kind)
					continue
				}
			}
			d.async.Add(1)
			go func() {
				defer d.async.Done()
				if err := run(ctx, c); err != nil && ctx.Err() == nil {
					d.o.Log.Error("the engine "+key+" ended: "+err.Error(), "engine", key)
				}
			}()
		}
	}
}

// script fires an event for each line that a command prints (cmd, output,
// interval, onchange).
func (d *Daemon) script(ctx context.Context, conf *value.Map) error {
	words := strings.Fields(conf.Str("cmd"))
	if len(words) == 0 {
		return errors.New("the engine script needs cmd")
	}
	pause := time.Second
	if n, ok := conf.At("interval").(int64); ok && n > 0 {
		pause = time.Duration(n) * time.Second
	}
	last := map[string]*value.Map{}
	for ctx.Err() == nil {
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		cmd.Stderr = cmd.Stdout
		if err := cmd.Start(); err != nil {
			return err
		}
		d.scriptLines(out, conf, last)
		if err := cmd.Wait(); err != nil && ctx.Err() == nil {
			d.o.Log.Error("the script "+words[0]+" failed: "+err.Error(), "engine", "script")
		}
		select {
		case <-ctx.Done():
		case <-d.o.Clock.After(pause):
		}
	}
	return nil
}

func (d *Daemon) scriptLines(out io.Reader, conf *value.Map, last map[string]*value.Map) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v any
		var err error
		if conf.Str("output") == "yaml" {
			v, err = yaml.Load("script", lines.Text())
		} else {
			v, err = value.ParseJSON(lines.Text())
		}
		m, ok := v.(*value.Map)
		if err != nil || !ok {
			d.o.Log.Error("a line of the script is no event: "+lines.Text(), "engine", "script")
			continue
		}
		tag, data := m.Str("tag"), m.Map("data")
		if tag == "" {
			continue
		}
		if data.Len() > 0 && !data.Has("id") {
			data.Set("id", d.opts().Str("id"))
		}
		if conf.Truth("onchange") {
			if old, ok := last[tag]; ok && value.Equal(old, data) {
				continue
			}
			last[tag] = data
		}
		d.bus.Fire(tag, data)
	}
}

// webhook fires an event for each request that is posted (address, port,
// ssl_crt, ssl_key). Without an address it listens on the loopback only.
func (d *Daemon) webhook(ctx context.Context, conf *value.Map) error {
	address := conf.Str("address")
	if address == "" {
		address = "127.0.0.1"
	}
	port := conf.Str("port")
	if port == "" {
		port = "5000"
	}
	s := &http.Server{
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		Handler: http.HandlerFunc(d.hook),
	}
	l, err := net.Listen("tcp", net.JoinHostPort(address, port))
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if crt, key := conf.Str("ssl_crt"), conf.Str("ssl_key"); crt != "" && key != "" {
		err = s.ServeTLS(l, crt, key)
	} else {
		err = s.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

func (d *Daemon) hook(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "only POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, fmt.Sprint("the body cannot be read: ", err), http.StatusBadRequest)
		return
	}
	headers := new(value.Map)
	for _, k := range slices.Sorted(maps.Keys(r.Header)) {
		headers.Set(k, strings.Join(r.Header[k], ","))
	}
	headers.Set("Host", r.Host)
	d.bus.Fire("salt/engines/hook/"+strings.TrimPrefix(r.URL.Path, "/"), value.M("headers", headers, "body", string(body)))
}
