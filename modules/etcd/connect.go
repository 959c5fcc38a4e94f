package etcd

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"pinch/salt"
	"pinch/value"
)

// connectTimeout bounds how long a server may take for an answer that is not
// waited for, as in Salt's client.
const connectTimeout = 60 * time.Second

// A client speaks HTTP with one server.
type client struct {
	c          *salt.Ctx
	http       *http.Client
	base       string // http://127.0.0.1:2379
	user, pass string
	token      string // of a session, version 3
}

// settings are those of a profile, else the configuration's over the pillar's
// over those that the master shares.
func settings(c *salt.Ctx, profile any) func(name string) any {
	from := []*value.Map{c.Opts, c.Pillar, c.Pillar.Map("master")}
	find := func(name string) any {
		for _, m := range from {
			if v, ok := m.Get(name); ok {
				return v
			}
		}
		return nil
	}
	if value.Truth(profile) {
		m, _ := find(value.Str(profile)).(*value.Map)
		from = []*value.Map{m}
	}
	return find
}

func connect(c *salt.Ctx, profile any, kw *value.Map) (store, error) {
	find := settings(c, profile)
	text := func(name, def string) string {
		for _, v := range []any{kw.At(name), find("etcd." + name)} {
			if value.Truth(v) {
				return value.Str(v)
			}
		}
		return def
	}
	cl := &client{c: c, base: "http://", user: text("username", ""), pass: text("password", "")}
	if cl.pass != "" {
		c.Run.Hide(cl.pass)
	}
	transport := &http.Transport{Proxy: nil}
	if ca := text("ca", ""); ca != "" {
		cl.base = "https://"
		conf, err := trust(c, ca, text("client_cert", ""), text("client_key", ""))
		if err != nil {
			return nil, err
		}
		transport.TLSClientConfig = conf
	}
	cl.base += net.JoinHostPort(text("host", "127.0.0.1"), text("port", "2379"))
	cl.http = &http.Client{Transport: transport}
	if v2 := find("etcd.require_v2"); v2 == nil || value.Truth(v2) {
		return &v2Store{cl}, nil
	}
	return newV3(cl, func(name string, def bool) bool {
		if value.Truth(kw.At(name)) {
			return true
		}
		if v := find("etcd." + name); v != nil {
			return value.Truth(v)
		}
		return def
	})
}

// trust reads the certificates of a connection.
func trust(c *salt.Ctx, ca, cert, key string) (*tls.Config, error) {
	pem, err := c.Sys.ReadFile(ca)
	if err != nil {
		return nil, salt.CommandError("etcd.ca: %s", err)
	}
	conf := &tls.Config{RootCAs: x509.NewCertPool()}
	if !conf.RootCAs.AppendCertsFromPEM(pem) {
		return nil, salt.CommandError("etcd.ca: no certificate in %s", ca)
	}
	if cert == "" || key == "" {
		return conf, nil
	}
	certPEM, err := c.Sys.ReadFile(cert)
	if err != nil {
		return nil, salt.CommandError("etcd.client_cert: %s", err)
	}
	keyPEM, err := c.Sys.ReadFile(key)
	if err != nil {
		return nil, salt.CommandError("etcd.client_key: %s", err)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, salt.CommandError("etcd.client_cert: %s", err)
	}
	conf.Certificates = []tls.Certificate{pair}
	return conf, nil
}

// A refusal is what etcd answers to a request it does not carry out.
type refusal struct {
	code   int
	text   string
	raises bool // Salt does not catch it
}

func (r *refusal) Error() string { return r.text }

// unreachable says that there is no server to answer.
type unreachable struct{ error }

// open sends a request; the body is a form or JSON.
func (cl *client) open(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var r io.Reader
	kind := ""
	switch b := body.(type) {
	case nil:
	case url.Values:
		r, kind = strings.NewReader(b.Encode()), "application/x-www-form-urlencoded"
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		r, kind = bytes.NewReader(text), "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, method, cl.base+path, r)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	switch {
	case cl.token != "":
		req.Header.Set("Authorization", cl.token)
	case cl.user != "" && cl.pass != "" && strings.HasPrefix(path, "/v2/"):
		req.SetBasicAuth(cl.user, cl.pass)
	}
	res, err := cl.http.Do(req)
	if err != nil {
		return nil, unreachable{fmt.Errorf("could not connect to etcd server: %w", err)}
	}
	return res, nil
}

// call sends a request and reads the answer, which must be JSON.
func (cl *client) call(method, path string, body, into any) (status int, err error) {
	ctx, cancel := context.WithTimeout(cl.c, connectTimeout)
	defer cancel()
	res, err := cl.open(ctx, method, path, body)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, 512<<20))
	if err != nil {
		return 0, unreachable{err}
	}
	if err := json.Unmarshal(b, into); err != nil {
		return res.StatusCode, &refusal{code: res.StatusCode, text: fmt.Sprintf("%s %s: %s", method, path, res.Status)}
	}
	return res.StatusCode, nil
}
