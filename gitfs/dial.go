package gitfs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	gitproto "github.com/go-git/go-git/v5/plumbing/transport/git"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
)

// dial finds the source of a remote. Only for ssh it connects.
func (c *clone) dial() (source, error) {
	r := c.r
	if path, ok := strings.CutPrefix(r.URL, "file://"); ok {
		if i := strings.IndexByte(path, '/'); i > 0 { // a host
			path = path[i:]
		}
		if p, err := url.PathUnescape(path); err == nil {
			path = p
		}
		return openLocal(path)
	}
	if filepath.IsAbs(r.URL) {
		return openLocal(r.URL)
	}
	ep, err := transport.NewEndpoint(r.URL)
	if err != nil {
		return nil, err
	}
	switch ep.Protocol {
	case "http", "https":
		return c.dialHTTP(ep)
	case "ssh":
		return c.dialSSH(ep)
	case "git":
		return &wire{r: r, connect: func() (transport.UploadPackSession, error) {
			return gitproto.DefaultClient.NewUploadPackSession(ep, nil)
		}}, nil
	}
	return nil, fmt.Errorf("unsupported transport '%s'", ep.Protocol)
}

func (c *clone) dialHTTP(ep *transport.Endpoint) (source, error) {
	r := c.r
	var auth githttp.AuthMethod
	user, password := r.User, r.Password
	switch {
	case ep.User != "" || ep.Password != "":
		if user == "" {
			user, password = ep.User, ep.Password
		}
	case user == "" && password == "":
		user, password = netrc(c.o.Home, ep.Host)
	case ep.Protocol == "http" && !r.InsecureAuth:
		return nil, errors.New("authentication is disabled by default on http remotes; use https, or set insecure_auth to True")
	}
	if user != "" || password != "" {
		if user == "" {
			user = "git"
		}
		auth = &githttp.BasicAuth{Username: user, Password: password}
	}
	tr := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		DialContext:       (&net.Dialer{Timeout: min(r.Timeout, 10*time.Second)}).DialContext,
		ForceAttemptHTTP2: true,
		IdleConnTimeout:   time.Second,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: r.NoTLSVerify}, //nolint:gosec // the user's ssl_verify
	}
	if r.Proxy != "" {
		u, err := url.Parse(r.Proxy)
		if err != nil || u.Host == "" {
			if u, err = url.Parse("http://" + r.Proxy); err != nil {
				return nil, fmt.Errorf("proxy: %w", err)
			}
		}
		tr.Proxy = http.ProxyURL(u)
	}
	if r.CABundle != "" {
		pem, err := os.ReadFile(r.CABundle)
		if err != nil {
			return nil, err
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: no certificate in it", r.CABundle)
		}
		tr.TLSClientConfig.RootCAs = pool
	}
	client := githttp.NewClient(&http.Client{Transport: tr})
	return &wire{r: r, done: tr.CloseIdleConnections, connect: func() (transport.UploadPackSession, error) {
		if auth == nil {
			return client.NewUploadPackSession(ep, nil)
		}
		return client.NewUploadPackSession(ep, auth)
	}}, nil
}

// A wire is a remote that speaks Git's protocol.
type wire struct {
	r       *Remote
	connect func() (transport.UploadPackSession, error)
	done    func()
	ses     transport.UploadPackSession
	adv     *packp.AdvRefs
}

func (w *wire) close() {
	if w.ses != nil {
		w.ses.Close()
		w.ses = nil
	}
	if w.done != nil {
		w.done()
	}
}

// packPatience is how many timeouts a server may take to prepare a pack: one
// that compresses a large repository behind a proxy is silent meanwhile.
const packPatience = 10

// guard ends f when nothing is heard of the other side for the remote's
// timeout, or for a longer time that f asks for by beat.
func (w *wire) guard(ctx context.Context, f func(ctx context.Context, beat func(time.Duration)) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var limit atomic.Int64
	t := time.AfterFunc(w.r.Timeout, func() { cancel(fmt.Errorf("no answer for %s", time.Duration(limit.Load()))) })
	defer t.Stop()
	beat := func(d time.Duration) {
		limit.Store(int64(d))
		t.Reset(d)
	}
	beat(w.r.Timeout)
	done := make(chan error, 1)
	go func() { done <- f(ctx, beat) }()
	select {
	case err := <-done:
		if err != nil && context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		return err
	case <-ctx.Done():
		if ses := w.ses; ses != nil {
			go ses.Close() // f may hang in it
		}
		w.ses = nil
		return context.Cause(ctx)
	}
}

func (w *wire) refs(ctx context.Context) (map[string]plumbing.Hash, error) {
	out := map[string]plumbing.Hash{}
	err := w.guard(ctx, func(ctx context.Context, _ func(time.Duration)) error {
		ses, err := w.connect()
		if err != nil {
			return err
		}
		adv, err := ses.AdvertisedReferencesContext(ctx)
		if err != nil {
			ses.Close()
			return err
		}
		w.ses, w.adv = ses, adv
		return nil
	})
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return out, nil
	}
	if err != nil {
		return nil, explain(err)
	}
	if f := w.adv.Capabilities.Get("object-format"); len(f) > 0 && f[0] != "sha1" {
		return nil, fmt.Errorf("repositories with object format %s are not supported", f[0])
	}
	for name, h := range w.adv.References {
		out[name] = h
	}
	if w.adv.Head != nil {
		out["HEAD"] = *w.adv.Head
	}
	return out, nil
}

// explain makes go-git's shorter errors clear.
func explain(err error) error {
	switch {
	case errors.Is(err, transport.ErrAuthenticationRequired):
		return errors.New("the server wants a user and password")
	case errors.Is(err, transport.ErrAuthorizationFailed):
		return errors.New("the server refuses this user")
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return errors.New("there is no such repository")
	}
	var bad *packp.ErrUnexpectedData
	if errors.As(err, &bad) || errors.Is(err, pktline.ErrInvalidPktLen) {
		return errors.New("the answer is not that of a git server, or the repository is one with sha256 objects, which are not supported")
	}
	return err
}

func (w *wire) pack(ctx context.Context, r *repo, q request) error {
	if w.ses == nil {
		return errors.New("the remote is empty")
	}
	req := packp.NewUploadPackRequestFromCapabilities(w.adv.Capabilities)
	req.Capabilities.Delete(capability.ThinPack)
	req.Wants, req.Haves = q.wants, q.haves
	if q.depth > 0 && w.adv.Capabilities.Supports(capability.Shallow) {
		req.Depth = packp.DepthCommits(q.depth)
	}
	if shallow := r.shallow(); len(shallow) > 0 || !req.Depth.IsZero() {
		if err := req.Capabilities.Set(capability.Shallow); err != nil {
			return err
		}
		req.Shallows = shallow
	}
	var fewer []plumbing.Hash
	err := r.receive(func(to io.Writer) error {
		return w.guard(ctx, func(ctx context.Context, beat func(time.Duration)) (err error) {
			fewer, err = w.download(ctx, req, r, to, beat)
			return err
		})
	})
	if err != nil && !errors.Is(err, errNoPack) {
		return err
	}
	// Only now: whoever is killed before that has a history that says it is cut.
	return reshallow(r, nil, fewer)
}

// download copies the pack that the server sends for a request; fewer are the
// commits that have their parents in it.
func (w *wire) download(ctx context.Context, req *packp.UploadPackRequest, r *repo, to io.Writer, beat func(time.Duration)) (fewer []plumbing.Hash, err error) {
	patience := packPatience * w.r.Timeout
	beat(patience)
	res, err := w.ses.UploadPack(ctx, req)
	if errors.Is(err, transport.ErrEmptyUploadPackRequest) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(err)
	}
	defer res.Close()
	if err := reshallow(r, res.Shallows, nil); err != nil {
		return nil, err
	}
	var from io.Reader = &watched{res, func() { beat(patience) }} // also what the server says of its progress
	switch {
	case req.Capabilities.Supports(capability.Sideband):
		from = sideband.NewDemuxer(sideband.Sideband, from)
	case req.Capabilities.Supports(capability.Sideband64k):
		from = sideband.NewDemuxer(sideband.Sideband64k, from)
	}
	_, err = io.Copy(to, &watched{from, func() { beat(w.r.Timeout) }})
	return res.Unshallows, err
}

// reshallow notes which commits have no parents now.
func reshallow(r *repo, more, fewer []plumbing.Hash) error {
	if len(more)+len(fewer) == 0 {
		return nil
	}
	drop := map[plumbing.Hash]bool{}
	for _, h := range fewer {
		drop[h] = true
	}
	var list []plumbing.Hash
	for _, h := range append(r.shallow(), more...) {
		if !drop[h] {
			list = append(list, h)
		}
	}
	return r.setShallow(list)
}

// A watched reader tells that bytes come.
type watched struct {
	r     io.Reader
	alive func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n > 0 {
		w.alive()
	}
	return n, err
}
