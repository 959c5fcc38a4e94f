package file

import (
	"slices"
	"strings"

	"pinch/value/pyre"
)

// urlParts are the parts of a URL that a source is judged by.
type urlParts struct{ scheme, host, path string }

// parseURL splits as Python's urlparse does: a text without a scheme is all path.
func parseURL(s string) urlParts {
	var u urlParts
	if i := strings.IndexByte(s, ':'); i > 0 && isScheme(s[:i]) {
		u.scheme, s = strings.ToLower(s[:i]), s[i+1:]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		n := strings.IndexAny(rest, "/?#")
		if n < 0 {
			n = len(rest)
		}
		u.host, s = rest[:n], rest[n:]
	}
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	u.path = s
	return u
}

func isScheme(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || strings.ContainsRune("+-.", c))) {
			return false
		}
	}
	return s != ""
}

var (
	protos       = []string{"salt", "file", "http", "https", "ftp", "swift", "s3"}
	remoteProtos = protos[2:]
)

func isValidProto(p string) bool { return slices.Contains(protos, p) }
func isRemote(p string) bool     { return slices.Contains(remoteProtos, p) }

// splitEnv takes ?saltenv=NAME off a salt:// URL and gives its path.
func splitEnv(url string) (path, env string) {
	rest, ok := strings.CutPrefix(url, "salt://")
	if !ok {
		return url, ""
	}
	if p, _, ok := strings.Cut(rest, "?env="); ok {
		rest = p
	} else if p, e, ok := strings.Cut(rest, "?saltenv="); ok {
		rest, env = p, e
	}
	return strings.TrimLeft(rest, "/"), env
}

// redact hides the user and password of a URL.
func redact(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	out, _, err := pyre.MustCompile(`(https?)://.*@`, pyre.IgnoreCase).Sub(`\1://<redacted>@`, s, 0)
	if err != nil {
		return s
	}
	return out
}

func isAbs(p string) bool { return strings.HasPrefix(p, "/") }
