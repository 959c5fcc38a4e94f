package caller

import (
	"net"
	"net/url"

	"pinch/value"
)

// proxy is the HTTP proxy of the options proxy_host, proxy_port,
// proxy_username and proxy_password; nil when there is none.
func proxy(o *value.Map) *url.URL {
	host := o.Str("proxy_host")
	if host == "" {
		return nil
	}
	u := &url.URL{Scheme: "http", Host: host}
	if port := o.Str("proxy_port"); port != "" && port != "0" {
		u.Host = net.JoinHostPort(host, port)
	}
	if user := o.Str("proxy_username"); user != "" {
		u.User = url.UserPassword(user, o.Str("proxy_password"))
	}
	return u
}
