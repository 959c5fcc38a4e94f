package fileclient

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pinch/salt"
)

// HTTPOptions are the minion's settings for downloads.
type HTTPOptions struct {
	ConnectTimeout time.Duration // http_connect_timeout
	RequestTimeout time.Duration // http_request_timeout
	Proxy          *url.URL      // proxy_host …; nil: from the environment
	NoProxy        []string
	CABundle       string // ca_bundle, a file
	UserAgent      string
}

// maxName is how long a file name may be before its digest stands for it
// (salt.fileclient.MAX_FILENAME_LENGTH).
const maxName = 255

// externPath is where a download lies.
func (c *Client) externPath(u *url.URL, env string, o salt.GetOptions) string {
	dir := c.o.CacheDir
	switch {
	case filepath.IsAbs(o.CacheDir):
		dir = o.CacheDir
	case o.CacheDir != "":
		dir = filepath.Join(dir, o.CacheDir)
	}
	return DownloadPath(dir, env, u)
}

// DownloadPath is where a download is cached: extrn_files/ENV/HOST/PATH below
// dir. A port stands behind the host without a colon, a name that is too long
// for a file system is replaced by its digest.
func DownloadPath(dir, env string, u *url.URL) string {
	name := u.Path
	if u.RawQuery != "" {
		name += "-" + u.RawQuery
	}
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(name))
		name = hex.EncodeToString(sum[:])
	}
	host := strings.NewReplacer("/", "_", "..", "_").Replace(u.Host)
	if u.Port() != "" {
		host = strings.ReplaceAll(host, ":", "")
	}
	return filepath.Join(dir, "extrn_files", env, host, filepath.Clean("/"+name))
}

func (c *Client) client(o salt.GetOptions) (*http.Client, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if p := c.o.HTTP.Proxy; p != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) {
			for _, n := range c.o.HTTP.NoProxy {
				if r.URL.Hostname() == n || strings.HasSuffix(r.URL.Hostname(), "."+strings.TrimPrefix(n, ".")) {
					return nil, nil
				}
			}
			return p, nil
		}
	}
	t.TLSClientConfig = &tls.Config{InsecureSkipVerify: o.NoVerify}
	if c.o.HTTP.CABundle != "" {
		pem, err := os.ReadFile(c.o.HTTP.CABundle)
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig.RootCAs = x509.NewCertPool()
		t.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	if d := c.o.HTTP.ConnectTimeout; d > 0 {
		t.TLSHandshakeTimeout, t.ResponseHeaderTimeout = d, max(d, c.o.HTTP.RequestTimeout)
	}
	return &http.Client{Transport: t, Timeout: c.o.HTTP.RequestTimeout}, nil
}

// request asks for what lies at a URL, as a user if there is one.
func request(ctx context.Context, u *url.URL, user *url.Userinfo, agent string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	if agent != "" {
		req.Header.Set("User-Agent", agent)
	}
	return req, nil
}

// download brings a URL into the cache. A copy whose digest is the wanted one,
// or whose ETag still holds, stays.
func (c *Client) download(ctx *salt.Ctx, raw, env string, o salt.GetOptions) (*salt.File, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, err
	}
	dest := c.externPath(u, env, o)
	if i, err := os.Stat(dest); err == nil && o.Hash != "" && hasDigest(dest, o.Hash) {
		return onDisk(raw, dest, env, i), nil
	}
	user := u.User
	u.User = nil
	var parent context.Context = ctx
	if ctx == nil || ctx.Context == nil {
		parent = context.Background()
	}
	req, err := request(parent, u, user, c.o.HTTP.UserAgent)
	if err != nil {
		return nil, err
	}
	etagFile := dest + ".etag"
	if o.UseETag {
		if tag, err := os.ReadFile(etagFile); err == nil {
			if _, err := os.Stat(dest); err == nil {
				req.Header.Set("If-None-Match", string(tag))
			}
		}
	}
	hc, err := c.client(o)
	if err != nil {
		return nil, err
	}
	res, err := hc.Do(req)
	if err != nil {
		return nil, unfetched(err, u)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusNotModified || req.Header.Get("If-None-Match") == "" {
		if res.StatusCode >= 300 {
			return nil, salt.Unfetched("Error: %s reading %s", statusText(res), u.Path)
		}
		if err := saveBody(dest, res.Body); err != nil {
			return nil, unfetched(err, u)
		}
		if tag := res.Header.Get("ETag"); tag != "" && o.UseETag {
			if err := writeFrom(etagFile, strings.NewReader(tag), 0o600); err != nil {
				return nil, err
			}
		}
	}
	i, err := os.Stat(dest)
	if err != nil {
		return nil, err
	}
	return onDisk(raw, dest, env, i), nil
}

func saveBody(dest string, body io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(dest), 0o700); err != nil {
		return err
	}
	return writeFrom(dest, body, 0o600)
}

// redact takes the password out of a URL.
func redact(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = url.User("XXXXX")
	return u.String()
}

// hasDigest reports whether the file has a digest written bare or as "alg=hex".
func hasDigest(name, want string) bool {
	alg, sum, ok := strings.Cut(want, "=")
	if !ok {
		sum = want
		alg = map[int]string{32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}[len(sum)]
	}
	f, err := local(name)
	if err != nil || alg == "" {
		return false
	}
	got, err := digest(f, alg)
	return err == nil && strings.EqualFold(got, sum)
}
