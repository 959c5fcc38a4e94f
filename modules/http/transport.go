package http

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"pinch/fileclient"
	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// bundle is the file of trusted authorities that the options name: ca_bundle,
// or one in the tree's root; "" means those of the system.
func bundle(c *salt.Ctx, opts *value.Map) string {
	if p := opts.Str("ca_bundle"); p != "" && sys.Exists(c.Sys, p) {
		return p
	}
	if opts.Truth("use_os_truststore") {
		return ""
	}
	if l := opts.Map("file_roots").List("base"); l != nil {
		for _, root := range l.Items {
			for _, name := range []string{"cacert.pem", "ca-bundle.crt"} {
				if p := filepath.Join(value.Str(root), name); sys.Exists(c.Sys, p) {
					return p
				}
			}
		}
	}
	return ""
}

// system is the file of authorities that the distribution keeps.
func system(c *salt.Ctx) string {
	for _, p := range []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/tls/certs/ca-bundle.trust.crt",
		"/etc/ssl/certs/ca-bundle.crt", "/var/lib/ca-certificates/ca-bundle.pem", "/etc/ssl/cert.pem"} {
		if sys.Exists(c.Sys, p) {
			return p
		}
	}
	return ""
}

func (r *request) tls() (*tls.Config, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	verify, given := r.kw.Get("verify_ssl")
	if !given || verify == nil {
		if verify, given = r.opts.Get("verify_ssl"); !given {
			verify = true
		}
	}
	conf.InsecureSkipVerify = !value.Truth(verify)
	file := r.kw.Str("ca_bundle")
	if file == "" {
		file = bundle(r.c, r.opts)
	}
	if file != "" && !conf.InsecureSkipVerify {
		pem, err := r.c.Sys.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if conf.RootCAs = x509.NewCertPool(); !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New(file + ": no certificates")
		}
	}
	cert := r.kw.At("cert")
	if cert == nil {
		cert = r.opts.At("cert")
	}
	var certFile, keyFile string
	switch v := cert.(type) {
	case string:
		certFile, keyFile = v, v
	case *value.List:
		if v.Len() == 2 {
			certFile, keyFile = value.Str(v.Items[0]), value.Str(v.Items[1])
		}
	}
	if cert == nil {
		return conf, nil
	}
	certPEM, err1 := r.c.Sys.ReadFile(certFile)
	keyPEM, err2 := r.c.Sys.ReadFile(keyFile)
	if err1 != nil || err2 != nil {
		r.c.Log.Error("The client-side certificate path that was passed is not valid: " + value.Str(cert))
		return conf, nil
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	conf.Certificates = []tls.Certificate{pair}
	return conf, err
}

// proxy is that of the options, or of the environment for the backend requests.
func (r *request) proxy() func(*http.Request) (*url.URL, error) {
	host, port := r.opts.Str("proxy_host"), r.opts.Str("proxy_port")
	if host == "" || port == "" || port == "0" {
		if r.backend == "requests" {
			return http.ProxyFromEnvironment
		}
		return nil
	}
	p := &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}
	if user, pass := r.opts.Str("proxy_username"), r.opts.Str("proxy_password"); user != "" && pass != "" {
		p.User = url.UserPassword(user, pass)
	}
	except := r.opts.List("no_proxy")
	return func(q *http.Request) (*url.URL, error) {
		if except != nil && slices.ContainsFunc(except.Items, func(h any) bool { return value.Str(h) == q.URL.Hostname() }) {
			return nil, nil
		}
		return p, nil
	}
}

func (r *request) client() (*http.Client, error) {
	conf, err := r.tls()
	if err != nil {
		return nil, err
	}
	connect := seconds(r.opts.At("http_connect_timeout"), 20*time.Second)
	t := &http.Transport{
		Proxy: r.proxy(), TLSClientConfig: conf, DisableKeepAlives: true, DisableCompression: true,
		DialContext:         (&net.Dialer{Timeout: connect}).DialContext,
		TLSHandshakeTimeout: connect,
	}
	return &http.Client{
		Transport: t,
		Timeout:   seconds(r.opts.At("http_request_timeout"), time.Hour),
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > 5 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}, nil
}

// complaint is the text of an error of the network, and whether time ran out.
func complaint(err error) (text string, timeout bool) {
	var u *url.Error
	if errors.As(err, &u) && (u.Timeout() || errors.Is(err, context.DeadlineExceeded)) {
		return "Timeout during request", true
	}
	return fileclient.Complaint(err), false
}
