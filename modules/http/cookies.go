package http

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"pinch/salt"
	"pinch/sys"
	"pinch/value"
)

// A jar holds cookies in a file: that of libwww-perl (lwp), or Netscape's
// (mozilla).
type jar struct {
	path    string
	mozilla bool
	cookies []*http.Cookie
	now     time.Time
}

const lwpHead, mozillaHead = "#LWP-Cookies-2.0\n", "# Netscape HTTP Cookie File\n"

func openJar(c *salt.Ctx, path, format string) (*jar, error) {
	j := &jar{path: path, mozilla: format == "mozilla", now: c.Sys.Now()}
	if !sys.IsFile(c.Sys, path) {
		return j, j.save(c)
	}
	b, err := c.Sys.ReadFile(path)
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if k := j.parse(line); k != nil {
			j.cookies = append(j.cookies, k)
		}
	}
	return j, err
}

// parse reads a line of the file, nil if it is no cookie.
func (j *jar) parse(line string) *http.Cookie {
	if j.mozilla {
		line, only := strings.CutPrefix(line, "#HttpOnly_")
		f := strings.Split(line, "\t")
		if len(f) != 7 || strings.HasPrefix(line, "#") {
			return nil
		}
		k := &http.Cookie{Domain: f[0], Path: f[2], Secure: f[3] == "TRUE", Name: f[5], Value: f[6], HttpOnly: only}
		if n, _ := strconv.ParseInt(f[4], 10, 64); n > 0 {
			k.Expires = time.Unix(n, 0)
		}
		return k
	}
	rest, ok := strings.CutPrefix(line, "Set-Cookie3: ")
	if !ok {
		return nil
	}
	k := new(http.Cookie)
	for i, part := range strings.Split(rest, "; ") {
		name, v, _ := strings.Cut(part, "=")
		if u, err := strconv.Unquote(v); err == nil {
			v = u
		}
		switch {
		case i == 0:
			k.Name, k.Value = name, v
		case name == "path":
			k.Path = v
		case name == "domain":
			k.Domain = v
		case name == "secure":
			k.Secure = true
		case name == "expires":
			k.Expires, _ = time.Parse("2006-01-02 15:04:05Z", v)
		}
	}
	return k
}

// save writes the cookies that outlive the session.
func (j *jar) save(c *salt.Ctx) error {
	var b strings.Builder
	if j.mozilla {
		b.WriteString(mozillaHead)
	} else {
		b.WriteString(lwpHead)
	}
	for _, k := range j.cookies {
		switch {
		case k.Expires.IsZero() || k.Expires.Before(j.now):
		case j.mozilla:
			yes := map[bool]string{true: "TRUE", false: "FALSE"}
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", k.Domain, yes[strings.HasPrefix(k.Domain, ".")], k.Path, yes[k.Secure], k.Expires.Unix(), k.Name, k.Value)
		default:
			fmt.Fprintf(&b, "Set-Cookie3: %s=%s; path=%q; domain=%s; path_spec; ", k.Name, k.Value, k.Path, k.Domain)
			if k.Secure {
				b.WriteString("secure; ")
			}
			fmt.Fprintf(&b, "expires=%q; version=0\n", k.Expires.UTC().Format("2006-01-02 15:04:05Z"))
		}
	}
	mode := sys.Mode(0o600)
	return sys.WriteFile(c.Sys, j.path, []byte(b.String()), sys.FileAttrs{Mode: &mode})
}

// Cookies are those for a URL.
func (j *jar) Cookies(u *url.URL) []*http.Cookie {
	var out []*http.Cookie
	for _, k := range j.cookies {
		domain, wide := strings.CutPrefix(k.Domain, ".")
		host := u.Hostname() == domain || wide && strings.HasSuffix(u.Hostname(), "."+domain)
		path := strings.TrimSuffix(k.Path, "/")
		below := u.Path == path || strings.HasPrefix(u.Path, path+"/") || path == ""
		if host && below && (!k.Secure || u.Scheme == "https") && (k.Expires.IsZero() || k.Expires.After(j.now)) {
			out = append(out, k)
		}
	}
	return out
}

// SetCookies keeps what a server sets for itself.
func (j *jar) SetCookies(u *url.URL, set []*http.Cookie) {
	for _, k := range set {
		domain := strings.TrimPrefix(k.Domain, ".")
		switch {
		case domain == "" || domain == u.Hostname():
			k.Domain = u.Hostname()
		case strings.Contains(domain, ".") && strings.HasSuffix(u.Hostname(), "."+domain):
			k.Domain = "." + domain
		default:
			continue // another's
		}
		if k.Path == "" {
			k.Path = "/"
		}
		if k.MaxAge > 0 {
			k.Expires = j.now.Add(time.Duration(k.MaxAge) * time.Second)
		}
		var rest []*http.Cookie
		for _, old := range j.cookies {
			if old.Name != k.Name || old.Domain != k.Domain || old.Path != k.Path {
				rest = append(rest, old)
			}
		}
		j.cookies = rest
		if k.MaxAge >= 0 {
			j.cookies = append(j.cookies, k)
		}
	}
}

func (r *request) sessionFile() string {
	if p := r.kw.Str("session_cookie_jar"); p != "" {
		return p
	}
	return filepath.Join(r.opts.Str("cachedir"), "cookies.session.p")
}

// session adds the cookie that an earlier call with persist_session kept.
func (r *request) session() error {
	b, err := r.c.Sys.ReadFile(r.sessionFile())
	if err != nil {
		return nil // the first call
	}
	v, err := value.ParseMsgpack(b)
	m, _ := v.(*value.Map)
	for k, v := range m.Items() {
		r.header.Set(k, value.Str(v))
	}
	return err
}

func (r *request) keepSession(res *http.Response) error {
	var pairs []string
	for _, k := range res.Cookies() {
		pairs = append(pairs, k.Name+"="+k.Value)
	}
	if len(pairs) == 0 {
		return nil
	}
	b, err := value.Msgpack(value.M("Cookie", strings.Join(pairs, "; ")))
	if err != nil {
		return err
	}
	mode := sys.Mode(0o600)
	return sys.WriteFile(r.c.Sys, r.sessionFile(), b, sys.FileAttrs{Mode: &mode})
}
