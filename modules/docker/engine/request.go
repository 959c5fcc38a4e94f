package engine

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
)

// A Request is one question to the daemon.
type Request struct {
	Op     string // what Salt's client calls it, for errors: inspect_container
	Method string // "" is GET
	Path   string // below the version: /containers/web/json
	Query  url.Values
	Body   any         // a *value.Map goes as JSON; an io.Reader as it is; nil: none
	Header http.Header // more of it
	// Unlimited says that the daemon may take its time before it answers.
	Unlimited bool
}

// ID is a name or an ID as part of a path.
func ID(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(p), "%3A", ":")
	}
	return strings.Join(parts, "/")
}

// Bool is a flag of a query: 1 or 0.
func Bool(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Query makes parameters of names and texts; a text that is "" is left out.
func Query(kv ...string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(kv); i += 2 {
		if kv[i+1] != "" {
			q.Set(kv[i], kv[i+1])
		}
	}
	return q
}

func (d *Client) make(ctx context.Context, r Request) (*http.Request, error) {
	where := d.base
	if d.version != "" {
		where += "/v" + d.version
	}
	where += r.Path
	if len(r.Query) > 0 {
		where += "?" + r.Query.Encode()
	}
	var body io.Reader
	switch b := r.Body.(type) {
	case io.Reader:
		body = b
	case nil:
	default:
		s, err := value.JSON(b, value.JSONOptions{})
		if err != nil {
			return nil, err
		}
		body = strings.NewReader(s)
	}
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, method, where, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "pinch")
	if _, raw := r.Body.(io.Reader); r.Body != nil && !raw {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range r.Header {
		req.Header[k] = v
	}
	return req, nil
}

// Do asks, and gives the answer with its body to read and to close. A status
// from 400 up is an *Error. The limit counts until the answer begins.
func (d *Client) Do(r Request) (*http.Response, error) {
	if strings.Contains(r.Path, "//") {
		return nil, salt.CommandError("Resource ID was not provided")
	}
	d.c.Log.Debug("docker: " + r.Op)
	ctx, cancel := context.WithCancelCause(d.c)
	late := time.AfterFunc(d.limit, func() { cancel(errLate) })
	if r.Unlimited {
		late.Stop()
	}
	req, err := d.make(ctx, r)
	if err != nil {
		cancel(nil)
		return nil, d.broken(r, err)
	}
	resp, err := d.http.Do(req)
	inTime := late.Stop() || r.Unlimited
	switch {
	case err != nil && !inTime:
		return nil, d.broken(r, errLate)
	case err != nil:
		cancel(nil)
		return nil, d.broken(r, err)
	case resp.StatusCode >= 400:
		defer cancel(nil)
		return nil, failed(resp)
	}
	resp.Body = body{resp.Body, func() { cancel(nil) }}
	return resp, nil
}

var errLate = errors.New("Read timed out.")

// body ends the request when it is closed.
type body struct {
	io.ReadCloser
	end func()
}

func (b body) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

// broken is the error of a question that got no answer.
func (d *Client) broken(r Request, err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" || r.Op == "version" && d.version == "" {
		return unreachable(err)
	}
	return salt.CommandError("Unable to perform %s: %s", r.Op, cause(err))
}

// Text is the answer as it is.
func (d *Client) Text(r Request) (string, error) {
	resp, err := d.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", d.broken(r, err)
	}
	return string(b), nil
}

// JSON is the answer as a value, nil when it is empty.
func (d *Client) JSON(r Request) (any, error) {
	s, err := d.Text(r)
	if err != nil || strings.TrimSpace(s) == "" {
		return nil, err
	}
	v, err := value.ParseJSON(s)
	if err != nil {
		return nil, d.broken(r, err)
	}
	return v, nil
}

// Map is the answer that is an object.
func (d *Client) Map(r Request) (*value.Map, error) {
	v, err := d.JSON(r)
	if err != nil {
		return nil, err
	}
	m, ok := v.(*value.Map)
	if !ok {
		return nil, d.broken(r, errors.New("the daemon answered "+value.TypeName(v)+", not an object"))
	}
	return m, nil
}

// List is the answer that is an array; null is an empty one.
func (d *Client) List(r Request) (*value.List, error) {
	v, err := d.JSON(r)
	if err != nil {
		return nil, err
	}
	l, ok := v.(*value.List)
	if !ok && v != nil {
		return nil, d.broken(r, errors.New("the daemon answered "+value.TypeName(v)+", not an array"))
	}
	if l == nil {
		l = value.L()
	}
	return l, nil
}
