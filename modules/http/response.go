package http

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"pinch/render/yaml"
	"pinch/sys"
	"pinch/value"
	"pinch/value/py"
)

// run asks and returns the answer.
func (r *request) run() (*value.Map, error) {
	if r.stop != nil {
		return r.stop, nil
	}
	r.c.Log.Debug("Requesting URL " + r.shown() + " using " + r.method + " method")
	out := new(value.Map)
	if r.flag("test") {
		out.Set("test", true)
	}
	q, err := http.NewRequestWithContext(r.c, r.method, r.url, nil)
	if err != nil {
		return nil, err
	}
	if r.hasBody {
		q.Body = io.NopCloser(bytes.NewReader(r.body))
		q.ContentLength = int64(len(r.body))
		q.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.body)), nil }
	}
	q.Header = r.header
	if host := r.header.Get("Host"); host != "" {
		q.Host = host
	}
	if user, pass, ok := r.login(); ok {
		q.SetBasicAuth(user, pass)
	}
	client, err := r.client()
	if err != nil {
		return nil, err
	}
	if r.jar != nil {
		client.Jar = r.jar
	}
	res, err := client.Do(q)
	var body []byte
	if err == nil {
		defer res.Body.Close()
		body, err = r.read(res)
	}
	if err != nil {
		return r.failed(out, err)
	}
	if r.jar != nil {
		if err := r.jar.save(r.c); err != nil {
			return nil, err
		}
	}
	if r.flag("persist_session") {
		if err := r.keepSession(res); err != nil {
			return nil, err
		}
	}
	return r.answer(out, res, body)
}

// failed is the answer when there was none of a server.
func (r *request) failed(out *value.Map, err error) (*value.Map, error) {
	text, timeout := complaint(err)
	switch {
	case r.backend == "requests":
		return nil, fmt.Errorf("%s", text)
	case r.backend == "urllib2":
		return value.M("Error", "<urlopen error "+text+">"), nil
	case timeout:
		out.Set("status", int64(599))
	case r.flag("status"):
		out.Set("status", int64(0))
	}
	out.Set("error", text)
	return out, nil
}

// read is the body, unpacked; http_max_body limits it.
func (r *request) read(res *http.Response) ([]byte, error) {
	limit := int64(1 << 40)
	if n, ok := r.opts.At("http_max_body").(int64); ok {
		limit = n
	}
	b, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("the answer is longer than the option http_max_body allows (%d bytes)", limit)
	}
	if err != nil || len(b) == 0 {
		return b, err
	}
	var in io.Reader
	switch coding := res.Header.Get("Content-Encoding"); coding {
	case "gzip":
		if in, err = gzip.NewReader(bytes.NewReader(b)); err != nil {
			return nil, err
		}
	case "deflate":
		in = flate.NewReader(bytes.NewReader(b))
	case "sdch", "br", "compress":
		return nil, fmt.Errorf("%s compression is not supported", coding)
	default:
		return b, nil
	}
	if b, err = io.ReadAll(io.LimitReader(in, limit+1)); err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("the answer is longer than the option http_max_body allows (%d bytes)", limit)
	}
	return b, err
}

// text decodes the body, unless decode_body is False.
func (r *request) text(res *http.Response, b []byte) (any, error) {
	charset := ""
	if kind, params, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err == nil && strings.HasPrefix(kind, "text/") {
		charset = params["charset"]
	}
	if v, ok := r.kw.Get("decode_body"); charset == "" && ok && !value.Truth(v) {
		return b, nil
	}
	if charset == "" {
		charset = "utf-8"
	}
	return py.Decode(b, charset, "strict")
}

func (r *request) answer(out *value.Map, res *http.Response, b []byte) (*value.Map, error) {
	body, err := r.text(res, b)
	if err != nil {
		return nil, err
	}
	if v, ok := r.kw.Get("raise_error"); (res.StatusCode < 200 || res.StatusCode > 299) && (!ok || value.Truth(v) || r.backend == "requests") {
		reason := strings.TrimSpace(strings.TrimPrefix(res.Status, fmt.Sprint(res.StatusCode)))
		switch {
		case r.backend == "requests" && res.StatusCode >= 400:
			who := "Client"
			if res.StatusCode >= 500 {
				who = "Server"
			}
			return nil, fmt.Errorf("%d %s Error: %s for url: %s", res.StatusCode, who, reason, r.shown())
		case r.backend == "urllib2":
			return value.M("Error", fmt.Sprintf("HTTP Error %d: %s", res.StatusCode, reason)), nil
		case r.backend != "requests":
			out.Set("status", int64(res.StatusCode))
			out.Set("error", fmt.Sprintf("HTTP %d: %s", res.StatusCode, reason))
			out.Set("body", body)
			return out, nil
		}
	}
	out.Set("body", body)
	headers := new(value.Map)
	for k, v := range res.Header {
		headers.Set(k, strings.Join(v, ","))
	}
	if r.flag("status") {
		out.Set("status", int64(res.StatusCode))
	}
	if r.flag("headers") {
		out.Set("headers", headers)
	}
	if err := r.write(headers, body); err != nil {
		return nil, err
	}
	text := r.flag("text")
	if r.flag("decode") {
		plain, err := r.decode(out, headers.Str("Content-Type"), body)
		if err != nil || out.Has("error") {
			return out, err
		}
		text = text || plain
	}
	if text {
		out.Set("text", body)
	}
	return out, nil
}

// write puts text and headers into the files that were asked for.
func (r *request) write(headers *value.Map, body any) error {
	data, ok := body.([]byte)
	if !ok {
		data = []byte(value.Str(body))
	}
	if f := r.kw.At("text_out"); f != nil {
		if err := sys.WriteFile(r.c.Sys, value.Str(f), data, sys.FileAttrs{}); err != nil {
			return err
		}
	}
	if f := r.kw.Str("headers_out"); f != "" && sys.Exists(r.c.Sys, f) {
		var b strings.Builder
		for k, v := range headers.Items() {
			b.WriteString(k + ": " + value.Str(v) + "\n")
		}
		return sys.WriteFile(r.c.Sys, f, []byte(b.String()), sys.FileAttrs{})
	}
	return nil
}

// decode sets dict by the kind of the data; plain says that they are none.
func (r *request) decode(out *value.Map, kind string, body any) (plain bool, err error) {
	how := r.kw.Str("decode_type")
	if how == "" || how == "auto" {
		how = "plain"
		for _, k := range []string{"yaml", "json", "xml"} {
			if strings.Contains(kind, k) {
				how = k
			}
		}
		if kind == "" {
			how = "json"
		}
	}
	text := value.Str(body)
	if b, ok := body.([]byte); ok {
		text = string(b)
	}
	var v any
	switch how {
	case "json":
		v, err = value.ParseJSON(text)
	case "xml":
		v, err = parseXML(text)
	case "yaml":
		v, err = yaml.Load(r.url, text)
	case "plain":
		plain = true
	default:
		out.Set("error", "Invalid decode_type specified. Valid decode types are: ('json', 'xml', 'yaml', 'plain')")
		r.c.Log.Error(out.Str("error"))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !plain {
		out.Set("dict", v)
	}
	if f := r.kw.Str("decode_out"); f != "" {
		err = sys.WriteFile(r.c.Sys, f, []byte(text), sys.FileAttrs{})
	}
	return plain, err
}

// An item is an element of XML.
type item struct {
	XMLName xml.Name
	Text    string `xml:",chardata"`
	Items   []item `xml:",any"`
}

// parseXML is the list of what the root has below it, as Salt shows XML: texts
// by tag, lists for tags that are there more than once.
func parseXML(text string) (any, error) {
	var root item
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		return nil, err
	}
	l := value.L()
	for _, it := range root.Items {
		l.Append(it.data())
	}
	return l, nil
}

func (it item) text() any {
	if it.Text == "" {
		return nil
	}
	return it.Text
}

func (it item) data() any {
	m := new(value.Map)
	if len(it.Items) == 0 {
		m.Set(it.XMLName.Local, it.text())
		return m
	}
	for _, in := range it.Items {
		name := in.XMLName.Local
		old, again := m.Get(name)
		switch l, ok := old.(*value.List); {
		case ok:
			l.Append(in.data())
		case again:
			m.Set(name, value.L(old, in.data()))
		case len(in.Items) > 0:
			m.Set(name, in.data())
		default:
			m.Set(name, in.text())
		}
	}
	return m
}
