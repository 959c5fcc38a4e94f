package engine

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

const socket = "unix:///var/run/docker.sock"

// Timeout is how long a daemon may take to begin its answer.
const Timeout = 60 * time.Second

// A Client is a connection to one daemon.
type Client struct {
	c       *salt.Ctx
	http    *http.Client
	dial    func(context.Context) (net.Conn, error)
	base    string // http://localhost
	version string // of the API: 1.41
	place   string // as it was given: unix:///var/run/docker.sock
	home    string // where config.json lies
	limit   time.Duration
}

type clientKey struct{}

// For is the daemon that the settings docker.url and docker.version, or the
// variable DOCKER_HOST, name; the default is the local socket. DOCKER_CERT_PATH
// has the certificates for TLS. The daemon is asked for its version once in a
// run.
func For(c *salt.Ctx) (*Client, error) {
	d, err := salt.Once(c.Run, clientKey{}, func() (*Client, error) { return open(c) })
	if err != nil {
		c.Run.Forget(clientKey{})
		return nil, err
	}
	n := *d
	n.c = c
	return &n, nil
}

// Within is the client with another limit, in seconds, for the beginning of
// answers (client_timeout).
func (d *Client) Within(seconds any) *Client {
	n := *d
	if f, err := strconv.ParseFloat(value.Str(seconds), 64); err == nil && f > 0 {
		n.limit = time.Duration(f * float64(time.Second))
	}
	return &n
}

// Version is the version of the API that is spoken, such as 1.41.
func (d *Client) Version() string { return d.version }

func option(c *salt.Ctx, name string) (string, error) {
	v, err := c.Call("config.option", name, "")
	if err != nil || v == nil {
		return "", err
	}
	return value.Str(v), nil
}

func open(c *salt.Ctx) (*Client, error) {
	place, err := option(c, "docker.url")
	if err != nil {
		return nil, err
	}
	version, err := option(c, "docker.version")
	if err != nil {
		return nil, err
	}
	if place == "" {
		place = os.Getenv("DOCKER_HOST")
	}
	certs := os.Getenv("DOCKER_CERT_PATH")
	secure := os.Getenv("DOCKER_TLS_VERIFY") != ""
	machine, err := option(c, "docker.machine")
	if err != nil {
		return nil, err
	}
	if machine != "" {
		if place, certs, err = dockerMachine(c, machine); err != nil {
			return nil, err
		}
	}
	d := &Client{c: c, version: version, limit: Timeout, home: os.Getenv("DOCKER_CONFIG")}
	if d.home == "" {
		home, _ := os.UserHomeDir()
		d.home = filepath.Join(home, ".docker")
	}
	if err := d.connect(place, certs, secure); err != nil {
		return nil, err
	}
	c.Run.AtEnd(d.http.CloseIdleConnections)
	if version != "" && !strings.EqualFold(version, "auto") {
		return d, nil
	}
	d.version = ""
	v, err := d.Map(Request{Op: "version", Path: "/version"})
	switch {
	case err == nil && v.Str("ApiVersion") == "":
		return nil, value.Errorf("DockerException", `Invalid response from docker daemon: key "ApiVersion" is missing.`)
	case Status(err) != 0:
		return nil, value.Errorf("DockerException", "Error while fetching server API version: %s", err)
	case err != nil:
		return nil, err
	}
	d.version = v.Str("ApiVersion")
	return d, nil
}

// connect prepares for what DOCKER_HOST can be.
func (d *Client) connect(place, certs string, secure bool) error {
	if place == "" {
		place = socket
	}
	d.place = place
	if strings.HasPrefix(place, "/") {
		place = "unix://" + place
	}
	if !strings.Contains(place, "://") {
		place = "tcp://" + place
	}
	u, err := url.Parse(place)
	if err != nil {
		return value.Errorf("DockerException", "Invalid bind address format: %s", place)
	}
	network, address := "tcp", u.Host
	t := &http.Transport{MaxIdleConnsPerHost: 4, DisableCompression: true}
	switch u.Scheme {
	case "unix", "http+unix":
		network, address = "unix", u.Host+u.Path
		d.base = "http://localhost"
	case "tcp", "http", "https":
		if u.Port() == "" {
			return value.Errorf("DockerException", "Invalid bind address format: port is required: %s", place)
		}
		d.base = "http://" + u.Host + strings.TrimSuffix(u.Path, "/")
		t.Proxy = http.ProxyFromEnvironment
		if u.Scheme == "https" || secure || u.Scheme == "tcp" && certs != "" {
			d.base = "https" + strings.TrimPrefix(d.base, "http")
			if t.TLSClientConfig, err = certificates(d.c.Sys, certs); err != nil {
				return err
			}
		}
	case "ssh":
		d.base = "http://localhost"
		if d.dial, err = overSSH(d.c.Sys.LookPath("ssh"), u, place); err != nil {
			return err
		}
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return d.dial(ctx) }
		d.http = &http.Client{Transport: t}
		return nil
	default:
		return value.Errorf("DockerException", "Invalid bind address protocol: %s; known are unix, tcp, http, https and ssh", place)
	}
	var n net.Dialer
	plain := func(ctx context.Context) (net.Conn, error) { return n.DialContext(ctx, network, address) }
	d.dial = plain
	if conf := t.TLSClientConfig; conf != nil {
		conf.ServerName = u.Hostname()
		d.dial = func(ctx context.Context) (net.Conn, error) {
			return (&tls.Dialer{NetDialer: &n, Config: conf}).DialContext(ctx, network, address)
		}
	}
	if network == "unix" {
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return plain(ctx) }
	}
	d.http = &http.Client{Transport: t}
	return nil
}

// certificates are ca.pem, cert.pem and key.pem of a folder.
func certificates(s sys.Reader, dir string) (*tls.Config, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	if dir == "" {
		return conf, nil
	}
	if b, err := s.ReadFile(filepath.Join(dir, "ca.pem")); err == nil {
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(b) {
			return nil, value.Errorf("DockerException", "no certificate in %s", filepath.Join(dir, "ca.pem"))
		}
	}
	cert, err := s.ReadFile(filepath.Join(dir, "cert.pem"))
	if errors.Is(err, fs.ErrNotExist) {
		return conf, nil
	}
	key, err2 := s.ReadFile(filepath.Join(dir, "key.pem"))
	if err = cmp.Or(err, err2); err != nil {
		return nil, value.Errorf("DockerException", "the certificate in %s: %s", dir, err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, value.Errorf("DockerException", "the certificate in %s: %s", dir, err)
	}
	conf.Certificates = []tls.Certificate{pair}
	return conf, nil
}

// dockerMachine asks docker-machine where a machine of its own is.
func dockerMachine(c *salt.Ctx, name string) (place, certs string, err error) {
	out, err := c.CallKw("cmd.run", value.M("python_shell", false), value.L("docker-machine", "inspect", name))
	if err != nil {
		return "", "", err
	}
	v, err := value.ParseJSON(value.Str(out))
	m, _ := v.(*value.Map)
	ip := m.Map("Driver").Str("IPAddress")
	if err == nil && ip == "" {
		err = errors.New("'Driver'")
	}
	if err != nil {
		return "", "", salt.CommandError("Docker machine %s failed: %s", name, err)
	}
	return "https://" + ip + ":2376", filepath.Dir(m.Map("HostOptions").Map("AuthOptions").Str("ClientCertPath")), nil
}
